"""The executors that play games: this process, or worker processes on cores of their own."""

import atexit
import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Any, ParamSpec, TypeVar

from engines.core.errors import QuintetError
from protocols.child.orphans import adopt
from tools.roster.seats import ENGINE_POOL

P = ParamSpec("P")
T = TypeVar("T")


class GameExecutor(Executor):
    """An executor that plays at most `slots` games concurrently; their number may change.

    If the process that plays a game is lost, the game's future raises BrokenExecutor, and the
    executor itself goes on.
    """

    @property
    def slots(self) -> int:
        """The number of games that can be played concurrently at this moment."""
        raise NotImplementedError

    def resize(self, count: int) -> None:
        """Play so many games concurrently from now on; running games are not interrupted."""
        raise NotImplementedError


class InlineExecutor(GameExecutor):
    """Plays each game immediately, in the process that submits it."""

    @property
    def slots(self) -> int:
        """One: the process is busy while it plays."""
        return 1

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call `fn` and return its result as a future that is done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except (QuintetError, ValueError, RuntimeError, OSError) as error:
            future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the engines that this process keeps."""
        ENGINE_POOL.close()


def cores() -> list[int]:
    """Return the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def _silence_tracker() -> None:
    """Let the tracker of semaphores clean up without a warning after this process was killed.

    It is a process of its own, and gets the options of this one for warnings when it starts.
    """
    option = "ignore:resource_tracker:UserWarning"
    if option not in sys.warnoptions:
        sys.warnoptions.append(option)


class WorkerExecutor(GameExecutor):
    """Plays each game in one of several worker processes.

    `pin` binds each of them to a core, except a single one.
    """

    def __init__(self, count: int, *, pin: bool) -> None:
        self._pin = pin
        self._count = count
        self._workers: dict[int, ProcessPoolExecutor] = {}
        self._playing: dict[int, Future[Any]] = {}

    @property
    def slots(self) -> int:
        """The number of worker processes that games may use."""
        return self._count

    def resize(self, count: int) -> None:
        """Use so many worker processes from now on; a superfluous one ends after its game."""
        self._count = count

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Let an idle worker process call `fn`; the caller keeps to the number of slots."""
        idle = [slot for slot in range(self._count) if self._is_idle(slot)]
        for slot in [each for each in self._workers if each >= self._count and self._is_idle(each)]:
            self._workers.pop(slot).shutdown(wait=False)
        slot = idle[0] if idle else 0
        try:
            future = self._worker(slot).submit(fn, *args, **kwargs)
        except BrokenExecutor:  # It was lost after its last game.
            del self._workers[slot]
            future = self._worker(slot).submit(fn, *args, **kwargs)
        self._playing[slot] = future
        return future

    def _is_idle(self, slot: int) -> bool:
        return slot not in self._playing or self._playing[slot].done()

    def _worker(self, slot: int) -> ProcessPoolExecutor:
        """Return the worker process of a slot; it starts with its first game."""
        if slot not in self._workers:
            usable = cores()
            alone = not self._pin or self._count == 1
            core = None if alone else usable[slot % len(usable)]
            _silence_tracker()
            # A fork would inherit the journal's lock.
            context = multiprocessing.get_context("spawn")
            self._workers[slot] = ProcessPoolExecutor(
                1, context, initializer=_prepare_worker, initargs=(core,)
            )
        return self._workers[slot]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the worker processes."""
        for worker in self._workers.values():
            worker.shutdown(wait=wait, cancel_futures=cancel_futures)
        self._workers.clear()


def make_executor(count: int, *, pin: bool) -> GameExecutor:
    """Return an executor that plays `count` games concurrently; `pin` binds each to a core."""
    return InlineExecutor() if count == 1 else WorkerExecutor(count, pin=pin)


def stop_workers() -> None:
    """End the worker processes immediately; the guards of their engines end those."""
    for process in multiprocessing.active_children():
        process.terminate()


def _prepare_worker(core: int | None) -> None:
    """Prepare a worker process: it has a core, ignores Ctrl-C and ends with its parent."""
    adopt()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    atexit.register(ENGINE_POOL.close)
    if core is not None and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
