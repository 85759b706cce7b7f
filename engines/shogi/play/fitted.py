"""An evaluation by men on squares relative to each king or in hand, and by their attacks.

The weights are fitted (`workshop/fit.py`). It plays where no network can be loaded.
"""

from array import array
from typing import Final

import engines.shogi.rules.bits as bits
import engines.shogi.rules.board as board
from engines.shogi.play import weights as shipped
from engines.shogi.play.effects import Effects, fill_effects
from engines.shogi.rules.board import Board

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

if not cython.compiled:
    PLACED = [[[0] * 81 for _ in range(32)] for _ in range(81)]
    HELD = [[[[0] * 19 for _ in range(8)] for _ in range(2)] for _ in range(81)]
    NEAR = [[0] * 4 for _ in range(16)]
    FAR = [[0] * 4 for _ in range(16)]
    REACH = [0] * 16
    BALL = [[0] * 81 for _ in range(4)]

_HOME: Final = 44  # 5i: the assumed square of a king that a mate problem leaves out.
HOME = _HOME
TEMPO = 0


def _mirror(square: int) -> int:
    return (8 - square // 9) * 9 + square % 9


def _fill_balls() -> None:
    for king in range(81):
        for square in range(81):
            distance = max(abs(king // 9 - square // 9), abs(king % 9 - square % 9))
            for ring in range(4):
                if distance <= ring:
                    BALL[ring][king] |= board.SQUARE[square]


def fill(weights: "array[int]") -> int:
    """Load weights in the order of weights.py; all objects of the class use them from then on."""
    global TEMPO
    at = 0
    for man in range(32):
        for king in range(45):
            for square in range(81):
                PLACED[king][man][square] = weights[at]
                PLACED[_mirror(king)][man][_mirror(square)] = weights[at]
                at += 1
    counts = at + shipped.HAND_SIZE
    for relation in range(2):
        for kind in range(8):
            for king in range(45):
                for held in range(19):
                    worth = weights[at] * held
                    if relation == 0:
                        worth += weights[counts + kind * 19 + held]
                    HELD[king][relation][kind][held] = worth
                    HELD[_mirror(king)][relation][kind][held] = worth
                at += 1
    at = counts + shipped.COUNT_SIZE
    for kind in shipped.SLIDERS:
        # A square in one ring also lies in the balls of all rings outside it.
        for ring in range(4):
            NEAR[kind][ring] = weights[at + ring] - (weights[at + ring + 1] if ring < 3 else 0)
            FAR[kind][ring] = weights[at + ring + 4] - (weights[at + ring + 5] if ring < 3 else 0)
        REACH[kind] = weights[at + 8]
        at += 9
    fill_effects(weights, at)
    TEMPO = weights[at + shipped.ABOUT_SIZE + shipped.ALONG_SIZE]
    return 0


_fill_balls()
fill(shipped.load())


class Fitted(Effects):
    """Sums of weights, updated with each move; the value of attacks is added when asked for."""

    def __init__(self) -> None:
        Effects.__init__(self)
        if not cython.compiled:
            self.sums = [0] * 256
        self.height = 0

    def reset(self, men: Board) -> None:
        """Start from a position."""
        self.height = 0
        self.sums[0] = self.total(men)

    def total(self, men: Board) -> int:
        """Return the sum over the men on the board and in hand, for Black."""
        black = men.kings[0] if men.kings[0] >= 0 else HOME
        # The tables hold Black's king: White's square is that on the board turned around.
        white = 80 - men.kings[1] if men.kings[1] >= 0 else HOME
        total = 0
        left = men.sides[0] | men.sides[1]
        while left:
            at = bits.lowest(left)
            left &= left - 1
            man = men.cells[at]
            total += PLACED[black][man][at] - PLACED[white][man ^ 16][80 - at]
        for kind in range(1, 8):
            total += HELD[black][0][kind][men.hands[0][kind]]
            total += HELD[black][1][kind][men.hands[1][kind]]
            total -= HELD[white][0][kind][men.hands[1][kind]]
            total -= HELD[white][1][kind][men.hands[0][kind]]
        return total

    def make(self, men: Board, move: int) -> None:
        """Update for a move before it is made; after a king's move, `settle` must be called."""
        us = men.turn
        to = move & 127
        start = (move >> 7) & 127
        total = self.sums[self.height]
        black = men.kings[0] if men.kings[0] >= 0 else HOME
        white = 80 - men.kings[1] if men.kings[1] >= 0 else HOME
        if start > 80:
            kind = start - 80
            man = kind | us << 4
            total += self.change(black, white, us, kind, men.hands[us][kind], -1)
        else:
            man = men.cells[start]
            taken = men.cells[to]
            total -= PLACED[black][man][start] - PLACED[white][man ^ 16][80 - start]
            if taken:
                kind = taken & 15
                total -= PLACED[black][taken][to] - PLACED[white][taken ^ 16][80 - to]
                if kind > 8:
                    kind -= 8
                total += self.change(black, white, us, kind, men.hands[us][kind], 1)
            if move & 16384:
                man += 8
        total += PLACED[black][man][to] - PLACED[white][man ^ 16][80 - to]
        self.height += 1
        self.sums[self.height] = total

    def change(self, black: int, white: int, us: int, kind: int, held: int, more: int) -> int:
        """Return the value for Black of one man more, or one fewer, in a side's hand."""
        return (
            HELD[black][us][kind][held + more]
            - HELD[black][us][kind][held]
            - HELD[white][us ^ 1][kind][held + more]
            + HELD[white][us ^ 1][kind][held]
        )

    def settle(self, men: Board) -> None:
        """Recompute the sum after a king's move."""
        self.sums[self.height] = self.total(men)

    def unmake(self) -> None:
        """Return to the sum before the last move."""
        self.height -= 1

    def value(self, men: Board) -> int:
        """Return the evaluation for the side to move, in hundredths of a pawn."""
        total = self.sums[self.height]
        all_men = men.sides[0] | men.sides[1]
        # Two pawns of a side never stand on the same file, nor attack the same square.
        black_once = (men.kinds[1] & men.sides[0]) >> 1
        white_once = (men.kinds[1] & men.sides[1]) << 1
        black_again = white_again = black_once ^ black_once
        left = all_men & ~men.kinds[1]
        while left:
            at = bits.lowest(left)
            left &= left - 1
            man = men.cells[at]
            kind = man & 15
            reached = board.attacks(man, at, all_men)
            if man < 16:
                black_again |= black_once & reached
                black_once |= reached
            else:
                white_again |= white_once & reached
                white_once |= reached
            if kind == 2 or kind == 5 or kind == 6 or kind > 12:
                total += self.pressure(men, reached, man)
        black = men.kings[0] if men.kings[0] >= 0 else HOME
        white = men.kings[1] if men.kings[1] >= 0 else 80 - HOME
        total += self.balance(men, black, white, black_once, black_again, white_once, white_again)
        return ((total if men.turn == 0 else -total) + TEMPO) >> 3

    def pressure(self, men: Board, reached: int, man: int) -> int:
        """Return the value for Black of the squares that a sliding man attacks."""
        kind = man & 15
        side = man >> 4
        own = men.kings[side] if men.kings[side] >= 0 else (HOME if side == 0 else 80 - HOME)
        other = men.kings[side ^ 1]
        if other < 0:
            other = 80 - HOME if side == 0 else HOME
        total = REACH[kind] * bits.count(reached)
        for ring in range(4):
            total += NEAR[kind][ring] * bits.count(reached & BALL[ring][own])
            total += FAR[kind][ring] * bits.count(reached & BALL[ring][other])
        return total if side == 0 else -total
