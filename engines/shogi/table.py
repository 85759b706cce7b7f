"""The transposition table that all search threads share without locks."""

from array import array

import engines.shogi.bits as bits

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

# An entry holds, from the lowest bit: move 15, score 16, value 16, depth 8, bound 2, age 5.
# Its key is stored xored with it, so that a half-written pair is taken for another position.
LINE = 8  # Words of a bucket, four keys and then their entries: one line of a processor's cache.


class Table:
    """Buckets of four entries of 16 bytes, and the flag that stops all threads at once."""

    def __init__(self, megabytes: int = 16) -> None:
        self.stopped = 0
        self.resize(megabytes)

    def resize(self, megabytes: int) -> None:
        """Take the greatest power of two of entries that fits, all empty."""
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
            return  # No search was begun since.
        if not cython.compiled:
            self._allocate()
            return
        # In place: new memory costs four times as long, and a clock may be running.
        self.age = 0
        at = 0
        end = LINE * (self.mask + 2)
        while at < end:
            self.words[at] = 0
            at += 1

    def grow_older(self) -> None:
        """Begin a new search: what stays from earlier ones is replaced first."""
        self.age = self.age % 31 + 1

    def halt(self) -> None:
        """Make all threads stop."""
        self.stopped = 1

    def is_halted(self) -> bool:
        """Tell whether the threads were made to stop."""
        return self.stopped != 0

    def release(self) -> None:
        """Let threads search."""
        self.stopped = 0

    def fetch(self, key: int) -> None:
        """Bring a position's bucket near, for a probe that follows: it lies far from all else."""
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
        """Keep what was found; a deeper entry of this search stays where places are rare."""
        at = self.first + (key & self.mask) * LINE
        end = at + 4
        place = at
        worst = 1000
        while at < end:
            entry = self.words[at + 4]
            if entry == 0 or self.words[at] ^ entry == key:
                place = at
                if entry and move == 0:
                    move = entry & 32767
                break
            worth = ((entry >> 47) & 255) - 8 * ((self.age - (entry >> 57) + 31) % 31)
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
        """Return how many thousandths of a sample are of this search."""
        used = 0
        at = self.first
        end = at + LINE * min(250, self.mask + 1)
        while at < end:
            entry = self.words[at + 4 + (at >> 3 & 3)]
            if entry and entry >> 57 == self.age:
                used += 4
            at += LINE
        return used
