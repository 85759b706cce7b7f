"""Random games to the end: who holds each point when nobody reads ahead. Hot."""

from array import array

from engines.go.board import Board

_EMPTY = 0
_BLACK = 1
_WALL = 3
_MASK = 0xFFFFFFFF  # A name, because so large a literal is a Python object in compiled code.


class Playout:
    """Plays random legal moves that fill no eye of their own, from a seed."""

    def __init__(self, board: Board, seed: int = 1) -> None:
        self.board = board.copy()
        stride = board.stride
        self.steps = memoryview(array("i", [-stride, -1, 1, stride]))
        self.corners = memoryview(array("i", [-stride - 1, -stride + 1, stride - 1, stride + 1]))
        self.tally = memoryview(array("i", bytes(4 * board.limit)))
        self.state = (seed * 2654435761 + 1) % 4294967291 + 1
        self.moves = 0

    def sum_owners(self, start: Board, colour: int, games: int) -> None:
        """Play games from a position and add up who holds each point at their ends."""
        for i in range(start.limit):
            self.tally[i] = 0
        for _ in range(games):
            self.finish(start, colour)
            for i in range(start.area):
                self.tally[start.points[i]] += self.owner(start.points[i])

    def sum_of(self, point: int) -> int:
        """Return in how many games Black held a point, less those in which White did."""
        return self.tally[point]

    def finish(self, start: Board, colour: int) -> None:
        """Play one game to its end, in which neither side has a move left that fills no eye."""
        self.board.copy_from(start)
        passes = 0
        left = 3 * start.area  # Superko is not looked at; triple kos end here.
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
        """Return who holds a point of the finished game: 1 Black, -1 White, 0 nobody."""
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
        """Return a random move, 0 where all that are left fill an eye."""
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
