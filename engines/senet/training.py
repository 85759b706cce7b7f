"""The inner loop of training: games of the net against itself, learning from one throw ahead.

Compiled where it can be.
"""

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.senet.lookahead import Lookahead
from engines.senet.net import Net
from engines.senet.track import count, movable, moved, rearmost, steps_of, throws_again


class Trainer:
    """Moves a net's estimates towards the exact values of a table, or towards its own lookahead."""

    def __init__(self, net: Net, lookahead: Lookahead, seed: int) -> None:
        self.net = net
        self.lookahead = lookahead
        lookahead._caching = 0  # Values change with the net.
        self.passing = lookahead.passing
        self.over = lookahead.over
        self._state = 1 + seed % 0x7FFFFFFE

    def run(self, positions: int, rate: float, explore: float) -> float:
        """Learn from so many positions; return the mean square of how far the net was off.

        A share `explore` of the moves is random, and every other game starts anywhere.
        """
        with cython.nogil:
            return self._run(positions, rate, explore)

    def _random(self, below: int) -> int:
        self._state = self._state * 48271 % 0x7FFFFFFF
        return self._state * below >> 31

    def _scatter(self, men: int, taken: int) -> int:
        # A random set of so many men on squares that are free.
        placed = 0
        while men:
            man = self._one() << self._random(29)
            if man != 0x4000000 and (taken | placed) & man == 0:
                placed |= man
                men -= 1
        return placed

    def _one(self) -> int:
        return 1

    def _run(self, positions: int, rate: float, explore: float) -> float:
        squares = 0.0
        own = 0
        enemy = 0
        games = 0
        while positions:
            if own == 0 or enemy == 0:
                games += 1
                if games & 1:
                    own = 0x2AA
                    enemy = 0x155
                else:
                    own = self._scatter(1 + self._random(5), 0)
                    enemy = self._scatter(1 + self._random(5), own)
            error = self.net._learn(own, enemy, self.lookahead._expect(own, enemy, 1), rate)
            squares += error * error
            positions -= 1
            throw = 1 + self._random(5)
            men = movable(own, enemy, steps_of(throw), self.over)
            again = throws_again(throw)
            if men:
                after = moved(
                    own, enemy, self._choose(own, enemy, men, throw, explore), steps_of(throw)
                )
                own = after & 0x1FFFFFFF
                enemy = after >> 32
            elif not self.passing:
                again = 1
            if not again:
                after = own
                own = enemy
                enemy = after
        return squares

    def _choose(self, own: int, enemy: int, men: int, throw: int, explore: float) -> int:
        if self._random(1000) < 1000 * explore:
            return rearmost(men, self._random(count(men)))
        best = -1.0
        chosen = men & -men
        while men:
            value = self.lookahead._after(own, enemy, men & -men, throw, 0)
            if value > best:
                best = value
                chosen = men & -men
            men &= men - 1
        return chosen
