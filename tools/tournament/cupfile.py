"""Tournaments in TOML: read into options, with every mistake named by file and line."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engines import registry
from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from protocols.ask.engine import LONGEST, EngineSpec
from tools.records.filing import SHOGI_FORMATS
from tools.roster.engines import resolve
from tools.roster.settings import KEYS, PROTOCOLS, merged, suggestion
from tools.roster.sides import Side
from tools.roster.toml import TomlReader, read_toml
from tools.terms.adjudication import parse_adjudication
from tools.terms.openings import BUILTIN, ORDERS
from tools.terms.scoring import SCORINGS
from tools.tournament.formats.plan import FORMATS

_TABLES: Final = ("tournament", "engine")
_ENGINE_KEYS: Final = ("command", "time", *KEYS)


@dataclass(frozen=True, slots=True)
class CupFile:
    """A tournament of a file: its engines and its options by their names in `TournamentOptions`."""

    path: Path
    sides: tuple[Side, ...]
    options: Mapping[str, Any]
    reader: "CupReader"

    def locate(self, error: InvalidText) -> InvalidText:
        """Return an error with the file and the line of the key that it is about."""
        message = str(error)
        if message.startswith(f"{self.path}:"):
            return error
        return InvalidText(f"{self.path}:{self.reader.line_about(message)}: {message}")


def read_cup(path: Path) -> CupFile:
    """Read a tournament; raises InvalidText with all mistakes, each with its file and line."""
    text, tree = read_toml(path)
    reader = CupReader(path, text)
    cup = reader.read(tree)
    reader.raise_faults()
    return cup


Check = Callable[[Any], Any]
"""Returns the value of an option; raises InvalidText, which says what is expected."""


def whole(least: int, most: float = math.inf) -> Check:
    """Return the check of a whole number."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise InvalidText(f"expected a whole number from {least}, not {value!r}")
        return value

    return check


def _even(value: Any) -> int:
    if whole(2)(value) % 2:
        raise InvalidText(
            f"expected an even number, because each opening is played with both colours, "
            f"not {value}"
        )
    return int(value)


def _seconds(least: float) -> Check:
    def check(value: Any) -> float:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not least <= value <= LONGEST:
            raise InvalidText(f"expected seconds, at least {least:g}, not {value!r}")
        return float(value)

    return check


