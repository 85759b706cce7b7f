"""Waiting for what other threads and programs report, with one limit for all tests."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

TIMEOUT = 60.0
"""Seconds that a test waits at most; reached only if something is broken."""

T = TypeVar("T")


class Latest(Generic[T]):
    """Holds the latest of the states that other threads report."""

    def __init__(self, state: T) -> None:
        self._news = threading.Condition()
        self._state = state

    def report(self, state: T) -> None:
        """Take a new state, from any thread."""
        self.change(lambda before: state)

    def change(self, change: Callable[[T], T]) -> None:
        """Take the state that follows from the one before, from any thread."""
        with self._news:
            self._state = change(self._state)
            self._news.notify_all()

    def until(self, condition: Callable[[T], bool]) -> T:
        """Return the first of the latest states that fulfils a condition."""
        with self._news:
            assert self._news.wait_for(lambda: condition(self._state), TIMEOUT), self._state
            return self._state
