"""The evaluation by the network: sums of the first layer that follow the moves. Hot.

The first layer is a sum of one row of weights for each input, and a move changes at most four
inputs. The sums of a position are computed when its value is asked for, from those of the nearest
position before it that has them. If a king crosses the middle of the board, its side's view turns
into the mirror image, and the sums of this view are computed anew.
"""

from typing import Any

from engines.shogi.play.evaluation import Evaluation
from engines.shogi.play.network import inputs
from engines.shogi.play.network.weights import HIDDEN, NEURONS, Layers
from engines.shogi.rules.board import Board

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

if not cython.compiled:
    from engines.shogi.play.network.standin import best_level, change, change_all, numbers, value_of

    PLACED = [0] * 32
    HELD = [[[0] * 19 for _ in range(8)] for _ in range(2)]

STALE = 0  # The sums of a view are to be computed from those before the last move,
RENEW = 1  # or from the position,
FRESH = 2  # or they are there.


def _fill() -> None:
    for man in range(32):
        PLACED[man] = inputs.on_board(man)
    for relation in range(2):
        for kind in range(8):
            for held in range(19):
                HELD[relation][kind][held] = -1
                if 0 < held <= inputs.MOST_HELD[kind]:
                    HELD[relation][kind][held] = inputs.in_hand(relation, kind) + held - 1


_fill()


class Network:
    """The weights of a network, which all threads share.

    `level` selects the compiled kernel: 3 for AVX-512 VNNI, 2 for AVX2, 1 for SSE4.1, 0 for any
    processor, and -1 for the best one that the processor supports. All give the same values.
    """

    def __init__(self, layers: Layers, level: int = -1) -> None:
        best = best_level()
        self.level = best if level < 0 or level > best else level
        self.table: Any = numbers(layers.table)
        self.offsets: Any = numbers(layers.offsets)
        self.first: Any = numbers(_grouped(layers.first, 2 * NEURONS))
        self.first_offsets: Any = numbers(layers.first_offsets)
        self.second: Any = numbers(_grouped(layers.second, HIDDEN))
        self.second_offsets: Any = numbers(layers.second_offsets)
        self.last: Any = numbers(layers.last)
        self.last_offset = layers.last_offset[0]


def _grouped(weights: Any, width: int) -> Any:
    """Return the weights of a layer by groups of four inputs, as the kernel reads them."""
    grouped = type(weights)(weights.typecode)
    for group in range(0, width, 4):
        for neuron in range(HIDDEN):
            grouped.extend(weights[neuron * width + group : neuron * width + group + 4])
    return grouped


class NetworkEvaluation(Evaluation):
    """Evaluate positions by a network."""

    def __init__(self, network: Network) -> None:
        Evaluation.__init__(self)
        self.network = network
        if not cython.compiled:
            self.sums = numbers(None)
            self.states = [0] * 260
            self.turned = [0] * 260
            self.more = [0] * 520
            self.less = [0] * 520
            self.mores = [0] * 260
            self.lesses = [0] * 260
            self.every = [0] * 160

    def reset(self, men: Board) -> None:
        """Start from a position."""
        self.height = 0
        for view in range(2):
            self.turned[view] = self.is_turned(men.kings[view], view)
            self.renew(men, view)

    def is_turned(self, king: int, view: int) -> int:
        """Return 1 if a side with its king on this square sees the mirror image."""
        if king < 0:
            return 0
        if view:
            king = 80 - king
        return 1 if king > 44 else 0

    def place(self, man: int, square: int, view: int, turned: int) -> int:
        """Return the input of a man on a square as a side sees it, or -1."""
        at = PLACED[man ^ view << 4]
        if at < 0:
            return -1
        if view:
            square = 80 - square
        if turned:
            square = 72 - square + 2 * (square % 9)
        return at + square

    def renew(self, men: Board, view: int) -> None:
        """Compute the sums of a view from the position."""
        turned = self.turned[2 * self.height + view]
        count = 0
        for square in range(81):
            if men.cells[square]:
                at = self.place(men.cells[square], square, view, turned)
                if at >= 0:
                    self.every[count] = at
                    count += 1
        for side in range(2):
            for kind in range(1, 8):
                held = men.hands[side][kind]
                while held > 0:
                    at = HELD[side ^ view][kind][held]
                    if at >= 0:
                        self.every[count] = at
                        count += 1
                    held -= 1
        row = 2 * self.height + view
        change_all(
            self.network.level,
            self.network.table,
            self.network.offsets,
            self.sums,
            row,
            self.every,
            count,
        )
        self.states[row] = FRESH

    def make(self, men: Board, move: int) -> None:
        """Note which inputs a move changes, before it is made."""
        us = men.turn
        to = move & 127
        start = (move >> 7) & 127
        taken = 0
        if start > 80:
            man = (start - 80) | us << 4
            after = man
        else:
            man = men.cells[start]
            after = man + 8 if move & 16384 else man
            taken = men.cells[to]
        self.height += 1
        for view in range(2):
            row = 2 * self.height + view
            turned = self.turned[row - 2]
            self.states[row] = STALE
            if man & 15 == 8 and view == us:
                turned = self.is_turned(to, view)
                if turned != self.turned[row - 2]:
                    self.states[row] = RENEW
            self.turned[row] = turned
            self.mores[row] = 0
            self.lesses[row] = 0
            self.add(row, self.place(after, to, view, turned))
            if start > 80:
                self.drop(row, HELD[us ^ view][man & 15][men.hands[us][man & 15]])
            else:
                self.drop(row, self.place(man, start, view, turned))
            if taken:
                self.drop(row, self.place(taken, to, view, turned))
                kind = taken & 7
                if men.hands[us][kind] < 18:
                    self.add(row, HELD[us ^ view][kind][men.hands[us][kind] + 1])

    def add(self, row: int, at: int) -> None:
        """Note an input that a view gains."""
        if at >= 0:
            self.more[2 * row + self.mores[row]] = at
            self.mores[row] += 1

    def drop(self, row: int, at: int) -> None:
        """Note an input that a view loses."""
        if at >= 0:
            self.less[2 * row + self.lesses[row]] = at
            self.lesses[row] += 1

    def unmake(self) -> None:
        """Return to the position before the last move."""
        self.height -= 1

    def bring(self, men: Board, view: int) -> None:
        """Compute the sums of a view if they are not there."""
        row = 2 * self.height + view
        first = row
        while self.states[first] == STALE:
            first -= 2
        if self.states[first] == RENEW:
            self.renew(men, view)
            return
        while first < row:
            first += 2
            change(
                self.network.level,
                self.network.table,
                self.sums,
                first,
                self.more,
                self.mores[first],
                self.less,
                self.lesses[first],
            )
            self.states[first] = FRESH

    def value(self, men: Board) -> int:
        """Return the evaluation for the side to move, in hundredths of a pawn."""
        self.bring(men, 0)
        self.bring(men, 1)
        return value_of(self.network, self.sums, 2 * self.height + men.turn)
