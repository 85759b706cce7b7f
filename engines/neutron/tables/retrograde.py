"""Retrograde analysis of Neutron: find the won and the lost positions, from the ends backwards.

A position is seen by its mover, whose home row is at the bottom. A row of the table belongs to a
set of enemy men: the smaller one of the set and its mirror image. A word of the row belongs to a
set of own men. It has a bit for each of the 15 squares between the home rows where the neutron may
stand: bits 0 to 14 mean won positions, bits 16 to 30 lost ones. A position that is neither when
nothing changes any more is a draw.

A changed word marks small groups of the words from which a turn may lead to it, which are all in
one row. Only marked groups are examined again.
"""

from array import array
from math import comb
from random import Random
from typing import Any

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.core.storage import allocate
from engines.neutron.rules.board import BOARD, MOST_MOVES, NOWHERE, mirror
from engines.neutron.tables.numbering import canonical, ranks, sets

# Compiled code reads C globals, because threads without the GIL cannot use Python objects.
_NOWHERE = NOWHERE
_MOST_MOVES = MOST_MOVES
_MIDDLE = 0x7FFF
_HOME = 0x1F
_FAR = 0x1F << 20
_UNREAD = 1 << 15  # This bit belongs to no square.
_GROUP = 2  # Bits of a word's number that distinguish the words of a group.

WON = 1
LOST = -1
OPEN = 0

Words = Any  # A memoryview of ints.


