"""Random games: a measure of the board's speed. Hot."""

from array import array

from engines.go.rules.board import Board

_EMPTY = 0
_BLACK = 1
_WALL = 3
_MASK = 0xFFFFFFFF  # Named, because such a large literal would be a Python object in compiled code.


class Playout:
    """Plays random legal moves, except those that fill an eye of the mover, from a seed."""

    def __init__(self, board: Board, seed: int = 1) -> None:
        self.board = board.copy()
        stride = board.stride
        self.steps = memoryview(array("i", [-stride, -1, 1, stride]))
        self.corners = memoryview(array("i", [-stride - 1, -stride + 1, stride - 1, stride + 1]))
        self.state = (seed * 2654435761 + 1) % 4294967291 + 1
        self.moves = 0

    def finish(self, start: Board, colour: int) -> None:
        """Play one game until neither side has a move that does not fill its own eye."""
        self.board.copy_from(start)
        passes = 0
        left = 3 * start.area  # Superko is not checked: the limit ends games with a triple ko.
        while passes < 2 and left > 0:
            point = self._choose(colour)
            if point:
                self.board.play(point, colour)
                self.moves += 1
                passes = 0
            else:
                self.board.lift_ko()
                passes += 1
            colour = 3 - colour
            left -= 1

    def owner(self, point: int) -> int:
        """Return the owner of a point in the finished game: 1 Black, -1 White, 0 neither."""
        cell = self.board.cells[point]
        if cell == _EMPTY:
            for i in range(4):
                cell = self.board.cells[point + self.steps[i]]
                if cell != _EMPTY and cell != _WALL:
                    break
            else:
                return 0
        return 1 if cell == _BLACK else -1

    def _next(self) -> int:
        self.state ^= (self.state << 13) & _MASK
        self.state ^= self.state >> 17
        self.state ^= (self.state << 5) & _MASK
        return self.state

    def _choose(self, colour: int) -> int:
        """Return a random move, or 0 if every legal move fills an eye of the mover."""
        tries = self.board.free
        if tries == 0:
            return 0
        first = (self._next() * tries) >> 32
        for i in range(first, tries):
            point = self.board.empties[i]
            if self.board.is_legal(point, colour) and not self._is_eye(point, colour):
                return point
        for i in range(first):
            point = self.board.empties[i]
            if self.board.is_legal(point, colour) and not self._is_eye(point, colour):
                return point
        return 0

    def _is_eye(self, point: int, colour: int) -> bool:
        for i in range(4):
            cell = self.board.cells[point + self.steps[i]]
            if cell != colour and cell != _WALL:
                return False
        enemies = walls = 0
        for i in range(4):
            cell = self.board.cells[point + self.corners[i]]
            if cell == _WALL:
                walls = 1
            elif cell == 3 - colour:
                enemies += 1
        return enemies + walls < 2
