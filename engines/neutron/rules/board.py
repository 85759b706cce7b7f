"""The 5x5 board as 25 bits: where pieces slide, which slides win, and the moves of a turn.

Square a1 is bit 0, e1 bit 4, e5 bit 24. Sides are 0 (White, home row 1) and 1 (Black, row 5).
A turn is packed as neutron from, neutron to, man from, man to, with five bits each from the lowest;
NOWHERE stands in a half that is not played.
"""

from array import array
from typing import Final

FULL: Final = (1 << 25) - 1
HOME: Final = (0x1F, 0x1F << 20)
ENDS: Final = HOME[0] | HOME[1]
NOWHERE: Final = 31
BLOCKS: Final = 1 << 20
MOST_MOVES: Final = 8 * 5 * 8

# Up, down, left, right, up-right, up-left, down-right, down-left: the order of level `stubborn`.
DIRECTIONS: Final = ((0, 1), (0, -1), (-1, 0), (1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))

# Compiled code reads these private C globals, which other modules cannot see.
_FULL = FULL
_ENDS = ENDS
_FAR_WHITE = HOME[1]
_FAR_BLACK = HOME[0]
_NOWHERE = NOWHERE
_BLOCKS = BLOCKS
_NEVER = 1 << 25  # A square off the board that counts as occupied: no slide crosses it.
_FIVES = 0x5555555555555  # Literals this long are Python objects in compiled code.
_THREES = 0x3333333333333
_NIBBLES = 0x0F0F0F0F0F0F0F
_ONES = 0x01010101010101


def ray(square: int, direction: tuple[int, int]) -> list[int]:
    """List the squares from `square` to the edge, nearest first."""
    column, row = square % 5 + direction[0], square // 5 + direction[1]
    squares = []
    while 0 <= column < 5 and 0 <= row < 5:
        squares.append(5 * row + column)
        column, row = column + direction[0], row + direction[1]
    return squares


def slide(square: int, direction: tuple[int, int], occupied: int) -> int:
    """Return where a piece stops: on its own square if it cannot move."""
    for target in ray(square, direction):
        if occupied >> target & 1:
            break
        square = target
    return square


def mirror(bits: int) -> int:
    """Swap the columns a and e, b and d of a set of squares."""
    return (
        (bits & 0x0108421) << 4
        | (bits & 0x0210842) << 2
        | (bits & 0x0421084)
        | (bits & 0x0842108) >> 2
        | (bits & 0x1084210) >> 4
    )


