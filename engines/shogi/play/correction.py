"""Corrections of the evaluation, learned from how far searches of similar positions differed.

The difference between a search's score and the evaluation is stored under three keys: the pawns,
the men in hand together with the squares of the kings, and the last move. The evaluation of
another position that shares a key is corrected by the stored error.
"""

import engines.shogi.rules.bits as bits
from engines.shogi.play import scores
from engines.shogi.rules.board import Board

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

MEN = scores.MEN


class Correction:
    """Three tables of errors, each a running mean in which old errors fade slowly."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.pawns = [[0] * 16384 for _ in range(2)]
            self.hands = [[0] * 16384 for _ in range(2)]
            self.moves = [0] * MEN

    def forget(self) -> None:
        """Forget what was learned."""
        for side in range(2):
            for slot in range(16384):
                self.pawns[side][slot] = 0
                self.hands[side][slot] = 0
        for slot in range(MEN):
            self.moves[slot] = 0

    def pawn_slot(self, men: Board) -> int:
        """Return the table index for the pawns of both sides."""
        black = men.kinds[1] & men.sides[0]
        white = men.kinds[1] & men.sides[1]
        slot = 0
        first = 1  # Ranks 2 to 8 of each file.
        while first < 81:
            slot = slot * 1103515245 + bits.seven(black, first) + 128 * bits.seven(white, first)
            slot &= 0x3FFFFFFF
            first += 9
        return slot >> 16

    def hand_slot(self, men: Board) -> int:
        """Return the table index for the men in hand and the squares of the kings."""
        return ((men.hand_key >> 20) ^ men.kings[0] * 97 ^ men.kings[1] * 8191) & 16383

    def of(self, men: Board, last: int) -> int:
        """Return what to add to the evaluation; `last` is the last move's man and target square."""
        total = self.pawns[men.turn][self.pawn_slot(men)]
        total += self.hands[men.turn][self.hand_slot(men)]
        total += self.moves[last]
        return total * 5 >> 6  # Each table contributes at most 80 hundredths of a pawn.

    def learn(self, men: Board, last: int, error: int) -> None:
        """Learn from an error: the score of a search less the evaluation, weighted by the depth."""
        error = max(-256, min(256, error))
        size = abs(error)
        at = self.pawn_slot(men)
        self.pawns[men.turn][at] += error - (self.pawns[men.turn][at] * size >> 10)
        at = self.hand_slot(men)
        self.hands[men.turn][at] += error - (self.hands[men.turn][at] * size >> 10)
        self.moves[last] += error - (self.moves[last] * size >> 10)
