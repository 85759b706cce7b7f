"""Ladders: whether a series of ataris captures a chain with one or two liberties. Hot."""

from array import array

from engines.go.rules.board import Board

_BUDGET = 200  # The most stones played in one reading; a longer fight is no ladder.
_CAPTURES = 8  # The most attackers in atari whose capture is tried.
_DEPTH = 100  # Ladders across 19x19 take about 70 stones.
_EMPTY = 0


class Ladder:
    """Reads ladders on a copy of the board; ko is ignored."""

    def __init__(self, board: Board) -> None:
        limit = board.limit
        self.steps = memoryview(array("i", [-board.stride, -1, 1, board.stride]))
        self.cells = memoryview(array("i", bytes(4 * limit)))
        self.marks = memoryview(array("i", bytes(4 * limit)))
        self.chain = memoryview(array("i", bytes(4 * limit)))
        self.stones = memoryview(array("i", bytes(4 * limit)))
        self.stack = memoryview(array("i", bytes(4 * _CAPTURES * (_DEPTH + 2))))
        # One stone is played per step, and only stones that stood before or were played can be
        # captured. With kos, these are more than a tiny board has points.
        self.changes = memoryview(array("i", bytes(8 * (2 * (_DEPTH + 2) + limit))))
        self.stamp = self.budget = self.changed = self.first = self.second = self.held = (
            self.top
        ) = 0

    def look(self, board: Board) -> None:
        """Copy the stones of a board of the same size."""
        for i in range(board.limit):
            self.cells[i] = board.cells[i]
        self.changed = self.held = self.top = 0

    def escapes(self, point: int) -> bool:
        """Tell whether the chain in atari on `point` escapes if its owner moves first."""
        self.budget = _BUDGET
        return self._defended(point, 0)

    def falls(self, point: int, attack: int) -> bool:
        """Tell whether a move on `attack`, one of its two liberties, starts a working ladder."""
        self.budget = _BUDGET
        return self._try_attack(point, attack, 0)

    def _liberties(self, point: int) -> int:
        """Count liberties up to three; keep the first two, and the stones in `chain`."""
        self.stamp += 1
        colour = self.cells[point]
        self.marks[point] = self.stamp
        self.chain[0] = point
        top = 1
        done = count = 0
        while done < top:
            stone = self.chain[done]
            done += 1
            for i in range(4):
                other = stone + self.steps[i]
                if self.marks[other] == self.stamp:
                    continue
                if self.cells[other] == colour:
                    self.marks[other] = self.stamp
                    self.chain[top] = other
                    top += 1
                elif self.cells[other] == _EMPTY:
                    self.marks[other] = self.stamp
                    count += 1
                    if count == 1:
                        self.first = other
                    elif count == 2:
                        self.second = other
                    else:
                        return 3
        self.held = top
        return count

    def _put(self, point: int, colour: int) -> bool:
        """Make a move with its captures; return False if it was suicide."""
        enemy = 3 - colour
        self.cells[point] = colour
        self.changes[2 * self.changed] = point
        self.changes[2 * self.changed + 1] = _EMPTY
        self.changed += 1
        for i in range(4):
            other = point + self.steps[i]
            if self.cells[other] == enemy and self._liberties(other) == 0:
                for j in range(self.held):
                    self.cells[self.chain[j]] = _EMPTY
                    self.changes[2 * self.changed] = self.chain[j]
                    self.changes[2 * self.changed + 1] = enemy
                    self.changed += 1
        return self._liberties(point) > 0

    def _back(self, mark: int) -> None:
        while self.changed > mark:
            self.changed -= 1
            point = self.changes[2 * self.changed]
            self.cells[point] = self.changes[2 * self.changed + 1]

    def _attacked(self, target: int, depth: int) -> bool:
        """Tell whether the chain is captured, with the attacker to move."""
        count = self._liberties(target)
        if count != 2:
            return count < 2
        one = self.first
        two = self.second
        return self._try_attack(target, one, depth) or self._try_attack(target, two, depth)

    def _try_attack(self, target: int, point: int, depth: int) -> bool:
        if self.budget <= 0 or depth >= _DEPTH:
            return False
        self.budget -= 1
        mark = self.changed
        enemy = 3 - self.cells[target]
        caught = self._put(point, enemy) and not self._defended(target, depth + 1)
        self._back(mark)
        return caught

    def _defended(self, target: int, depth: int) -> bool:
        """Tell whether the chain escapes, with its owner to move; it does if it is not in atari."""
        if self.budget <= 0 or depth >= _DEPTH:
            return True
        if self._liberties(target) > 1:
            return True
        liberty = self.first
        start = end = self.top
        size = self.held
        colour = self.cells[target]
        for i in range(size):
            self.stones[i] = self.chain[i]  # Reading the attackers overwrites `chain`.
        for i in range(size):
            for j in range(4):
                other = self.stones[i] + self.steps[j]
                if (
                    self.cells[other] == 3 - colour
                    and end < start + _CAPTURES
                    and self._liberties(other) == 1
                    and self.first != liberty
                ):
                    self.stack[end] = self.first
                    end += 1
        self.top = end
        saved = False
        for i in range(start, end):
            if i == start or self.stack[i] != self.stack[i - 1]:
                saved = saved or self._try_defence(target, self.stack[i], depth)
        self.top = start
        return saved or self._try_defence(target, liberty, depth)

    def _try_defence(self, target: int, point: int, depth: int) -> bool:
        self.budget -= 1
        mark = self.changed
        colour = self.cells[target]
        saved = False
        if self._put(point, colour):
            count = self._liberties(target)
            saved = count > 2 or (count == 2 and not self._attacked(target, depth + 1))
        self._back(mark)
        return saved
