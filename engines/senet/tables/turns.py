"""Sets of enemy men among the squares that the own men leave free, and their rotations. Hot.

When an own man moves, the free squares between its old and its new square rotate by one place. A
rotation is a list that holds, for each enemy set in order, the rank of the rotated set.
"""

from array import array
from math import comb

from engines.senet.tables.table import SQUARES


class Turns:
    """The enemy sets of a class in the order of their ranks, and a list for each rotation."""

    def __init__(self, own: int, enemy: int) -> None:
        self.enemy = enemy
        self.free = SQUARES - own
        self.block = comb(self.free, enemy)
        self.choose = array("q", [comb(n, k) for n in range(SQUARES + 1) for k in range(7)])
        # With a man off, there is one more free square; sets that use it come last.
        wider = comb(self.free + 1, enemy)
        self.masks = array("i", bytes(4 * wider))
        self.members = array("b", bytes(wider * enemy))
        # The starts of the lists, by lowest place and number of passed places, or by the new place.
        self.left = array("q", [-1] * (SQUARES * 8))
        self.right = array("q", [-1] * (SQUARES * 16))
        self.insert = array("q", [-1] * (SQUARES + 1))
        self.places = array("i", bytes(4 * self.block * self._number_of_turns()))
        self._make()

    def rank(self, men: int) -> int:
        """Return the rank of a set of places among the sets of its size."""
        return self._rank(men)

    def _number_of_turns(self) -> int:
        free = self.free
        left = sum(1 for low in range(free) for k in range(1, 6) if low + k < free)
        right = sum(1 for low in range(free) for k in range(1, 14) if low + k < free)
        return 1 + left + right + free + 1

    def _make(self) -> None:
        mask = (1 << self.enemy) - 1
        for index in range(len(self.masks)):
            self.masks[index] = mask
            number = 0
            for place in range(self.free + 1):
                if mask >> place & 1:
                    self.members[index * self.enemy + number] = place
                    number += 1
            lowest = mask & -mask
            ripple = mask + lowest
            mask = ripple | (((mask ^ ripple) >> 2) // lowest)
        start = self.block
        for index in range(self.block):
            self.places[index] = index
        for low in range(self.free):
            self.left[8 * low] = 0
            self.right[16 * low] = 0
            for k in range(1, 14):
                if low + k >= self.free:
                    break
                if k < 6:
                    self.left[8 * low + k] = start
                    self._turn_left(start, low, k)
                    start += self.block
                self.right[16 * low + k] = start
                self._turn_right(start, low, k)
                start += self.block
        for low in range(self.free + 1):
            self.insert[low] = start
            self._make_room(start, low)
            start += self.block

    def _turn_left(self, start: int, low: int, k: int) -> None:
        field = ((1 << (k + 1)) - 1) << low
        for index in range(self.block):
            men = self.masks[index]
            inside = men & field
            turned = ((inside << 1) | (inside >> k)) & field
            self.places[start + index] = self._rank((men & ~field) | turned)

    def _turn_right(self, start: int, low: int, k: int) -> None:
        field = ((1 << (k + 1)) - 1) << low
        for index in range(self.block):
            men = self.masks[index]
            inside = men & field
            turned = ((inside >> 1) | (inside << k)) & field
            self.places[start + index] = self._rank((men & ~field) | turned)

    def _make_room(self, start: int, low: int) -> None:
        below = (1 << low) - 1
        for index in range(self.block):
            men = self.masks[index]
            self.places[start + index] = self._rank((men & below) | ((men & ~below) << 1))

    def _rank(self, men: int) -> int:
        rank = 0
        number = 0
        place = 0
        while men:
            if men & 1:
                number += 1
                rank += self.choose[7 * place + number]
            men >>= 1
            place += 1
        return rank
