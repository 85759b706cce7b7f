"""The part of the evaluation that scores attacked squares, around each king and by rank.

The state of a square is how often each side attacks it (never, once or more often) and which man
stands on it. Eight bits encode it. Four say whether Black attacks it, attacks it more than once,
and the same for White; two say whether a man of Black or of White stands there; the last two are
its kind: 0 for lances, knights, silvers and golds, 1 for pawns, 2 for bishops and rooks, 3 for
kings.
"""

from array import array

import engines.shogi.rules.bits as bits
from engines.shogi.play import weights as shipped
from engines.shogi.play.evaluation import Evaluation
from engines.shogi.rules.board import Board

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

if not cython.compiled:
    ABOUT = [[[[0] * 256 for _ in range(5)] for _ in range(3)] for _ in range(2)]
    ALONG = [[0] * 256 for _ in range(9)]
    SPREAD = [0] * 512


def fill_effects(weights: "array[int]", at: int) -> int:
    """Load the weights that begin at an index; those that count for White become negative."""
    for file in range(512):
        one = 1  # A variable, so that the shift has the 64 bits of a file's marks.
        SPREAD[file] = 0
        for rank in range(9):
            if file >> rank & 1:
                SPREAD[file] |= one << 4 * rank
    along = at + shipped.ABOUT_SIZE
    for marks in range(256):
        black = _state(marks, 0)
        white = _state(marks, 1)
        for files in range(3):
            for ranks in range(5):
                place = at + (files * 5 + ranks) * shipped.STATES
                ABOUT[0][files][ranks][marks] = weights[place + black]
                ABOUT[1][files][4 - ranks][marks] = -weights[place + white]
        for rank in range(9):
            ALONG[rank][marks] = (
                weights[along + rank * shipped.STATES + black]
                - weights[along + (8 - rank) * shipped.STATES + white]
            )
    return 0


def _state(marks: int, side: int) -> int:
    """Return the state that eight bits encode, as a side sees it."""
    black = (marks & 1) + (marks >> 1 & 1)
    white = (marks >> 2 & 1) + (marks >> 3 & 1)
    own = marks >> 4 + side & 1
    man = 0
    if marks & 48:
        man = 1 + (marks >> 6) + (0 if own else 4)
    return (white * 3 + black if side else black * 3 + white) * 9 + man


class Effects(Evaluation):
    """Sum the values of squares; for each file, two numbers hold four bits per square."""

    def __init__(self) -> None:
        Evaluation.__init__(self)
        if not cython.compiled:
            self.fights = [0] * 9
            self.stands = [0] * 9

    def balance(
        self,
        men: Board,
        black: int,
        white: int,
        black_once: int,
        black_again: int,
        white_once: int,
        white_again: int,
    ) -> int:
        """Return the value of all squares for Black.

        The arguments are the squares of the kings, and the sets of squares that each side attacks
        at least once and at least twice.
        """
        kings = men.kinds[8]
        low = men.kinds[1] | kings
        high = men.kinds[5] | men.kinds[6] | men.kinds[13] | men.kinds[14] | kings
        total = 0
        file = 0
        while file < 9:
            fights = (
                SPREAD[bits.file(black_once, file)]
                | SPREAD[bits.file(black_again, file)] << 1
                | SPREAD[bits.file(white_once, file)] << 2
                | SPREAD[bits.file(white_again, file)] << 3
            )
            stands = (
                SPREAD[bits.file(men.sides[0], file)]
                | SPREAD[bits.file(men.sides[1], file)] << 1
                | SPREAD[bits.file(low, file)] << 2
                | SPREAD[bits.file(high, file)] << 3
            )
            self.fights[file] = fights
            self.stands[file] = stands
            rank = 0
            while rank < 9:
                total += ALONG[rank][(fights & 15) | (stands & 15) << 4]
                fights >>= 4
                stands >>= 4
                rank += 1
            file += 1
        return total + self.about(0, black) + self.about(1, white)

    def about(self, side: int, king: int) -> int:
        """Return the value for Black of the squares up to two away from a side's king."""
        total = 0
        file = king // 9
        rank = king % 9
        first = rank - 2 if rank > 2 else 0
        last = rank + 2 if rank < 6 else 8
        at = file - 2 if file > 2 else 0
        while at < 9 and at < file + 3:
            aside = at - file if at > file else file - at
            fights = self.fights[at] >> 4 * first
            stands = self.stands[at] >> 4 * first
            step = first
            while step <= last:
                total += ABOUT[side][aside][step - rank + 2][(fights & 15) | (stands & 15) << 4]
                fights >>= 4
                stands >>= 4
                step += 1
            at += 1
        return total
