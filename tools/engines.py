"""From what a user calls an engine to the program that is started."""

import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engines import registry
from engines.core import places
from engines.core.game import InvalidText
from tools.quantity import LONGEST, is_wait

PROTOCOLS: Final = ("gtp", "usi", "line")
PATIENCE: Final = 60.0  # Seconds for whatever is no move.
_SWITCHES: Final = ("ponder", "movetime")
_KEYS: Final = (
    "command",
    "protocol",
    "game",
    "options",
    "commands",
    "folder",
    "environment",
    "patience",
    *_SWITCHES,
)


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """A program to start: its argument list (never a shell's line) and how to treat it."""

    label: str
    command: tuple[str, ...]
    protocol: str | None = None  # None: to be found out.
    game: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    commands: tuple[str, ...] = ()  # Sent before the first game.
    folder: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    ponder: bool = False  # Thinks in its opponent's time.
    patience: float = PATIENCE  # Seconds to start in, and to get ready for a game.
    movetime: bool = False  # USI: a fixed time is told as `movetime`, not as byo-yomi.

    def names(self, option: str) -> bool:
        """Whether the user's command, options or commands say anything of an option."""
        told = (*self.command[1:], *self.commands)
        return option in dict(self.options) or any(
            re.search(rf"\b{option}\b", word) for word in told
        )


def own_programs() -> Mapping[str, registry.Entry]:
    """Return our games by both names that a user may give: `neutron`, `quintet-neutron`."""
    return dict(registry.GAMES) | {
        f"quintet-{name}": registry.GAMES[name] for name in registry.GAMES
    }


def resolve(text: str, protocol: str | None = None) -> EngineSpec:
    """Find the engine that a user means; raises InvalidText.

    One of our programs (with arguments, too), a name from engines.toml, or a command line.
    """
    words = split(text)
    if not words:
        raise InvalidText("an engine's name or command is empty")
    settings = places.settings() / "engines.toml"
    if words[0] in own_programs():
        spec = _own(words)
    elif words[0] in (described := load_engines(settings)) and len(words) == 1:
        spec = described[words[0]]
    else:
        if shutil.which(words[0]) is None:
            raise InvalidText(_unknown(words[0], sorted(described), settings))
        spec = EngineSpec(text if len(words) > 1 else Path(words[0]).name, tuple(words))
    return replace(spec, protocol=protocol) if protocol else spec


def _own(words: Sequence[str]) -> EngineSpec:
    entry = own_programs()[words[0]]
    package = entry.program.removesuffix(".__main__")
    label = " ".join((f"quintet-{entry.name}", *words[1:]))
    command = (sys.executable, "-m", package, *words[1:])
    return EngineSpec(label, command, protocol=entry.protocol, game=entry.name)


def _unknown(word: str, described: Sequence[str], settings: Path) -> str:
    known = ", ".join([*sorted(f"quintet-{name}" for name in registry.GAMES), *described])
    return f"no such engine: {word!r} (known: {known}; others by command line, or in {settings})"


def split(text: str) -> list[str]:
    """Split a command line as a shell would; raises InvalidText."""
    try:
        return shlex.split(text, posix=sys.platform != "win32")
    except ValueError as error:
        raise InvalidText(f"command {text!r}: {error}") from error


def load_engines(path: Path) -> dict[str, EngineSpec]:
    """Read the user's engines; no file is no engines. Raises InvalidText with file and line."""
    if not path.exists():
        return {}
    try:
        text = path.read_text(encoding="utf-8")
        tree = tomllib.loads(text)
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidText(f"{path}: {error}") from error
    reader = _EnginesFile(path, text)
    for key in tree:
        if key != "engine":
            raise reader.fault((key,), f"no such table: {key!r} (expected [engine.NAME])")
    engines = tree.get("engine", {})
    if not isinstance(engines, dict):
        raise reader.fault(("engine",), "expected tables [engine.NAME]")
    return {name: reader.engine(name, table) for name, table in engines.items()}


