"""The win chances of all positions of some classes, and their order in memory. Hot.

A class (m, n) holds the positions with m men of the side that throws next and n enemy men. The
index of a position is the rank of the own men among the 28 squares where men can stand, times the
number of ways to place the enemy, plus the rank of the enemy's men among the remaining squares.
There are no gaps, and no division is needed.
"""

from array import array
from collections.abc import Iterable, MutableSequence
from functools import cache
from math import comb
from typing import Final

from engines.core.storage import Values, allocate
from engines.senet.rules.track import count

FLOAT: Final = "f"  # 32-bit floats.
SHORT: Final = "H"  # 16 bits; 65535 is a certain win.
SQUARES: Final = 28
ITEM_SIZE: Final = {FLOAT: 4, SHORT: 2}

Class = tuple[int, int]


def entries(own: int, enemy: int) -> int:
    """Count the positions of a class."""
    return comb(SQUARES, own) * comb(SQUARES - own, enemy)


class ChanceTable:
    """The chances of some classes of positions, one class after another in one block of memory."""

    def __init__(self, classes: Iterable[Class], kind: str, values: Values = None) -> None:
        self._bases = array("q", [-1] * 36)
        self._blocks = array("q", [0] * 36)
        total = 0
        for own, enemy in classes:
            self._bases[6 * own + enemy] = total
            self._blocks[6 * own + enemy] = comb(SQUARES - own, enemy)
            total += entries(own, enemy)
        self.kind = kind
        self.size = total
        self.values = allocate(kind, total) if values is None else values
        if len(self.values) < total or self.values.format != kind:
            raise ValueError(f"table needs {total} values of kind {kind!r}")
        self._wide = int(kind == FLOAT)
        unused: Values = memoryview(array(SHORT if self._wide else FLOAT, [0]))
        self._floats: MutableSequence[float] = self.values if self._wide else unused
        self._shorts: MutableSequence[int] = unused if self._wide else self.values
        self._counts, self._low, self._high = _ranks()

    def holds(self, own: int, enemy: int) -> bool:
        """Return whether the table holds the class with these numbers of men."""
        return bool(self._bases[6 * own + enemy] >= 0)

    def part(self, own: int, enemy: int) -> Values:
        """Return a view of the values of one class."""
        base = self._bases[6 * own + enemy]
        return self.values[base : base + entries(own, enemy)]

    def fill(self, own: int, enemy: int, values: Values) -> None:
        """Copy the values of one class, of either kind, into the table."""
        part = self.part(own, enemy)
        if values.format == self.kind:
            part[:] = values
        elif values.format == FLOAT:
            self._from_floats(self._bases[6 * own + enemy], values)
        else:
            self._from_shorts(self._bases[6 * own + enemy], values)

    def _from_floats(self, base: int, values: Values) -> None:
        for index in range(len(values)):
            self._put(base + index, values[index])

    def _from_shorts(self, base: int, values: Values) -> None:
        for index in range(len(values)):
            self._put(base + index, values[index] / 65535.0)

    def index(self, own: int, enemy: int) -> int:
        """Return the index of a position's value, or -1 if the table does not hold its class."""
        return self._index(own, enemy)

    def chance(self, own: int, enemy: int) -> float:
        """Return the chance of the side that throws next; the table must hold the class."""
        return self._chance(own, enemy)

    def _index(self, own: int, enemy: int) -> int:
        # Square 27 is always empty, so squares 28 and 29 move down by one.
        own = (own & 0x3FFFFFF) | (own >> 1 & 0xC000000)
        enemy = (enemy & 0x3FFFFFF) | (enemy >> 1 & 0xC000000)
        low = self._counts[own & 0x3FFF]
        number = low + self._counts[own >> 14]
        number = 6 * number + self._counts[enemy & 0x3FFF] + self._counts[enemy >> 14]
        base = self._bases[number]
        if base < 0:
            return -1
        rank = self._low[own & 0x3FFF] + self._high[(low << 14) + (own >> 14)]
        while own:  # Close the gaps that the own men leave among the enemy's squares.
            below = (own & -own) - 1
            enemy = (enemy & below) | (enemy >> 1 & ~below)
            own = (own & (own - 1)) >> 1
        low = self._counts[enemy & 0x3FFF]
        base += rank * self._blocks[number]
        return base + self._low[enemy & 0x3FFF] + self._high[(low << 14) + (enemy >> 14)]

    def _get(self, index: int) -> float:
        if self._wide:
            return self._floats[index]
        return self._shorts[index] * (1.0 / 65535.0)

    def _put(self, index: int, value: float) -> float:
        # Returns the change of the stored value.
        if self._wide:
            change = value - self._floats[index]
            self._floats[index] = value
            return change if change > 0.0 else -change
        before = self._shorts[index]
        after = int(value * 65535.0 + 0.5)
        self._shorts[index] = after
        return (after - before if after > before else before - after) * (1.0 / 65535.0)

    def _chance(self, own: int, enemy: int) -> float:
        return self._get(self._index(own, enemy))


@cache
def _ranks() -> "tuple[array[int], array[int], array[int]]":
    """Return, by half of a mask, its men and what they add to a rank as its low and high half."""
    counts = array("i", [count(half) for half in range(1 << 14)])
    low = array("i", [_rank(half, 0, 0) for half in range(1 << 14)])
    high = array("i", [_rank(half, 14, below) for below in range(6) for half in range(1 << 14)])
    return counts, low, high


def _rank(half: int, shift: int, below: int) -> int:
    """Return what half of a mask, with `below` men below it, adds to the rank of a set."""
    rank = 0
    for bit in range(14):
        if half >> bit & 1:
            below += 1
            rank += comb(bit + shift, below)
    # Sets of more than five men never occur; their ranks must only not overflow.
    return rank if below <= 5 else 0
