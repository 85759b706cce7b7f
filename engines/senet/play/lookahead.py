"""Expectiminimax: the mean over the throws of the best moves, down to a table or a net. Hot."""

import time
from array import array

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.core.search import Stop
from engines.senet.play.net import Net
from engines.senet.rules.track import movable, moved, steps_of, throws_again
from engines.senet.tables.table import ChanceTable

_INTERVAL = 4096 if cython.compiled else 64  # Evaluations between two checks of the clock.
_SLOTS = 262139  # A prime, because the slot of a key is its remainder.


class Lookahead:
    """Evaluates positions by looking ahead; the values inside its table are exact."""

    def __init__(self, net: Net, table: ChanceTable, passing: int, over: int) -> None:
        self.net = net
        self.table = table
        self.passing = passing
        self.over = over
        self._keys = array("q", bytes(8 * _SLOTS))
        self._values = array("d", bytes(8 * _SLOTS))
        self._caching = 1
        self._nodes = 0
        self._due = 0
        self._most = -1
        self._guessed = 0
        self._halted = 0
        self._deadline = 0.0
        self._stop: Stop | None = None

    def arm(self, stop: Stop | None, deadline: float, most: int) -> None:
        """Set the limits: `stop`, a deadline (0 is none), and a number of nodes (-1 is none)."""
        self._stop = stop
        self._deadline = deadline
        self._most = most
        self._nodes = 0
        self._due = 0
        self._halted = 0
        self._poll()

    def forget(self) -> None:
        """Forget all stored values."""
        for slot in range(_SLOTS):
            self._keys[slot] = 0

    def nodes(self) -> int:
        """Return how many positions the net has evaluated since `arm`."""
        return self._nodes

    def is_halted(self) -> bool:
        """Return whether a limit interrupted the search, which makes its last value invalid."""
        return bool(self._halted)

    def take_guess(self) -> bool:
        """Return whether any value since the last call depends on the net, not only on tables."""
        guessed = bool(self._guessed)
        self._guessed = 0
        return guessed

    def after(self, own: int, enemy: int, man: int, throw: int, depth: int) -> float:
        """Return the mover's chance after a move, looking `depth` throws ahead."""
        with cython.nogil:
            return self._after(own, enemy, man, throw, depth)

    def expect(self, own: int, enemy: int, depth: int) -> float:
        """Return the chance of the side that throws next, looking `depth` throws ahead."""
        with cython.nogil:
            return self._expect(own, enemy, depth)

    def _after(self, own: int, enemy: int, man: int, throw: int, depth: int) -> float:
        after = moved(own, enemy, man, steps_of(throw))
        own = after & 0x1FFFFFFF
        enemy = after >> 32
        if own == 0:
            return 1.0
        if throws_again(throw):
            return self._expect(own, enemy, depth)
        return 1.0 - self._expect(enemy, own, depth)

    def _expect(self, own: int, enemy: int, depth: int) -> float:
        index = self.table._index(own, enemy)
        if index >= 0:
            return self.table._get(index)
        key = own + (enemy << 29) + (self._one() << 58) * depth
        slot = key % _SLOTS
        if self._caching and self._keys[slot] == key:
            self._guessed = 1
            return self._values[slot]
        total = self._guess(own, enemy) if depth == 0 else self._mean(own, enemy, depth)
        if self._caching and not self._halted:
            self._keys[slot] = key
            self._values[slot] = total
        return total

    def _one(self) -> int:
        return 1

    def _guess(self, own: int, enemy: int) -> float:
        self._guessed = 1
        self._nodes += 1
        if self._nodes >= self._due:
            self._poll()
        return self.net._evaluate(own, enemy)

    def _mean(self, own: int, enemy: int, depth: int) -> float:
        total = 0.0
        throws = 5.0
        for throw in range(1, 6):
            men = movable(own, enemy, steps_of(throw), self.over)
            if men == 0:
                if self.passing and not throws_again(throw):
                    total += 1.0 - self._expect(enemy, own, depth - 1)
                else:
                    throws -= 1.0  # Such a throw is repeated, so the other throws share its weight.
                continue
            best = 0.0
            while men:
                value = self._after(own, enemy, men & -men, throw, depth - 1)
                if self._halted:
                    return 0.5
                if value > best:
                    best = value
                men &= men - 1
            total += best
        return total / throws

    def _poll(self) -> None:
        self._due = self._nodes + _INTERVAL
        if self._most >= 0 and self._due > self._most:
            self._due = self._most
        if (
            (self._most >= 0 and self._nodes >= self._most)
            or (self._deadline > 0 and time.monotonic() >= self._deadline)
            or (self._stop is not None and self._stop())
        ):
            self._halted = 1
