"""Tuning runs in TOML: read into options, with every mistake named by file and line."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from engines.core.game import InvalidText
from tools.roster.settings import suggestion
from tools.roster.toml import read_toml
from tools.statistics.spsa import Parameter, TuningError
from tools.tournament.cupfile import TERMS_KEYS, Check, CupReader, whole
from tools.tournament.tuning.options import TuningOptions
from tools.tournament.tuning.plan import PLACEHOLDER, Knob, Way

_TABLES: Final = ("tune", "engine", "value")
_NUMBERS: Final = ("start", "low", "high", "step", "rate")
_NEEDED: Final = _NUMBERS[:-1]
_VALUE_KEYS: Final = (*_NUMBERS, "whole", *Way)
_FOREIGN: Final = ("format", "games", "rounds", "challengers", "extra", "certainty", "dask")


class PlanFile:
    """A tuning run of a file."""

    def __init__(self, reader: "PlanReader", options: TuningOptions) -> None:
        self.options = options
        self._reader = reader

    def locate(self, error: InvalidText) -> InvalidText:
        """Return an error with the file and the line of the key that it is about."""
        message, path = str(error), self._reader.path
        if message.startswith(f"{path}:"):
            return error
        return InvalidText(f"{path}:{self._reader.line_about(message)}: {message}")


def read_plan(path: Path) -> PlanFile:
    """Read a tuning run; raises InvalidText with all mistakes, each with its file and line."""
    text, tree = read_toml(path)
    reader = PlanReader(path, text)
    options = reader.read_tuning(tree)
    reader.raise_faults()
    return PlanFile(reader, options)


class PlanReader(CupReader):
    """Reads one file, and collects its faults with their lines."""

    section = "tune"
    known: Mapping[str, tuple[str, Check]] = {
        "pairs": ("pairs", whole(1)),
        **{key: value for key, value in TERMS_KEYS.items() if key not in _FOREIGN},
    }

    def read_tuning(self, tree: Mapping[str, Any]) -> TuningOptions:
        """Read the whole file."""
        for key in tree:
            if key not in _TABLES:
                expected = "[tune], [engine.NAME] and [value.NAME]"
                self.fault_at((key,), f"no such table: {key!r} (expected {expected})")
        options = {"out": self.path.with_suffix(""), **self.options(tree.get("tune", {}))}
        if "pairs" not in options and not self.faults:
            self.fault((), "pairs is missing: how many pairs of games are to be played")
        engines = tree.get("engine", {})
        if not isinstance(engines, dict) or len(engines) != 1:
            count = len(engines) if isinstance(engines, dict) else 0
            self.fault_at(("engine",), f"expected one table [engine.NAME], not {count}")
            engines = engines if isinstance(engines, dict) else {}
        sides = [self.engine(name, table) for name, table in engines.items()]
        commands = [table.get("command") for table in engines.values() if isinstance(table, dict)]
        knobs = self._knobs(tree.get("value", {}))
        return TuningOptions(
            engines=(), sides=tuple(sides[:1]), command=_words(commands), knobs=knobs, **options
        )

    def _knobs(self, tables: Any) -> tuple[Knob, ...]:
        self.table = ("value",)
        if not isinstance(tables, dict) or not tables:
            self.fault((), "expected at least one table [value.NAME]")
            return ()
        knobs = [self._knob(name, table) for name, table in tables.items()]
        return tuple(knob for knob in knobs if knob is not None)

    def _knob(self, name: str, table: Any) -> Knob | None:
        self.table = ("value", name)
        if not isinstance(table, dict):
            self.fault((), f"value.{name}: expected a table")
            return None
        before = len(self.faults)
        for key in table:
            if key not in _VALUE_KEYS:
                near = suggestion(key, _VALUE_KEYS)
                known = ", ".join(_VALUE_KEYS)
                self.fault((key,), f"no such key: {key!r}{near} (known: {known})")
        numbers = {key: self._number(name, key, table) for key in _NUMBERS if key in table}
        for key in _NEEDED:
            if key not in table:
                self.fault((), f"value.{name}: {key} is missing")
        whole_values = table.get("whole", False)
        if not isinstance(whole_values, bool):
            self.fault(("whole",), f"whole: expected true or false, not {whole_values!r}")
        way, text = self._way(name, table)
        if len(self.faults) > before:
            return None
        try:
            return Knob(Parameter(name, **numbers, whole=whole_values), way, text)
        except TuningError as error:
            key = next((each for each in _NUMBERS if f": {each}" in str(error)), "start")
            self.fault((key,), str(error))
            return None

    def _number(self, name: str, key: str, table: Mapping[str, Any]) -> float:
        value = table[key]
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fault((key,), f"{key}: expected a number, not {value!r}")
            return 0.0
        return float(value)

    def _way(self, name: str, table: Mapping[str, Any]) -> tuple[Way, str]:
        """Return how the engine receives a value: by default as the option of its name."""
        given = [way for way in Way if way in table]
        if not given:
            return Way.OPTION, name
        way = given[0]
        text = table[way]
        if len(given) > 1:
            self.fault((given[1],), f"expected {' or '.join(given)}, not both")
        if not isinstance(text, str) or not text.strip() or not text.isprintable():
            self.fault((way,), f"{way}: expected a text in quotes")
        elif way is not Way.OPTION and text.count(PLACEHOLDER) != 1:
            self.fault((way,), f"{way}: expected {PLACEHOLDER} once, in the place of the value")
        return way, str(text)


def _words(commands: list[Any]) -> tuple[str, ...]:
    """Return the engine as the file names it: one text, or the words of its command line."""
    if not commands:
        return ()
    return (commands[0],) if isinstance(commands[0], str) else tuple(map(str, commands[0] or ()))
