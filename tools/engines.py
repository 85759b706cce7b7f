"""From what a user calls an engine to the program that is started."""

import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
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
_KEY: Final = r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'"""
_KEYS_OF_TOML: Final = rf"(?:{_KEY})(?:\s*\.\s*(?:{_KEY}))*"
_TABLE: Final = re.compile(rf"\s*\[\[?\s*({_KEYS_OF_TOML})\s*\]")
_PAIR: Final = re.compile(rf"\s*({_KEYS_OF_TOML})\s*=")
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
    origin: tuple[str, str] | None = None  # The file and the section that describe it.

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
    if not text.strip():
        raise InvalidText("an engine's name or command is empty")
    settings = places.settings() / "engines.toml"
    if text.split()[0] in own_programs():
        spec = _own(split(text))
    # A name is taken as it is: it may hold what would be special in a command line.
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
    """Read the user's engines; no file is no engines.

    Raises InvalidText with all mistakes, each with file and line.
    """
    if not path.exists():
        return {}
    try:
        data = path.read_bytes()
        text = data.decode("utf-8")
        tree = tomllib.loads(text)
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        told = f"expected text in UTF-8, not the byte 0x{data[error.start]:02x}"
        raise InvalidText(f"{path}:{line}: {told}") from error
    except tomllib.TOMLDecodeError as error:
        told, line = str(error), len(text.splitlines())
        if match := re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", told, re.DOTALL):
            told, line = f"column {match[3]}: {match[1]}", int(match[2])
        raise InvalidText(f"{path}:{line}: no TOML: {told}") from error
    reader = _EnginesFile(path, text)
    engines = reader.engines(tree)
    if reader.faults:
        raise InvalidText("\n".join(told for _, told in sorted(reader.faults)))
    return engines


def place(spec: EngineSpec, *keys: str) -> str:
    """Return file and line of what an engine's section says there, if it has one: `FILE:3: `."""
    if spec.origin is None:
        return ""
    path, name = spec.origin
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return f"{path}: "
    return f"{path}:{_EnginesFile(Path(path), text).line('engine', name, *keys)}: "


