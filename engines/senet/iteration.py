"""The inner loops of value iteration: set each position to the mean of its best successors."""

from array import array
from functools import cache
from itertools import combinations
from random import Random

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.senet.table import SQUARES, Table
from engines.senet.track import TRAP_SQUARE, movable, moved, steps_of, throws_again

_TRACK = [square for square in range(1, SQUARES + 2) if square != TRAP_SQUARE]
_PIPS = 160  # More than five men can have.


class Iteration:
    """Improves the classes of a table in place, one sum of pips at a time.

    Moves raise the sum of both sides' pips, captures keep it and only the trap lowers it: from
    the highest sum down, nearly every successor is up to date.
    """

    def __init__(self, table: Table, passing: int, over: int) -> None:
        self.table = table
        self.passing = passing
        self.over = over
        self._sets, self._starts = _sorted_sets()

    def sums(self, own: int, enemy: int) -> list[int]:
        """List the sums of pips that a class may have, the highest first."""
        highest = sum(sorted(_TRACK)[-own:]) + sum(sorted(_TRACK)[-enemy:])
        lowest = own * (own + 1) // 2 + enemy * (enemy + 1) // 2
        return list(range(highest, lowest - 1, -1))

    def value(self, own: int, enemy: int) -> float:
        """Return the mean over the throws of the best successor, as the table values them."""
        return self._value(own, enemy)

    def check(self, own: int, enemy: int, number: int, seed: int) -> float:
        """Return the largest error among random positions: stored value less that of a sweep."""
        generator = Random(seed)
        owns = self._of(own)
        enemies = self._of(enemy)
        largest = 0.0
        while number:
            men = generator.choice(owns)
            others = generator.choice(enemies)
            if men & others == 0:
                number -= 1
                error = abs(self.table.chance(men, others) - self._value(men, others))
                largest = max(largest, error)
        return largest

    def _of(self, men: int) -> list[int]:
        first = self._starts[men * (_PIPS + 1)]
        return list(self._sets[first : self._starts[men * (_PIPS + 1) + _PIPS]])

    def level(self, own: int, enemy: int, pips: int, part: int, parts: int) -> float:
        """Improve the positions of a class with this sum of pips; return the largest change.

        Of `parts` threads that share the work this is number `part`.
        """
        with cython.nogil:
            return self._level(own, enemy, pips, part, parts)

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
                    throws -= 1.0  # Thrown again: the other throws share its weight.
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

    def _level(self, own: int, enemy: int, pips: int, part: int, parts: int) -> float:
        largest = 0.0
        for mine in range(_PIPS):
            theirs = pips - mine
            if theirs < 0 or theirs >= _PIPS:
                continue
            start = self._starts[enemy * (_PIPS + 1) + theirs]
            end = self._starts[enemy * (_PIPS + 1) + theirs + 1]
            i = self._starts[own * (_PIPS + 1) + mine] + part
            while i < self._starts[own * (_PIPS + 1) + mine + 1]:
                men = self._sets[i]
                for j in range(start, end):
                    others = self._sets[j]
                    if men & others == 0:
                        change = self.table._put(
                            self.table._index(men, others), self._value(men, others)
                        )
                        if change > largest:
                            largest = change
                i += parts
        return largest


@cache
def _sorted_sets() -> "tuple[array[int], array[int]]":
    """Return the sets of one to five men by number and pips, and where each kind begins."""
    sets = array("q")
    starts = array("q", [0] * (6 * (_PIPS + 1)))
    for men in range(1, 6):
        by_pips: list[list[int]] = [[] for _ in range(_PIPS)]
        for chosen in combinations(_TRACK, men):
            by_pips[sum(chosen)].append(sum(1 << (square - 1) for square in chosen))
        for pips, masks in enumerate(by_pips):
            starts[men * (_PIPS + 1) + pips] = len(sets)
            sets.extend(masks)
        starts[men * (_PIPS + 1) + _PIPS] = len(sets)
    return sets, starts
