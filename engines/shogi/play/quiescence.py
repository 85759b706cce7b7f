"""The quiescence search: captures, promotions and answers to check until none are left."""

from collections.abc import Callable

import engines.shogi.play.table as table
import engines.shogi.rules.board as board
from engines.shogi.play import scores
from engines.shogi.play.correction import Correction
from engines.shogi.play.evaluation import Evaluation
from engines.shogi.play.fitted import Fitted
from engines.shogi.play.ordering import Ordering
from engines.shogi.play.table import TranspositionTable

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

MATE = scores.MATE
SURE = scores.SURE
INFINITE = scores.INFINITE
TOP = scores.TOP
CORRECTION = 1 << scores.METHODS.index("correction")
FEW_CAPTURES = 1 << scores.METHODS.index("few captures")
TABLE_IN_QUIESCENCE = 1 << scores.METHODS.index("table in quiescence")
INTERVAL = 1024 if cython.compiled else 16  # Nodes between two calls of the clock.


class Quiescence(Ordering):
    """Search until the position is quiet; poll the clock; keep the principal variation.

    `clock` is called every few milliseconds and says whether to stop. Without one, the search
    stops when the transposition table is halted.
    """

    def __init__(self, transpositions: TranspositionTable) -> None:
        if not cython.compiled:
            self.lines = [0] * (130 * 130)
            self.lengths = [0] * 130
        Ordering.__init__(self)
        self.evaluation: Evaluation = Fitted()
        self.correction = Correction()
        self.methods = scores.ALL_METHODS
        self.transpositions = transpositions
        self.clock: Callable[[], bool] | None = None
        self.nodes = 0
        self.node_limit = 0
        self.interval = INTERVAL
        self.countdown = INTERVAL

    def forget(self) -> None:
        """Forget what was learned about moves and about the evaluation."""
        Ordering.forget(self)
        self.correction.forget()

    def halted(self) -> bool:
        """Tell whether the threads were stopped."""
        return self.transpositions.is_halted()

    def static_value(self) -> int:
        """Return the evaluation of the position for the side to move, without a search."""
        return self.evaluation.value(self.position)

    def _corrected(self, value: int, ply: int) -> int:
        """Return an evaluation corrected by the errors that searches found in similar positions."""
        if self.methods & CORRECTION:
            value += self.correction.of(self.position, self.made[ply - 1] if ply > 0 else 0)
        return value

    def _poll(self) -> None:
        self.countdown = self.interval
        if self.node_limit and self.node_limit - self.nodes < self.countdown:
            self.countdown = max(1, self.node_limit - self.nodes)
        if (self.node_limit and self.nodes >= self.node_limit) or (
            self.clock is not None and self.clock()
        ):
            self.transpositions.halt()

    def _advance(self, move: int, ply: int) -> None:
        self.made[ply] = self._man_of(move) * 81 + (move & 127)
        self.quiet_made[ply] = self._quiet_slot(move)
        self.evaluation.make(self.position, move)
        self.position.advance(move)
        self.transpositions.fetch(self.position.board_key ^ self.position.hand_key)
        if self.position.cells[move & 127] & 15 == 8:
            self.evaluation.settle(self.position)

    def _retreat(self) -> None:
        self.position.unmake()
        self.evaluation.unmake()

    def _extend_line(self, move: int, ply: int) -> None:
        """Keep the best line from here: a move, followed by the best line after it."""
        self.lines[ply * 130] = move
        at = 0
        while at < self.lengths[ply + 1]:
            self.lines[ply * 130 + at + 1] = self.lines[(ply + 1) * 130 + at]
            at += 1
        self.lengths[ply] = at + 1

    def _quiesce(self, alpha: int, beta: int, ply: int, depth: int, base: int) -> int:
        """Search captures, promotions and answers to check, and return the score."""
        self.nodes += 1
        self.countdown -= 1
        if self.countdown <= 0:
            self._poll()
        if self.transpositions.is_halted():
            return 0
        self.lengths[ply] = 0
        checked = self.position.checkers != 0
        if ply >= TOP:
            return 0 if checked else self.evaluation.value(self.position)
        key = self.position.board_key ^ self.position.hand_key
        entry = self.transpositions.probe(key)
        table_move = 0
        best = -INFINITE
        stand_pat = -INFINITE
        first_alpha = alpha
        raw_value = 0
        if entry:
            table_move = table.move_in(entry)
            table_score = table.score_in(entry, ply)
            if beta - alpha == 1 and table.bound_in(entry) & (2 if table_score >= beta else 1):
                return table_score
        if not checked:
            raw_value = table.value_in(entry) if entry else self.evaluation.value(self.position)
            stand_pat = self._corrected(raw_value, ply)
            best = stand_pat
            # A score from the table is a better estimate than the evaluation.
            if (
                self.methods & TABLE_IN_QUIESCENCE
                and entry
                and table.bound_in(entry) & (2 if table_score > best else 1)
                and abs(table_score) < SURE
            ):
                best = table_score
            if best >= beta:
                if not entry:
                    self.transpositions.store(key, 0, best, raw_value, 0, 2)
                return best
            if depth == 0 and not entry:
                move = self.position.mate_in_one(base)
                if move:
                    self.lengths[ply + 1] = 0
                    self._extend_line(move, ply)
                    self.transpositions.store(key, move, MATE - 1, raw_value, 100, 3)
                    return MATE - ply - 1
            if best > alpha:
                alpha = best
        checkers = self.position.checkers
        pinned = self.position.pinned
        end = self.position.generate(base, 2 if checked else 1)
        self._weigh_captures(base, end)
        chosen = 0
        count = 0
        answers = 0
        # The square to which the opponent has just moved.
        last = self.made[ply - 1] % 81 if ply > 0 and self.made[ply - 1] else -1
        at = base
        while at < end:
            if table_move and at == base:
                move = self._bring(table_move, at, end)
            else:
                move = self._pick(at, end)
            at += 1
            taken = self.position.cells[move & 127] & 15
            count += 1
            if not checked:
                # Three captures, and then those only that take the man that has just moved.
                if self.methods & FEW_CAPTURES and count > 3 and move & 127 != last:
                    continue
                gain = stand_pat + 150 + board.EXCHANGE[taken] + (500 if move & 16384 else 0)
                if gain <= alpha:
                    if gain > best:
                        best = gain
                    continue
                if not self.position.wins(move, 0):
                    continue
            elif best > -SURE and not taken:
                # One answer to a check that takes nothing is enough, unless it loses.
                answers += 1
                if (self.methods & FEW_CAPTURES and answers > 1) or (
                    count > 3 and not self.position.wins(move, 0)
                ):
                    continue
            self._advance(move, ply)
            score = -self._quiesce(-beta, -alpha, ply + 1, depth - 1, end)
            self._retreat()
            self.position.checkers = checkers
            self.position.pinned = pinned
            if self.transpositions.is_halted():
                return 0
            if score > best:
                best = score
                if score > alpha:
                    chosen = move
                    self._extend_line(move, ply)
                    if score >= beta:
                        break
                    alpha = score
        if checked and end == base:
            return ply - MATE
        bound = 2 if best >= beta else (3 if best > first_alpha and beta - first_alpha > 1 else 1)
        self.transpositions.store(key, chosen, table.stored_score(best, ply), raw_value, 0, bound)
        return best
