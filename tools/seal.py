"""What a match is: every setting and file that its results depend on, by name."""

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tools import go
from tools.engines import EngineSpec
from tools.spec import MatchSpec

Seal = Mapping[str, Any]

_BLOCK: Final = 1 << 20
_HARMLESS: Final = ("set-aside", "move-timeout")
_BUILD: Final = (
    "command",
    "protocol",
    "options",
    "commands",
    "folder",
    "environment",
    "executable",
    "package",
    "movetime",
)
_SOURCES: Final = (".py", ".so", ".pyd", ".pxd")


def seal(spec: MatchSpec) -> Seal:
    """Return the settings that must stay the same for games to belong to one match.

    How many games, how many at once and what is told of them are not among these.
    """
    sealed: dict[str, Any] = {
        "game": spec.game,
        "variant": spec.rules().variant,
        "size": spec.size,
        "setup": spec.setup,
        "seed": spec.seed,
        "lag": spec.lag,
        "move-timeout": spec.move_timeout,
        "adjudication": asdict(spec.adjudication),
        "openings": _digest(repr(spec.openings).encode()) if spec.openings else "",
        "sprt": spec.sprt,
        "set-aside": spec.aside,
    }
    if spec.game == go.NAME:
        sealed |= {"scoring": spec.scoring, "free-handicap": spec.free_handicap}
    if spec.arbiter is not None:
        sealed |= {f"arbiter.{key}": value for key, value in _engine(spec.arbiter)}
    for number, (engine, control) in enumerate(zip(spec.engines, spec.controls, strict=True), 1):
        sealed |= {f"engine{number}.{key}": value for key, value in _engine(engine)}
        sealed[f"engine{number}.time"] = str(control)
    return sealed


def changed(old: Seal, new: Seal) -> list[str]:
    """Return the keys that differ, in order."""
    return [key for key in {**old, **new} if old.get(key) != new.get(key)]


def is_engine(key: str) -> bool:
    """Whether a key tells how an engine or the arbiter is made; its name is not that."""
    owner, dot, what = key.partition(".")
    if not dot or owner not in ("engine1", "engine2", "arbiter"):
        return False
    return owner == "arbiter" or what in _BUILD or what.startswith("file ")


def unacceptable(keys: Sequence[str]) -> list[str]:
    """Return the keys without which the games before would be those of another match.

    What is played, by whom (an engine's name), with how much time and how it is measured stays.
    """
    return [key for key in keys if not is_engine(key) and key not in _HARMLESS]


def describe(old: Seal, new: Seal, keys: Sequence[str]) -> str:
    """Say what differs, a line a key."""
    return "\n".join(f"  {key}: was {old.get(key)!r}, is {new.get(key)!r}" for key in keys)


def _engine(engine: EngineSpec) -> Iterator[tuple[str, Any]]:
    yield "label", engine.label
    yield "command", list(engine.command)
    yield "protocol", engine.protocol or ""
    yield "options", dict(engine.options)
    yield "commands", list(engine.commands)
    yield "folder", engine.folder or ""
    yield "environment", dict(engine.environment)
    for switch in ("ponder", "movetime"):
        if getattr(engine, switch):
            yield switch, True
    folder = Path(engine.folder) if engine.folder else Path()
    program = shutil.which(engine.command[0])
    yield "executable", _digest_file(Path(program)) if program else ""
    for word in [*engine.command[1:], *(value for _, value in engine.options)]:
        name = word.partition("=")[2] if word.startswith("-") else word
        if name and _is_file(folder / name):
            yield f"file {name}", _digest_file(folder / name)
    if engine.command[1:2] == ("-m",) and len(engine.command) > 2:
        yield "package", _digest_package(engine.command[2])


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # No name at all: a program may be an argument, and is too long for one.
        return False


def _digest_package(name: str) -> str:
    """Digest the modules of one of our own programs; empty for a stranger's."""
    root = Path(__file__).parents[1]
    place = root.joinpath(*name.split("."))
    if not name.startswith("engines.") or not place.is_dir():
        return ""
    files = [path for path in sorted(place.rglob("*")) if path.suffix in _SOURCES]
    told = "".join(f"{path.relative_to(root)} {_digest_file(path)}\n" for path in files)
    return _digest(told.encode())


def _digest_file(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
