"""The rate of some work: how much of it is done per CPU-second."""

import time
from collections.abc import Callable


def rate(work: Callable[[int], int], seconds: float) -> float:
    """Return the rate of some work; the size is doubled until the work takes `seconds`.

    `work(size)` does work of this size and returns its amount in the unit of the rate.
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
    """Return a function that does some work `size` times and returns the sum of its amounts."""

    def repeated(size: int) -> int:
        return sum(work() for _ in range(size))

    return repeated
