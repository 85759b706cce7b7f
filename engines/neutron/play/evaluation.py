"""The static evaluation: weights for the state of each row and column with the neutron's square."""

import sys
from array import array
from pathlib import Path
from typing import Final

LINES: Final = 10
STATES: Final = 243  # Three to the power of five: each square is free, own or the enemy's.
WEIGHTS: Final = 25 * LINES * STATES


def load_weights() -> "array[int]":
    """Read the shipped weights, which were learned from 200 000 games of self-play."""
    weights = array("h")
    weights.frombytes((Path(__file__).parents[1] / "data" / "weights.bin").read_bytes())
    if sys.byteorder == "big":
        weights.byteswap()
    return weights


class Evaluation:
    """Weights by the neutron's square, the line and its state, as the mover sees them."""

    def __init__(self, weights: "array[int]") -> None:
        self.digits = array("i", [_digits(bits) for bits in range(32)])
        both = array("h", weights)
        for neutron in range(25):
            turned = neutron % 5 + 5 * (4 - neutron // 5)
            for line in range(LINES):
                # Black sees the board upside down: rows are swapped, and columns reversed.
                start = (turned * LINES + (line if line >= 5 else 4 - line)) * STATES
                seen = weights[start : start + STATES]
                both.extend(seen if line < 5 else [seen[state] for state in _BACKWARDS])
        self.weights = both

    def evaluate(self, own: int, enemy: int, neutron: int, side: int) -> int:
        """Return the value of a position in 1/256 of a logit."""
        at = side * 60750 + neutron * 2430
        wide, total = own, 0
        other = enemy
        for line in range(5):
            total += self.weights[
                at + self.digits[own >> 5 * line & 31] + 2 * self.digits[enemy >> 5 * line & 31]
            ]
            at += 243
        for line in range(5):
            total += self.weights[
                at
                + self.digits[((wide >> line & 0x108421) * 0x111110) >> 20 & 31]
                + 2 * self.digits[((other >> line & 0x108421) * 0x111110) >> 20 & 31]
            ]
            at += 243
        return total


def _digits(bits: int) -> int:
    return sum(3**place for place in range(5) if bits >> place & 1)


_BACKWARDS = [
    sum(state // 3**place % 3 * 3 ** (4 - place) for place in range(5)) for state in range(STATES)
]
