"""The transposition table that all search threads share without locks."""

from array import array

import engines.shogi.rules.bits as bits
from engines.shogi.play import scores

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

SURE = scores.SURE
# An entry holds, from the lowest bit: move 15, score 16, value 16, depth 8, bound 2, age 5.
# Each key is stored combined with its entry by exclusive or, so that a pair of which another
# thread has written only one half does not match any position.
LINE = 8  # Words of a bucket, four keys and then their entries: one line of a processor's cache.


def move_in(entry: int) -> int:
    """Return the move of an entry, or 0."""
    return entry & 32767


def value_in(entry: int) -> int:
    """Return the uncorrected evaluation of the position."""
    return ((entry >> 31) & 65535) - 32768


def depth_in(entry: int) -> int:
    """Return the depth of the search that stored an entry."""
    return (entry >> 47) & 255


def bound_in(entry: int) -> int:
    """Return what an entry's score is: 1 an upper bound, 2 a lower bound, 3 exact."""
    return (entry >> 55) & 3


def age_in(entry: int) -> int:
    """Return the age of the search that stored an entry."""
    return (entry >> 57) & 31


def score_in(entry: int, ply: int) -> int:
    """Return the score of an entry; mates are counted from the root again."""
    score = ((entry >> 15) & 65535) - 32768
    if score > SURE:
        return score - ply
    if score < -SURE:
        return score + ply
    return score


def stored_score(score: int, ply: int) -> int:
    """Return a score as entries hold it: mates are counted from the position of the entry."""
    if score > SURE:
        return score + ply
    if score < -SURE:
        return score - ply
    return score


class TranspositionTable:
    """Buckets of four entries of 16 bytes, and the flag that stops all search threads."""

    def __init__(self, megabytes: int = 16) -> None:
        self.stopped = 0
        self.resize(megabytes)

    def resize(self, megabytes: int) -> None:
        """Allocate an empty table with the greatest power of two of entries that fits."""
        entries = 4
        while entries * 32 <= megabytes << 20:
            entries *= 2
        self.mask = entries // 4 - 1
        self._allocate()

    def _allocate(self) -> None:
        words = array("q", bytes(8 * LINE * (self.mask + 2)))
        self.words = words
        self.first = -(words.buffer_info()[0] // 8) % LINE
        self.age = 0

    def clear(self) -> None:
        """Forget everything."""
        if self.age == 0:
            return  # No search has begun since the table was emptied.
        if not cython.compiled:
            self._allocate()
            return
        # In place: new memory would take four times as long, and a clock may be running.
        self.age = 0
        at = 0
        end = LINE * (self.mask + 2)
        while at < end:
            self.words[at] = 0
            at += 1

    def grow_older(self) -> None:
        """Begin a new search: entries of earlier searches are replaced first."""
        self.age = self.age % 31 + 1

    def halt(self) -> None:
        """Stop all search threads."""
        self.stopped = 1

    def is_halted(self) -> bool:
        """Tell whether the threads were stopped."""
        return self.stopped != 0

    def release(self) -> None:
        """Let the threads search again."""
        self.stopped = 0

    def fetch(self, key: int) -> None:
        """Load a position's bucket into the cache, because a probe will follow."""
        if cython.compiled:
            bits.fetch(cython.address(self.words[self.first + (key & self.mask) * LINE]))

    def probe(self, key: int) -> int:
        """Return the entry of a position, or 0."""
        at = self.first + (key & self.mask) * LINE
        end = at + 4
        while at < end:
            entry = self.words[at + 4]
            if entry and self.words[at] ^ entry == key:
                return entry
            at += 1
        return 0

    def store(self, key: int, move: int, score: int, value: int, depth: int, bound: int) -> None:
        """Store an entry; in a full bucket, replace the shallowest or oldest one.

        The quiescence search, whose depth is 0, does not replace an entry of the same position that
        was searched more deeply, unless that is old.
        """
        at = self.first + (key & self.mask) * LINE
        end = at + 4
        place = at
        worst = 1000
        while at < end:
            entry = self.words[at + 4]
            if entry == 0 or self.words[at] ^ entry == key:
                place = at
                if entry:
                    if depth == 0 and depth_in(entry) > 2 and age_in(entry) == self.age:
                        return
                    if move == 0:
                        move = move_in(entry)
                break
            worth = depth_in(entry) - 8 * ((self.age - age_in(entry) + 31) % 31)
            if worth < worst:
                worst = worth
                place = at
            at += 1
        entry = (
            move
            | (score + 32768) << 15
            | (value + 32768) << 31
            | depth << 47
            | bound << 55
            | self.age << 57
        )
        self.words[place + 4] = entry
        self.words[place] = key ^ entry

    def fullness(self) -> int:
        """Return how many entries per thousand of a sample belong to this search."""
        used = 0
        at = self.first
        end = at + LINE * min(250, self.mask + 1)
        while at < end:
            entry = self.words[at + 4 + (at >> 3 & 3)]
            if entry and age_in(entry) == self.age:
                used += 4
            at += LINE
        return used