def _share(value: Any) -> float:
    if not isinstance(value, float) or not 0.5 < value < 1:
        raise InvalidText(f"expected a number between 0.5 and 1, not {value!r}")
    return value


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidText(f"expected true or false, not {value!r}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidText(f"expected a text in quotes, not {value!r}")
    return value


def _number_or_text(value: Any) -> str:
    """Accept a number where a command line has a text: `komi = 7` as well as `komi = "7"`."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}"
    return _text(value)


def _choice(known: Sequence[str]) -> Check:
    def check(value: Any) -> str:
        if value not in known:
            near = suggestion(value, known) if isinstance(value, str) else ""
            raise InvalidText(f"expected {' or '.join(known)}, not {value!r}{near}")
        return str(value)

    return check


def _time(value: Any) -> tuple[str, ...]:
    return (str(TimeControl.parse(_text(value))),)


def _rule(name: str) -> Check:
    def check(value: Any) -> str:
        texts = {"resign": "", "draw": "", "mate": "", "exact": "", name: _text(value)}
        parse_adjudication(texts["resign"], texts["draw"], 0, texts["mate"], texts["exact"])
        return texts[name]

    return check


TERMS_KEYS: Final[Mapping[str, tuple[str, Check]]] = {
    "game": ("game", _choice(sorted(registry.GAMES))),
    "format": ("format", _choice(FORMATS)),
    "games": ("games", _even),
    "rounds": ("rounds", whole(1)),
    "challengers": ("challengers", whole(1)),
    "extra": ("extra", whole(0)),
    "certainty": ("certainty", _share),
    "size": ("size", whole(1)),
    "variant": ("variant", _text),
    "protocol": ("protocol", _choice(PROTOCOLS)),
    "time": ("times", _time),
    "openings": ("openings", _text),
    "order": ("order", _choice(ORDERS)),
    "plies": ("plies", whole(0)),
    "movetime": ("movetime", _switch),
    "seed": ("seed", whole(0)),
    "komi": ("komi", _number_or_text),
    "handicap": ("handicap", _number_or_text),
    "scoring": ("scoring", _choice(SCORINGS)),
    "arbiter": ("arbiter", _text),
    "score-timeout": ("score_timeout", _seconds(0.001)),
    "resign": ("resign", _rule("resign")),
    "draw": ("draw", _rule("draw")),
    "mate": ("mate", _rule("mate")),
    "exact": ("exact", _rule("exact")),
    "tables": ("tables", _switch),
    "max-plies": ("max_plies", whole(0)),
    "lag": ("lag", _seconds(0)),
    "move-timeout": ("move_timeout", _seconds(0.001)),
    "patience": ("patience", _seconds(0.001)),
    "set-aside": ("set_aside", whole(1)),
    "jobs": ("jobs", whole(1)),
    "pin": ("pin", _switch),
    "out": ("out", _text),
    "records": ("shogi_format", _choice(SHOGI_FORMATS)),
    "transcript": ("transcript", _switch),
    "dask": ("dask", _text),
}
"""The keys of [tournament], which are the command's options: their fields and their checks."""


class CupReader(TomlReader):
    """Reads one file, and collects its faults with their lines.

    The table `section` has the options, under the `known` keys.
    """

    section = "tournament"
    known: Mapping[str, tuple[str, Check]] = TERMS_KEYS

    def read(self, tree: Mapping[str, Any]) -> CupFile:
        """Read the whole file."""
        for key in tree:
            if key not in _TABLES:
                expected = "[tournament] and [engine.NAME]"
                self.fault_at((key,), f"no such table: {key!r} (expected {expected})")
        options = self.options(tree.get(self.section, {}))
        engines = tree.get("engine", {})
        if not isinstance(engines, dict) or len(engines) < 2:
            count = len(engines) if isinstance(engines, dict) else 0
            message = f"expected at least two tables [engine.NAME], not {count}"
            self.fault_at(("engine",), message)
            engines = engines if isinstance(engines, dict) else {}
        sides = tuple(self.engine(name, table) for name, table in engines.items())
        return CupFile(self.path, sides, options, self)

    def options(self, table: Any) -> dict[str, Any]:
        """Read the table of options; faulty ones are left out."""
        self.table = (self.section,)
        if not isinstance(table, dict):
            self.fault((), f"expected a table [{self.section}]")
            return {}
        options: dict[str, Any] = {}
        for key, value in table.items():
            if key not in self.known:
                near = suggestion(key, list(self.known))
                known = ", ".join(self.known)
                self.fault((key,), f"no such key: {key!r}{near} (known: {known})")
                continue
            field, check = self.known[key]
            try:
                options[field] = check(value)
            except InvalidText as error:
                self.fault((key,), f"{key}: {error}")
        for key in ("openings", "out"):
            if key in options and options[key] != BUILTIN:
                options[key] = self.path.parent / options[key]
        if isinstance(openings := options.get("openings"), Path) and not openings.exists():
            self.fault(("openings",), f"openings: no such file or folder: {openings}")
        elif isinstance(openings, str):
            options["openings"] = Path(openings)
        return options

    def engine(self, name: str, table: Any) -> Side:
        """Read the table of an engine."""
        self.table = ("engine", name)
        nothing = Side(EngineSpec(name, ()))
        if not isinstance(table, dict):
            self.fault((), f"engine.{name}: expected a table")
            return nothing
        if not name.strip() or not name.isprintable():
            self.fault((), "expected a printable name: [engine.NAME]")
        for key in table:
            if key not in _ENGINE_KEYS:
                near = suggestion(key, _ENGINE_KEYS)
                known = ", ".join(_ENGINE_KEYS)
                self.fault((key,), f"no such key: {key!r}{near} (known: {known})")
        before = len(self.faults)
        given = self.settings({key: value for key, value in table.items() if key in KEYS})
        engine = self._command(name, table, given.get("protocol"))
        control = None
        if "time" in table:
            try:
                control = TimeControl.parse(_text(table["time"]))
            except InvalidText as error:
                self.fault(("time",), f"time: {error}")
        if len(self.faults) > before or engine is None:
            return nothing
        settings = merged(engine, given)
        engine = replace(engine, **settings, label=name, origin=(str(self.path), name))
        return Side(engine, control, named=True)

    def _command(
        self, name: str, table: Mapping[str, Any], protocol: str | None
    ) -> EngineSpec | None:
        command = table.get("command")
        if command is None:
            self.fault((), f"engine.{name}: command is missing")
        elif isinstance(command, str):
            try:
                return resolve(command, protocol)
            except InvalidText as error:
                self.fault(("command",), f"command: {error}")
        elif isinstance(command, list) and command:
            return EngineSpec(name, self.texts("command", command))
        else:
            self.fault(("command",), "command: expected an engine, or a list of strings")
        return None

    def line_about(self, message: str) -> int:
        """Return the line of the key that a message is about, by the names in it."""
        for match in re.finditer(r"--([a-z-]+)|(\S+)", message):
            key = (match[1] or match[2]).strip(":,;")
            if key in self.known and self.line(self.section, key) != self.line(self.section):
                return self.line(self.section, key)
        for _, path in self._keys:
            if len(path) == 2 and path[0] == "engine" and path[1] in message:
                return self.line(*path)
        return self.line(self.section)
