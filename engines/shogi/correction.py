"""By how much searches found the evaluation wrong in positions like the one at hand.

What a search says in the end about a position is remembered for its pawns, for the men in hand
with the kings' places, and for the last move; the next position that shares one of these is
valued with that in mind.
"""

import engines.shogi.bits as bits
from engines.shogi import scores
from engines.shogi.board import Board

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

MEN = scores.MEN


class Correction:
    """Three tables of errors, each a running mean that forgets slowly."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.pawns = [[0] * 16384 for _ in range(2)]
            self.hands = [[0] * 16384 for _ in range(2)]
            self.moves = [0] * MEN

    def forget(self) -> None:
        """Drop what was learned."""
        for side in range(2):
            for slot in range(16384):
                self.pawns[side][slot] = 0
                self.hands[side][slot] = 0
        for slot in range(MEN):
            self.moves[slot] = 0

    def pawn_slot(self, men: Board) -> int:
        """Return the slot of both sides' pawns."""
        black = men.kinds[1] & men.sides[0]
        white = men.kinds[1] & men.sides[1]
        slot = 0
        first = 1  # Of each file the ranks 2 to 8.
        while first < 81:
            slot = slot * 1103515245 + bits.seven(black, first) + 128 * bits.seven(white, first)
            slot &= 0x3FFFFFFF
            first += 9
        return slot >> 16

    def hand_slot(self, men: Board) -> int:
        """Return the slot of the men in hand and the kings."""
        return ((men.hand_key >> 20) ^ men.kings[0] * 97 ^ men.kings[1] * 8191) & 16383

    def of(self, men: Board, last: int) -> int:
        """Return what to add to the evaluation; `last` names the last move's man and target."""
        total = self.pawns[men.turn][self.pawn_slot(men)]
        total += self.hands[men.turn][self.hand_slot(men)]
        total += self.moves[last]
        return total * 5 >> 6  # Each table may say 80 hundredths of a pawn.

    def learn(self, men: Board, last: int, error: int) -> None:
        """Take note of an error: what a search found more than the evaluation, by its depth."""
        error = max(-256, min(256, error))
        size = abs(error)
        at = self.pawn_slot(men)
        self.pawns[men.turn][at] += error - (self.pawns[men.turn][at] * size >> 10)
        at = self.hand_slot(men)
        self.hands[men.turn][at] += error - (self.hands[men.turn][at] * size >> 10)
        self.moves[last] += error - (self.moves[last] * size >> 10)
