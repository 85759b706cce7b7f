"""The transposition table that all search threads share without locks."""

from array import array

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

# An entry holds, from the lowest bit: move 15, score 16, value 16, depth 8, bound 2, age 5.
# Its key is stored xored with it, so that a half-written pair is taken for another position.


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
        self.keys = array("q", [0]) * entries
        self.entries = array("q", [0]) * entries
        self.mask = entries // 4 - 1
        self.age = 0

    def clear(self) -> None:
        """Forget everything."""
        if self.age == 0:
            return  # No search was begun since.
        self.age = 0
        at = 0
        end = len(self.keys)
        if not cython.compiled:
            self.keys = array("q", [0]) * end
            self.entries = array("q", [0]) * end
            return
        # In place: new memory costs four times as long, and a clock may be running.
        while at < end:
            self.keys[at] = 0
            self.entries[at] = 0
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

    def probe(self, key: int) -> int:
        """Return the entry of a position, or 0."""
        at = (key & self.mask) * 4
        end = at + 4
        while at < end:
            entry = self.entries[at]
            if entry and self.keys[at] ^ entry == key:
                return entry
            at += 1
        return 0

    def store(self, key: int, move: int, score: int, value: int, depth: int, bound: int) -> None:
        """Keep what was found; a deeper entry of this search stays where places are rare."""
        at = (key & self.mask) * 4
        end = at + 4
        place = at
        worst = 1000
        while at < end:
            entry = self.entries[at]
            if entry == 0 or self.keys[at] ^ entry == key:
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
        self.entries[place] = entry
        self.keys[place] = key ^ entry

    def fullness(self) -> int:
        """Return how many thousandths of a sample are of this search."""
        used = 0
        for at in range(1000):
            if at < len(self.entries) and self.entries[at] and self.entries[at] >> 57 == self.age:
                used += 1
        return used
