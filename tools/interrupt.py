"""What Ctrl-C means: the first lets the running games end, the second stops at once."""

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Self

import click


class Interrupts:
    """Counts SIGINT while it is entered; the second raises KeyboardInterrupt.

    Outside the main thread nothing can be caught, and nothing is.
    """

    def __init__(self, first: Callable[[], None], what: str = "games") -> None:
        self.count = 0
        self._first = first
        self._what = what
        self._before: Any = None

    def _notice(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self.count > 1:
            raise KeyboardInterrupt
        self._first()
        told = f"finishing the running {self._what}; Ctrl-C again stops at once"
        click.echo(told, file=sys.stderr)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._notice)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
