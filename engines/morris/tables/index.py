"""The numbering of positions of the moving phase: a class of own men, and a rank of enemy men.

Hot. The own men are mapped to the least of their sixteen images, the representative of their class.
The enemy men are ranked among the points that the representative leaves free, in numeric order. If
the representative is symmetric, several ranks mean the same position; the least one is canonical.
"""

from array import array
from math import comb

from engines.morris.rules.board import count
from engines.morris.rules.symmetry import Symmetries

_FEWEST = 3
_MOST = 9


class Index:
    """Numbers the positions of all sectors; classes of a size are listed when first needed."""

    def __init__(self) -> None:
        self.symmetries = Symmetries()
        self.low = array("i", [0])
        self.high = array("i", [0])
        self.squeezed = array("i", [0])
        self.spread = array("i", [0])
        self.ways = array("i", [comb(points, men) for points in range(25) for men in range(10)])
        # By size: where its classes begin in `numbers` (one per set) and in `leaders`.
        self.number_starts = array("i", [0] * 10)
        self.leader_starts = array("i", [0] * 10)
        self.class_counts = array("i", [0] * 10)
        sets = [comb(24, size) if size >= _FEWEST else 0 for size in range(10)]
        for size in range(_FEWEST, _MOST):
            self.number_starts[size + 1] = self.number_starts[size] + sets[size]
            # A class has 16 sets, fewer if it is symmetric: less than one class per 8 sets.
            self.leader_starts[size + 1] = self.leader_starts[size] + sets[size] // 8
        self.numbers = array("i", [0])
        self.leaders = array("i", [0])
        self.fixing = array("i", [0])

    def prepare(self, size: int) -> None:
        """List the classes of all sets of up to `size` men."""
        if self.class_counts[size]:
            return
        if len(self.low) == 1:
            self._fill()
        self.numbers = array("i", bytes(4 * (self.number_starts[size] + comb(24, size))))
        room = self.leader_starts[size] + comb(24, size) // 8
        self.leaders = array("i", bytes(4 * room))
        self.fixing = array("i", bytes(4 * room))
        for each in range(_FEWEST, size + 1):
            self.class_counts[each] = self._classify(each)

    def _fill(self) -> None:
        """Prepare the tables of ranks; a search without exact tables saves 50 milliseconds."""
        self.low = array("i", [_rank(half, 0, 0) for half in range(4096)])
        self.high = array("i", [_rank(half, 12, men) for men in range(13) for half in range(4096)])
        self.squeezed = array("i", [_squeeze(at >> 8, at & 255) for at in range(65536)])
        self.spread = array("i", [_spread(at >> 8, at & 255) for at in range(65536)])

    def _classify(self, size: int) -> int:
        """Number the classes of one size; return how many there are."""
        numbers = self.number_starts[size]
        leaders = self.leader_starts[size]
        classes = 0
        men = (1 << size) - 1
        for at in range(self.ways[24 * 10 + size]):
            if self.numbers[numbers + at] == 0:
                self.leaders[leaders + classes] = men
                fixing = 0
                for number in range(16):
                    image = self.symmetries._image(men, number)
                    if image == men:
                        fixing |= 1 << number
                    place = numbers + self._rank(image)
                    if self.numbers[place] == 0:
                        back = self.symmetries._inverse(number)
                        self.numbers[place] = (classes + 1) << 4 | back
                self.fixing[leaders + classes] = fixing
                classes += 1
            lowest = men & ~(men - 1)
            ripple = men + lowest
            men = ripple | (men ^ ripple) // lowest >> 2
        return classes

    def classes(self, size: int) -> int:
        """Return how many classes the sets of `size` men have."""
        self.prepare(size)
        return self.class_counts[size]

    def entries(self, own: int, enemy: int) -> int:
        """Return how many numbers a sector uses."""
        return self.classes(own) * comb(24 - own, enemy)

    def _rank(self, points: int) -> int:
        """Return the rank of a set among the sets of its size, in numeric order."""
        half = points & 4095
        return self.low[half] + self.high[count(half) << 12 | points >> 12]

    def _squeeze(self, leader: int, enemy: int) -> int:
        """Close the gaps that the representative's men leave in a set of enemy men."""
        first = leader & 255
        second = leader >> 8 & 255
        shift = 8 - count(first)
        return (
            self.squeezed[first << 8 | enemy & 255]
            | self.squeezed[second << 8 | enemy >> 8 & 255] << shift
            | self.squeezed[leader >> 16 << 8 | enemy >> 16] << shift + 8 - count(second)
        )

    def _widen(self, leader: int, points: int) -> int:
        """Undo `_squeeze`."""
        first = leader & 255
        second = leader >> 8 & 255
        shift = 8 - count(first)
        wide = self.spread[first << 8 | points & (1 << shift) - 1]
        points >>= shift
        shift = 8 - count(second)
        wide |= self.spread[second << 8 | points & (1 << shift) - 1] << 8
        return wide | self.spread[leader >> 16 << 8 | points >> shift] << 16

    def _find(self, own: int, enemy: int) -> int:
        """Return a number of a position; if there are several, any of them."""
        size = count(own)
        entry = self.numbers[self.number_starts[size] + self._rank(own)]
        place = (entry >> 4) - 1
        leader = self.leaders[self.leader_starts[size] + place]
        image = self.symmetries._image(enemy, entry & 15)
        first = place
        return first * self.ways[(24 - size) * 10 + count(enemy)] + self._rank(
            self._squeeze(leader, image)
        )

    def _least(self, own: int, enemy: int) -> int:
        """Return the number of a position; if there are several, the least one."""
        size = count(own)
        entry = self.numbers[self.number_starts[size] + self._rank(own)]
        place = (entry >> 4) - 1
        leader = self.leaders[self.leader_starts[size] + place]
        fixing = self.fixing[self.leader_starts[size] + place] >> 1
        image = self.symmetries._image(enemy, entry & 15)
        best = self._rank(self._squeeze(leader, image))
        number = 1
        while fixing:
            if fixing & 1:
                rank = self._rank(self._squeeze(leader, self.symmetries._image(image, number)))
                if rank < best:
                    best = rank
            fixing >>= 1
            number += 1
        first = place
        return first * self.ways[(24 - size) * 10 + count(enemy)] + best

    def find(self, own: int, enemy: int) -> int:
        """Return the number of a position; if there are several, the least one."""
        self.prepare(max(count(own), 3))
        return self._least(own, enemy)

    def position(self, own: int, enemy: int, number: int) -> tuple[int, int]:
        """Return the own and the enemy men of a position by its number in a sector."""
        self.prepare(own)
        place, rank = divmod(number, comb(24 - own, enemy))
        leader = self.leaders[self.leader_starts[own] + place]
        points = 0
        for men in range(enemy, 0, -1):
            at = men - 1
            while comb(at + 1, men) <= rank:
                at += 1
            rank -= comb(at, men)
            points |= 1 << at
        return leader, self._widen(leader, points)

    def is_canonical(self, own: int, enemy: int, number: int) -> bool:
        """Return whether a number is the least of those that mean the same position."""
        leader, others = self.position(own, enemy, number)
        return self._least(leader, others) == number


def _rank(half: int, lowest: int, men: int) -> int:
    rank = 0
    for at in range(12):
        if half >> at & 1:
            men += 1
            rank += comb(lowest + at, men)
    return rank


def _squeeze(taken: int, points: int) -> int:
    squeezed = 0
    place = 0
    for at in range(8):
        if not taken >> at & 1:
            squeezed |= (points >> at & 1) << place
            place += 1
    return squeezed


def _spread(taken: int, points: int) -> int:
    wide = 0
    place = 0
    for at in range(8):
        if not taken >> at & 1:
            wide |= (points >> place & 1) << at
            place += 1
    return wide