class _EnginesFile:
    """One engines.toml: knows where a key stands, and collects what is wrong."""

    def __init__(self, path: Path, text: str) -> None:
        self.faults: list[tuple[int, str]] = []
        self._path = path
        self._keys = list(_numbered_keys(text))

    def fault(self, keys: Sequence[str], message: str) -> None:
        """Note what is wrong with a key, with its file and line."""
        line = self.line(*keys)
        self.faults.append((line, f"{self._path}:{line}: {message}"))

    def line(self, *keys: str) -> int:
        """Return the line that a key stands in, or the table that should have it."""
        for number, found in self._keys:
            if found[: len(keys)] == keys:
                return number
        return self.line(*keys[:-1])

    def engines(self, tree: Mapping[str, Any]) -> dict[str, EngineSpec]:
        """Read the whole file."""
        for key in tree:
            if key != "engine":
                self.fault((key,), f"no such table: {key!r} (expected [engine.NAME])")
        engines = tree.get("engine", {})
        if not isinstance(engines, dict):
            self.fault(("engine",), "expected tables [engine.NAME]")
            return {}
        return {name: self.engine(name, table) for name, table in engines.items()}

    def engine(self, name: str, table: Any) -> EngineSpec:
        """Read one table."""
        if not isinstance(table, dict):
            self.fault(("engine", name), f"engine.{name}: expected a table")
            return EngineSpec(name, ())
        if not name.strip():
            self.fault(("engine", name), "expected a name: [engine.NAME]")
        elif name.split()[0] in own_programs():
            told = f"engine.{name}: that is our own program; expected another name"
            self.fault(("engine", name), told)
        for key in table:
            if key not in _KEYS:
                known = ", ".join(_KEYS)
                self.fault(("engine", name, key), f"no such key: {key!r} (known: {known})")
        protocol, game = table.get("protocol"), table.get("game")
        if protocol is not None and protocol not in PROTOCOLS:
            expected = ", ".join(PROTOCOLS)
            self.fault(("engine", name, "protocol"), f"protocol: expected {expected}")
        if game is not None and game not in sorted(registry.GAMES):
            known = ", ".join(sorted(registry.GAMES))
            self.fault(("engine", name, "game"), f"no such game: {game!r} (known: {known})")
        patience = table.get("patience", PATIENCE)
        if not is_wait(patience):
            expected = f"patience: expected seconds above 0, at most {LONGEST:.0f}"
            self.fault(("engine", name, "patience"), expected)
            patience = PATIENCE
        for switch in _SWITCHES:
            if not isinstance(table.get(switch, False), bool):
                self.fault(("engine", name, switch), f"{switch}: expected true or false")
        folder = table.get("folder")
        if folder is not None and not (isinstance(folder, str) and Path(folder).is_dir()):
            self.fault(("engine", name, "folder"), f"no such folder: {folder!r}")
            folder = None
        environment = self._pairs(name, table, "environment", (str,))
        return EngineSpec(
            name,
            self._command(name, table, folder, dict(environment).get("PATH")),
            protocol,
            game,
            options=self._pairs(name, table, "options", (str, int, float, bool)),
            commands=self._list(name, table, "commands"),
            folder=folder,
            environment=environment,
            patience=float(patience),
            ponder=table.get("ponder", False),
            movetime=table.get("movetime", False),
            origin=(str(self._path), name),
        )

    def _command(
        self, name: str, table: Mapping[str, Any], folder: str | None, path: str | None
    ) -> tuple[str, ...]:
        keys, before = ("engine", name, "command"), len(self.faults)
        words: tuple[str, ...] = ()
        if "command" not in table:
            self.fault(keys[:2], f"engine.{name}: command is missing")
        elif isinstance(table["command"], str):
            try:
                words = tuple(split(table["command"]))
            except InvalidText as error:
                self.fault(keys, str(error))
        else:
            words = self._list(name, table, "command")
        if len(self.faults) > before:
            return ()
        if not words:
            self.fault(keys, "command: expected a program")
            return ()
        # A program with a path is looked for from the folder that it is started in.
        program = str(Path(folder or "") / words[0]) if os.path.dirname(words[0]) else words[0]
        if shutil.which(program, path=path) is None:
            self.fault(keys, f"no such program: {words[0]!r} (expected one that can be run)")
        return words

    def _list(self, name: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.fault(("engine", name, key), f"{key}: expected a list of strings")
            return ()
        return tuple(value)

    def _pairs(
        self, name: str, table: Mapping[str, Any], key: str, kinds: tuple[type, ...]
    ) -> tuple[tuple[str, str], ...]:
        value = table.get(key, {})
        if not isinstance(value, dict):
            self.fault(("engine", name, key), f"{key}: expected a table {{NAME = VALUE, ...}}")
            return ()
        wanted = "text in quotes" if kinds == (str,) else "a plain value"
        for each, told in value.items():
            if not isinstance(told, kinds):
                shown = str(told).lower() if isinstance(told, bool) else told
                where = ("engine", name, key, each)
                self.fault(where, f"{key}: {each}: expected {wanted}, not {shown}")
        return tuple(
            (option, str(v).lower() if isinstance(v, bool) else str(v))
            for option, v in value.items()
        )


def _numbered_keys(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield each line that begins with a key or names a table, with its keys from the root."""
    yield 1, ()
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        if match := _TABLE.match(line):
            table = _split_keys(match[1])
            yield number, table
        elif match := _PAIR.match(line):
            yield number, (*table, *_split_keys(match[1]))


def _split_keys(dotted: str) -> tuple[str, ...]:
    return tuple(
        part if part[0] not in "\"'" else _unquote(part) for part in re.findall(_KEY, dotted)
    )


def _unquote(part: str) -> str:
    try:
        return str(tomllib.loads(f"key = {part}")["key"])
    except tomllib.TOMLDecodeError:
        return part  # Within a string of several lines anything may look like a key.