class _EnginesFile:
    """One engines.toml: knows where a key stands, for the messages."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = text.splitlines()

    def fault(self, keys: Sequence[str], message: str) -> InvalidText:
        """Return the error for a key, with its file and line."""
        return InvalidText(f"{self._path}:{self._line(keys)}: {message}")

    def _line(self, keys: Sequence[str]) -> int:
        header = re.compile(r"\s*\[?\s*" + r"\s*\.\s*".join(map(_quoted, keys[:2])) + r"\s*[\].=]")
        found = 1
        for number, line in enumerate(self._lines, 1):
            if not header.match(line):
                continue
            if len(keys) < 3:
                return number
            found = number
            break
        if len(keys) > 2:
            wanted = re.compile(rf"\s*{_quoted(keys[2])}\s*[=.]")
            below = enumerate(self._lines[found:], found + 1)
            return next((number for number, line in below if wanted.match(line)), found)
        return found

    def engine(self, name: str, table: Any) -> EngineSpec:
        """Read one table."""
        if not isinstance(table, dict):
            raise self.fault(("engine", name), f"engine.{name}: expected a table")
        for key in table:
            if key not in _KEYS:
                known = ", ".join(_KEYS)
                raise self.fault(("engine", name, key), f"no such key: {key!r} (known: {known})")
        if "command" not in table:
            raise self.fault(("engine", name), f"engine.{name}: command is missing")
        protocol, game = table.get("protocol"), table.get("game")
        if protocol is not None and protocol not in PROTOCOLS:
            expected = ", ".join(PROTOCOLS)
            raise self.fault(("engine", name, "protocol"), f"protocol: expected {expected}")
        if game is not None and game not in registry.GAMES:
            known = ", ".join(sorted(registry.GAMES))
            raise self.fault(("engine", name, "game"), f"no such game: {game!r} (known: {known})")
        patience = table.get("patience", PATIENCE)
        if not is_wait(patience):
            expected = f"patience: expected seconds above 0, at most {LONGEST:.0f}"
            raise self.fault(("engine", name, "patience"), expected)
        for switch in _SWITCHES:
            if not isinstance(table.get(switch, False), bool):
                raise self.fault(("engine", name, switch), f"{switch}: expected true or false")
        folder = table.get("folder")
        if folder is not None and not (isinstance(folder, str) and Path(folder).is_dir()):
            raise self.fault(("engine", name, "folder"), f"no such folder: {folder!r}")
        return EngineSpec(
            name,
            self._words(name, table),
            protocol,
            game,
            options=self._pairs(name, table, "options"),
            commands=self._list(name, table, "commands"),
            folder=folder,
            environment=self._pairs(name, table, "environment"),
            patience=float(patience),
            ponder=table.get("ponder", False),
            movetime=table.get("movetime", False),
        )

    def _words(self, name: str, table: Mapping[str, Any]) -> tuple[str, ...]:
        if isinstance(table["command"], str):
            try:
                words = tuple(split(table["command"]))
            except InvalidText as error:
                raise self.fault(("engine", name, "command"), str(error)) from error
        else:
            words = self._list(name, table, "command")
        if not words:
            raise self.fault(("engine", name, "command"), "command: expected a program")
        return words

    def _list(self, name: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fault(("engine", name, key), f"{key}: expected a list of strings")
        return tuple(value)

    def _pairs(self, name: str, table: Mapping[str, Any], key: str) -> tuple[tuple[str, str], ...]:
        value = table.get(key, {})
        plain = (str, int, float, bool)
        if not isinstance(value, dict) or not all(isinstance(v, plain) for v in value.values()):
            raise self.fault(("engine", name, key), f"{key}: expected a table of plain values")
        return tuple(
            (option, str(v).lower() if isinstance(v, bool) else str(v))
            for option, v in value.items()
        )


def _quoted(key: str) -> str:
    return f"[\"']?{re.escape(key)}[\"']?"