class Retrograde:
    """The table of one variant with `men` men a side; `beside` is one that another thread uses.

    Both share the words and the marks. In rare cases two threads may lose a mark, so only a sweep
    that began with `doubt` and changed nothing proves that the table is complete.
    """

    def __init__(
        self, men: int, kraus: int, words: Words, beside: "Retrograde | None" = None
    ) -> None:
        self.board = BOARD
        self.men = men
        self.kraus = kraus
        self.words = words
        self._number = 25 - men
        self._block = comb(25 - men, men)
        self._half = 13 - (men + 1) // 2
        self._low, self._high = ranks(self._half, men)
        self._wide_low, self._wide_high = ranks(13, men)
        self._rows, self._row_of = canonical(men)
        self._sets = sets(25 - men, men)
        self._groups = (self._block - 1 >> _GROUP) + 1
        # A change marks about twenty groups: with so many changes, nearly all groups of a row.
        self._many = self._block // 16 + 1
        self._few = max(
            2, self._block // 500
        )  # With so few, most of a row's successors are not read.
        if beside is None:
            self.changes = array("i", [self._many] * len(self._rows))
            self.marks = allocate("b", len(self._rows) * self._groups)
        else:
            self.changes, self.marks = beside.changes, beside.marks
        self._changes = self.changes
        self._marks = self.marks
        self._todo = array("b", [0] * self._groups)
        self._mover = 0
        self._line = array("i", [0] * self._block)
        self._places = array("q", [0] * self._block)
        self._free = array("i", [0] * 25)
        self._place = array("i", [-1] * 25)
        self._there = array("i", [0] * 25)
        self._middle = array("i", [0] * 25)
        self._rays = array("i", [0] * (25 * 8 * 4))
        self._lengths = array("i", [0] * (25 * 8))
        self._moves = array("i", [0] * MOST_MOVES)

    def rows(self) -> int:
        """Return how many rows the table has."""
        return len(self._rows)

    def start(self) -> None:
        """Enter the positions that are over, with all men of a side on its far row."""
        if self.men != 5 or self.kraus:
            return
        base = (self._row_of[self._wide_rank(_HOME)] >> 1) * self._block
        for rank in range(self._block):
            self.words[base + rank] = _MIDDLE << 16
        self.words[base + self._block - 1] = _MIDDLE  # Both sides have: the mover is counted first.

    def doubt(self) -> None:
        """Mark everything, so that the next sweep examines all words."""
        for row in range(len(self._rows)):
            self.changes[row] = self._many

    def sweep(self, first: int, last: int) -> int:
        """Decide positions in these rows as far as possible; return how many words have changed."""
        with cython.nogil:
            return self._sweep(first, last)

    def value(self, own: int, enemy: int, neutron: int) -> int:
        """Return WON, LOST or OPEN by the table, for a mover whose home row is at the bottom."""
        word = self._word(own, enemy) >> (neutron - 5)
        if word & 1:
            return WON
        return LOST if word >> 16 & 1 else OPEN

    def expected(self, own: int, enemy: int, neutron: int) -> int:
        """Return the value of a position by the values after each turn."""
        return self._expected(own, enemy, neutron)

    def check(self, number: int, seed: int) -> int:
        """Count the wrong values among `number` random positions."""
        generator = Random(seed)
        wrong = 0
        for _ in range(number):
            neutron = generator.randrange(5, 20)
            squares = [square for square in range(25) if square != neutron]
            men = generator.sample(squares, 2 * self.men)
            own = sum(1 << square for square in men[: self.men])
            enemy = sum(1 << square for square in men[self.men :])
            wrong += self.value(own, enemy, neutron) != self.expected(own, enemy, neutron)
        return wrong

    def positions(self) -> int:
        """Return how many positions the table stands for, including mirror images."""
        return 15 * comb(24, self.men) * comb(24 - self.men, self.men)

    def count(self, first: int, last: int) -> tuple[int, int]:
        """Count the won and the lost positions of these rows, including their mirror images."""
        won = lost = 0
        bits = array("i", [bin(word).count("1") for word in range(1 << 15)])
        for row in range(first, last):
            wins, losses = self._count_row(row, bits)
            twice = 1 + (mirror(self._rows[row]) != self._rows[row])
            won += twice * wins
            lost += twice * losses
        return won, lost

    def _count_row(self, row: int, bits: "array[int]") -> tuple[int, int]:
        wins = 0
        losses = 0
        enemy = self._rows[row]
        self._survey(enemy)
        for rank in range(self._block):
            own = self._spread(self._sets[rank])
            empty = _MIDDLE & ~((own | enemy) >> 5)
            word = self.words[row * self._block + rank]
            wins += bits[word & empty]
            losses += bits[word >> 16 & empty]
        return wins, losses

    def _sweep(self, first: int, last: int) -> int:
        changed = 0
        for row in range(first, last):
            changed += self._improve(row)
        return changed

    def _survey(self, enemy: int) -> None:
        """Number the squares that the enemy leaves free, and list the lines through them."""
        number = 0
        for square in range(25):
            self._place[square] = -1
            if not enemy >> square & 1:
                self._free[number] = square
                self._place[square] = number
                number += 1
        for place in range(number):
            square = self._free[place]
            self._middle[place] = 1 << (square - 5) if 5 <= square < 20 else 0
            for direction in range(8):
                length = 0
                while length < 4:
                    target = self.board.ways[(square * 8 + direction) * 4 + length]
                    if target < 0 or enemy >> target & 1:
                        break
                    self._rays[(place * 8 + direction) * 4 + length] = self._place[target]
                    length += 1
                self._lengths[place * 8 + direction] = length

    def _spread(self, men: int) -> int:
        """Return the squares of a set of numbered places."""
        squares = 0
        while men:
            man = men & -men
            men ^= man
            squares |= 1 << self._free[self.board.index[man % 37]]
        return squares

    def _improve(self, row: int) -> int:
        known = self._changes[row]
        if not known:
            return 0
        # Cleared before anything is read, because another thread or this row may mark it again.
        self._changes[row] = 0
        first = self._groups * row
        for group in range(self._groups):
            self._todo[group] = self._marks[first + group]
            self._marks[first + group] = 0
        enemy = self._rows[row]
        base = self._block * row
        self._mover = _flip(enemy)
        self._survey(enemy)
        if known > self._few:
            self._gather()
        else:
            for index in range(self._block):
                self._line[index] = _UNREAD
        changed = 0
        for group in range(self._groups):
            if known < self._many and not self._todo[group]:
                continue
            index = group << _GROUP
            last = min(self._block, index + (1 << _GROUP))
            while index < last:
                word = self.words[base + index]
                men = self._sets[index]
                own = self._spread(men)
                open_ = _MIDDLE & ~((own | enemy) >> 5) & ~word & ~(word >> 16)
                if open_:
                    after = self._decide(men, own, enemy, word, open_)
                    if after != word:
                        self.words[base + index] = after
                        self._mark(own, enemy, after ^ word)
                        changed += 1
                index += 1
        return changed

    def _gather(self) -> None:
        """Read all words of a line, in a loop of its own so that many reads run in parallel."""
        for index in range(self._block):
            men = _flip(self._spread(self._sets[index]))
            self._places[index] = self._find(self._mover, men)
        for index in range(self._block):
            self._line[index] = _upside_down(self._read(self._places[index]))

    def _after(self, men: int) -> int:
        """Return the word after a man's move, with the neutron as the mover of this row sees it.

        In that word the enemy is the mover, with its home row at the bottom. Whichever man moves,
        the word is one of a line, and is fetched from memory only once.
        """
        rank = self._rank(men)
        after = self._line[rank]
        if after == _UNREAD:
            word = self._word(self._mover, _flip(self._spread(men)))
            after = _upside_down(word)
            self._line[rank] = after
        return after

    def _mark(self, own: int, enemy: int, fresh: int) -> None:
        """Mark the words from which a turn may lead to a newly decided position of this word."""
        men = _flip(enemy)
        still = _flip(own)
        row = self._row_of[self._wide_rank(still)]
        target = row >> 1
        if self._changes[target] >= self._many:
            return
        neutrons = _upside_down(fresh | fresh >> 16) & _MIDDLE
        if row & 1:
            men = _mirrored(men)
            still = _mirrored(still)
            neutrons = _mirrored(neutrons << 5) >> 5
        self._mark_in(target, still, men, neutrons << 5)
        if still == _mirrored(still):
            # The row holds a word and its mirror image, and both may lead here.
            self._mark_in(target, still, _mirrored(men), _mirrored(neutrons << 5))
        self._changes[target] += (
            1  # After the marks, so that a thread that sees this also sees them.
        )

    def _mark_in(self, target: int, still: int, men: int, neutrons: int) -> None:
        """Mark the predecessors of these men with the neutron on one of these squares."""
        first = self._groups * target
        number = 0
        after = 0
        for square in range(25):
            self._there[square] = 1 << number
            if men >> square & 1:
                after |= 1 << number
            number += not still >> square & 1
        occupied = men | still
        while men:
            man = men & -men
            men ^= man
            at = self.board.index[man % 37]
            others = after ^ self._there[at]
            for direction in range(8):
                ahead = self.board.ways[(at * 8 + direction) * 4]
                able = neutrons
                if ahead >= 0 and not occupied >> ahead & 1:
                    able &= 1 << ahead  # Here only the neutron can have stopped the man.
                # These directions are opposite: 0 and 1, 2 and 3, 4 and 7, 5 and 6.
                back = direction ^ (1 if direction < 4 else 3)
                step = 0
                while step < 4:
                    start = self.board.ways[(at * 8 + back) * 4 + step]
                    if start < 0 or occupied >> start & 1:
                        break
                    able &= ~(1 << start)
                    if not able:
                        break
                    before = self._rank(others | self._there[start])
                    self._marks[first + (before >> _GROUP)] = 1
                    step += 1

    def _decide(self, men: int, own: int, enemy: int, word: int, open_: int) -> int:
        occupied = own | enemy
        if not self.kraus and own == _FAR:
            return word | open_
        needed = 0
        count = 0
        rest = open_
        while rest:
            bit = rest & -rest
            rest ^= bit
            ends = self.board.destinations(self.board.index[bit % 37] + 5, occupied)
            if ends & _HOME:
                word |= bit
            elif ends == 0:
                if self.kraus:
                    word |= bit << 16
            else:
                needed |= ends >> 5 & _MIDDLE
                count += 1
        rest = open_ & ~word & ~(word >> 16)
        if count == 0:
            return word
        good = 0  # Squares of the neutron where some man's move leaves the enemy lost,
        fair = 0  # where some man's move does not leave the enemy winning,
        able = 0  # and where some man can move.
        left = men
        while left and needed & ~good:
            man = left & -left
            left ^= man
            at = self.board.index[man % 37] * 8
            others = men ^ man
            for direction in range(8):
                length = self._lengths[at + direction]
                path = 0
                before = 0
                step = 0
                while step < length:
                    place = self._rays[(at + direction) * 4 + step]
                    if men >> place & 1:
                        break
                    neutron = self._middle[place]
                    if step and neutron & needed:
                        after = self._after(others | 1 << before)
                        able |= neutron
                        good |= neutron & after >> 16
                        fair |= neutron & ~after
                    path |= neutron
                    before = place
                    step += 1
                if step and needed & ~path:
                    after = self._after(others | 1 << before)
                    path = needed & ~path
                    able |= path
                    good |= path & after >> 16
                    fair |= path & ~after
        bad = needed & ~fair
        if not self.kraus:
            bad &= able
        while rest:
            bit = rest & -rest
            rest ^= bit
            ends = self.board.destinations(self.board.index[bit % 37] + 5, occupied)
            if ends == 0:
                continue
            ends = ends >> 5 & _MIDDLE
            if ends & good:
                word |= bit
            elif not ends & ~bad:
                word |= bit << 16
        return word

    def _rank(self, men: int) -> int:
        low = self._low[men & ((1 << self._half) - 1)]
        return (low & 0xFFFFFF) + self._high[((low >> 24) << self._half) + (men >> self._half)]

    def _wide_rank(self, men: int) -> int:
        low = self._wide_low[men & 0x1FFF]
        return (low & 0xFFFFFF) + self._wide_high[(low >> 24 << 13) + (men >> 13)]

    def _word(self, own: int, enemy: int) -> int:
        return self._read(self._find(own, enemy))

    def _find(self, own: int, enemy: int) -> int:
        """Return twice the number of a word, plus 1 if the word holds the mirror image."""
        row = self._row_of[self._wide_rank(enemy)]
        if row & 1:
            own = _mirrored(own)
            enemy = _mirrored(enemy)
        while enemy:  # Close the gaps that the enemy's men leave.
            below = (enemy & -enemy) - 1
            own = (own & below) | (own >> 1 & ~below)
            enemy = (enemy & (enemy - 1)) >> 1
        return ((row >> 1) * self._block + self._rank(own)) << 1 | (row & 1)

    def _read(self, place: int) -> int:
        word: int = self.words[place >> 1]
        if place & 1:
            word = (
                (word & 0x04210421) << 4
                | (word & 0x08420842) << 2
                | (word & 0x10841084)
                | (word & 0x21082108) >> 2
                | (word & 0x42104210) >> 4
            )
        return word

    def _expected(self, own: int, enemy: int, neutron: int) -> int:
        if not self.kraus:
            if own == _FAR:
                return 1
            if enemy == _HOME:
                return -1
        if not self.board.destinations(neutron, own | enemy):
            return -1 if self.kraus else 0
        best = -1
        count = self.board.legal_turns(own, enemy, neutron, False, self._moves, 0)
        for number in range(count):
            move = self._moves[number]
            to = move >> 5 & 31
            if move >> 15 == _NOWHERE:
                if to < 5:
                    value = 1
                elif to > 19 or self.kraus:
                    value = -1
                else:
                    value = 0
            else:
                moved = own ^ (1 << (move >> 10 & 31)) ^ (1 << (move >> 15))
                if not self.kraus and moved == _FAR:
                    value = 1
                else:
                    word = self._word(_flip(enemy), _flip(moved)) >> (to % 5 + 5 * (3 - to // 5))
                    value = -1 if word & 1 else (word >> 16 & 1)
            if value > best:
                best = value
        return best


def _flip(men: int) -> int:
    """Turn the board upside down."""
    return (
        men >> 20 | (men >> 10 & 0x3E0) | (men & 0x7C00) | (men & 0x3E0) << 10 | (men & 0x1F) << 20
    )


def _upside_down(word: int) -> int:
    """Swap the outer rows in both halves of a word."""
    return (word & 0x001F001F) << 10 | (word & 0x03E003E0) | (word >> 10 & 0x001F001F)


def _mirrored(men: int) -> int:
    return (
        (men & 0x0108421) << 4
        | (men & 0x0210842) << 2
        | (men & 0x0421084)
        | (men & 0x0842108) >> 2
        | (men & 0x1084210) >> 4
    )
