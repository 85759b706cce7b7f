"""Where games are played: in this process, or in several beside it, each on a core of its own."""

import atexit
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Any, ParamSpec, TypeVar

from tools.seat import CREW
from tools.stall import SUSPENSIONS

P = ParamSpec("P")
T = TypeVar("T")


class Inline(Executor):
    """Plays each game at once, in the process that asks for it."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call `fn` and return its result as a future that is done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except (ValueError, RuntimeError, OSError) as error:
            future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the engines that this process keeps."""
        CREW.close()


def cores() -> list[int]:
    """Return the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def make_executor(count: int, *, pin: bool) -> Executor:
    """Return the place where `count` games at once are played."""
    if count == 1:
        return Inline()
    context = multiprocessing.get_context("spawn")  # A fork would inherit the journal's lock.
    slots = context.SimpleQueue()
    usable = cores()
    for number in range(count):
        slots.put(usable[number % len(usable)] if pin else None)
    return ProcessPoolExecutor(count, context, initializer=_settle, initargs=(slots,))


def stop_workers() -> None:
    """End the worker processes at once; their engines' guards end those."""
    for process in multiprocessing.active_children():
        process.terminate()


def _settle(slots: Any) -> None:
    """Make a fresh worker ready: on its core, deaf to Ctrl-C, and gone when its parent is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    SUSPENSIONS.watch()
    atexit.register(CREW.close)
    core = slots.get()
    if core is not None and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
