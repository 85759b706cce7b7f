"""What a position is worth: men, and what they attack near the two kings.

The search knows an evaluation by its methods `reset`, `make`, `settle`, `hold`, `unmake` and
`value` alone, so that another may take its place.
"""

from typing import Final

import engines.shogi.bits as bits
import engines.shogi.board as board
from engines.shogi.board import Board

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

if not cython.compiled:
    EFFECT = [[[0] * 81 for _ in range(81)] for _ in range(32)]
    WEIGHT = [[[0] * 81 for _ in range(81)] for _ in range(2)]
    HELD = [0] * 8
    NEAR = [0] * 4
    FAR = [0] * 4
    BALL = [[0] * 81 for _ in range(4)]

# What attacking one square is worth by its distance from a king, in sixteenths of a hundredth of
# a pawn: own men guard a king, enemies press it a little more than that.
_GUARD: Final = (1100, 550, 370, 270, 220, 180, 160, 140, 120)
_PRESS: Final = (1550, 780, 520, 390, 310, 260, 220, 190, 170)
_HELD: Final = (0, 115, 385, 495, 605, 1045, 1210, 660)
_TEMPO: Final = 20


def _fill_weights() -> None:
    for king in range(81):
        for square in range(81):
            distance = max(abs(king // 9 - square // 9), abs(king % 9 - square % 9))
            WEIGHT[0][king][square] = _GUARD[distance]
            WEIGHT[1][king][square] = -_PRESS[distance]
            for ring in range(4):
                if distance <= ring:
                    BALL[ring][king] |= board.SQUARE[square]
    for ring in range(4):
        # A square lies in every ball from its own ring outwards; far ones have a common weight.
        NEAR[ring] = _GUARD[ring] - _GUARD[ring + 1 if ring < 3 else 6]
        FAR[ring] = _PRESS[ring] - _PRESS[ring + 1 if ring < 3 else 6]
    for kind in range(8):
        HELD[kind] = _HELD[kind]


def _fill_effects() -> int:
    """Sum up, for each man that only steps, what its attacks are worth about Black's king."""
    for man in range(32):
        kind = man & 15
        if kind == 0 or kind == 2 or kind == 5 or kind == 6 or kind > 12:
            continue
        for square in range(81):
            for king in range(81):
                left = board.STEP[man][square]
                total = 0
                while left:
                    total += WEIGHT[man >> 4][king][bits.lowest(left)]
                    left &= left - 1
                EFFECT[man][square][king] = total >> 4
    return 0


TEMPO = _TEMPO
FAR_AWAY = _GUARD[6] + _PRESS[6]
_fill_weights()
_fill_effects()


class Evaluation:
    """Material and attacks around kings, kept up from move to move; sliding men are added last."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.sums = [0] * 256
        self.height = 0

    def reset(self, men: Board) -> None:
        """Begin anew with a position."""
        self.height = 0
        self.sums[0] = self.total(men)

    def total(self, men: Board) -> int:
        """Return the sum over men on the board and in hand, from Black's view."""
        total = 0
        left = men.sides[0] | men.sides[1]
        while left:
            at = bits.lowest(left)
            left &= left - 1
            total += self.worth(men, men.cells[at], at)
        for kind in range(1, 8):
            total += HELD[kind] * (men.hands[0][kind] - men.hands[1][kind])
        return total

    def worth(self, men: Board, man: int, square: int) -> int:
        """Return what a man is worth on a square, from Black's view."""
        value = 0
        if man & 15 != 8:
            value = -board.VALUE[man & 15] if man & 16 else board.VALUE[man & 15]
        king = men.kings[0]
        if king >= 0:
            value += EFFECT[man][square][king]
        king = men.kings[1]
        if king >= 0:
            # White's king is Black's on the board turned around.
            value -= EFFECT[man ^ 16][80 - square][80 - king]
        return value

    def make(self, men: Board, move: int) -> None:
        """Follow a move that is about to be made; `settle` must follow where a king moves."""
        us = men.turn
        to = move & 127
        start = (move >> 7) & 127
        total = self.sums[self.height]
        sign = 1 - 2 * us
        if start > 80:
            kind = start - 80
            total += self.worth(men, kind | us << 4, to) - sign * HELD[kind]
        else:
            man = men.cells[start]
            taken = men.cells[to]
            total -= self.worth(men, man, start)
            if taken:
                kind = taken & 15
                total += sign * HELD[kind if kind < 9 else kind - 8] - self.worth(men, taken, to)
            total += self.worth(men, man + 8 if move & 16384 else man, to)
        self.height += 1
        self.sums[self.height] = total

    def settle(self, men: Board) -> None:
        """Sum up anew after a king's move."""
        self.sums[self.height] = self.total(men)

    def hold(self) -> None:
        """Follow a pass."""
        self.sums[self.height + 1] = self.sums[self.height]
        self.height += 1

    def unmake(self) -> None:
        """Follow the taking back of a move or a pass."""
        self.height -= 1

    def value(self, men: Board) -> int:
        """Return the worth for the side to move in hundredths of a pawn."""
        total = 0
        all_men = men.sides[0] | men.sides[1]
        left = men.kinds[2] | men.kinds[5] | men.kinds[6] | men.kinds[13] | men.kinds[14]
        while left:
            at = bits.lowest(left)
            left &= left - 1
            man = men.cells[at]
            total += self.pressure(men, board.attacks(man, at, all_men), man >> 4)
        total = (total >> 4) + self.sums[self.height]
        return (total if men.turn == 0 else -total) + TEMPO

    def pressure(self, men: Board, reached: int, side: int) -> int:
        """Return what the attacks of a sliding man are worth, from Black's view."""
        total = FAR_AWAY * bits.count(reached)
        king = men.kings[side]
        if king >= 0:
            for ring in range(4):
                total += NEAR[ring] * bits.count(reached & BALL[ring][king])
        king = men.kings[side ^ 1]
        if king >= 0:
            for ring in range(4):
                total += FAR[ring] * bits.count(reached & BALL[ring][king])
        return total if side == 0 else -total
