"""The mate search's table of positions: proofs, disproofs, proof and disproof numbers.

A proof is stored with the smallest hand that suffices for it, a disproof with the hand of the
position that was disproved, so that both also decide positions with other hands. A disproof that
depends on a repetition is valid only for the line that led to it, and is stored under that line.
"""

from array import array

import engines.shogi.rules.board as board

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

NEVER = 1 << 30  # The proof or disproof number of a result that is impossible.
ALWAYS = 1000  # In place of the ply of a repetition: the disproof depends on no repetition.
UNKNOWN = -2  # In place of the ply of a repetition: nothing is known.
HAND_MIX = 0x1B873593CC9E2D51
PLY_MIX = 0x5851F42D4C957F2D
WHOLE = 0x7FFFFFFFFFFFFFFF  # Compiled and interpreted code agree on 63 bits.
_ENTRY = 32  # Bytes: key, hand, both numbers, effort and plies.


class Proofs:
    """A table of positions in buckets of eight, and one of disproofs valid for one line only."""

    def __init__(self, megabytes: int) -> None:
        if not cython.compiled:
            self.found_proof = 1
            self.found_disproof = 1
            self.found_plies = 0
            self.found_hand = 0
        entries = 1024
        while 3 * entries * _ENTRY <= megabytes << 20:
            entries *= 2
        self.mask = entries // 8 - 1
        self.loop_mask = entries // 2 - 1
        self.keys = array("q")
        self.table = array("q")
        self.loops = array("q")
        self.clear()

    def clear(self) -> None:
        """Forget all positions."""
        # The keys are apart from the rest, because most lookups fail and read nothing but keys.
        self.keys = array("q", [0]) * (8 * (self.mask + 1))
        self.table = array("q", [0]) * (24 * (self.mask + 1))
        self.loops = array("q", [0]) * (2 * (self.loop_mask + 1))

    def at_least(self, more: int, less: int) -> bool:
        """Tell whether a hand has at least as many men of each kind as another."""
        return ((more | board.HAND_GUARD) - less) & board.HAND_GUARD == board.HAND_GUARD

    def union(self, one: int, other: int) -> int:
        """Return the hand with the greater count of each kind."""
        result = 0
        for kind in range(1, 8):
            mask = 63 * board.HAND_UNIT[kind]
            result |= max(one & mask, other & mask)
        return result

    def look(self, key: int, hand: int) -> bool:
        """Look up a position; an entry for a better or worse hand may decide it."""
        slot = (key & self.mask) * 8
        end = slot + 8
        exact = False
        while slot < end:
            if self.keys[slot] == key:
                at = slot * 3
                held = self.table[at]
                numbers = self.table[at + 1]
                if numbers >> 31 == 0:
                    if self.at_least(hand, held):
                        self.found_proof = 0
                        self.found_disproof = NEVER
                        self.found_plies = self.table[at + 2] & 1023
                        self.found_hand = held
                        return True
                elif numbers & 0x7FFFFFFF == 0:
                    if self.at_least(held, hand):
                        self.found_proof = NEVER
                        self.found_disproof = 0
                        self.found_plies = ALWAYS
                        return True
                elif held == hand:
                    self.found_proof = numbers >> 31
                    self.found_disproof = numbers & 0x7FFFFFFF
                    self.found_plies = 0
                    exact = True
            slot += 1
        return exact

    def store(self, key: int, met: int, effort: int) -> None:
        """Store the result for a position with a hand, replacing the entry of least effort."""
        proof = self.found_proof
        hand = self.found_hand if proof == 0 else met
        slot = (key & self.mask) * 8
        end = slot + 8
        place = slot
        least = -1
        while slot < end:
            at = slot * 3
            if self.keys[slot] == 0:
                place = slot
                break
            if self.keys[slot] == key and self.table[at] == met:
                place = slot
                effort += self.table[at + 2] >> 10
                break
            if least < 0 or self.table[at + 2] < least:
                least = self.table[at + 2]
                place = slot
            slot += 1
        self.keys[place] = key
        at = place * 3
        self.table[at] = hand
        self.table[at + 1] = proof << 31 | self.found_disproof
        self.table[at + 2] = min(self.found_plies, ALWAYS) | effort << 10

    def code(self, line: int, key: int, hand: int, ply: int) -> int:
        """Return a hash of a position and of the line that led to it, which `line` is a hash of."""
        mixed = (key ^ hand * HAND_MIX) & WHOLE
        mixed = ((mixed ^ mixed >> 29) + ply * PLY_MIX) & WHOLE
        return mixed ^ line

    def looped(self, code: int) -> int:
        """Return the ply that the disproof of a position in its line depends on, or UNKNOWN."""
        at = (code & self.loop_mask) * 2
        if self.loops[at] == code:
            return int(self.loops[at + 1])
        return UNKNOWN

    def loop(self, code: int, rests: int) -> None:
        """Store a disproof that depends on the position at a ply of its line."""
        at = (code & self.loop_mask) * 2
        self.loops[at] = code
        self.loops[at + 1] = rests
