"""The search of one thread: its position and limits, and the moves at the root."""

from collections.abc import Callable, Sequence

import engines.shogi.play.tree as search
from engines.shogi.play import scores
from engines.shogi.play.evaluation import Evaluation
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.tree import Search
from engines.shogi.rules.generation import MOST_MOVES
from engines.shogi.rules.position import Position

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

INFINITE = scores.INFINITE
TOP = scores.TOP


class Worker(Search):
    """Search one position; each thread has its own worker, and all share the table."""

    def __init__(
        self,
        position: Position,
        transpositions: TranspositionTable,
        clock: Callable[[], bool] | None = None,
        node_limit: int = 0,
        declaring: int = 27,
        most_plies: int = 0,
    ) -> None:
        if not cython.compiled:
            self.root_moves = [0] * 600
        Search.__init__(self, transpositions)
        self.begin(position, clock, node_limit, declaring, most_plies)

    def begin(
        self,
        position: Position,
        clock: Callable[[], bool] | None = None,
        node_limit: int = 0,
        declaring: int = 27,
        most_plies: int = 0,
    ) -> None:
        """Set up another position; what was learned about moves is kept.

        `declaring` names the rule for declarations: 27 or 24 points, TRY, or 0 for none. Unless
        `most_plies` is 0, the game is drawn after that many plies.
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
        self.better = False
        self.position.reserve(TOP + 8)
        self.position.make_room(MOST_MOVES * (TOP + 2))
        self.position.survey()
        self.evaluation.reset(self.position)
        for ply in range(130):
            self.killers[ply][0] = 0
            self.killers[ply][1] = 0
            self.made[ply] = 0
            self.quiet_made[ply] = -1
            self.barred[ply] = 0
            self.values[ply] = 0

    def evaluate_by(self, evaluation: Evaluation) -> None:
        """Use another evaluation; `begin` must follow."""
        self.evaluation = evaluation

    def follow(self, move: int) -> None:
        """Make a legal move and update the evaluation; raises ValueError after TOP moves."""
        if self.evaluation.height >= TOP:
            raise ValueError(f"at most {TOP} moves can be followed")
        self.position.reserve(1)
        self._advance(move, 0)

    def take_back(self) -> None:
        """Take back the last move that `follow` made."""
        self._retreat()

    def set_root(self, moves: Sequence[int]) -> None:
        """Set the moves to search, in the order in which to try them."""
        self.root_count = len(moves)
        for at, move in enumerate(moves):
            self.root_moves[at] = move

    def root_move(self, at: int) -> int:
        """Return the root move at an index; better moves come first as the search goes on."""
        return self.root_moves[at]

    def line(self) -> list[int]:
        """Return the principal variation of the last search of the root."""
        return [self.lines[at] for at in range(self.lengths[0])]

    def improved(self) -> bool:
        """Tell whether the last search of the root found a better move than the first."""
        return self.better

    def search_root(self, depth: int, alpha: int, beta: int, first: int) -> int:
        """Search the root moves from index `first` on, and move the best of them to `first`."""
        with cython.nogil:
            return self._root(depth, alpha, beta, first)

    def _root(self, depth: int, alpha: int, beta: int, first: int) -> int:
        self.root_depth = depth
        self.nodes += 1
        self.lengths[0] = 0
        self.values[0] = 0
        self.better = False
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
                reduced_depth = max(depth - 1 - reduction, 0)
                score = -self._search(reduced_depth, -alpha - 1, -alpha, 1, True, 0)
                if score > alpha and reduction:
                    score = -self._search(depth - 1, -alpha - 1, -alpha, 1, True, 0)
                if score > alpha:
                    score = -self._search(depth - 1, -beta, -alpha, 1, False, 0)
            self._retreat()
            self.position.checkers = checkers
            self.position.pinned = pinned
            if self.transpositions.is_halted():
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
                    if at > first:
                        self.better = True
                    if score >= beta:
                        break
            at += 1
        return best
