"""The inner loop of training: the net plays itself and learns from looking one throw ahead. Hot."""

from array import array

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.senet.play.lookahead import Lookahead
from engines.senet.play.net import Net
from engines.senet.rules.track import count, movable, moved, rearmost, steps_of, throws_again
from engines.senet.tables.table import ChanceTable


class Trainer:
    """Moves a net's estimates towards the exact values of a table, or towards its own lookahead."""

    def __init__(self, net: Net, lookahead: Lookahead, seed: int) -> None:
        self.net = net
        self.lookahead = lookahead
        lookahead._caching = 0  # Values change with the net.
        self.passing = lookahead.passing
        self.over = lookahead.over
        self._state = 1 + seed % 0x7FFFFFFE
        self._own = 0
        self._enemy = 0
        self._games = 0

    def run(self, positions: int, rate: float, explore: float) -> float:
        """Learn from `positions` positions of games; return the sum of the squared errors.

        A share `explore` of the moves is random; every other game starts from a random position.
        """
        with cython.nogil:
            return self._run(positions, rate, explore)

    def wander(self, owns: "array[int]", enemies: "array[int]", explore: float) -> None:
        """Fill two arrays with positions of games; the next call continues the last game."""
        self._wander(owns, enemies, explore)

    def scatter(self, men: int, others: int, owns: "array[int]", enemies: "array[int]") -> None:
        """Fill two arrays with random positions of a class."""
        for index in range(len(owns)):
            owns[index] = self._scatter(men, 0)
            enemies[index] = self._scatter(others, owns[index])

    def teach(
        self, table: ChanceTable, owns: "array[int]", enemies: "array[int]", rate: float
    ) -> float:
        """Learn the table's values of these positions; return the sum of the squared errors."""
        return self._teach(table, owns, enemies, rate)

    def foresee(self, owns: "array[int]", enemies: "array[int]", rate: float) -> float:
        """Learn these positions from the net's lookahead of one throw; return as `teach` does."""
        return self._foresee(owns, enemies, rate)

    def _foresee(self, owns: "array[int]", enemies: "array[int]", rate: float) -> float:
        squares = 0.0
        for index in range(len(owns)):
            own = owns[index]
            enemy = enemies[index]
            error = self.net._learn(own, enemy, self.lookahead._expect(own, enemy, 1), rate)
            squares += error * error
        return squares

    def _teach(
        self, table: ChanceTable, owns: "array[int]", enemies: "array[int]", rate: float
    ) -> float:
        squares = 0.0
        for index in range(len(owns)):
            own = owns[index]
            enemy = enemies[index]
            error = self.net._learn(own, enemy, table._chance(own, enemy), rate)
            squares += error * error
        return squares

    def _wander(self, owns: "array[int]", enemies: "array[int]", explore: float) -> None:
        for index in range(len(owns)):
            self._begin()
            owns[index] = self._own
            enemies[index] = self._enemy
            self._advance(explore)

    def _random(self, below: int) -> int:
        self._state = self._state * 48271 % 0x7FFFFFFF
        return self._state * below >> 31

    def _scatter(self, men: int, taken: int) -> int:
        # A random set of men on free squares.
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
        for _ in range(positions):
            self._begin()
            own = self._own
            enemy = self._enemy
            error = self.net._learn(own, enemy, self.lookahead._expect(own, enemy, 1), rate)
            squares += error * error
            self._advance(explore)
        return squares

    def _begin(self) -> None:
        # Begin the next game if this one is over.
        if self._own == 0 or self._enemy == 0:
            self._games += 1
            if self._games & 1:
                self._own = 0x2AA
                self._enemy = 0x155
            else:
                self._own = self._scatter(1 + self._random(5), 0)
                self._enemy = self._scatter(1 + self._random(5), self._own)

    def _advance(self, explore: float) -> None:
        own = self._own
        enemy = self._enemy
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
        self._own = own if again else enemy
        self._enemy = enemy if again else own

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
