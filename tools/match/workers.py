"""The executors that play games: this process, or worker processes on cores of their own."""

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

from engines.core.errors import QuintetError
from protocols.child.orphans import adopt
from tools.roster.seats import ENGINE_POOL

P = ParamSpec("P")
T = TypeVar("T")


class InlineExecutor(Executor):
    """Plays each game immediately, in the process that submits it."""

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


def make_executor(count: int, *, pin: bool) -> Executor:
    """Return an executor that plays `count` games concurrently; `pin` binds each to a core."""
    if count == 1:
        return InlineExecutor()
    context = multiprocessing.get_context("spawn")  # A fork would inherit the journal's lock.
    slots = context.SimpleQueue()
    usable = cores()
    for number in range(count):
        slots.put(usable[number % len(usable)] if pin else None)
    return ProcessPoolExecutor(count, context, initializer=_prepare_worker, initargs=(slots,))


def stop_workers() -> None:
    """End the worker processes immediately; the guards of their engines end those."""
    for process in multiprocessing.active_children():
        process.terminate()


def _prepare_worker(slots: Any) -> None:
    """Prepare a worker process: it has a core, ignores Ctrl-C and ends with its parent."""
    adopt()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    atexit.register(ENGINE_POOL.close)
    core = slots.get()
    if core is not None and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
