"""The dice: each throw is a function of a seed and its number, so that games can be replayed."""

from engines.core.splitmix import GOLDEN, MASK, mix


def throw(seed: int, number: int) -> int:
    """Return the throw, 1 to 5, with this number (counted from 1) of the dice with this seed."""
    value = mix(seed + number * GOLDEN)
    while value == MASK:  # 2**64 is one more than a multiple of 5, so this value would favour a 1.
        value = mix(value)
    return 1 + value % 5


class Dice:
    """The sequence of throws of a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.number = 0

    def throw(self) -> int:
        """Draw the next throw."""
        self.number += 1
        return throw(self.seed, self.number)
