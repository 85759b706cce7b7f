"""The time for a move: a share of the clock, or less if more visits cannot change the move."""

import time
from collections.abc import Callable
from typing import Final

from engines.core.timing import Clock

LAG: Final = 0.15  # Seconds in reserve: a busy machine wakes threads and clients late.
OVERHEAD: Final = 0.02  # Seconds that a move takes apart from its search.
DECIDED: Final = 0.05  # Seconds between checks whether a search is decided.


def allotted(clock: Clock, area: int, played: int, longest: float = 0.0) -> float:
    """Return the seconds for a move, given the number of points and of moves played.

    `longest` limits the seconds of each move unless it is 0.
    """
    expected = max(area // 8, area // 2 - played // 2)
    seconds = clock.allotment(expected, LAG)
    if clock.control.kind == "byoyomi" and clock.main > 0:
        # The periods after the main time are no reason to spend the main time on one move.
        seconds = min(seconds, clock.main / 10.0 + 0.8 * clock.control.period)
    if longest > 0:
        seconds = min(seconds, max(longest - LAG, longest / 2))
    return max(seconds - OVERHEAD, min(seconds, 0.001))


def spare(clock: Clock) -> float:
    """Return the most seconds that a move may take without losing a period of byo-yomi."""
    control = clock.control
    if control.kind == "byoyomi" and clock.main <= 0:
        return control.period - LAG
    return clock.available() - LAG


def until(
    stop: Callable[[], bool], decided: Callable[[float], bool], began: float, seconds: float
) -> Callable[[], bool]:
    """Return a `stop` that also ends a search when the time that is left cannot change its move.

    `decided` receives how many more visits are expected, as a share of those made so far.
    """
    due = began + DECIDED

    def stopping() -> bool:
        nonlocal due
        now = time.monotonic()
        if now >= due:
            due = now + DECIDED
            spent = now - began
            if decided((seconds - spent) / spent):
                return True
        return stop()

    return stopping
