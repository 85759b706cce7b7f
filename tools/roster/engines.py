"""Engines by name: our own programs, those in engines.toml, and command lines."""

import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engines import registry
from engines.core import places
from engines.core.game import InvalidText
from engines.core.version import speed
from protocols.ask.engine import EngineSpec
from tools.roster.programs import find_fault, no_such_engine
from tools.roster.settings import KEYS
from tools.roster.toml import TomlReader, read_toml

_KEYS: Final = ("command", *KEYS)


def own_programs() -> Mapping[str, registry.Entry]:
    """Return our games by both names that a user may give: `neutron`, `quintet-neutron`."""
    return dict(registry.GAMES) | {
        f"quintet-{name}": registry.GAMES[name] for name in registry.GAMES
    }


def resolve(text: str, protocol: str | None = None) -> EngineSpec:
    """Return the engine that a user names; raises InvalidText.

    The text is one of our programs, with or without arguments, a name from engines.toml, or a
    command line.
    """
    if not text.strip():
        raise InvalidText("an engine's name or command is empty")
    settings = places.settings() / "engines.toml"
    if text.split()[0] in own_programs():
        spec = _own(split(text))
    # A name may contain characters that would be special in a command line.
    elif (name := text.strip()) in (described := load_engines(settings)):
        spec = described[name]
    elif (words := split(text)) and len(words) == 1 and words[0] in described:
        spec = described[words[0]]
    elif not words:
        raise InvalidText("an engine's name or command is empty")
    elif words[0] in own_programs():
        spec = _own(words)
    else:
        if shutil.which(words[0]) is None:
            raise InvalidText(_unknown(words[0], sorted(described), settings))
        spec = EngineSpec(text if len(words) > 1 else Path(words[0]).name, tuple(words))
    return replace(spec, protocol=protocol) if protocol else spec


def _own(words: Sequence[str]) -> EngineSpec:
    entry = own_programs()[words[0]]
    label = " ".join((f"quintet-{entry.name}", *words[1:]))
    command = own_command(entry, *words[1:])
    return EngineSpec(label, command, protocol=entry.protocol, game=entry.name)


def own_command(entry: registry.Entry, *words: str) -> tuple[str, ...]:
    """Return the command that starts our own program for a game, with these arguments."""
    # Without -P, a file engines.py in the user's folder would be run instead of our package.
    return (sys.executable, "-P", "-m", entry.program.removesuffix(".__main__"), *words)


def interpreted(engines: Iterable[EngineSpec]) -> list[str]:
    """Return the labels of our own programs among engines whose modules are not compiled."""
    packages = {own_command(entry)[-1] for entry in registry.GAMES.values()}
    slow = {package for package in packages if speed(package) == "interpreted"}
    return [
        engine.label
        for engine in engines
        if engine.command[1:3] == ("-P", "-m") and slow.intersection(engine.command[3:4])
    ]


def _unknown(word: str, described: Sequence[str], settings: Path) -> str:
    if fault := find_fault(word):
        return fault
    own = sorted(f"quintet-{name}" for name in registry.GAMES)
    known = (
        f"known: {', '.join([*own, *described])}; name others by a command line, "
        f"or describe them in {settings}"
    )
    return no_such_engine(word, [*registry.GAMES, *own, *described], known)


def split(text: str) -> list[str]:
    """Split a command line as a shell would; raises InvalidText."""
    try:
        return shlex.split(text, posix=sys.platform != "win32")
    except ValueError as error:
        raise InvalidText(f"command {text!r}: {error}") from error


def load_engines(path: Path) -> dict[str, EngineSpec]:
    """Read the user's engines.toml; a missing file has no engines.

    Raises InvalidText with all mistakes, each with its file and line.
    """
    if not path.exists():
        return {}
    text, tree = read_toml(path)
    reader = _EnginesFile(path, text)
    engines = reader.engines(tree)
    reader.raise_faults()
    return engines


def place(spec: EngineSpec, *keys: str) -> str:
    """Return file and line of a key in an engine's section, as `FILE:3: `.

    Empty for an engine that is not described in a file.
    """
    if spec.origin is None:
        return ""
    path, name = spec.origin
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return f"{path}: "
    return f"{path}:{_EnginesFile(Path(path), text).line('engine', name, *keys)}: "


class _EnginesFile(TomlReader):
    """Reads one engines.toml, and collects its faults with their lines."""

    def engines(self, tree: Mapping[str, Any]) -> dict[str, EngineSpec]:
        """Read the whole file."""
        for key in tree:
            if key != "engine":
                self.fault_at((key,), f"no such table: {key!r} (expected [engine.NAME])")
        engines = tree.get("engine", {})
        if not isinstance(engines, dict):
            self.fault_at(("engine",), "expected tables [engine.NAME]")
            return {}
        return {name: self.engine(name, table) for name, table in engines.items()}

    def engine(self, name: str, table: Any) -> EngineSpec:
        """Read one table."""
        if not isinstance(table, dict):
            self.fault_at(("engine", name), f"engine.{name}: expected a table")
            return EngineSpec(name, ())
        if not name.strip():
            self.fault_at(("engine", name), "expected a name: [engine.NAME]")
        elif name.split()[0] in own_programs():
            message = f"engine.{name}: that is our own program; expected another name"
            self.fault_at(("engine", name), message)
        for key in table:
            if key not in _KEYS:
                known = ", ".join(_KEYS)
                self.fault_at(("engine", name, key), f"no such key: {key!r} (known: {known})")
        before = len(self.faults)
        self.table = ("engine", name)
        given = self.settings({key: value for key, value in table.items() if key in KEYS})
        path = dict(given.get("environment", ())).get("PATH")
        command = self._command(name, table, given.get("folder"), path)
        if len(self.faults) > before:
            return EngineSpec(name, ())  # Nobody uses it.
        return EngineSpec(name, command, **given, origin=(str(self.path), name))

    def _command(
        self, name: str, table: Mapping[str, Any], folder: str | None, path: str | None
    ) -> tuple[str, ...]:
        keys, before = ("engine", name, "command"), len(self.faults)
        words: tuple[str, ...] = ()
        if "command" not in table:
            self.fault_at(keys[:2], f"engine.{name}: command is missing")
        elif isinstance(table["command"], str):
            try:
                words = tuple(split(table["command"]))
            except InvalidText as error:
                self.fault_at(keys, str(error))
        else:
            words = self.texts("command", table["command"])
        if len(self.faults) > before:
            return ()
        if not words:
            self.fault_at(keys, "command: expected a program")
            return ()
        # The path of a program is relative to the folder that it is started in.
        program = str(Path(folder or "") / words[0]) if os.path.dirname(words[0]) else words[0]
        if shutil.which(program, path=path) is None:
            fault = find_fault(words[0], folder=folder or "", path=path)
            no_program = f"no such program: {words[0]!r} (expected one that can be run)"
            self.fault_at(keys, f"command: {fault}" if fault else no_program)
        return words
