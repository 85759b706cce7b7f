"""How long to think about a move: shares of a clock, and when more thinking is of no use."""

import time
from collections.abc import Callable
from typing import Final

from engines.core.timing import Clock

LAG: Final = 0.15  # Seconds kept back: a busy machine wakes threads and clients late.
OVERHEAD: Final = (
    0.02  # Seconds of a move beside its search: pipes, judging, the way there and back.
)
DECIDED: Final = 0.05  # Seconds between questions whether a search is decided.


def allotted(clock: Clock, area: int, played: int, longest: float = 0.0) -> float:
    """Return the seconds for a move on a board of so many points after so many moves.

    `longest` is what any move may take, 0 where that is not limited.
    """
    expected = max(area // 8, area // 2 - played // 2)
    seconds = clock.allotment(expected, LAG)
    if clock.control.kind == "byoyomi" and clock.main > 0:
        # Main time that is left before byo-yomi is no reason to spend all of it on one move.
        seconds = min(seconds, clock.main / 10.0 + 0.8 * clock.control.period)
    if longest > 0:
        seconds = min(seconds, max(longest - LAG, longest / 2))
    return max(seconds - OVERHEAD, min(seconds, 0.001))


def spare(clock: Clock) -> float:
    """Return the seconds that a move may take at most, without losing a period of byo-yomi."""
    control = clock.control
    if control.kind == "byoyomi" and clock.main <= 0:
        return control.period - LAG
    return clock.available() - LAG


def until(
    stop: Callable[[], bool], decided: Callable[[float], bool], began: float, seconds: float
) -> Callable[[], bool]:
    """Return a `stop` that also ends what no further visits can change.

    `decided` is asked for the visits that are to come, as a share of those made.
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
