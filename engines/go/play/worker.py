"""The state of one search thread: its board, the network's inputs, and its path. Hot."""

from array import array
from typing import Any

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.go.play.network.features import Features
from engines.go.play.network.network import Evaluator
from engines.go.rules.board import Board

if not cython.compiled:
    from math import floor, sqrt

_EMPTY = 0
_DEEPEST = 400
_TAUGHT = 20.5  # The largest komi in training: beyond it the network is off by tens of points.


class Root:
    """The root position of a search, with all that counts at the end of a line.

    `komi` is the effective komi; `superko` is 0 for none, 1 for positional and 2 for situational
    superko, and `history` holds the hashes of positions that must not be repeated.
    """

    def __init__(self, board: Board) -> None:
        self.start = board
        self.colour = 1
        self.passes = self.before = self.superko = 0
        self.komi = 0.0
        self.territory = self.cleanup = False
        self.dead = memoryview(bytearray(board.limit))
        self.history = memoryview(array("q", [-1]))
        self.recent = memoryview(array("i", bytes(4 * 5)))


class Worker:
    """The state of one search thread."""

    def __init__(self, board: Board, evaluator: Evaluator, *, first: bool) -> None:
        self.root = Root(board)
        self.board = board.copy()
        self.features = Features(board)
        self.evaluator = evaluator
        self.path = memoryview(array("i", bytes(4 * (_DEEPEST + 2))))
        self.seen = memoryview(array("q", bytes(8 * (_DEEPEST + 2))))
        self.recent = memoryview(array("i", bytes(4 * 5)))
        self.region = memoryview(array("i", bytes(4 * board.limit)))
        self.queue = memoryview(array("i", bytes(4 * board.limit)))
        self.lost = memoryview(bytearray(board.limit))
        self.chances: Any = memoryview(array("f", bytes(4 * (board.area + 1))))
        self.depth = self.colour = self.passes = self.before = self.top = 0
        self.komi = self.beyond = 0.0
        self.first = first  # Only the first worker polls the clock.

    def fits(self, board: Board) -> bool:
        """Tell whether a board has the size that this worker was made for."""
        return self.board.width == board.width and self.board.height == board.height

    def _restart(self) -> None:
        """Return to the root."""
        self.board.copy_from(self.root.start)
        for i in range(len(self.lost)):
            self.lost[i] = 0
        self.colour = self.root.colour
        self.komi = self.root.komi
        self.passes = self.root.passes
        self.before = self.root.before
        for i in range(5):
            self.recent[i] = self.root.recent[i]
        self.depth = 0

    def _advance(self, move: int) -> None:
        for i in range(4, 0, -1):
            self.recent[i] = self.recent[i - 1]
        self.before = self.passes > 0
        if move == self.board.area:
            self.board.lift_ko()
            self.passes += 1
            self.recent[0] = 0
        else:
            point = self.board.points[move]
            self.board.play(point, self.colour)
            self.passes = 0
            self.recent[0] = point
            if self.root.territory:
                self.komi += 1.0 if self.colour == 1 else -1.0
        self.colour = 3 - self.colour
        self.seen[self.depth] = self.board.hash
        if self.root.superko == 2:
            self.seen[self.depth] = self.board.hash * 2 + self.colour - 1

    def _repeats(self, point: int) -> bool:
        """Tell whether superko forbids a move; only captures and suicide can repeat a position."""
        for i in range(4):
            other = point + self.board.steps[i]
            if self.board.cells[other] == 3 - self.colour and self.board._in_atari(
                self.board.chain[other]
            ):
                break
        else:
            if not self.board.suicide:
                return False
        after = self.board.hash_after(point, self.colour)
        if self.root.superko == 2:
            after = after * 2 + 2 - self.colour
        for i in range(len(self.root.history)):
            if self.root.history[i] == after:
                return True
        repeated = False
        for i in range(self.depth):
            repeated = repeated or self.seen[i] == after
        return repeated

    def _besets(self, point: int) -> bool:
        """Tell whether a point in the mover's pass-alive ground is beside a stone that counts.

        `features.life.look` must come before.
        """
        if self.features.life.owner[point] != self.colour:
            return False
        for i in range(4):
            other = point + self.board.steps[i]
            if self.board.cells[other] == 3 - self.colour and self._cell(other) != _EMPTY:
                return True
        return False

    def _evaluate(self) -> None:
        """Evaluate the position; the scalars are those of `inputs.scalars`.

        An extreme komi is replaced by the largest that the network knows. `beyond` keeps the
        difference, in favour of the side to move.
        """
        area = self.board.area
        for i in range(5):
            self.features.remember(i, self.recent[i])
        self.features.fill(self.board, self.colour, self.evaluator.planes, 0)
        komi = self.komi if self.colour == 2 else -self.komi
        wave = 0.0
        if not self.root.territory:
            phase = komi - area % 2
            phase -= 2.0 * floor(phase / 2.0)
            wave = phase if phase < 0.5 else 1.0 - phase if phase < 1.5 else phase - 2.0
        known = min(max(komi, -_TAUGHT), _TAUGHT)
        self.beyond = komi - known
        self.evaluator.scalars[0] = known / 15.0
        self.evaluator.scalars[1] = 1.0 if self.root.territory else 0.0
        self.evaluator.scalars[2] = 1.0 if self.passes > 0 else 0.0
        self.evaluator.scalars[3] = 1.0 if self.before else 0.0
        self.evaluator.scalars[4] = wave
        self.evaluator.scalars[5] = (sqrt(area) - 14.0) / 10.0
        self.evaluator.run()

    def _cell(self, point: int) -> int:
        cell = self.board.cells[point]
        if self.lost[point] or (self.root.dead[point] and cell == self.root.start.cells[point]):
            return _EMPTY
        return cell

    def _strike(self) -> None:
        """Ask the network which of the stones that were played in this line are dead at its end.

        Under territory counting, capturing such stones would cost points, and if they counted as
        alive, they would make the territory around them neutral.
        """
        area = self.board.area
        self.passes = self.before = 0
        self._evaluate()
        for i in range(area):
            point = self.board.points[i]
            cell = self.board.cells[point]
            if cell != _EMPTY and cell != self.root.start.cells[point]:
                own = self.evaluator.out[area + 3 + i]
                self.lost[point] = (own < 0.0) == (cell == self.colour)

    def _count(self) -> float:
        """Count the area without the dead stones of the root, and return Black's lead."""
        area = self.board.area
        margin = -self.komi
        for i in range(area):
            self.region[self.board.points[i]] = 0
        for i in range(area):
            point = self.board.points[i]
            if self._cell(point) != _EMPTY:
                margin += 1.0 if self._cell(point) == 1 else -1.0
                continue
            if self.region[point]:
                continue
            self.region[point] = 1
            self.queue[0] = point
            top = 1
            done = black = white = 0
            while done < top:
                for j in range(4):
                    other = self.queue[done] + self.board.steps[j]
                    cell = self._cell(other)
                    if cell == 1:
                        black = 1
                    elif cell == 2:
                        white = 1
                    elif cell == _EMPTY and self.region[other] == 0:
                        self.region[other] = 1
                        self.queue[top] = other
                        top += 1
                done += 1
            margin += top * (black - white)
        return margin
