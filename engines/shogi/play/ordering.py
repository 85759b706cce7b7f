"""The order in which moves are tried: by captured men and by success elsewhere in the tree."""

from array import array

import engines.shogi.rules.board as board
from engines.shogi.play import scores
from engines.shogi.rules.generation import MOST_MOVES
from engines.shogi.rules.position import Position

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

TOP = scores.TOP
MEN = scores.MEN
SAFE_CHECK = 8000  # The bonus of a quiet move that gives check and does not lose the man.


class Ordering:
    """Score the moves in a position's list, by tables that learn from cutoffs."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.quiets = [[0] * 81 for _ in range(64)]
            self.captures = [[[0] * 16 for _ in range(81)] for _ in range(32)]
            self.killers = [[0] * 2 for _ in range(130)]
            self.made = [0] * 130
            self.quiet_made = [0] * 130
            self.checking = [0] * 16
        self.position = Position()
        self.scores = array("i", bytes(4 * MOST_MOVES * (TOP + 2)))
        self.following = array("h", bytes(2 * MEN * MEN))

    def forget(self) -> None:
        """Forget what was learned about moves."""
        if cython.compiled:
            for at in range(MEN * MEN):
                self.following[at] = 0
        else:
            self.following = array("h", bytes(2 * MEN * MEN))
        for man in range(64):
            for square in range(81):
                self.quiets[man][square] = 0
        for man in range(32):
            for square in range(81):
                for taken in range(16):
                    self.captures[man][square][taken] = 0

    def _man_of(self, move: int) -> int:
        start = (move >> 7) & 127
        if start > 80:
            return (start - 80) | self.position.turn << 4
        return self.position.cells[start]

    def _quiet_slot(self, move: int) -> int:
        """Return the place of a quiet move in the table of all of them, or -1 for a capture."""
        to = move & 127
        if self.position.cells[to]:
            return -1
        start = (move >> 7) & 127
        if start > 80:
            return ((start - 80) | self.position.turn << 4) * 81 + 32 * 81 + to
        return self.position.cells[start] * 81 + to

    def _learn_last(self, ply: int, bonus: int) -> None:
        """Learn about the quiet move that led to a position."""
        slot = self.quiet_made[ply - 1]
        man = slot // 81
        at = slot % 81
        self.quiets[man][at] += bonus - (self.quiets[man][at] * abs(bonus) >> 14)

    def _pick(self, at: int, end: int) -> int:
        """Move the move with the highest score to index `at` and return it."""
        best = at
        kept = at + 1
        while kept < end:
            if self.scores[kept] > self.scores[best]:
                best = kept
            kept += 1
        kept = self.position.moves[best]
        self.position.moves[best] = self.position.moves[at]
        self.position.moves[at] = kept
        kept = self.scores[best]
        self.scores[best] = self.scores[at]
        self.scores[at] = kept
        return self.position.moves[at]

    def _bring(self, hint: int, at: int, end: int) -> int:
        """Move a known move, or the best one if the list lacks it, to index `at`; return it."""
        kept = at
        while kept < end:
            if self.position.moves[kept] == hint:
                self.scores[kept] = 1 << 30
                break
            kept += 1
        return self._pick(at, end)

    def _weigh_captures(self, at: int, end: int) -> None:
        while at < end:
            move = self.position.moves[at]
            to = move & 127
            man = self._man_of(move)
            taken = self.position.cells[to] & 15
            self.scores[at] = (
                board.EXCHANGE[taken] * 8
                - (board.EXCHANGE[man & 15] >> 3)
                + (self.captures[man][to][taken] >> 2)
                + (2000 if move & 16384 else 0)
            )
            at += 1

    def _find_checks(self) -> None:
        """Find the squares from which each kind of man would attack the opponent's king."""
        us = self.position.turn
        king = self.position.kings[us ^ 1]
        for kind in range(16):
            self.checking[kind] = 0
        if king < 0:
            return
        men = self.position.sides[0] | self.position.sides[1]
        other = (us ^ 1) << 4
        for kind in range(1, 15):
            if kind != 8:
                # A man attacks the king from where one like it would attack in place of the king.
                self.checking[kind] = board.attacks(kind | other, king, men)

    def _weigh_quiets(self, at: int, end: int, ply: int) -> None:
        us = self.position.turn
        first = self.made[ply - 1] * MEN if ply > 0 else 0
        second = self.made[ply - 2] * MEN if ply > 1 else 0
        # The squares that the opponent's pawns attack.
        threats = self.position.kinds[1] & self.position.sides[us ^ 1]
        threats = (threats << 1) if us == 0 else (threats >> 1)
        fourth = self.made[ply - 4] * MEN if ply > 3 else 0
        self._find_checks()
        while at < end:
            move = self.position.moves[at]
            to = move & 127
            start = (move >> 7) & 127
            if start > 80:
                man = (start - 80) | us << 4
                slot = man + 32
            else:
                man = self.position.cells[start]
                slot = man
            self.scores[at] = (
                self.quiets[slot][to]
                + self.following[first + man * 81 + to]
                + self.following[second + man * 81 + to]
                + (self.following[fourth + man * 81 + to] >> 1)
            )
            kind = (man & 15) + 8 if move & 16384 else man & 15
            if self.checking[kind] & board.SQUARE[to] and self.position.wins(move, 0):
                self.scores[at] += SAFE_CHECK
            if man & 15 != 1:
                if threats & board.SQUARE[to]:
                    self.scores[at] -= 6000
                elif start < 81 and threats & board.SQUARE[start]:
                    self.scores[at] += 8000
            if move == self.killers[ply][0]:
                self.scores[at] += 20000
            elif move == self.killers[ply][1]:
                self.scores[at] += 15000
            elif move & 16384:
                self.scores[at] += 3000
            at += 1

    def _weigh_evasions(self, at: int, end: int, ply: int) -> None:
        self._weigh_captures(at, end)
        first = self.made[ply - 1] * MEN if ply > 0 else 0
        while at < end:
            move = self.position.moves[at]
            to = move & 127
            if self.position.cells[to] == 0:
                man = self._man_of(move)
                slot = man + 32 if (move >> 7) & 127 > 80 else man
                self.scores[at] = self.quiets[slot][to] + self.following[first + man * 81 + to]
            at += 1

    def _learn_quiet(self, move: int, ply: int, bonus: int) -> None:
        man = self._man_of(move)
        slot = man + 32 if (move >> 7) & 127 > 80 else man
        at = move & 127
        self.quiets[slot][at] += bonus - (self.quiets[slot][at] * abs(bonus) >> 14)
        if ply > 0:
            slot = self.made[ply - 1] * MEN + man * 81 + at
            self.following[slot] += bonus - (self.following[slot] * abs(bonus) >> 14)
        if ply > 1:
            slot = self.made[ply - 2] * MEN + man * 81 + at
            self.following[slot] += bonus - (self.following[slot] * abs(bonus) >> 14)
        if ply > 3:
            slot = self.made[ply - 4] * MEN + man * 81 + at
            self.following[slot] += bonus // 2 - (self.following[slot] * abs(bonus // 2) >> 14)

    def _learn_capture(self, move: int, bonus: int) -> None:
        to = move & 127
        man = self._man_of(move)
        taken = self.position.cells[to] & 15
        self.captures[man][to][taken] += bonus - (self.captures[man][to][taken] * abs(bonus) >> 14)