class Board:
    """Tables of slides; every method gets the pieces as arguments."""

    def __init__(self) -> None:
        self.index = array("i", [0] * 37)  # Powers of two differ modulo 37.
        self.near = array("i", [0] * 25)
        self.ways = array("i", [-1] * (25 * 8 * 4))  # Squares in each direction, the nearest first.
        self.wins = array("i", [_NEVER] * (2 * 25 * 3))
        self.row_shift = array("i", [square // 5 * 5 for square in range(25)])
        self.column = array("i", [square % 5 for square in range(25)])
        self.rising = array("i", [0] * 25)
        self.falling = array("i", [0] * 25)
        self.slides = array("i", [0] * (4 * 25 * 32))
        for square in range(25):
            self.index[(1 << square) % 37] = square
            for number, direction in enumerate(DIRECTIONS):
                self._add_ray(square, direction)
                for step, target in enumerate(ray(square, direction)):
                    self.ways[(square * 8 + number) * 4 + step] = target
            for line in range(4):
                for state in range(32):
                    self.slides[(line * 25 + square) * 32 + state] = _line(square, line, state)

    def _add_ray(self, square: int, direction: tuple[int, int]) -> None:
        squares = ray(square, direction)
        mask = sum(1 << target for target in squares)
        if direction[0] * direction[1] > 0:
            self.rising[square] |= mask
        elif direction[0] * direction[1] < 0:
            self.falling[square] |= mask
        if not squares:
            return
        self.near[square] |= 1 << squares[0]
        for side in range(2):
            if direction[1] == (1 if side else -1) and HOME[side] >> squares[len(squares) - 1] & 1:
                self.wins[(side * 25 + square) * 3 + 1 + direction[0]] = mask

    def destinations(self, square: int, occupied: int) -> int:
        """Return the squares that a piece on `square` can move to; its own bit is ignored."""
        # A multiplication gathers the bits of a line: of a column by row, of a diagonal by column.
        wide = occupied
        at = square * 32
        return (
            self.slides[at + (occupied >> self.row_shift[square] & 31)]
            | self.slides[
                800 + at + (((wide >> self.column[square] & 0x108421) * 0x111110) >> 20 & 31)
            ]
            | self.slides[1600 + at + (((wide & self.rising[square]) * 0x108421) >> 20 & 31)]
            | self.slides[2400 + at + (((wide & self.falling[square]) * 0x108421) >> 20 & 31)]
        )

    def stop_of(self, square: int, direction: int, occupied: int) -> int:
        """Return where a piece stops, or its own square if it cannot move, by direction number."""
        at = (square * 8 + direction) * 4
        end = at + 4
        while at < end:
            target = self.ways[at]
            if target < 0 or occupied >> target & 1:
                break
            square = target
            at += 1
        return square

    def can_win(self, side: int, neutron: int, men: int) -> bool:
        """Return whether `side` can slide the neutron to its own home row."""
        at = (side * 25 + neutron) * 3
        men |= _NEVER
        return (
            not (men & self.wins[at])
            or not (men & self.wins[at + 1])
            or not (men & self.wins[at + 2])
        )

    def can_move(self, men: int, occupied: int) -> bool:
        """Return whether any of `men` has a free square next to it."""
        free = _FULL & ~occupied
        while men:
            man = men & -men
            men ^= man
            if self.near[self.index[man % 37]] & free:
                return True
        return False

    def legal_turns(
        self, own: int, enemy: int, neutron: int, only_man: bool, moves: "array[int]", count: int
    ) -> int:
        """Write every turn of the side of `own` into `moves` from `count` on; return the end."""
        men = own | enemy
        if only_man:
            return self._men_turns(own, men, _NOWHERE | _NOWHERE << 5, neutron, moves, count)
        targets = self.destinations(neutron, men)
        while targets:
            bit = targets & -targets
            targets ^= bit
            to = self.index[bit % 37]
            half = neutron | to << 5
            if bit & _ENDS or not self.can_move(own, men | bit):
                moves[count] = half | _NOWHERE << 10 | _NOWHERE << 15
                count += 1
            else:
                count = self._men_turns(own, men, half, to, moves, count)
        return count

    def _men_turns(
        self, own: int, men: int, half: int, neutron: int, moves: "array[int]", count: int
    ) -> int:
        occupied = men | 1 << neutron
        while own:
            man = own & -own
            own ^= man
            start = self.index[man % 37]
            targets = self.destinations(start, occupied)
            while targets:
                bit = targets & -targets
                targets ^= bit
                moves[count] = half | start << 10 | self.index[bit % 37] << 15
                count += 1
        return count

    def safe_turns(
        self, own: int, enemy: int, neutron: int, side: int, moves: "array[int]", count: int
    ) -> int:
        """Write the turns after which the enemy cannot slide the neutron home; return the end.

        The caller guarantees that `side` cannot win with the neutron itself. BLOCKS marks a turn
        after which the neutron is blocked, or that its mover has no man for.
        """
        men = own | enemy
        neutrons = self.destinations(neutron, men) & ~_ENDS
        while neutrons:
            bit = neutrons & -neutrons
            neutrons ^= bit
            to = self.index[bit % 37]
            at = ((side ^ 1) * 25 + to) * 3
            left, middle, right = self.wins[at], self.wins[at + 1], self.wins[at + 2]
            guarded = men | _NEVER
            if not (
                (guarded & left or guarded & middle)
                and (guarded & left or guarded & right)
                and (guarded & middle or guarded & right)
            ):
                continue  # One man cannot close two slides.
            half = neutron | to << 5
            last = self.near[to] & ~men
            if last & (last - 1):
                last = 0
            began = count
            rest = own
            while rest:
                man = rest & -rest
                rest ^= man
                others = guarded ^ man
                goals = _FULL
                if not others & left:
                    goals &= left
                if not others & middle:
                    goals &= middle
                if not others & right:
                    goals &= right
                if not goals:
                    continue
                start = self.index[man % 37]
                goals &= self.destinations(start, men | bit)
                while goals:
                    goal = goals & -goals
                    goals ^= goal
                    move = half | start << 10 | self.index[goal % 37] << 15
                    if goal == last and not self.near[to] & man:
                        move |= _BLOCKS
                    moves[count] = move
                    count += 1
            if count == began and not self.can_move(own, men | bit):
                moves[count] = half | _NOWHERE << 10 | _NOWHERE << 15 | _BLOCKS
                count += 1
        return count

    def can_answer(self, own: int, enemy: int, neutron: int, side: int) -> bool:
        """Return whether `safe_turns` would write any turn."""
        men = own | enemy
        neutrons = self.destinations(neutron, men) & ~_ENDS
        while neutrons:
            bit = neutrons & -neutrons
            neutrons ^= bit
            to = self.index[bit % 37]
            at = ((side ^ 1) * 25 + to) * 3
            left, middle, right = self.wins[at], self.wins[at + 1], self.wins[at + 2]
            guarded = men | _NEVER
            if not (
                (guarded & left or guarded & middle)
                and (guarded & left or guarded & right)
                and (guarded & middle or guarded & right)
            ):
                continue
            rest = own
            while rest:
                man = rest & -rest
                rest ^= man
                others = guarded ^ man
                goals = _FULL
                if not others & left:
                    goals &= left
                if not others & middle:
                    goals &= middle
                if not others & right:
                    goals &= right
                if goals and goals & self.destinations(self.index[man % 37], men | bit):
                    return True
            if not self.can_move(own, men | bit):
                return True
        return False

    def filling_turn(self, own: int, enemy: int, neutron: int, side: int) -> int:
        """Return a turn that brings the fifth man to the enemy's home row, or 0."""
        gap = _FAR_BLACK & ~own if side else _FAR_WHITE & ~own
        if gap & (gap - 1):
            return 0
        man = own & ~_FAR_BLACK if side else own & ~_FAR_WHITE
        start = self.index[man % 37]
        neutrons = self.destinations(neutron, own | enemy) & ~_ENDS
        while neutrons:
            bit = neutrons & -neutrons
            neutrons ^= bit
            if self.destinations(start, own | enemy | bit) & gap:
                half = neutron | self.index[bit % 37] << 5
                return half | start << 10 | self.index[gap % 37] << 15
        return 0

    def count_turns(self, own: int, enemy: int, neutron: int, only_man: bool) -> int:
        """Count the turns that `legal_turns` would write."""
        men = own | enemy
        if only_man:
            return self.count_men_moves(own, men | 1 << neutron)
        total = 0
        targets = self.destinations(neutron, men)
        while targets:
            bit = targets & -targets
            targets ^= bit
            halves = 0 if bit & _ENDS else self.count_men_moves(own, men | bit)
            total += halves or 1
        return total

    def count_men_moves(self, own: int, occupied: int) -> int:
        """Count the moves of all men in `own`: their free neighbours in the eight directions."""
        free = _FULL & ~occupied
        left, right = own & 0x0F7BDEF << 1, own & 0x0F7BDEF
        # A word holds two boards of 25 bits, so that half as many words are counted.
        total: int = _bits((own << 5 & free) | ((own >> 5 & free) << 25))
        total += _bits((left >> 1 & free) | ((right << 1 & free) << 25))
        total += _bits((left << 4 & free) | ((right << 6 & free) << 25))
        total += _bits((left >> 6 & free) | ((right >> 4 & free) << 25))
        return total

    def count_neutron_moves(self, neutron: int, men: int) -> int:
        """Count the directions in which the neutron can move."""
        return _bits(self.near[neutron] & ~men)


def _bits(word: int) -> int:
    word = word - (word >> 1 & _FIVES)
    word = (word & _THREES) + (word >> 2 & _THREES)
    word = word + (word >> 4) & _NIBBLES
    return word * _ONES >> 48 & 0xFF


def _line(square: int, line: int, state: int) -> int:
    """Return both ends of the slides along one line; `state` counts by column or by row."""
    directions = (
        ((-1, 0), (1, 0)),
        ((0, -1), (0, 1)),
        ((-1, -1), (1, 1)),
        ((-1, 1), (1, -1)),
    )[line]
    ends = 0
    for direction in directions:
        stop = square
        for target in ray(square, direction):
            if state >> (target // 5 if line == 1 else target % 5) & 1:
                break
            stop = target
        if stop != square:
            ends |= 1 << stop
    return ends


BOARD: Final = Board()
