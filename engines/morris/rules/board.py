"""The board as sets of points: mills, neighbours and the moves that a set of men allows.

Hot and flat. A set of points is an int of 24 bits: byte 0 is the outer square, byte 2 the inner
one. Within a byte, bit 0 is the corner a1 (or b2, c3), and the other bits follow around the square
by d1 and g1. Even bits are corners; odd bits are the middle points, which lines join across the
squares. Everything is seen by the side to move: `own` men against `enemy` men.
"""

from array import array
from typing import Final

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

POINTS: Final = 24
NONE: Final = 31
"""The place of a missing point in a packed move: a man from hand, a move that removes nothing."""

MOST_MOVES: Final = 1024
"""More moves than any position allows: 54 moves of men, times nine removals, and some pairs."""

_NONE = NONE  # A typed copy, for code without the GIL.

COMPILED: Final[bool] = cython.compiled
"""Whether this module is compiled to C."""


def count(points: int) -> int:
    """Count the points of a set."""
    points -= points >> 1 & 0x555555
    points = (points & 0x333333) + (points >> 2 & 0x333333)
    points = points + (points >> 4) & 0x0F0F0F
    return points + (points >> 8) + (points >> 16) & 31


def neighbours(points: int) -> int:
    """Return the points that a line joins to any point of a set."""
    middles = points & 0xAAAAAA
    return (
        (points << 1 & 0xFEFEFE)
        | (points >> 7 & 0x010101)
        | (points >> 1 & 0x7F7F7F)
        | (points << 7 & 0x808080)
        | (middles << 8 & 0xFFFF00)
        | middles >> 8
    )


def in_mills(men: int) -> int:
    """Return the men that stand in a complete mill."""
    behind = (men << 1 & 0xFEFEFE) | (men >> 7 & 0x010101)
    ahead = (men >> 1 & 0x7F7F7F) | (men << 7 & 0x808080)
    sides = men & behind & ahead & 0xAAAAAA
    across = men & men >> 8 & men >> 16 & 0xAA
    return (
        sides
        | (sides << 1 & 0xFEFEFE)
        | (sides >> 7 & 0x010101)
        | (sides >> 1 & 0x7F7F7F)
        | across
        | across << 8
        | across << 16
    )


def closers(men: int) -> int:
    """Return the points, free or not, where one more man would stand in a mill."""
    behind = (men << 1 & 0xFEFEFE) | (men >> 7 & 0x010101)
    ahead = (men >> 1 & 0x7F7F7F) | (men << 7 & 0x808080)
    behind2 = (men << 2 & 0xFCFCFC) | (men >> 6 & 0x030303)
    ahead2 = (men >> 2 & 0x3F3F3F) | (men << 6 & 0xC0C0C0)
    outer = men & 0xAA
    middle = men >> 8 & 0xAA
    inner = men >> 16 & 0xAA
    return (
        (behind & ahead & 0xAAAAAA)
        | ((behind & behind2 | ahead & ahead2) & 0x555555)
        | middle & inner
        | (outer & inner) << 8
        | (outer & middle) << 16
    )


def double_closers(men: int) -> int:
    """Return the points, free or not, where one more man would stand in two mills."""
    behind = (men << 1 & 0xFEFEFE) | (men >> 7 & 0x010101)
    ahead = (men >> 1 & 0x7F7F7F) | (men << 7 & 0x808080)
    behind2 = (men << 2 & 0xFCFCFC) | (men >> 6 & 0x030303)
    ahead2 = (men >> 2 & 0x3F3F3F) | (men << 6 & 0xC0C0C0)
    outer = men & 0xAA
    middle = men >> 8 & 0xAA
    inner = men >> 16 & 0xAA
    across = middle & inner | (outer & inner) << 8 | (outer & middle) << 16
    return (behind & ahead & across) | (behind & behind2 & ahead & ahead2 & 0x555555)


def removable(enemy: int) -> int:
    """Return the enemy men that a mill may remove: those in no mill, or all where all are."""
    loose = enemy & ~in_mills(enemy)
    return loose if loose else enemy


