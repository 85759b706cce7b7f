"""The order in which a search tries moves: the best known, mills, blocks, then by past success.

Hot and without the GIL. The moves are in a generator's memory, with their scores beside them.
"""

from array import array

from engines.morris.play.evaluation import strikes
from engines.morris.rules.board import MOST_MOVES, NONE, Generator, count

_NONE = NONE  # A typed copy, for code without the GIL.
_VICTIMS = 2 * 1024  # The history holds moves up to here, and removed men after it.
_SLOTS = _VICTIMS + 2 * 32
_MOST = 1 << 24  # The largest number in the history; beyond it, all are halved.
_BLOCK = 1 << 25  # The bonus for moving to a point where the opponent could close a mill.
_SPARED = (
    2000  # The bonus of a removal for each point where the opponent can no longer close a mill.
)


class Ordering:
    """Scores moves; remembers by ply which moves refuted the previous move."""

    def __init__(self, generator: Generator, plies: int) -> None:
        self.generator = generator
        self.plies = plies
        self.grounded = not self.generator.flying
        self.scores = array("i", bytes(4 * MOST_MOVES * (plies + 1)))
        self.history = array("i", bytes(4 * _SLOTS))
        self.killers = array("i", bytes(4 * 2 * plies))

    def clear(self) -> None:
        """Forget all earlier searches."""
        self.history = array("i", bytes(4 * _SLOTS))

    def begin(self) -> None:
        """Begin a search, and keep what may still be useful from earlier ones."""
        for at in range(2 * self.plies):
            self.killers[at] = -1
        for at in range(_VICTIMS):
            self.history[at] >>= 2
        for at in range(_VICTIMS, _SLOTS):
            self.history[at] = 0

    def _arrange(self, base: int, end: int, hint: int, ply: int) -> None:
        """Score every move in the memory."""
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
        """Raise the scores of moves that prevent the opponent's mills by blocking or removing."""
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
        """Swap the remaining move with the highest score to the front."""
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
        """Remember what refuted the previous move: a quiet move, or which man was removed."""
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
