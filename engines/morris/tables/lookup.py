"""Look up values of the moving phase: 0 is a draw, 2 n a win, and 2 n + 1 a loss in n plies.

Hot. Plies are counted to the next capture or the end of the game. A sector is held in one of three
kinds with 8 bits per entry (as above), 2 bits (win, draw, loss) or 1 bit (lost or not).
"""

from collections.abc import Sequence
from typing import Any, Final

from engines.morris.rules.board import count
from engines.morris.tables.index import Index

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

UNKNOWN: Final = -1
NOT_LOST: Final = -2
FAR: Final = 127
"""This number of plies means as many or more, or an unknown distance."""

_BITS: Final = {"depth": 8, "exact": 2, "safe": 1}


class Tables:
    """The sectors that are in memory, with one index for all."""

    cells: list[Any]  # If compiled, these are pointers to the buffers in `held`.

    def __init__(self) -> None:
        self.index = Index()
        self.held: list[Any] = [None] * 100
        self.bits = [0] * 100
        if not cython.compiled:
            object.__setattr__(self, "cells", self.held)

    def hold(self, own: int, enemy: int, kind: str, cells: Any) -> None:
        """Hold a sector in `cells`, a buffer that must not change its size any more."""
        self.index.prepare(own)
        at = own * 10 + enemy
        self.held[at] = cells
        if cython.compiled:
            view = cells
            self.cells[at] = cython.address(view[0])
        self.bits[at] = _BITS[kind]

    def sectors(self) -> Sequence[tuple[int, int]]:
        """List the held sectors as numbers of own and enemy men."""
        return [divmod(at, 10) for at in range(100) if self.bits[at]]

    def _value(self, own: int, enemy: int) -> int:
        """Look up a position of a sector that is held with 8 bits or 2."""
        at = count(own) * 10 + count(enemy)
        number = self.index._least(own, enemy)
        value: int
        if self.bits[at] == 8:
            value = self.cells[at][number]
            return value
        value = self.cells[at][number >> 2] >> 2 * (number & 3) & 3
        return value | 252 if value else 0

    def _probe(self, own: int, enemy: int) -> int:
        """Look up a position: a value, UNKNOWN (-1) if its sector is not held, or NOT_LOST (-2)."""
        men = count(own)
        others = count(enemy)
        if men < 3 or others < 3 or men > 9 or others > 9:
            return -1
        bits = self.bits[men * 10 + others]
        if bits == 0:
            return -1
        if bits != 1:
            return self._value(own, enemy)
        number = self.index._least(own, enemy)
        lost = self.cells[men * 10 + others][number >> 3] >> (number & 7) & 1
        return 255 if lost else -2

    def probe(self, own: int, enemy: int) -> int:
        """Look up a position of the moving phase; returns a value, UNKNOWN or NOT_LOST."""
        return self._probe(own, enemy)
