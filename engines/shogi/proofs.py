"""What a mate search knows of positions: proofs, disproofs, and numbers that guess at them.

A proof is kept with the least hand that it needs, a disproof with the hand that it met; so each
decides other hands too. A disproof that rests on a repetition holds for the line that led to it,
and is kept under that line.
"""

from array import array

import engines.shogi.board as board

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

NEVER = 1 << 30  # A proof or disproof number of what cannot be.
ALWAYS = 1000  # The ply that a disproof rests on which rests on none.
UNKNOWN = -2  # What stands in its place where nothing is known.
HAND_MIX = 0x1B873593CC9E2D51
PLY_MIX = 0x5851F42D4C957F2D
WHOLE = 0x7FFFFFFFFFFFFFFF  # Both modes agree on 63 bits.
_ENTRY = 32  # Bytes: key, hand, both numbers, effort and plies.


class Proofs:
    """A table of positions in sets of eight, and one of positions at the end of their lines."""

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
        # Keys lie by themselves: most looks find none, and touch no more.
        self.keys = array("q", [0]) * (8 * (self.mask + 1))
        self.table = array("q", [0]) * (24 * (self.mask + 1))
        self.loops = array("q", [0]) * (2 * (self.loop_mask + 1))

    def at_least(self, more: int, less: int) -> bool:
        """Tell whether one hand has of each kind at least what another has."""
        return ((more | board.HAND_GUARD) - less) & board.HAND_GUARD == board.HAND_GUARD

    def union(self, one: int, other: int) -> int:
        """Return the greater count of each kind."""
        result = 0
        for kind in range(1, 8):
            mask = 63 * board.HAND_UNIT[kind]
            result |= max(one & mask, other & mask)
        return result

    def look(self, key: int, hand: int) -> bool:
        """Find what is known of a position, better or worse hands included."""
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
        """Keep what was found of a position met with a hand, in the place of what cost least."""
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
        """Return a number for a position and, by its own number, the line that led to it."""
        mixed = (key ^ hand * HAND_MIX) & WHOLE
        mixed = ((mixed ^ mixed >> 29) + ply * PLY_MIX) & WHOLE
        return mixed ^ line

    def looped(self, code: int) -> int:
        """Return the ply on which the disproof of a position in its line rests, or UNKNOWN."""
        at = (code & self.loop_mask) * 2
        if self.loops[at] == code:
            return int(self.loops[at + 1])
        return UNKNOWN

    def loop(self, code: int, rests: int) -> None:
        """Keep a disproof that rests on a ply of its line."""
        at = (code & self.loop_mask) * 2
        self.loops[at] = code
        self.loops[at + 1] = rests
