"""The mate search at the root of an ordinary search, for a small share of its nodes."""

from collections.abc import Callable
from typing import Final

from engines.shogi.mate import Solver
from engines.shogi.position import Position

_SHARE: Final = 20  # One node of the mate search for so many of the other.
_LEAST: Final = 500  # Nodes of a try; each is twice as long as the one before.


class Prover:
    """Tries to prove a mate for the side to move, again and again and each time longer."""

    def __init__(self) -> None:
        self._solver = Solver(4)
        self._position = Position()
        self._next = _LEAST
        self._over = False
        self.nodes = 0

    def begin(self, position: Position) -> None:
        """Take up another position."""
        self._position = position
        self._next = _LEAST
        self._over = False
        self.nodes = 0

    def look(self, searched: int, stop: Callable[[], bool]) -> list[int]:
        """Return a line that mates, replayed to its end, if one is found within the share."""
        if self._over or (self.nodes + self._next) * _SHARE > searched:
            return []
        line, refuted = self._solver.solve(self._position, stop, self._next)
        self.nodes += self._solver.nodes
        self._next *= 2
        self._over = refuted or bool(line)
        return line
