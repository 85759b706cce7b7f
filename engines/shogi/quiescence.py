"""The search of captures, promotions and answers to check, and what all searching shares."""

from collections.abc import Callable

import engines.shogi.board as board
from engines.shogi import scores
from engines.shogi.correction import Correction
from engines.shogi.evaluation import Evaluation
from engines.shogi.ordering import Ordering
from engines.shogi.table import Table

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

MATE = scores.MATE
SURE = scores.SURE
INFINITE = scores.INFINITE
TOP = scores.TOP
CORRECTION = 1 << scores.METHODS.index("correction")
INTERVAL = 1024 if cython.compiled else 16  # Nodes between two looks at the clock.


class Quiescence(Ordering):
    """Searches until nothing is left hanging; looks at the clock; keeps the line of play.

    `clock` is asked every few milliseconds and says whether to stop; without one the search
    stops when the table is halted.
    """

    def __init__(self, table: Table) -> None:
        if not cython.compiled:
            self.lines = [0] * (130 * 130)
            self.lengths = [0] * 130
        Ordering.__init__(self)
        self.evaluation = Evaluation()
        self.correction = Correction()
        self.methods = scores.ALL_METHODS
        self.table = table
        self.clock: Callable[[], bool] | None = None
        self.nodes = 0
        self.node_limit = 0
        self.interval = INTERVAL
        self.countdown = INTERVAL

    def forget(self) -> None:
        """Drop what was learned about moves and about the evaluation."""
        Ordering.forget(self)
        self.correction.forget()

    def halted(self) -> bool:
        """Tell whether the threads were made to stop."""
        return self.table.is_halted()

    def quiet_value(self) -> int:
        """Return the evaluation of the position for the side to move."""
        return self.evaluation.value(self.position)

    def _corrected(self, value: int, ply: int) -> int:
        """Return an evaluation with what searches found it to be wrong by."""
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
            self.table.halt()

    def _advance(self, move: int, ply: int) -> None:
        self.made[ply] = self._man_of(move) * 81 + (move & 127)
        self.evaluation.make(self.position, move)
        self.position.advance(move)
        self.table.fetch(self.position.board_key ^ self.position.hand_key)
        if self.position.cells[move & 127] & 15 == 8:
            self.evaluation.settle(self.position)

    def _retreat(self) -> None:
        self.position.unmake()
        self.evaluation.unmake()

    def _extend_line(self, move: int, ply: int) -> None:
        """Note the best line from here: a move and the line below it."""
        self.lines[ply * 130] = move
        at = 0
        while at < self.lengths[ply + 1]:
            self.lines[ply * 130 + at + 1] = self.lines[(ply + 1) * 130 + at]
            at += 1
        self.lengths[ply] = at + 1

    def _quiesce(self, alpha: int, beta: int, ply: int, depth: int, base: int) -> int:
        """Search captures, promotions and answers to check until nothing is left hanging."""
        self.nodes += 1
        self.countdown -= 1
        if self.countdown <= 0:
            self._poll()
        if self.table.is_halted():
            return 0
        self.lengths[ply] = 0
        checked = self.position.checkers != 0
        if ply >= TOP:
            return 0 if checked else self.evaluation.value(self.position)
        key = self.position.board_key ^ self.position.hand_key
        entry = self.table.probe(key)
        hint = 0
        best = -INFINITE
        stand = -INFINITE
        old = alpha
        unaided = 0
        if entry:
            hint = entry & 32767
            score = ((entry >> 15) & 65535) - 32768
            if score > SURE:
                score -= ply
            elif score < -SURE:
                score += ply
            bound = (entry >> 55) & 3
            if beta - alpha == 1 and bound & (2 if score >= beta else 1):
                return score
        if not checked:
            unaided = (
                ((entry >> 31) & 65535) - 32768 if entry else self.evaluation.value(self.position)
            )
            stand = self._corrected(unaided, ply)
            best = stand
            if best >= beta:
                if not entry:
                    self.table.store(key, 0, best, unaided, 0, 2)
                return best
            if depth == 0 and not entry:
                move = self.position.mate_in_one(base)
                if move:
                    self.lengths[ply + 1] = 0
                    self._extend_line(move, ply)
                    self.table.store(key, move, MATE - 1, unaided, 100, 3)
                    return MATE - ply - 1
            if best > alpha:
                alpha = best
        checkers = self.position.checkers
        pinned = self.position.pinned
        end = self.position.generate(base, 2 if checked else 1)
        self._weigh_captures(base, end)
        chosen = 0
        at = base
        while at < end:
            move = self._bring(hint, at, end) if hint and at == base else self._pick(at, end)
            at += 1
            taken = self.position.cells[move & 127] & 15
            if not checked:
                gain = stand + 150 + board.EXCHANGE[taken] + (500 if move & 16384 else 0)
                if gain <= alpha:
                    if gain > best:
                        best = gain
                    continue
                if not self.position.wins(move, 0):
                    continue
            elif at - base > 3 and best > -SURE and not taken and not self.position.wins(move, 0):
                continue
            self._advance(move, ply)
            score = -self._quiesce(-beta, -alpha, ply + 1, depth - 1, end)
            self._retreat()
            self.position.checkers = checkers
            self.position.pinned = pinned
            if self.table.is_halted():
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
        bound = 2 if best >= beta else (3 if best > old and beta - old > 1 else 1)
        score = best
        if score > SURE:
            score += ply
        elif score < -SURE:
            score -= ply
        self.table.store(key, chosen, score, unaided, 0, bound)
        return best
