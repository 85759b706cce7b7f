"""One thread's search of a position: what it is to do, and the moves of the root."""

from collections.abc import Callable, Sequence

import engines.shogi.search as search
from engines.shogi import scores
from engines.shogi.generation import MOST_MOVES
from engines.shogi.position import Position
from engines.shogi.search import Search
from engines.shogi.table import Table

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

INFINITE = scores.INFINITE
TOP = scores.TOP


class Worker(Search):
    """Searches one position; threads have one each and share the table."""

    def __init__(
        self,
        position: Position,
        table: Table,
        clock: Callable[[], bool] | None = None,
        node_limit: int = 0,
        declaring: int = 27,
        most_plies: int = 0,
    ) -> None:
        if not cython.compiled:
            self.root_moves = [0] * 600
        Search.__init__(self, table)
        self.begin(position, clock, node_limit, declaring, most_plies)

    def begin(
        self,
        position: Position,
        clock: Callable[[], bool] | None = None,
        node_limit: int = 0,
        declaring: int = 27,
        most_plies: int = 0,
    ) -> None:
        """Take up another position; what was learned about moves stays.

        `declaring` is the points of the rule for declarations, 27 or 24, TRY, or 0 for none;
        `most_plies` of the game make a draw where it is not 0.
        """
        self.position = position
        self.clock = clock
        self.nodes = 0
        self.node_limit = node_limit
        self.declaring = declaring
        self.most_plies = most_plies
        self.countdown = min(self.interval, node_limit) if node_limit else self.interval
        self.reached = 0
        self.root_count = 0
        self.root_depth = 1
        self.position.reserve(TOP + 8)
        self.position.make_room(MOST_MOVES * (TOP + 2))
        self.position.survey()
        self.evaluation.reset(self.position)
        for ply in range(130):
            self.killers[ply][0] = 0
            self.killers[ply][1] = 0
            self.made[ply] = 0
            self.barred[ply] = 0
            self.values[ply] = 0

    def follow(self, move: int) -> None:
        """Make a legal move, the evaluation kept up."""
        self.position.reserve(1)
        self._advance(move, 0)

    def go_back(self) -> None:
        """Take a move back that was followed."""
        self._retreat()

    def set_root(self, moves: Sequence[int]) -> None:
        """Say which moves are to be searched, the first ones first."""
        self.root_count = len(moves)
        for at, move in enumerate(moves):
            self.root_moves[at] = move

    def root_move(self, at: int) -> int:
        """Return a move of the root in the order found so far."""
        return self.root_moves[at]

    def line(self) -> list[int]:
        """Return the line of play that the last search of the root found."""
        return [self.lines[at] for at in range(self.lengths[0])]

    def search_root(self, depth: int, alpha: int, beta: int, first: int) -> int:
        """Search the root's moves from index `first` on; the best of them comes to `first`."""
        with cython.nogil:
            return self._root(depth, alpha, beta, first)

    def _root(self, depth: int, alpha: int, beta: int, first: int) -> int:
        self.root_depth = depth
        self.nodes += 1
        self.lengths[0] = 0
        self.values[0] = 0
        if not self.position.checkers:
            self.values[0] = self._corrected(self.evaluation.value(self.position), 0)
        checkers = self.position.checkers
        pinned = self.position.pinned
        best = -INFINITE
        at = first
        while at < self.root_count:
            move = self.root_moves[at]
            reduction = 0
            if at - first >= 4 and depth >= 3 and self.position.cells[move & 127] == 0:
                reduction = search.reduction_of(depth, at - first) // 2
            self._advance(move, 0)
            if at == first:
                score = -self._search(depth - 1, -beta, -alpha, 1, False, 0)
            else:
                if self.position.checkers:
                    reduction = 0
                place = max(depth - 1 - reduction, 0)
                score = -self._search(place, -alpha - 1, -alpha, 1, True, 0)
                if score > alpha and reduction:
                    score = -self._search(depth - 1, -alpha - 1, -alpha, 1, True, 0)
                if score > alpha:
                    score = -self._search(depth - 1, -beta, -alpha, 1, False, 0)
            self._retreat()
            self.position.checkers = checkers
            self.position.pinned = pinned
            if self.table.is_halted():
                return best
            if score > best:
                best = score
                if score > alpha or at == first:
                    self._extend_line(move, 0)
                    # The best move comes first, the others keep their order.
                    shift = at
                    while shift > first:
                        self.root_moves[shift] = self.root_moves[shift - 1]
                        shift -= 1
                    self.root_moves[first] = move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        break
            at += 1
        return best
