"""Deadlines, and the end of a FIFO, for the tests of child processes."""

import os
import select
import time
from collections.abc import Callable

from protocols.child.process import Process

Start = Callable[..., Process]


SOON = 0.15  # Seconds until a deadline that is meant to pass.


LONG = 20.0  # Seconds until a deadline that is not.


def soon() -> float:
    return time.monotonic() + SOON


def later() -> float:
    return time.monotonic() + LONG


def read_fifo(descriptor: int) -> bytes:
    ready, _, _ = select.select([descriptor], [], [], LONG)
    assert ready
    return os.read(descriptor, 100)
