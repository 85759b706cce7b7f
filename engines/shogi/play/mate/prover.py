"""The mate search beside an ordinary search, for a small share of its nodes."""

from collections.abc import Callable
from typing import Final

from engines.shogi.play.mate.search import Solver
from engines.shogi.rules.position import Position

_SHARE: Final = 20  # The mate search has one node for this many of the other search.
_LEAST: Final = 500  # Nodes of the first try; each following try has twice as many.


class Prover:
    """Tries repeatedly, with growing limits, to prove a mate for the side to move."""

    def __init__(self) -> None:
        self._solver = Solver(4)
        self._position = Position()
        self._next = _LEAST
        self._over = False
        self.nodes = 0

    def begin(self, position: Position) -> None:
        """Start with another position."""
        self._position = position
        self._next = _LEAST
        self._over = False
        self.nodes = 0

    def look(self, searched: int, stop: Callable[[], bool]) -> list[int]:
        """Return a mating line if one is found within the share of nodes, or an empty list."""
        if self._over or (self.nodes + self._next) * _SHARE > searched:
            return []
        line, refuted = self._solver.solve(self._position, stop, self._next)
        self.nodes += self._solver.nodes
        self._next *= 2
        self._over = refuted or bool(line)
        return line
