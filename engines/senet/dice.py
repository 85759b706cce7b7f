"""The dice: each throw is a pure function of a seed and its number, so records can be replayed."""

from typing import Final

GOLDEN: Final = 0x9E3779B97F4A7C15
_MASK: Final = 2**64 - 1


def mix(value: int) -> int:
    """Scramble 64 bits as SplitMix64 does."""
    value &= _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def throw(seed: int, number: int) -> int:
    """Return throw `number`, counted from 1, of the dice with this seed: 1 to 5."""
    value = mix(seed + number * GOLDEN)
    while value == _MASK:  # 2**64 is one more than a multiple of 5: this value would favour a 1.
        value = mix(value)
    return 1 + value % 5


def pair_seed(match_seed: int, pair: int) -> int:
    """Return the seed that both games of a pair share."""
    return mix(match_seed + pair * GOLDEN)


class Dice:
    """A row of throws from a seed, drawn one after the other."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.number = 0

    def throw(self) -> int:
        """Draw the next throw."""
        self.number += 1
        return throw(self.seed, self.number)
