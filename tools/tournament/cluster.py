"""Games on the workers of a Dask cluster, which the user runs."""

import contextlib
import itertools
import socket
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future
from importlib import import_module
from types import ModuleType
from typing import Any, Final, ParamSpec, TypeVar
from urllib.parse import urlsplit

from engines.core.errors import QuintetError
from engines.core.game import InvalidText
from protocols.ask.engine import EngineSpec
from tools.match.workers import GameExecutor
from tools.terms.spec import MatchSpec
from tools.tournament.inspection import Worker, inspect_worker, play_at_home

P = ParamSpec("P")
T = TypeVar("T")
_TIMEOUT: Final = 10.0  # Seconds to reach the scheduler.
ALL_WORKERS: Final = 1000
"""As many games as a cluster has workers."""
_PAUSE: Final = 1.0  # Seconds between looks for new and lost workers.
_SCHEMES: Final = ("tcp", "tls", "ws", "wss")


class ClusterError(QuintetError):
    """A cluster that cannot be used; the text says why."""


class WorkerLost(BrokenExecutor):
    """The worker process that played a game is gone."""


def parse_address(address: str) -> tuple[str, int]:
    """Return host and port of a scheduler's address; raises InvalidText."""
    fault = f"--dask {address}: expected an address such as tcp://host:8786"
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError as error:  # Its port is no number, or too large.
        raise InvalidText(fault) from error
    if parts.scheme not in _SCHEMES or not host or not port or parts.path:
        raise InvalidText(fault)
    return host, port


def reach_scheduler(address: str) -> None:
    """Raise ClusterError if the library is missing or nothing listens at a scheduler's address.

    A client of Dask would try for long, and leave threads that outlive its failure.
    """
    host, port = parse_address(address)
    _library()
    try:
        socket.create_connection((host, port), timeout=_TIMEOUT).close()
    except (OSError, UnicodeError) as error:  # No host has the name, or could have it.
        raise _unreachable(address, error) from error


def _library() -> ModuleType:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise ClusterError(
            "--dask needs the library `distributed`: pip install 'quintet[dask]'"
        ) from error


def _unreachable(address: str, error: Exception) -> ClusterError:
    return ClusterError(f"--dask {address}: no scheduler answers: {error}")


def faults_of(worker: Worker, model: Worker, engines: Sequence[EngineSpec]) -> list[str]:
    """Return why a worker cannot play: what it lacks of this machine, which is the model."""
    faults = []
    if worker.version != model.version:
        faults.append(f"it has Quintet {worker.version}, not {model.version}")
    for engine, there, here in zip(engines, worker.engines, model.engines, strict=True):
        if not there:
            faults.append(f"it does not have {engine.label}")
        elif there != here:
            faults.append(f"its {engine.label} is another one")
    if worker.tables != model.tables:
        faults.append("its tables of the game are others")
    return faults


