"""The questions to a worker process of a cluster before it gets a game, and how it plays one."""

import atexit
import functools
import hashlib
import os
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from engines import __version__
from engines.core import places
from protocols.ask.engine import EngineSpec
from protocols.child.orphans import adopt
from tools.match.workers import cores
from tools.records.game import GameRecord
from tools.roster.seats import ENGINE_POOL
from tools.terms.seal import engine_digest
from tools.terms.spec import GameSpec


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker process: its machine, the cores it may use, and what it has.

    `load` is the mean number of processes that wanted a core of the machine in the last minute.
    `engines` has a digest of each engine, empty for one that the machine does not have; `tables`
    is a digest of the names and sizes of the game's tables.
    """

    version: str
    host: str
    cores: int
    load: float
    engines: tuple[str, ...]
    tables: str


def inspect_worker(engines: Sequence[EngineSpec], game: str) -> Worker:
    """Describe the process in which this is called."""
    return Worker(
        version=__version__,
        host=socket.gethostname(),
        cores=len(cores()),
        load=os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0,
        engines=tuple(engine_digest(at_home(engine)) for engine in engines),
        tables=_digest_tables(game),
    )


def _digest_tables(game: str) -> str:
    """Return a digest of the bundled tables and of those that the user has built."""
    folders = (Path(str(files("engines"))) / game / "data", places.tables() / game)
    names = [
        f"{path.relative_to(folder)} {path.stat().st_size}"
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


def at_home(engine: EngineSpec) -> EngineSpec:
    """Return an engine as this machine starts it: our own programs have its own Python."""
    words = engine.command
    if words[1:3] == ("-P", "-m") and words[3:] and words[3].startswith("engines."):
        return replace(engine, command=(sys.executable, *words[1:]))
    return engine


@functools.cache
def _prepare() -> None:
    """Make this process end its engines when it ends, with all that they have started."""
    adopt()
    atexit.register(ENGINE_POOL.close)


def play_at_home(play: Callable[[GameSpec], GameRecord], spec: GameSpec) -> GameRecord:
    """Play one game with the engines of this machine; raises as `play_game` does."""
    _prepare()
    first, second = (at_home(engine) for engine in spec.engines)
    arbiter = None if spec.arbiter is None else at_home(spec.arbiter)
    return play(replace(spec, engines=(first, second), arbiter=arbiter, gauge=None))
