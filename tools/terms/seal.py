"""The seal of a match: every setting and file that its results depend on, by name."""

import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from engines import registry
from protocols.ask.engine import AUTO, EngineSpec
from tools.terms.adjudication import Adjudication
from tools.terms.spec import SCORE_TIMEOUT, MatchSpec

Seal = Mapping[str, Any]

_BLOCK: Final = 1 << 20
_OWNER: Final = re.compile(r"engine[1-9]\d*|arbiter")
_HARMLESS: Final = ("set-aside", "move-timeout", "score-timeout")
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
    "scores",
    "restart",
)
_SOURCES: Final = (".py", ".so", ".pyd", ".pxd")


def seal(spec: MatchSpec) -> Seal:
    """Return the settings that must stay the same for games to belong to one match.

    The number of games, of jobs and what is reported of them are not among these.
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
        "set-aside": spec.set_aside,
    }
    if spec.game == registry.GO:
        sealed |= {"scoring": spec.scoring, "free-handicap": spec.free_handicap}
        if spec.score_timeout != SCORE_TIMEOUT:
            sealed["score-timeout"] = spec.score_timeout
    if spec.arbiter is not None:
        sealed |= {f"arbiter.{key}": value for key, value in _engine(spec.arbiter)}
    for number, (engine, control) in enumerate(zip(spec.engines, spec.controls, strict=True), 1):
        sealed |= {f"engine{number}.{key}": value for key, value in _engine(engine)}
        sealed[f"engine{number}.time"] = str(control)
    return sealed


def changed(old: Seal, new: Seal) -> list[str]:
    """Return the keys whose values differ, in order."""
    return [key for key in {**old, **new} if _comparable(old, key) != _comparable(new, key)]


def _comparable(seal: Seal, key: str) -> Any:
    """Return a value in today's spelling."""
    value = seal.get(key)
    if key.endswith(".command") and isinstance(value, list | tuple):
        return _protected(value)
    if key == "adjudication" and isinstance(value, Mapping):
        return {**asdict(Adjudication()), **value}  # Rules that are younger than the journal.
    return value


def _protected(command: Sequence[str]) -> list[str]:
    """Return a command that starts one of our programs with `-P`, which old journals lack."""
    program, *words = command or [""]
    if words[:1] == ["-m"] and words[1:2] and words[1].startswith("engines."):
        return [program, "-P", *words]
    return list(command)


def is_engine(key: str) -> bool:
    """Whether a key describes how an engine or the arbiter is made, other than its name."""
    owner, dot, what = key.partition(".")
    if not dot or not _OWNER.fullmatch(owner):
        return False
    return owner == "arbiter" or what in _BUILD or what.startswith("file ")


def unacceptable(keys: Sequence[str]) -> list[str]:
    """Return the keys whose change would make the earlier games those of another match.

    These are what is played, by whom (an engine's name), with how much time, and how strength is
    measured.
    """
    return [key for key in keys if not is_engine(key) and key not in _HARMLESS]


def describe(old: Seal, new: Seal, keys: Sequence[str]) -> str:
    """Say what differs, with a line for each key."""
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
    if engine.lag is not None:
        yield "lag", engine.lag
    if not engine.scores:
        yield "scores", False
    if engine.restart != AUTO:
        yield "restart", engine.restart
    folder = Path(engine.folder) if engine.folder else Path()
    program = shutil.which(engine.command[0])
    yield "executable", _digest_file(Path(program)) if program else ""
    for word in [*engine.command[1:], *(value for _, value in engine.options)]:
        name = word.partition("=")[2] if word.startswith("-") else word
        if name and _is_file(folder / name):
            yield f"file {name}", _digest_file(folder / name)
    if (module := _module(engine.command)) is not None:
        yield "package", _digest_package(module)


def engine_digest(engine: EngineSpec) -> str:
    """Return a digest of an engine as it is on this machine; empty if its program is not there.

    The path of its program does not matter, and for our own programs neither does their Python.
    """
    program = shutil.which(engine.command[0])
    if program is None:
        return ""
    ours = _module(engine.command) is not None
    passing = ("label", "lag", "executable") if ours else ("label", "lag")
    made = {key: value for key, value in _engine(engine) if key not in passing}
    made["command"] = list(engine.command[1:])
    return _digest(json.dumps(made, sort_keys=True).encode())


def _module(command: Sequence[str]) -> str | None:
    """Return the module that a command runs by `python -m` or `python -P -m`."""
    words = command[2:] if command[1:2] == ("-P",) else command[1:]
    return words[1] if words[:1] == ("-m",) and len(words) > 1 else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # An argument may be a whole program, which is too long for a file's name.
        return False


def _digest_package(name: str) -> str:
    """Return a digest of the modules of one of our programs; empty for any other program."""
    root = Path(__file__).parents[2]
    place = root.joinpath(*name.split("."))
    if not name.startswith("engines.") or not place.is_dir():
        return ""
    files = [path for path in sorted(place.rglob("*")) if path.suffix in _SOURCES]
    digests = "".join(f"{path.relative_to(root)} {_digest_file(path)}\n" for path in files)
    return _digest(digests.encode())


def _digest_file(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sealed_labels(seal: Seal) -> list[str]:
    """Return the names of all engines of a seal, in their order."""
    labels: list[str] = []
    while isinstance(label := seal.get(f"engine{len(labels) + 1}.label"), str):
        labels.append(label)
    return labels


def build_digest(seal: Seal, number: int) -> str:
    """Return a digest of how an engine is made: its command, its options, its files.

    Engines with the same digest play alike under the same time control, whatever their names.
    """
    build = {
        key: _comparable(seal, f"engine{number}.{key}")
        for key in sorted({name.partition(".")[2] for name in seal if _belongs(name, number)})
        if key not in ("label", "time", "lag")
    }
    return _digest(json.dumps(build, sort_keys=True).encode())


def _belongs(key: str, number: int) -> bool:
    return key.startswith(f"engine{number}.")


def sealed_engine(seal: Seal, number: int) -> EngineSpec:
    """Return an engine, counted from 1, as a seal describes it."""

    def value(key: str) -> Any:
        return seal[f"engine{number}.{key}"]

    return EngineSpec(
        value("label"),
        tuple(_protected(value("command"))),
        value("protocol") or None,
        options=tuple(value("options").items()),
        commands=tuple(value("commands")),
        folder=value("folder") or None,
        environment=tuple(value("environment").items()),
        ponder=seal.get(f"engine{number}.ponder", False),
        movetime=seal.get(f"engine{number}.movetime", False),
        scores=seal.get(f"engine{number}.scores", True),
        restart=seal.get(f"engine{number}.restart", AUTO),
    )
