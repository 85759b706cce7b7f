"""The value of a position by the tables: looked up, or derived from the values after its moves.

Hot. One sector of each pair is enough, because a quiet move leads from the other sector into it,
and a capture leads to smaller sectors. Therefore only half of the sectors are shipped.
"""

from typing import Final

from engines.morris.rules.board import MOST_MOVES, NONE, Generator, count
from engines.morris.tables.lookup import Tables

_MOST_CAPTURES: Final = 14
_FAR = 127  # Typed copies, for code without the GIL.
_STRIDE = MOST_MOVES
_NONE = NONE


class Oracle:
    """Knows values of positions without men in hand, coded as in the tables."""

    def __init__(self, tables: Tables, *, flying: bool, doubles: bool) -> None:
        self.tables = tables
        self.generator = Generator(flying, doubles, _MOST_CAPTURES + 1)
        self.most = 0

    def refresh(self) -> int:
        """Register the held sectors again; return the most men for which values exist."""
        self.most = max((own + enemy for own, enemy in self.tables.sectors()), default=0)
        return self.most

    def value(self, own: int, enemy: int) -> int:
        """Return the value of a position; UNKNOWN or NOT_LOST if the tables do not hold it."""
        return self._value(own, enemy)

    def _value(self, own: int, enemy: int) -> int:
        if count(own | enemy) > self.most:
            return -1
        return self._look(own, enemy, 0)

    def _has_distances(self, own: int, enemy: int) -> bool:
        """Return whether FAR plies in this sector mean so many or more, not an unknown number."""
        mine = count(own)
        theirs = count(enemy)
        bits = self.tables.bits[mine * 10 + theirs]
        return (bits if bits else self.tables.bits[theirs * 10 + mine]) == 8

    def _look(self, own: int, enemy: int, base: int) -> int:
        """Look up a position, or return the best of the values after its moves."""
        mine = count(own)
        theirs = count(enemy)
        value = self.tables._probe(own, enemy)
        if value != -1 or mine < 3 or theirs < 3 or self.tables.bits[theirs * 10 + mine] < 2:
            return value
        end = self.generator._fill(own, enemy, 0, base)
        best = 1  # A position without moves is lost.
        unknown = False
        for at in range(base, end):
            move = self.generator.room[at]
            men = own ^ 1 << (move >> 5 & 31) | 1 << (move & 31)
            plies = 1
            if move >> 10 & 31 == _NONE:
                value = self.tables._probe(enemy, men)
                plies += value >> 1
                if plies > _FAR:
                    plies = _FAR
            else:
                left = enemy ^ 1 << (move >> 10 & 31)
                if move >> 15 & 31 != _NONE:
                    left ^= 1 << (move >> 15 & 31)
                value = 1 if count(left) < 3 else self._look(left, men, base + _STRIDE)
            if value < 0:
                unknown = True
            elif value == 0:
                if best & 1:
                    best = 0
            elif value & 1:
                if best & 1 or best == 0 or plies < best >> 1:
                    best = 2 * plies
            elif best & 1 and plies > best >> 1:
                best = 2 * plies + 1
        if unknown and (best == 0 or best & 1):
            return -1
        return best
