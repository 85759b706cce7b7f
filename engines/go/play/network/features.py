"""The network's input planes of a position, the same in training and in play. Hot."""

from array import array

from engines.go.play.network.ladder import Ladder
from engines.go.rules.board import Board
from engines.go.rules.life import Life

_EMPTY = 0

# The shipped network depends on these numbers; `inputs` repeats those that other modules need.
_PLANES = 16
_RECENT = 5
_ON_BOARD = 0
_OWN = 1
_ENEMY = 2
_LIBERTIES = 3  # Three planes: chains of both colours with one, two and three liberties.
_KO = 6
_MOVES = 7  # Five planes: the last five moves, latest first.
_DOOMED = 12  # Chains of both colours that can be captured in a ladder.
_CATCHES = 13  # Moves that start a ladder against the opponent.
_OWN_ALIVE = 14  # Pass-alive stones and territory.
_ENEMY_ALIVE = 15


class Features:
    """Fills the planes of positions on boards of one size."""

    def __init__(self, board: Board) -> None:
        self.ladder = Ladder(board)
        self.life = Life(board)
        self.recent = memoryview(array("i", bytes(4 * _RECENT)))
        self.liberties = memoryview(array("i", bytes(4 * board.limit)))
        self.doomed = memoryview(array("i", bytes(4 * board.limit)))

    def remember(self, back: int, point: int) -> None:
        """Set the point of the move `back` moves ago, 0 for the latest; a pass has point 0."""
        self.recent[back] = point

    def fill(self, board: Board, colour: int, planes: bytearray, start: int) -> None:
        """Write the planes for `colour` to move, plane by plane in reading order."""
        area = board.area
        enemy = 3 - colour
        for i in range(_PLANES * area):
            planes[start + i] = 0
        self.life.look(board)
        for i in range(area):
            p = board.points[i]
            planes[start + _ON_BOARD * area + i] = 1
            cell = board.cells[p]
            if cell != _EMPTY:
                head = board.chain[p]
                if head == p:
                    self.liberties[p] = board.count_liberties(p, 4)
                    self.doomed[p] = 0
                if cell == colour:
                    planes[start + _OWN * area + i] = 1
                else:
                    planes[start + _ENEMY * area + i] = 1
            if self.life.owner[p] == colour:
                planes[start + _OWN_ALIVE * area + i] = 1
            elif self.life.owner[p] == enemy:
                planes[start + _ENEMY_ALIVE * area + i] = 1
        self._read_ladders(board, colour, planes, start)
        for i in range(area):
            p = board.points[i]
            if board.cells[p] == _EMPTY:
                continue
            head = board.chain[p]
            count = self.liberties[head]
            if count < 4:
                planes[start + (_LIBERTIES + count - 1) * area + i] = 1
            if self.doomed[head]:
                planes[start + _DOOMED * area + i] = 1
        if board.ko != 0 and board.banned == colour:
            planes[start + _KO * area + board.index(board.ko)] = 1
        for back in range(_RECENT):
            p = self.recent[back]
            if p != 0:
                planes[start + (_MOVES + back) * area + board.index(p)] = 1

    def replay(
        self,
        board: Board,
        moves: "array[int]",
        start: int,
        count: int,
        planes: bytearray,
        place: int,
    ) -> None:
        """Play `count` alternating moves on the empty board; write the planes for the next side."""
        board.clear()
        board.play_all(moves, start, count)
        for back in range(_RECENT):
            self.recent[back] = 0
            if back < count and moves[start + count - 1 - back] < board.area:
                self.recent[back] = board.points[moves[start + count - 1 - back]]
        self.fill(board, 1 + count % 2, planes, place)

    def _read_ladders(self, board: Board, colour: int, planes: bytearray, start: int) -> None:
        area = board.area
        self.ladder.look(board)
        for i in range(area):
            p = board.points[i]
            if board.cells[p] == _EMPTY or board.chain[p] != p or self.liberties[p] > 2:
                continue
            if self.liberties[p] == 1:
                self.doomed[p] = not self.ladder.escapes(p)
                continue
            one = two = 0
            stone = p
            while True:
                for j in range(4):
                    liberty = stone + board.steps[j]
                    if board.cells[liberty] == _EMPTY and liberty != one:
                        if one == 0:
                            one = liberty
                        else:
                            two = liberty
                stone = board.following[stone]
                if stone == p:
                    break
            for j in range(2):
                liberty = two if j else one
                if self.ladder.falls(p, liberty):
                    self.doomed[p] = 1
                    if board.cells[p] != colour:
                        planes[start + _CATCHES * area + board.index(liberty)] = 1