def pack(start: int, end: int, first: int, second: int) -> int:
    """Return the move from `start` to `end` that removes `first` and `second`; NONE is no point."""
    return end | start << 5 | first << 10 | second << 15


class Generator:
    """Lists and counts the moves of a side under one variant, in memory of its own."""

    def __init__(self, flying: int, doubles: int, plies: int) -> None:
        self.flying = flying
        self.doubles = doubles
        self.room = array("i", bytes(4 * MOST_MOVES * (plies + 1)))
        self.spare = MOST_MOVES * plies

    def _fill(self, own: int, enemy: int, hand: int, end: int) -> int:
        """Write all moves into the memory from index `end` on; return the index after the last."""
        free = ~(own | enemy) & 0xFFFFFF
        prey = removable(enemy)
        if hand > 0:
            return self._emit(_NONE, free, own, enemy, prey, end)
        flies = self.flying and count(own) == 3
        rest = own
        while rest:
            man = rest & ~(rest - 1)
            rest ^= man
            targets = free if flies else neighbours(man) & free
            if targets:
                end = self._emit(count(man - 1), targets, own ^ man, enemy, prey, end)
        return end

    def _emit(self, start: int, targets: int, rest: int, enemy: int, prey: int, end: int) -> int:
        room = self.room
        closing = targets & closers(rest) if enemy else 0
        twice = closing & double_closers(rest) if self.doubles and count(enemy) > 1 else 0
        plain = targets ^ closing
        closing ^= twice
        while closing:
            point = closing & ~(closing - 1)
            closing ^= point
            base = count(point - 1) | start << 5 | _NONE << 15
            left = prey
            while left:
                victim = left & ~(left - 1)
                left ^= victim
                room[end] = base | count(victim - 1) << 10
                end += 1
        while twice:
            point = twice & ~(twice - 1)
            twice ^= point
            base = count(point - 1) | start << 5
            left = prey
            while left:
                victim = left & ~(left - 1)
                left ^= victim
                others = removable(enemy ^ victim)
                while others:
                    other = others & ~(others - 1)
                    others ^= other
                    # Removing two men in either order is one move, with the lower point first.
                    if other > victim or not (other & prey and victim & removable(enemy ^ other)):
                        low = victim if victim < other else other
                        room[end] = (
                            base | count(low - 1) << 10 | count((victim ^ other ^ low) - 1) << 15
                        )
                        end += 1
        while plain:
            point = plain & ~(plain - 1)
            plain ^= point
            room[end] = count(point - 1) | start << 5 | _NONE << 10 | _NONE << 15
            end += 1
        return end

    def _count(self, own: int, enemy: int, hand: int) -> int:
        """Count the moves; those that remove pairs are listed at the end of the memory."""
        if self.doubles:
            return self._fill(own, enemy, hand, self.spare) - self.spare
        free = ~(own | enemy) & 0xFFFFFF
        if hand > 0:
            closing = free & closers(own)
            if not closing:
                return count(free)
            return count(free) + count(closing) * (count(removable(enemy)) - 1 if enemy else 0)
        flies = self.flying and count(own) == 3
        quiet = 0
        captures = 0
        rest = own
        while rest:
            man = rest & ~(rest - 1)
            rest ^= man
            targets = free if flies else neighbours(man) & free
            if targets:
                closing = targets & closers(own ^ man)
                captures += count(closing)
                quiet += count(targets)
        if captures and enemy:
            quiet += captures * (count(removable(enemy)) - 1)
        return quiet

    def _count_steps(self, own: int, enemy: int, hand: int) -> int:
        """Count the moves, ignoring what they remove."""
        free = ~(own | enemy) & 0xFFFFFF
        if hand > 0:
            return count(free)
        if self.flying and count(own) == 3:
            return 3 * count(free)
        steps = 0
        rest = own
        while rest:
            man = rest & ~(rest - 1)
            rest ^= man
            steps += count(neighbours(man) & free)
        return steps

    def moves(self, own: int, enemy: int, hand: int) -> list[int]:
        """List the packed moves."""
        end = self._fill(own, enemy, hand, 0)
        return [self.room[index] for index in range(end)]
