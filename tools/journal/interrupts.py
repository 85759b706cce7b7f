"""Signals that end a run early.

The first Ctrl-C lets the running games end; a second one, SIGTERM or the end of the terminal stops
the run immediately. A run that was stopped in any of these ways can be resumed later.
"""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final, Self

_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class Interrupts:
    """Counts signals inside its `with` block; all but a first SIGINT raise KeyboardInterrupt.

    Outside the main thread it does nothing, because signals cannot be caught there.
    """

    def __init__(self, first: Callable[[], None], what: str = "games") -> None:
        self.count = 0
        self._first = first
        self._what = what
        self._before: dict[int, Any] = {}

    def _notice(self, number: int, frame: FrameType | None) -> None:
        if _BLOCKS.depth:
            _BLOCKS.late.append(lambda: self._notice(number, frame))
            return
        self.count += 1
        if self.count > 1 or number != signal.SIGINT:
            raise KeyboardInterrupt
        self._first()
        message = f"finishing the running {self._what}; press Ctrl-C again to stop immediately"
        print(message, file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for name in _NAMES:
                number = getattr(signal, name, None)  # Windows has no SIGHUP.
                # Under nohup, the user wants the run to go on after the terminal is closed.
                if number is not None and (
                    name != "SIGHUP" or signal.getsignal(number) != signal.SIG_IGN
                ):
                    self._before[number] = signal.signal(number, self._notice)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


class _Blocks:
    """The blocks that must not be interrupted, and the signals that came in the meantime."""

    def __init__(self) -> None:
        self.depth = 0
        self.late: list[Callable[[], None]] = []


_BLOCKS: Final = _Blocks()


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold signals back until the `with` block is done.

    A mask of signals does not suffice: another thread, such as the one that draws on the terminal,
    may receive a signal, and its handler then runs in the main thread all the same.
    """
    _BLOCKS.depth += 1
    try:
        with _masked():
            yield
    finally:
        _BLOCKS.depth -= 1
        while _BLOCKS.late and not _BLOCKS.depth:
            _BLOCKS.late.pop(0)()


@contextlib.contextmanager
def _masked() -> Iterator[None]:
    """Block signals for this thread, on systems that allow it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [getattr(signal, name) for name in _NAMES])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
