"""How much of some work a second of processor time does."""

import time
from collections.abc import Callable


def rate(work: Callable[[int], int], seconds: float) -> float:
    """Return how much a CPU-second does; `work` is asked for twice as much until it takes so long.

    `work(size)` does that much and returns how much it was in the figure's own unit.
    """
    size = 1
    while True:
        began = time.process_time()
        done = work(size)
        spent = time.process_time() - began
        if spent >= seconds and spent > 0:
            return done / spent
        size *= 2


def repeat(work: Callable[[], int]) -> Callable[[int], int]:
    """Return the work of doing something `size` times over, and the sum of what it returned."""

    def repeated(size: int) -> int:
        return sum(work() for _ in range(size))

    return repeated
