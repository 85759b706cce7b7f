"""The board: stones, chains, captures and simple ko, without history or rule sets. Hot."""

import random
from array import array
from typing import Final

EMPTY: Final = 0
BLACK: Final = 1
WHITE: Final = 2
WALL: Final = 3
LARGEST: Final = 25

_SECTIONS: Final = 11
_STRIDES: Final = LARGEST + 1


def _make_keys() -> "array[int]":
    source = random.Random(1945)
    places = (LARGEST + 2) * _STRIDES + 1
    return array("q", [source.getrandbits(62) for _ in range(3 * places)])


_KEYS: Final = _make_keys()
_STEPS: Final = {stride: array("i", [-stride, -1, 1, stride]) for stride in range(2, LARGEST + 2)}

# The same numbers as C integers: names that the .pxd declares are invisible to other modules.
_EMPTY = 0
_BLACK = 1
_WHITE = 2
_WALL = 3


class Board:
    """Stones on a board that is surrounded by wall points.

    A point is `(y + 1) * stride + x + 1`, with y counted from the top; 0 is a pass. One wall point
    separates the end of each row from the start of the next. Colours are 1 (black) and 2 (white).
    `breaths` counts the pairs of a chain's stones and their empty neighbours: a liberty counts
    once for each stone that touches it. The sum and the sum of squares of these liberties are kept
    as well: a chain is in atari exactly if count * squares = sum ** 2.
    """

    def __init__(self, width: int, height: int) -> None:
        if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
            raise ValueError(f"no board of {width}x{height}: sizes go up to {LARGEST}")
        self.width = width
        self.height = height
        self.stride = width + 1
        self.area = width * height
        self.limit = (height + 2) * self.stride + 1
        self.suicide = False
        self.buffer = array("i", bytes(4 * _SECTIONS * self.limit))
        view = memoryview(self.buffer)
        sections = [view[i * self.limit : (i + 1) * self.limit] for i in range(_SECTIONS)]
        self.memory = view
        (
            self.cells,
            self.chain,
            self.following,
            self.stones,
            self.breaths,
            self.sums,
            self.squares,
            self.empties,
            self.slots,
            self.marks,
            self.points,
        ) = sections
        self.steps = memoryview(_STEPS[self.stride])
        self.keys = memoryview(_KEYS)
        self.clear()

    def clear(self) -> None:
        """Remove all stones and forget captures and ko."""
        self.free = self.ko = self.banned = self.stamp = 0
        self.hash = 0
        self.black_captured = self.white_captured = 0
        for point in range(self.limit):
            self.cells[point] = _WALL
            self.marks[point] = 0
        for y in range(self.height):
            for x in range(self.width):
                point = (y + 1) * self.stride + x + 1
                self.points[y * self.width + x] = point
                self.cells[point] = _EMPTY
                self.empties[self.free] = point
                self.slots[point] = self.free
                self.free += 1

    def cell(self, point: int) -> int:
        """Return the state of a point: 0 empty, 1 black, 2 white, 3 wall."""
        return self.cells[point]

    def point(self, index: int) -> int:
        """Return the point with the index `y * width + x`."""
        return self.points[index]

    def index(self, point: int) -> int:
        """Return the index `y * width + x` of a point."""
        return (point // self.stride - 1) * self.width + point % self.stride - 1

    def stones_of(self, point: int) -> list[int]:
        """List the points of the chain that holds `point`."""
        points = [point]
        stone = self.following[point]
        while stone != point:
            points.append(stone)
            stone = self.following[stone]
        return points

    def cells_copy(self) -> bytes:
        """Return the state of all points in reading order, one byte per point."""
        return bytes(self.cells[self.points[i]] for i in range(self.area))

    def is_legal(self, point: int, colour: int) -> bool:
        """Tell whether a move is legal under simple ko and this board's suicide rule."""
        if self.cells[point] != _EMPTY or (point == self.ko and colour == self.banned):
            return False
        for i in range(4):
            other = point + self.steps[i]
            kind = self.cells[other]
            if kind == _EMPTY:
                return True
            if kind == _WALL:
                continue
            if kind == colour:
                if self.suicide or not self._in_atari(self.chain[other]):
                    return True
            elif self._in_atari(self.chain[other]):
                return True
        return False

    def hash_after(self, point: int, colour: int) -> int:
        """Return the hash of the board after a move and its captures."""
        after = self.hash ^ self.keys[2 * point + colour]
        taken = friends = 0
        self.stamp += 1
        for i in range(4):
            other = point + self.steps[i]
            kind = self.cells[other]
            if kind == _EMPTY:
                taken += 1
                continue
            if kind == _WALL:
                continue
            head = self.chain[other]
            if not self._in_atari(head):
                taken += kind == colour
            elif kind == colour:
                friends += 1
            elif self.marks[head] != self.stamp:
                self.marks[head] = self.stamp
                after ^= self._hash_of(head)
                taken += 1
        if taken or not friends:
            return after
        # Suicide: the stone is captured with its neighbours.
        after ^= self.keys[2 * point + colour]
        for i in range(4):
            other = point + self.steps[i]
            if self.cells[other] == colour and self.marks[self.chain[other]] != self.stamp:
                self.marks[self.chain[other]] = self.stamp
                after ^= self._hash_of(self.chain[other])
        return after

    def _hash_of(self, head: int) -> int:
        combined = 0
        stone = head
        while True:
            combined ^= self.keys[2 * stone + self.cells[stone]]
            stone = self.following[stone]
            if stone == head:
                return combined

    def play(self, point: int, colour: int) -> int:
        """Make a legal move and return the number of captured stones; legality is not checked."""
        enemy = 3 - colour
        self.ko = 0
        self.cells[point] = colour
        self.hash ^= self.keys[2 * point + colour]
        self.free -= 1
        other = self.empties[self.free]
        i = self.slots[point]
        self.empties[i] = other
        self.slots[other] = i
        self.chain[point] = point
        self.following[point] = point
        self.stones[point] = 1
        count = total = squares = 0
        for i in range(4):
            other = point + self.steps[i]
            kind = self.cells[other]
            if kind == _EMPTY:
                count += 1
                total += other
                squares += other * other
            elif kind != _WALL:
                head = self.chain[other]
                self.breaths[head] -= 1
                self.sums[head] -= point
                self.squares[head] -= point * point
        self.breaths[point] = count
        self.sums[point] = total
        self.squares[point] = squares
        captured = taken = 0
        for i in range(4):
            other = point + self.steps[i]
            kind = self.cells[other]
            if kind == enemy:
                if self.breaths[self.chain[other]] == 0:
                    captured += self._remove(other)
                    taken = other
            elif kind == colour and self.chain[other] != self.chain[point]:
                self._merge(self.chain[other], self.chain[point])
        head = self.chain[point]
        if captured == 1:
            if self.stones[head] == 1 and self.breaths[head] == 1:
                self.ko = taken
                self.banned = enemy
        elif self.breaths[head] == 0:
            lost = self._remove(point)
            if colour == _BLACK:
                self.black_captured += lost
            else:
                self.white_captured += lost
        if enemy == _BLACK:
            self.black_captured += captured
        else:
            self.white_captured += captured
        return captured

    def play_all(self, moves: "array[int]", start: int, count: int) -> None:
        """Play alternating moves, Black first; each is an index, or the area for a pass."""
        colour = _BLACK
        for i in range(start, start + count):
            move = moves[i]
            if move < self.area:
                self.play(self.points[move], colour)
            else:
                self.ko = 0
            colour = 3 - colour

    def lift_ko(self) -> None:
        """Remove the ko ban, as a pass does."""
        self.ko = 0

    def credit(self, black: int, white: int) -> None:
        """Set the number of stones of each colour that were captured so far."""
        self.black_captured = black
        self.white_captured = white

    def forbid(self, point: int, colour: int) -> None:
        """Set the ko ban: `colour` may not play `point` on this move."""
        self.ko = point
        self.banned = colour

    def _merge(self, one: int, two: int) -> int:
        if self.stones[one] < self.stones[two]:
            one, two = two, one
        stone = two
        while True:
            self.chain[stone] = one
            stone = self.following[stone]
            if stone == two:
                break
        swap = self.following[one]
        self.following[one] = self.following[two]
        self.following[two] = swap
        self.stones[one] += self.stones[two]
        self.breaths[one] += self.breaths[two]
        self.sums[one] += self.sums[two]
        self.squares[one] += self.squares[two]
        return one

    def _remove(self, start: int) -> int:
        count = 0
        stone = start
        while True:
            self.hash ^= self.keys[2 * stone + self.cells[stone]]
            self.cells[stone] = _EMPTY
            self.slots[stone] = self.free
            self.empties[self.free] = stone
            self.free += 1
            count += 1
            for i in range(4):
                other = stone + self.steps[i]
                kind = self.cells[other]
                if kind != _EMPTY and kind != _WALL:
                    head = self.chain[other]
                    self.breaths[head] += 1
                    self.sums[head] += stone
                    self.squares[head] += stone * stone
            stone = self.following[stone]
            if stone == start:
                return count

    def _in_atari(self, head: int) -> bool:
        count = self.breaths[head]
        total = self.sums[head]
        return count * self.squares[head] == total * total

    def count_liberties(self, point: int, most: int) -> int:
        """Count the liberties of the chain on `point`, up to `most`."""
        self.stamp += 1
        count = 0
        stone = point
        while True:
            for i in range(4):
                other = stone + self.steps[i]
                if self.cells[other] == _EMPTY and self.marks[other] != self.stamp:
                    self.marks[other] = self.stamp
                    count += 1
                    if count == most:
                        return count
            stone = self.following[stone]
            if stone == point:
                return count

    def copy_from(self, other: "Board") -> None:
        """Copy the state of another board of the same size."""
        self.memory[:] = other.memory
        self.free = other.free
        self.ko = other.ko
        self.banned = other.banned
        self.suicide = other.suicide
        self.hash = other.hash
        self.black_captured = other.black_captured
        self.white_captured = other.white_captured
        self.stamp = other.stamp

    def copy(self) -> "Board":
        """Return an independent copy."""
        twin = Board(self.width, self.height)
        twin.copy_from(self)
        return twin
