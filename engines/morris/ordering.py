"""In which order a search tries moves: what was best before, mills, blocks, then what refuted most.

Hot and without the GIL. The moves stand in a generator's room, their scores beside them.
"""

from array import array

from engines.morris.board import MOST_MOVES, NONE, Generator, count
from engines.morris.evaluation import strikes

_NONE = NONE  # Typed, for code without the GIL.
_VICTIMS = 2 * 1024  # Where moves end in the history, and removed men begin.
_SLOTS = _VICTIMS + 2 * 32
_MOST = 1 << 24  # Points in the history; more are halved.
_BLOCK = 1 << 25  # For a move to where the opponent would close a mill.
_SPARED = 2000  # For each point less where the opponent closes a mill after a removal.


class Ordering:
    """Scores moves, and remembers by ply which refuted the moves before them."""

    def __init__(self, generator: Generator, plies: int) -> None:
        self.generator = generator
        self.plies = plies
        self.grounded = not self.generator.flying
        self.scores = array("i", bytes(4 * MOST_MOVES * (plies + 1)))
        self.history = array("i", bytes(4 * _SLOTS))
        self.killers = array("i", bytes(4 * 2 * plies))

    def clear(self) -> None:
        """Forget all searches before."""
        self.history = array("i", bytes(4 * _SLOTS))

    def begin(self) -> None:
        """Keep of the searches before what may still hold."""
        for at in range(2 * self.plies):
            self.killers[at] = -1
        for at in range(_VICTIMS):
            self.history[at] >>= 2
        for at in range(_VICTIMS, _SLOTS):
            self.history[at] = 0

    def _arrange(self, base: int, end: int, hint: int, ply: int) -> None:
        """Give every move of the room a score to be tried by."""
        for at in range(base, end):
            move = self.generator.room[at]
            victim = move >> 10 & 31
            if move == hint:
                self.scores[at] = 1 << 30
            elif victim != _NONE:
                self.scores[at] = (1 << 28) + self.history[_VICTIMS + ((ply & 1) << 5 | victim)]
            elif move == self.killers[2 * ply]:
                self.scores[at] = 1 << 27
            elif move == self.killers[2 * ply + 1]:
                self.scores[at] = (1 << 27) - 1
            else:
                self.scores[at] = self.history[(ply & 1) << 10 | move & 1023]

    def _sharpen(
        self, base: int, end: int, own: int, enemy: int, enemy_hand: int, danger: int
    ) -> None:
        """Raise the moves that keep the opponent from closing mills, by blocking or removing."""
        for at in range(base, end):
            move = self.generator.room[at]
            victim = move >> 10 & 31
            if victim == _NONE:
                if danger >> (move & 31) & 1:
                    self.scores[at] += _BLOCK
            elif danger:
                men = own | 1 << (move & 31)
                if move >> 5 & 31 != _NONE:
                    men ^= 1 << (move >> 5 & 31)
                left = enemy ^ 1 << victim
                free = ~(men | left) & 0xFFFFFF
                threats = count(strikes(left, free, enemy_hand, self.grounded))
                self.scores[at] += (8 - threats) * _SPARED

    def _select(self, at: int, end: int) -> None:
        """Bring the move with the highest score of the rest to the front."""
        best = at
        for other in range(at + 1, end):
            if self.scores[other] > self.scores[best]:
                best = other
        if best != at:
            move = self.generator.room[at]
            self.generator.room[at] = self.generator.room[best]
            self.generator.room[best] = move
            score = self.scores[at]
            self.scores[at] = self.scores[best]
            self.scores[best] = score

    def _praise(self, move: int, depth: int, ply: int) -> None:
        """Remember what refuted the move before: a quiet move, or whose removal."""
        place = _VICTIMS + ((ply & 1) << 5 | move >> 10 & 31)
        if move >> 10 & 31 == _NONE:
            place = (ply & 1) << 10 | move & 1023
            if self.killers[2 * ply] != move:
                self.killers[2 * ply + 1] = self.killers[2 * ply]
                self.killers[2 * ply] = move
        self.history[place] += depth * depth
        if self.history[place] > _MOST:
            for at in range(_SLOTS):
                self.history[at] >>= 1
