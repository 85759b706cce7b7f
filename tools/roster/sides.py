"""The two sides of a match as words of a command line: an engine, then its settings.

A setting is KEY=VALUE, with the keys of engines.toml (`options.level=3`, `patience=300`), and with
`name`, `time` and `lag` besides.
"""

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tools.roster.engines import resolve
from tools.roster.settings import (
    KEYS,
    LISTS,
    NUMBERS,
    SWITCHES,
    TABLES,
    SettingsReader,
    merged,
    suggestion,
)

_WORDS: Final = ("name", "time", *KEYS)
_SETTING: Final = re.compile(r"([A-Za-z][A-Za-z_-]*)(?:\.([^=]+))?=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Side:
    """An engine of a match, and its own time control if it has one.

    `words` are its settings as they were given; `named` says that its name is among them.
    """

    engine: EngineSpec
    time: TimeControl | None = None
    words: tuple[str, ...] = ()
    named: bool = False


def split_sides(words: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    """Return each engine among words with its settings, still as text; raises InvalidText."""
    sides: list[tuple[str, list[str]]] = []
    for word in words:
        if not _is_setting(word):
            sides.append((word, []))
        elif sides:
            sides[-1][1].append(word)
        else:
            raise InvalidText(f"{word}: expected an engine before its settings")
    return [(engine, tuple(settings)) for engine, settings in sides]


def told_apart(first: Side, second: Side) -> tuple[EngineSpec, EngineSpec]:
    """Return the engines of two sides under different names.

    Programs of one name are distinguished by the shortest ends of their paths that differ, and
    the same program by its settings.
    """
    one, other = first.engine, second.engine
    if one.label == other.label and not first.named and not second.named:
        ends = _ends_of_paths(one, other)
        if ends is None:
            ends = _with_settings(first, second), _with_settings(second, first)
        one, other = replace(one, label=ends[0]), replace(other, label=ends[1])
    if one.label == other.label:
        other = replace(other, label=f"{other.label} (2)")
    return one, other


def all_told_apart(sides: Sequence[Side]) -> tuple[EngineSpec, ...]:
    """Return the engines of any number of sides under different names, as `told_apart` does."""
    engines: list[EngineSpec] = []
    for place, side in enumerate(sides):
        engine = side.engine
        others = [*sides[:place], *sides[place + 1 :]]
        alike = [other for other in others if other.engine.label == engine.label]
        if alike and not side.named:
            engine, _ = told_apart(side, replace(alike[0], named=False))
        taken = {each.label for each in engines}
        label, number = engine.label, 2
        while engine.label in taken:
            engine = replace(engine, label=f"{label} ({number})")
            number += 1
        engines.append(engine)
    return tuple(engines)


def _ends_of_paths(one: EngineSpec, other: EngineSpec) -> tuple[str, str] | None:
    """Return the shortest ends of two programs' paths that differ.

    None if the programs are the same, or are not named by their files alone.
    """
    paths = [Path(shutil.which(each.command[0]) or each.command[0]) for each in (one, other)]
    if any(each.label != Path(each.command[0]).name for each in (one, other)):
        return None
    first, second = (Path(os.path.abspath(path)).parts for path in paths)
    for count in range(1, max(len(first), len(second)) + 1):
        if first[-count:] != second[-count:]:
            return os.path.join(*first[-count:]), os.path.join(*second[-count:])
    return None


def _with_settings(side: Side, opponent: Side) -> str:
    """Return a side's name with the settings that its opponent does not have."""
    own = [word for word in side.words if word not in opponent.words]
    return " ".join([side.engine.label, *own])


def _is_setting(word: str) -> bool:
    """Whether a word is a setting; a program may have such a name too, if it is no key."""
    match = _SETTING.fullmatch(word)
    return match is not None and (match[1] in _WORDS or shutil.which(word) is None)


def read_side(text: str, words: Sequence[str], protocol: str | None = None) -> Side:
    """Return the side of an engine with its settings; raises InvalidText.

    `protocol` is that of an engine without one among its settings.
    """
    reader = _WordsReader(text)
    table = reader.table(words)
    name, time = table.pop("name", None), table.pop("time", None)
    control = None
    if isinstance(time, str):
        try:
            control = TimeControl.parse(time)
        except InvalidText as error:
            reader.fault(("time",), str(error))
    if name is not None and not (name.strip() and name.isprintable()):
        reader.fault(("name",), "name: expected a printable name")
    given = reader.settings(table)
    if reader.faults:
        raise InvalidText("\n".join(reader.faults))
    engine = resolve(text, given.get("protocol") or protocol)
    if "folder" in given and os.path.dirname(engine.command[0]):
        # In a shell, a path is relative to where one is; the engine starts in its folder.
        program, *arguments = engine.command
        given["command"] = (os.path.abspath(program), *arguments)
    if name is not None:
        given["label"] = name.strip()
    if "options" in given:
        given["origin"] = (
            None  # A refused option may be one of these, which have no line in a file.
        )
    engine = replace(engine, **merged(engine, given))
    return Side(engine, control, tuple(words), named=name is not None)


class _WordsReader(SettingsReader):
    """Reads the settings of one engine, and collects their faults."""

    def __init__(self, engine: str) -> None:
        self.faults: list[str] = []
        self._engine = engine

    def fault(self, keys: Sequence[str], message: str) -> None:
        """Note a fault, with the engine whose setting it is."""
        self.faults.append(f"{self._engine}: {message}")

    def table(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the settings as engines.toml would have them."""
        table: dict[str, Any] = {}
        for word in words:
            match = _SETTING.fullmatch(word)
            if match is None:
                self.fault((word,), f"expected KEY=VALUE, not {word!r}")
                continue
            key, inner, value = match.groups()
            if key not in _WORDS:
                near = suggestion(key, _WORDS)
                self.fault((key,), f"no such setting: {key!r} (known: {_known()}{near})")
            elif (key in TABLES) != (inner is not None):
                expected = f"{key}.NAME=VALUE" if key in TABLES else f"{key}=VALUE"
                self.fault((key,), f"{word}: expected {expected}")
            elif inner is not None:
                self._once(table.setdefault(key, {}), inner, value, word)
            elif key in LISTS:
                table.setdefault(key, []).append(value)
            else:
                self._once(table, key, _typed(key, value), word)
        return table

    def _once(self, table: dict[str, Any], key: str, value: Any, word: str) -> None:
        if key in table:
            self.fault((key,), f"{word}: given twice")
        table[key] = value


def _typed(key: str, text: str) -> Any:
    """Return a value with the type that it would have in engines.toml; text if it has not."""
    if key in SWITCHES:
        return {"true": True, "false": False}.get(text, text)
    if key in NUMBERS:
        try:
            return float(text)
        except ValueError:
            return text
    return text


def _known() -> str:
    return ", ".join(f"{key}.NAME" if key in TABLES else key for key in _WORDS)
