"""The value of one position by definition: the mean over the throws of the best successor. Hot."""

from random import Random

from engines.senet.rules.track import TRAP_SQUARE, movable, moved, steps_of, throws_again
from engines.senet.tables.table import SQUARES, ChanceTable

_TRACK = [square for square in range(1, SQUARES + 2) if square != TRAP_SQUARE]


class Iteration:
    """One step of value iteration on single positions; slow and simple, to check the tables."""

    def __init__(self, table: ChanceTable, passing: int, over: int) -> None:
        self.table = table
        self.passing = passing
        self.over = over

    def value(self, own: int, enemy: int) -> float:
        """Return the mean over the throws of the best successor, by the values of the table."""
        return self._value(own, enemy)

    def check(self, own: int, enemy: int, number: int, seed: int) -> float:
        """Return the largest difference of stored and computed values in random positions."""
        generator = Random(seed)
        largest = 0.0
        for _ in range(number):
            squares = generator.sample(_TRACK, own + enemy)
            men = sum(1 << (square - 1) for square in squares[:own])
            others = sum(1 << (square - 1) for square in squares[own:])
            error = abs(self.table.chance(men, others) - self._value(men, others))
            largest = max(largest, error)
        return largest

    def _value(self, own: int, enemy: int) -> float:
        total = 0.0
        throws = 5.0
        for throw in range(1, 6):
            steps = steps_of(throw)
            again = throws_again(throw)
            men = movable(own, enemy, steps, self.over)
            if men == 0:
                if self.passing and not again:
                    total += 1.0 - self.table._chance(enemy, own)
                else:
                    throws -= 1.0  # Such a throw is repeated, so the other throws share its weight.
                continue
            best = 0.0
            while men:
                after = moved(own, enemy, men & -men, steps)
                men &= men - 1
                mine = after & 0x1FFFFFFF
                theirs = after >> 32
                if mine == 0:
                    best = 1.0
                    break
                if again:
                    chance = self.table._chance(mine, theirs)
                else:
                    chance = 1.0 - self.table._chance(theirs, mine)
                if chance > best:
                    best = chance
            total += best
        return total / throws