class ClusterExecutor(GameExecutor):
    """Plays each game on a worker process of a Dask cluster, and one game at a time on each.

    A worker is asked first what it has; `note` receives a text for each that is left out. Workers
    may come and go: the game of one that is lost raises WorkerLost. Raises ClusterError if the
    scheduler cannot be reached, also later.
    """

    def __init__(
        self, address: str, terms: MatchSpec, most: int, note: Callable[[str], None]
    ) -> None:
        connect: Any = _library().Client
        self._address = address
        self._terms = terms
        self._most = most
        self._note = note
        self._engines = [*terms.engines, *([terms.arbiter] if terms.arbiter else [])]
        self._model = inspect_worker(self._engines, terms.game)
        self._known: dict[str, Worker | None] = {}  # None: it is left out.
        self._playing: dict[str, tuple[Future[Any], Any]] = {}
        self._looked = -_PAUSE
        self._numbers = itertools.count()
        try:
            self._client = connect(address, timeout=_TIMEOUT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise _unreachable(address, error) from error

    @property
    def slots(self) -> int:
        """The number of workers that can play, at most as many as the user wants."""
        self._refresh()
        usable = sum(worker is not None for worker in self._known.values())
        return min(self._most, usable)

    def resize(self, count: int) -> None:
        """Play at most so many games concurrently from now on."""
        self._most = count

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Let an idle worker call `fn` with its own engines; raises WorkerLost without one."""
        idle = [
            place
            for place, worker in self._known.items()
            if worker is not None and place not in self._playing
        ]
        if not idle:
            raise WorkerLost("no worker of the cluster is idle")
        place, future = idle[0], Future[T]()
        task = self._client.submit(
            play_at_home,
            fn,
            *args,
            **kwargs,
            key=f"quintet-{id(self)}-{next(self._numbers)}",
            workers=[place],
            allow_other_workers=False,
            pure=False,
        )
        future.set_running_or_notify_cancel()
        self._playing[place] = (future, task)
        task.add_done_callback(lambda done: self._finish(place, future, done))
        return future

    def _finish(self, place: str, future: Future[Any], task: Any) -> None:
        """Pass on what a task led to; called in a thread of the client."""
        lost = WorkerLost(f"the worker {place} is gone")
        outcome, error = None, None
        try:
            if task.status == "finished":
                outcome = task.result(timeout=_TIMEOUT)
            elif task.status == "error":
                error = task.exception(timeout=_TIMEOUT)
                error = lost if _is_lost(error) else error
            else:
                error = lost
        except Exception:  # Any error of the connection: the runner waits for the future.
            error = lost
        self._playing.pop(place, None)  # Before the runner hears of it, and hands in another game.
        _settle(future, result=outcome, error=error)

    def _refresh(self) -> None:
        """Look which workers there are; ask new ones what they have, and give up lost ones."""
        now = time.monotonic()
        if now < self._looked + _PAUSE:
            return
        try:
            present = set(self._client.nthreads())
            new = sorted(present - self._known.keys())
            answers = self._ask(new) if new else {}
        except (OSError, TimeoutError, RuntimeError, ValueError) as error:
            raise ClusterError(f"--dask {self._address}: the scheduler is gone: {error}") from error
        for place in self._known.keys() - present:
            del self._known[place]
            if (lost := self._playing.pop(place, None)) is not None:
                _settle(lost[0], error=WorkerLost(f"the worker {place} is gone"))
                lost[1].cancel(force=True)
        for place, worker in answers.items():
            self._known[place] = self._judge(place, worker)
        self._looked = time.monotonic()

    def _ask(self, new: Sequence[str]) -> Mapping[str, Any]:
        answers: Mapping[str, Any] = self._client.run(
            inspect_worker,
            list(self._engines),
            self._terms.game,
            workers=list(new),
            on_error="return",
        )
        return answers

    def _judge(self, place: str, worker: Any) -> Worker | None:
        """Return a worker that can play; None for one that is left out, after a note."""
        if not isinstance(worker, Worker):
            self._note(f"worker {place} is left out: it cannot be asked: {worker}")
            return None
        faults = faults_of(worker, self._model, self._engines)
        taken = Counter(each.host for each in self._known.values() if each is not None)
        if taken[worker.host] >= worker.cores:
            faults.append(f"{worker.host} has only {worker.cores} cores, and as many workers")
        if faults:
            self._note(f"worker {place} on {worker.host} is left out: {'; '.join(faults)}")
            return None
        if worker.load > worker.cores - 0.5 and not taken[worker.host]:
            self._note(
                f"warning: {worker.host} is busy: {worker.load:.1f} processes want its "
                f"{worker.cores} cores"
            )
        return worker

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; games that are still running there are given up."""
        for _, task in list(self._playing.values()):
            with contextlib.suppress(Exception):  # The scheduler may be gone.
                task.cancel(force=True)
        with contextlib.suppress(Exception):
            self._client.close(timeout=_TIMEOUT)


def _settle(future: Future[Any], *, result: Any = None, error: Any = None) -> None:
    """Set a future, unless it was given up in the meantime."""
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def _is_lost(error: Any) -> bool:
    """Whether an error is that of Dask about a worker, not that of a game."""
    return type(error).__module__.partition(".")[0] == "distributed"
