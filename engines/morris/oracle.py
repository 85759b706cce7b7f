"""What the tables know of a position, looked up or by the moves that lead into them.

Hot. One sector of a pair is enough: the other's positions are one quiet move away from it, and a
capture leads to smaller ones. So a package ships half of them.
"""

from typing import Final

from engines.morris.board import MOST_MOVES, NONE, Generator, count
from engines.morris.tables import Tables

_MOST_CAPTURES: Final = 14
_FAR = 127  # Typed, for code without the GIL, as are the others.
_STRIDE = MOST_MOVES
_NONE = NONE


class Oracle:
    """Values of positions without men in hand, coded as in the tables."""

    def __init__(self, tables: Tables, *, flying: bool, doubles: bool) -> None:
        self.tables = tables
        self.generator = Generator(flying, doubles, _MOST_CAPTURES + 1)
        self.most = 0

    def refresh(self) -> int:
        """Look anew which sectors are held; return the most men on the board that it can know."""
        self.most = max((own + enemy for own, enemy in self.tables.sectors()), default=0)
        return self.most

    def value(self, own: int, enemy: int) -> int:
        """Return a position's value; UNKNOWN or NOT_LOST where the tables know less."""
        return self._value(own, enemy)

    def _value(self, own: int, enemy: int) -> int:
        if count(own | enemy) > self.most:
            return -1
        return self._look(own, enemy, 0)

    def _has_distances(self, own: int, enemy: int) -> bool:
        """Whether a win in FAR plies is one in as many or more, and not of unknown length."""
        mine = count(own)
        theirs = count(enemy)
        bits = self.tables.bits[mine * 10 + theirs]
        return (bits if bits else self.tables.bits[theirs * 10 + mine]) == 8

    def _look(self, own: int, enemy: int, base: int) -> int:
        """Look a position up, or take the best of what follows it."""
        mine = count(own)
        theirs = count(enemy)
        value = self.tables._probe(own, enemy)
        if value != -1 or mine < 3 or theirs < 3 or self.tables.bits[theirs * 10 + mine] < 2:
            return value
        end = self.generator._fill(own, enemy, 0, base)
        best = 1  # Lost at once where there is no move.
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
