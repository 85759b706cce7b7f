"""What ends a run early: Ctrl-C lets the running games end, a second one stops at once.

So do SIGTERM and the end of the terminal. Whatever it was, the run can go on later.
"""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final, Self

import click

_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class Interrupts:
    """Counts signals while it is entered; all but a first SIGINT raise KeyboardInterrupt.

    Outside the main thread nothing can be caught, and nothing is.
    """

    def __init__(self, first: Callable[[], None], what: str = "games") -> None:
        self.count = 0
        self._first = first
        self._what = what
        self._before: dict[int, Any] = {}

    def _notice(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self.count > 1 or number != signal.SIGINT:
            raise KeyboardInterrupt
        self._first()
        told = f"finishing the running {self._what}; Ctrl-C again stops at once"
        click.echo(told, file=sys.stderr)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for name in _NAMES:
                number = getattr(signal, name, None)  # Windows has no SIGHUP.
                # Whoever started this under nohup wants it to go on.
                if number is not None and (
                    name != "SIGHUP" or signal.getsignal(number) != signal.SIG_IGN
                ):
                    self._before[number] = signal.signal(number, self._notice)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Let signals wait until something that must be done whole is done, where they can be held."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [getattr(signal, name) for name in _NAMES])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
