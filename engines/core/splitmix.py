"""Pseudo-random numbers that are the same on all machines: SplitMix64, addressed by number."""

from typing import Final

GOLDEN: Final = 0x9E3779B97F4A7C15
MASK: Final = 2**64 - 1


def mix(value: int) -> int:
    """Mix 64 bits as SplitMix64 does."""
    value &= MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def pair_seed(match_seed: int, pair: int) -> int:
    """Return the seed that both games of a pair share."""
    return mix(match_seed + pair * GOLDEN)
