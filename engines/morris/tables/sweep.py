"""The kernel that solves a sector: first what captures decide, then backwards layer by layer.

Hot and without the GIL. Threads share one `Sweep`, and each works on different classes. Every step
may be repeated after an interruption, because it writes the same values again.
"""

from array import array
from typing import Any

from engines.morris.rules.board import closers, count, double_closers, neighbours, removable
from engines.morris.tables.lookup import Tables

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython


class Sweep:
    """Solves the sector of `own` against `enemy` men; quiet moves lead to the sector `opposite`."""

    def __init__(
        self,
        tables: Tables,
        men: tuple[int, int],
        cells: Any,
        opposite: Any,
        *,
        flying: bool,
        doubles: bool,
    ) -> None:
        self.tables = tables
        self.index = tables.index
        self.own_men, self.enemy_men = men
        self.cells = cells
        self.opposite = opposite
        self.flying = flying
        self.doubles = doubles
        self.classes = self.index.classes(self.own_men)
        self.index.prepare(max(men))
        points = 24 - self.own_men
        self.subsets = array("i", _subsets(points, self.enemy_men))
        self.width = len(self.subsets)
        self.opposite_classes = self.index.classes(self.enemy_men)
        points = 24 - self.enemy_men
        self.opposite_subsets = array("i", _subsets(points, self.own_men))
        self.opposite_width = len(self.opposite_subsets)

    def begin(self, start: int, end: int) -> None:
        """Decide the positions that a capture or a lack of moves decides, in a range of classes."""
        with cython.nogil:
            for place in range(start, end):
                self._begin(place)

    def retreat(self, value: int, start: int, end: int) -> int:
        """Decide the predecessors of the positions with one value; return how many were decided."""
        decided = 0
        with cython.nogil:
            for place in range(start, end):
                decided += self._retreat(place, value)
        return decided

    def advance(self, layer: int, start: int, end: int) -> int:
        """Find losses in the opposite sector by wins in up to `layer` plies; return their number.

        The classes are those of the opposite sector. This does what `retreat` does for a win in
        `layer` plies, but examines every undecided position, which is faster if there are many
        such wins.
        """
        decided = 0
        with cython.nogil:
            for place in range(start, end):
                decided += self._advance(place, layer)
        return decided

    def count(self, value: int) -> int:
        """Count the entries with one value."""
        with cython.nogil:
            return self._occurrences(value)

    def complete(self, start: int, end: int) -> None:
        """Copy the value of each position to its other numbers."""
        with cython.nogil:
            for place in range(start, end):
                self._complete(place)

    def tally(self, start: int, end: int) -> tuple[list[int], list[int]]:
        """Count positions and entries with each value from 0 to 255; needs `complete` first."""
        counts = array("q", [0] * 512)
        self._tally(counts, start, end)
        return list(counts[256:]), list(counts[:256])

    def prefers_advance(self, wins: int) -> bool:
        """Return whether `advance` is faster than `retreat` for this number of wins in a layer."""
        origins = 40 if self.flying and self.enemy_men == 3 else 6
        with cython.nogil:
            still = self._open()
        return wins * origins > still

    def _leader(self, place: int) -> int:
        return self.index.leaders[self.index.leader_starts[self.own_men] + place]

    def _has_twins(self, place: int) -> bool:
        return self.index.fixing[self.index.leader_starts[self.own_men] + place] != 1

    def _begin(self, place: int) -> None:
        leader = self._leader(place)
        twins = self._has_twins(place)
        base = place
        base *= self.width
        for rank in range(self.width):
            enemy = self.index._widen(leader, self.subsets[rank])
            if twins and self.index._least(leader, enemy) != base + rank:
                continue
            value = self._first(leader, enemy)
            if value:
                self.cells[base + rank] = value

    def _first(self, own: int, enemy: int) -> int:
        """Return 2 for a win by capture, 1 for a loss without moves, 3 by captures, else 0."""
        free = ~(own | enemy) & 0xFFFFFF
        flies = self.flying and self.own_men == 3
        quiet = False
        captures = False
        escape = False
        prey = 0
        rest = own
        while rest:
            man = rest & ~(rest - 1)
            rest ^= man
            targets = free if flies else neighbours(man) & free
            if not targets:
                continue
            closing = targets & closers(own ^ man)
            if closing != targets:
                quiet = True
            if not closing:
                continue
            if self.enemy_men == 3:
                return 2
            captures = True
            if prey == 0:
                prey = removable(enemy)
            while closing:
                point = closing & ~(closing - 1)
                closing ^= point
                worst = self._capture(own ^ man, point, enemy, prey)
                if worst & 1:
                    return 2
                if worst == 0:
                    escape = True
        if quiet or escape:
            return 0
        return 3 if captures else 1

    def _capture(self, rest: int, point: int, enemy: int, prey: int) -> int:
        """Return the best value, for the opponent, after a mill's removals: odd lost, 0 drawn."""
        men = rest | point
        twice = self.doubles and double_closers(rest) & point
        if twice and self.enemy_men == 4:
            return 1
        best = 2
        while prey:
            victim = prey & ~(prey - 1)
            prey ^= victim
            left = enemy ^ victim
            others = removable(left) if twice else 0
            while True:
                other = others & ~(others - 1)
                others ^= other
                value = self.tables._value(left ^ other, men)
                if value & 1:
                    return 1
                if value == 0:
                    best = 0
                if others == 0:
                    break
        return best

    def _occurrences(self, value: int) -> int:
        total = 0
        number = self.classes
        number *= self.width
        while number > 0:
            number -= 1
            if self.cells[number] == value:
                total += 1
        return total

    def _open(self) -> int:
        total = 0
        number = self.opposite_classes
        number *= self.opposite_width
        while number > 0:
            number -= 1
            if self.opposite[number] == 0:
                total += 1
        return total

    def _retreat(self, place: int, value: int) -> int:
        leader = self._leader(place)
        base = place
        base *= self.width
        decided = 0
        for rank in range(self.width):
            if self.cells[base + rank] == value:
                enemy = self.index._widen(leader, self.subsets[rank])
                decided += self._undo(leader, enemy, value & 1, value >> 1)
        return decided

    def _advance(self, place: int, layer: int) -> int:
        leader = self.index.leaders[self.index.leader_starts[self.enemy_men] + place]
        base = place
        base *= self.opposite_width
        value = 2 * (layer + 1 if layer < 127 else 127) + 1
        decided = 0
        for rank in range(self.opposite_width):
            if self.opposite[base + rank] == 0:
                enemy = self.index._widen(leader, self.opposite_subsets[rank])
                if self._is_lost(leader, enemy, layer):
                    self.opposite[base + rank] = value
                    decided += 1
        return decided

    def _undo(self, own: int, enemy: int, lost: int, layer: int) -> int:
        """Decide the positions from which a quiet move of `enemy` leads here."""
        free = ~(own | enemy) & 0xFFFFFF
        flies = self.flying and self.enemy_men == 3
        further = layer + 1 if layer < 127 else 127
        decided = 0
        rest = enemy
        while rest:
            man = rest & ~(rest - 1)
            rest ^= man
            before = enemy ^ man
            origins = free if flies else neighbours(man) & free
            if not origins or closers(before) & man:
                continue
            while origins:
                origin = origins & ~(origins - 1)
                origins ^= origin
                number = self.index._least(before | origin, own)
                if self.opposite[number]:
                    continue
                if lost:
                    self.opposite[number] = 2 * further
                    decided += 1
                elif self._is_lost(before | origin, own, layer):
                    self.opposite[number] = 2 * further + 1
                    decided += 1
        return decided

    def _is_lost(self, own: int, enemy: int, layer: int) -> bool:
        """Return whether each move in the opposite sector leads to a win in up to `layer` plies."""
        free = ~(own | enemy) & 0xFFFFFF
        flies = self.flying and self.enemy_men == 3
        rest = own
        while rest:
            man = rest & ~(rest - 1)
            rest ^= man
            targets = free if flies else neighbours(man) & free
            if targets:
                targets &= ~closers(own ^ man)
            while targets:
                point = targets & ~(targets - 1)
                targets ^= point
                value = self.cells[self.index._least(enemy, own ^ man | point)]
                if value == 0 or value & 1 or value >> 1 > layer:
                    return False
        return self._captures_lose(own, enemy, free, flies)

    def _captures_lose(self, own: int, enemy: int, free: int, flies: bool) -> bool:
        rest = own
        while rest:
            man = rest & ~(rest - 1)
            rest ^= man
            targets = free if flies else neighbours(man) & free
            if not targets:
                continue
            targets &= closers(own ^ man)
            while targets:
                point = targets & ~(targets - 1)
                targets ^= point
                if self._escapes(own ^ man, point, enemy):
                    return False
        return True

    def _escapes(self, rest: int, point: int, enemy: int) -> bool:
        """Return whether the mover of the opposite sector has a mill that does not lose."""
        men = rest | point
        twice = self.doubles and double_closers(rest) & point
        if count(enemy) - (2 if twice else 1) < 3:
            return True
        prey = removable(enemy)
        while prey:
            victim = prey & ~(prey - 1)
            prey ^= victim
            left = enemy ^ victim
            others = removable(left) if twice else 0
            while True:
                other = others & ~(others - 1)
                others ^= other
                value = self.tables._value(left ^ other, men)
                if value == 0 or value & 1:
                    return True
                if others == 0:
                    break
        return False

    def _complete(self, place: int) -> None:
        if not self._has_twins(place):
            return
        leader = self._leader(place)
        base = place
        base *= self.width
        for rank in range(self.width):
            enemy = self.index._widen(leader, self.subsets[rank])
            self.cells[base + rank] = self.cells[self.index._least(leader, enemy)]

    def _tally(self, counts: "array[int]", start: int, end: int) -> None:
        with cython.nogil:
            for place in range(start, end):
                self._count(counts, place)

    def _count(self, counts: "array[int]", place: int) -> None:
        leader = self._leader(place)
        twins = self._has_twins(place)
        base = place
        base *= self.width
        for rank in range(self.width):
            value = self.cells[base + rank]
            counts[value] += 1
            if twins:
                enemy = self.index._widen(leader, self.subsets[rank])
                if self.index._least(leader, enemy) != base + rank:
                    continue
            counts[256 + value] += 1


def _subsets(points: int, size: int) -> list[int]:
    """List the sets of `size` points out of `points`, in numeric order."""
    listed = []
    men = (1 << size) - 1
    while men < 1 << points:
        listed.append(men)
        lowest = men & -men
        ripple = men + lowest
        men = ripple | (men ^ ripple) // lowest >> 2
    return listed
