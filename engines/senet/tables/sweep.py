"""Improve a class of positions row by row: a row is one own set of men against every enemy set.

Hot. Enemy sets are ranked among the squares that the own men leave free. When an own man moves, the
free squares between its old and its new square rotate by one place. Therefore one list of ranks
serves all rows, and a row of successors is read from start to end. The values of successors where
the enemy throws next are far apart in memory; they are gathered once, late in a sweep.
"""

from array import array
from collections.abc import Sequence
from math import comb

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.senet.play.net import Net
from engines.senet.rules.track import moved, steps_of, throws_again
from engines.senet.tables.gathering import GatheredRows, due
from engines.senet.tables.table import FLOAT, SQUARES, ChanceTable

_CHUNK = 2048  # Enemy sets per step: their sums fit into the first cache.
_MOVES = 64  # More than the moves of five men for five throws.
_STORED = 0
_ROWS = 1
_CERTAIN = 2
_GATHERED = 3


class Sweep:
    """Improves the positions of one class, beginning with those with the most own pips.

    Each thread that works on a class has its own sweep, which is made from the first one. Before a
    level of pips is improved, the rows of the sets two and three pips above it must be gathered.
    """

    def __init__(
        self,
        table: ChanceTable,
        own: int,
        enemy: int,
        passing: int,
        over: int,
        first: "Sweep | None",
    ) -> None:
        self.table = table
        self.own = own
        self.enemy = enemy
        self.most = sum(range(SQUARES + 2 - own, SQUARES + 2))  # Pips, or a few more.
        self.passing = passing
        self.over = over
        self._free = SQUARES - own
        self._block = comb(self._free, enemy)
        self._wide = int(table.kind == FLOAT)
        self._top = 1.0 if self._wide else 65535.0
        self._floats = self.table._floats
        self._shorts = self.table._shorts
        self._choose = array("q", [comb(n, k) for n in range(SQUARES + 1) for k in range(7)])
        self._scratch = array("q", [0] * 128)
        self._moves = array("q", [0] * (8 * _MOVES))
        self._listed = 0  # How many moves are listed.
        self._next_row = 0  # The start of the next gathered row of this class in `_rows`,
        self._next_wider = 0  # and of the next one of the class that has one own man less.
        self._best = array("f", [0.0] * _CHUNK)
        self._total = array("f", [0.0] * _CHUNK)
        self._throws = array("f", [0.0] * _CHUNK)
        wider = comb(self._free + 1, enemy)
        self._rows = array("f", bytes(4 * (3 * self._block + 4 * wider)))
        self._source: GatheredRows = GatheredRows(
            table, own, enemy, None if first is None else first._source
        )
        self._gathered = self._source.values
        self._sets, self._starts = self._source.sets, self._source.starts
        self._turns = self._source.turns
        self._masks, self._members = self._turns.masks, self._turns.members
        self._left, self._right = self._turns.left, self._turns.right
        self._insert, self._places = self._turns.insert, self._turns.places

    def guess(self, net: Net, part: int, parts: int) -> None:
        """Set the values of every row of this part to the estimates of a net."""
        with cython.nogil:
            self._guess(net, part, parts)

    def gather(self, pips: int, part: int, parts: int) -> None:
        """Gather the rows of a level's batch, as thread number `part` of `parts`."""
        self._source.gather(pips, part, parts)

    def level(self, pips: int, part: int, parts: int) -> float:
        """Improve the rows of this part with these own pips; return the largest change of a chance.

        The rows two and three pips above must have been gathered.
        """
        with cython.nogil:
            return self._level(pips, part, parts)

    def _guess(self, net: Net, part: int, parts: int) -> None:
        index = part
        end = self._choose[7 * 28 + self.own]
        while index < end:
            men = self._sets[index]
            self._list_free(men)
            own = (men & 0x3FFFFFF) | ((men & 0xC000000) << 1)
            base = self._base(men, self.own, self.enemy)
            net._prepare(own, self.enemy)
            for e in range(self._block):
                value = net._finish(self._enemy_set(e)) * self._top
                if self._wide:
                    self._floats[base + e] = value
                else:
                    self._shorts[base + e] = int(value + 0.5)
            index += parts

    def _enemy_set(self, number: int) -> int:
        """Return the squares of an enemy set by its number; needs `_list_free` first."""
        enemy = 0
        for i in range(self.enemy):
            place = self._scratch[self._members[number * self.enemy + i]]
            enemy |= 1 << (place + (place >= 26))
        return enemy

    def _base(self, men: int, own: int, enemy: int) -> int:
        """Return where the row of an own set begins in the table."""
        number = 6 * own + enemy
        base: int = self.table._bases[number]
        return base + self._turns._rank(men) * self.table._blocks[number]

    def _list_free(self, men: int) -> None:
        free = 0
        for place in range(28):
            if not men >> place & 1:
                self._scratch[free] = place
                free += 1

    def _count_below(self, men: int, place: int) -> int:
        men &= (1 << place) - 1
        number = 0
        while men:
            men &= men - 1
            number += 1
        return number

    def _add(
        self, kind: int, start: int, places: int, man: int, neighbours: int, closed: int
    ) -> None:
        """List a move: where its values begin, in which order, and when an enemy forbids it."""
        at = 8 * self._listed
        self._moves[at] = kind
        self._moves[at + 1] = start
        self._moves[at + 2] = places
        self._moves[at + 3] = man
        self._moves[at + 4] = neighbours
        self._moves[at + 5] = closed
        self._listed += 1

    def _level(self, pips: int, part: int, parts: int) -> float:
        largest = 0.0
        index = self._starts[pips] + part
        while index < self._starts[pips + 1]:
            change = self._row(self._sets[index], pips)
            if change > largest:
                largest = change
            index += parts
        return largest / self._top

    def _row(self, men: int, pips: int) -> float:
        self._list_moves(men, pips)
        base = self._base(men, self.own, self.enemy)
        largest = 0.0
        first = 0
        while first < self._block:
            number = min(_CHUNK, self._block - first)
            change = self._improve(men, base, first, number)
            if change > largest:
                largest = change
            first += number
        return largest

    def _list_moves(self, men: int, pips: int) -> None:
        """List the moves of the own men, by throw, and gather the rows that only they need."""
        self._listed = 0
        if self.passing:
            self._source._gather(men, self.own, self._rows, 0)
        self._next_row = self._block
        self._next_wider = 3 * self._block
        for throw in range(1, 6):
            self._scratch[64 + throw] = self._listed
            steps = steps_of(throw)
            again = throws_again(throw)
            for place in range(28):
                if men >> place & 1:
                    self._list_move(men, pips, place, steps, again)
        self._scratch[64 + 6] = self._listed

    def _list_move(self, men: int, pips: int, place: int, steps: int, again: int) -> None:
        """List the move of one man, unless the end of the track or an own man forbids it."""
        target = place + 1 + (place >= 26) + steps
        low = place - self._count_below(men, place)
        if target >= 30:
            if target == 30 or self.over:
                self._list_exit(men ^ (1 << place), low, again)
        elif target == 27:
            self._list_fall(men, place, low, again)
        elif not men >> (target - 1 - (target > 27)) & 1:
            self._list_step(men, pips + steps, place, low, target - 1 - (target > 27), again)

    def _list_exit(self, rest: int, low: int, again: int) -> None:
        """List a move that takes a man off; `rest` are the other men."""
        if rest == 0:
            self._add(_CERTAIN, 0, 0, 0, 0, 0)
        elif again:
            start = self._base(rest, self.own - 1, self.enemy)
            self._add(_STORED, start, self._insert[low], 0, 0, 0)
        else:
            self._source._gather(rest, self.own - 1, self._rows, self._next_wider)
            self._add(_ROWS, self._next_wider, self._insert[low], 0, 0, 0)
            self._next_wider += self._choose[7 * (28 - self.own + 1) + self.enemy]

    def _list_fall(self, men: int, place: int, low: int, again: int) -> None:
        """List a move into the trap, from where the man goes back to the House of Rebirth."""
        house = 14
        while men >> house & 1:
            house += 1
        here = house - self._count_below(men, house)
        turn = self._right[16 * here + low - 1 - here]
        after = (men ^ (1 << place)) | (1 << house)
        # Slot 6: the man for `_spring`, which handles enemies in the house.
        self._moves[8 * self._listed + 6] = 1 << (place + (place >= 26))
        if again:
            start = self._base(after, self.own, self.enemy)
            self._add(_STORED, start, turn, 0, 0, 1 << here)
        else:
            self._source._gather(after, self.own, self._rows, self._next_row)
            self._add(_ROWS, self._next_row, turn, 0, 0, 1 << here)
            self._next_row += self._block

    def _list_step(self, men: int, pips: int, place: int, low: int, goal: int, again: int) -> None:
        """List a move to a place that no own man holds; `pips` are those after the move."""
        here = goal - self._count_below(men, goal)
        neighbours = 0
        if goal != 26 and not men >> (goal - 1) & 1:
            neighbours |= 1 << (here - 1)
        if goal != 25 and goal != 27 and not men >> (goal + 1) & 1:
            neighbours |= 1 << (here + 1)
        after = (men ^ (1 << place)) | (1 << goal)
        turn = self._left[8 * low + here - low]
        if again:
            start = self._base(after, self.own, self.enemy)
            self._add(_STORED, start, turn, 1 << here, neighbours, 0)
        else:
            start = self._source._start(after, pips)
            self._add(_GATHERED, start, turn, 1 << here, neighbours, 0)

    def _improve(self, men: int, base: int, first: int, number: int) -> float:
        for e in range(number):
            self._total[e] = 0.0
            self._throws[e] = 0.0
        for throw in range(1, 6):
            for e in range(number):
                self._best[e] = -1.0
            for move in range(self._scratch[64 + throw], self._scratch[64 + throw + 1]):
                self._raise(move, first, number)
                if self._moves[8 * move + 5]:
                    self._spring(men, move, throw, first, number)
            passes = self.passing and not throws_again(throw)
            for e in range(number):
                if self._best[e] >= 0.0:
                    self._total[e] += self._best[e]
                    self._throws[e] += 1.0
                elif passes:
                    self._total[e] += self._rows[first + e]
                    self._throws[e] += 1.0
        largest = 0.0
        for e in range(number):
            value = self._total[e] / self._throws[e]
            if self._wide:
                change = value - self._floats[base + first + e]
                self._floats[base + first + e] = value
            else:
                after = int(value + 0.5)
                change = after - self._shorts[base + first + e]
                self._shorts[base + first + e] = after
            if change < 0:
                change = -change
            if change > largest:
                largest = change
        return largest

    def _raise(self, move: int, first: int, number: int) -> None:
        """Raise the best values of a throw to those of a move, where the move is legal."""
        kind = self._moves[8 * move]
        start = self._moves[8 * move + 1]
        places = self._moves[8 * move + 2] + first
        man = self._moves[8 * move + 3]
        neighbours = self._moves[8 * move + 4]
        closed = self._moves[8 * move + 5]
        top = self._top
        if kind == _CERTAIN:
            for e in range(number):
                self._best[e] = top
            return
        if neighbours == 0 and closed:
            man = closed
            neighbours = closed
        lower = 2 * top
        if neighbours == 0:
            for e in range(number):
                value = self._value(kind, start + self._places[places + e])
                if value > self._best[e]:
                    self._best[e] = value
            return
        for e in range(number):
            others = self._masks[first + e]
            value = self._value(kind, start + self._places[places + e])
            blocked = ((others & man) != 0) & ((others & neighbours) != 0)
            value -= lower * blocked
            if value > self._best[e]:
                self._best[e] = value

    def _value(self, kind: int, index: int) -> float:
        if kind == _ROWS:
            return self._rows[index]
        if kind == _GATHERED:
            value: float = self._gathered[index]
            return value
        if self._wide:
            return self._floats[index]
        return float(self._shorts[index])

    def _spring(self, men: int, move: int, throw: int, first: int, number: int) -> None:
        """Raise the best values where an enemy in the house makes a trapped man go elsewhere."""
        closed = self._moves[8 * move + 5]
        man = self._moves[8 * move + 6]
        steps = steps_of(throw)
        again = throws_again(throw)
        own = (men & 0x3FFFFFF) | ((men & 0xC000000) << 1)
        self._list_free(men)
        for e in range(number):
            others = self._masks[first + e]
            if not others & closed:
                continue
            after = moved(own, self._enemy_set(first + e), man, steps)
            mine = after & 0x1FFFFFFF
            theirs = after >> 32
            if not again:
                mine, theirs = theirs, mine
            index = self.table._index(mine, theirs)
            value = self._floats[index] if self._wide else self._shorts[index]
            if not again:
                value = self._top - value
            if value > self._best[e]:
                self._best[e] = value


def improve(sweeps: Sequence[Sweep]) -> float:
    """Sweep once over classes that lead to each other, in one thread; return the largest change."""
    largest = 0.0
    most = max(sweep.most for sweep in sweeps)
    for sweep in sweeps:
        sweep.gather(most + 2, 0, 1)
    for pips in range(most, 0, -1):
        for sweep in sweeps:
            if due(pips + 2):
                sweep.gather(pips + 2, 0, 1)
        for sweep in sweeps:
            largest = max(largest, sweep.level(pips, 0, 1))
    return largest
