"""The two clocks of a game that is being played."""

import copy
import math
import time
from collections.abc import Callable
from typing import Final

from engines.core.game import Side
from engines.core.timing import Clock, TimeControl

LAG: Final = 0.25  # Seconds of overrun that are tolerated from an engine.

State = tuple[Clock, Clock]


class PlayClocks:
    """Two clocks, at most one of which runs; not thread-safe."""

    def __init__(
        self,
        controls: tuple[TimeControl, TimeControl],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clocks: State = (Clock(controls[0]), Clock(controls[1]))
        self._now = now
        self._since = 0.0
        self.running: Side | None = None

    def start(self, side: Side) -> None:
        """Let a side's clock run, unless it runs already."""
        if self.running != side:
            self.running, self._since = side, self._now()

    def stop(self) -> None:
        """Stop the clocks without charging anybody."""
        self.running = None

    def elapsed(self) -> float:
        """Return the seconds since the running clock was started; 0 if none runs."""
        return 0.0 if self.running is None else self._now() - self._since

    def charge(self, side: Side, seconds: float, *, lag: float = 0.0) -> bool:
        """Charge a move and stop; return False if the flag fell more than `lag` seconds before."""
        clock = self._clocks[side]
        self.stop()
        if seconds > clock.available() + lag:
            clock.charge(seconds)
            return False
        seconds = min(seconds, clock.available())
        clock.charge(seconds)
        self._clocks[1 - side].credit(seconds)
        return True

    def flag_in(self) -> float:
        """Return the seconds until the flag of the running clock falls."""
        if self.running is None:
            return math.inf
        return self._clocks[self.running].available() - self.elapsed()

    def has_clock(self, side: Side) -> bool:
        """Whether a side plays with a clock."""
        return self._clocks[side].running

    def left(self, side: Side) -> tuple[float, int]:
        """Return the remaining seconds of a side now, and the periods or stones they are for."""
        return self._clocks[side].left(self.elapsed() if self.running == side else 0.0)

    def state(self) -> State:
        """Return a copy of both clocks, to be restored when moves are taken back."""
        return copy.copy(self._clocks[0]), copy.copy(self._clocks[1])

    def restore(self, state: State) -> None:
        """Set both clocks back and stop them."""
        self.stop()
        self._clocks = (copy.copy(state[0]), copy.copy(state[1]))
