"""Gathered rows: the chances of a set of own men against every enemy set when the enemy throws.

Hot. In the table these values are far apart, because they belong to rows of the other side. If the
table is larger than the caches, a sweep spends most of its time fetching them. Therefore the rows
of sets that are neighbours in memory are gathered together, in batches of several levels of pips.
"""

from array import array
from itertools import combinations
from math import comb
from typing import Final

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.core.storage import allocate
from engines.senet.tables.table import FLOAT, SQUARES, ChanceTable
from engines.senet.tables.turns import Turns

PIPS: Final = 160  # More pips than five men can have.
BATCH: Final = 8  # Levels of pips per batch.
_BATCH = BATCH
_SQUARES = SQUARES
_GROUP = 16  # Sets that are gathered together.
_ROOM = 64  # Numbers that a set needs while its row is gathered.


class GatheredRows:
    """The gathered rows of the last two batches of levels, in memory that threads share."""

    def __init__(
        self, table: ChanceTable, own: int, enemy: int, first: "GatheredRows | None"
    ) -> None:
        self.table = table
        self.own = own
        self.enemy = enemy
        self._floats = self.table._floats
        self._shorts = self.table._shorts
        self._wide = int(table.kind == FLOAT)
        self._choose = array("q", [comb(n, k) for n in range(SQUARES + 1) for k in range(7)])
        self._scratch = array("q", [0] * ((_GROUP + 1) * _ROOM))
        self._block = comb(SQUARES - own, enemy)
        if first is None:
            self._make()
        else:
            self._share(first)
        self._members = self.turns.members

    def gather(self, pips: int, part: int, parts: int) -> None:
        """Gather the rows of a level's batch, as thread number `part` of `parts`."""
        with cython.nogil:
            self._gather_batch(pips // _BATCH, part, parts)

    def line(self, men: int) -> list[float]:
        """Return the row of a set of places that was gathered last."""
        start = self._start(men, self._pips(men))
        return list(self.values[start : start + self._block])

    def _sort(self) -> None:
        """List the sets by pips, and by batches of pips in the order of their ranks."""
        by_pips: list[list[int]] = [[] for _ in range(PIPS)]
        for chosen in combinations(range(SQUARES), self.own):
            pips = sum(_square(place) for place in chosen)
            by_pips[pips].append(sum(1 << place for place in chosen))
        self._width = max(map(len, by_pips))
        self._slots = array("i", [0] * comb(SQUARES, self.own))
        sets, starts = array("i"), array("q")
        for masks in by_pips:
            starts.append(len(sets))
            sets.extend(masks)
            for slot, mask in enumerate(masks):
                self._slots[self.turns.rank(mask)] = slot
        starts.append(len(sets))
        batched, begins = array("i"), array("q")
        for low in range(0, PIPS, _BATCH):
            begins.append(len(batched))
            batched.extend(sorted(sets[starts[low] : starts[low + _BATCH]]))
        begins.append(len(batched))
        self.sets, self.starts = sets, starts
        self._batched, self._begins = batched, begins

    def _make(self) -> None:
        self.turns = Turns(self.own, self.enemy)
        self._sort()
        self.values = allocate(FLOAT, 2 * _BATCH * self._width * self._block)

    def _share(self, first: "GatheredRows") -> None:
        self.turns = first.turns
        self.sets, self.starts, self._slots = first.sets, first.starts, first._slots
        self._batched, self._begins = first._batched, first._begins
        self._width = first._width
        self.values = first.values

    def _start(self, men: int, pips: int) -> int:
        """Return where the row of a set with these pips begins."""
        slot: int = pips % (2 * _BATCH) * self._width + self._slots[self.turns._rank(men)]
        return slot * self._block

    def _gather_batch(self, batch: int, part: int, parts: int) -> None:
        index = self._begins[batch] + part * _GROUP
        end = self._begins[batch + 1]
        while index < end:
            self._gather_group(index, min(_GROUP, end - index))
            index += parts * _GROUP

    def _gather_group(self, index: int, number: int) -> None:
        """Fill the rows of sets that are neighbours, with a stretch of each in turn."""
        for k in range(number):
            men = self._batched[index + k]
            self._spread((k + 1) * _ROOM, men)
            self._scratch[(k + 1) * _ROOM + 60] = self._start(men, self._pips(men))
        first = 0
        while first < self._block:
            limit = self._stretch(first, _SQUARES - self.own)
            for k in range(1, number + 1):
                out = self._scratch[k * _ROOM + 60] + first
                self._fetch(k * _ROOM, self.own, first, limit, self.values, out)
            first += limit

    def _gather(self, men: int, own: int, lines: "array[float]", out: int) -> None:
        """Fill the row of one set of `own` men."""
        self._spread(0, men)
        first = 0
        end = self._choose[7 * (_SQUARES - own) + self.enemy]
        while first < end:
            limit = self._stretch(first, _SQUARES - own)
            self._fetch(0, own, first, limit, lines, out + first)
            first += limit

    def _stretch(self, first: int, free: int) -> int:
        """Return for how many enemy sets, from `first` on, only the lowest man moves."""
        if self.enemy == 1:
            return free
        return self._members[first * self.enemy + 1]

    def _pips(self, men: int) -> int:
        total = 0
        place = 0
        while men:
            if men & 1:
                total += place + 1 + (place >= 26)
            men >>= 1
            place += 1
        return total

    def _spread(self, at: int, men: int) -> None:
        # From `at` on: 0 to 27 the free places, 32 to 37 the own places.
        free = at
        own = at + 32
        for place in range(28):
            if men >> place & 1:
                self._scratch[own] = place
                own += 1
            else:
                self._scratch[free] = place
                free += 1

    def _fetch(
        self, at: int, own: int, first: int, limit: int, lines: "array[float]", out: int
    ) -> None:
        """Fill a stretch of a row, for the set that was spread at `at`.

        The lowest enemy man moves fastest. While the others stand still, the rank of the own men
        depends only on how many of them it has passed.
        """
        enemy = self.enemy
        block = self.table._blocks[6 * enemy + own]
        members = first * enemy
        row = 0
        for i in range(1, enemy):
            place = self._scratch[at + self._members[members + i]]
            row += self._choose[7 * place + i + 1]
        rank = self.table._bases[6 * enemy + own] + row * block
        for j in range(own):
            place = self._scratch[at + 32 + j]
            here = place - j
            passed = 0
            for i in range(1, enemy):
                passed += self._members[members + i] < here
            place -= passed
            self._scratch[at + 48 + j] = 0
            if place > j:  # Otherwise the fastest man has no room below this one either.
                rank += self._choose[7 * (place - 1) + j + 1]
                self._scratch[at + 48 + j] = (
                    self._choose[7 * place + j + 1] - self._choose[7 * (place - 1) + j + 1]
                )
        gap = 0
        for e in range(limit):
            place = self._scratch[at + e]
            while gap < own and self._scratch[at + 32 + gap] < place:
                rank += self._scratch[at + 48 + gap]
                gap += 1
            index = rank + place * block
            if self._wide:
                lines[out + e] = 1.0 - self._floats[index]
            else:
                lines[out + e] = 65535.0 - self._shorts[index]


def due(pips: int) -> bool:
    """Return whether this level is the first of its batch, going down the levels."""
    return pips % BATCH == BATCH - 1


def _square(place: int) -> int:
    return place + 1 + (place >= 26)
