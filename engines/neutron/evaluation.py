"""What a position is worth to its mover: the rows and columns, each seen with the neutron."""

import sys
from array import array
from pathlib import Path
from typing import Final

LINES: Final = 10
STATES: Final = 243  # Three to the five: each square free, own or the enemy's.
WEIGHTS: Final = 25 * LINES * STATES


def load_weights() -> "array[int]":
    """Read the weights that ship, learned from 200 000 games against itself (see train.py)."""
    weights = array("h")
    weights.frombytes(Path(__file__).with_name("data").joinpath("weights.bin").read_bytes())
    if sys.byteorder == "big":
        weights.byteswap()
    return weights


class Evaluation:
    """Weights by neutron square, line and the line's state, from the mover's side of the board."""

    def __init__(self, weights: "array[int]") -> None:
        self.digits = array("i", [_digits(bits) for bits in range(32)])
        both = array("h", weights)
        for neutron in range(25):
            turned = neutron % 5 + 5 * (4 - neutron // 5)
            for line in range(LINES):
                # Black sees the board upside down: rows change places, columns are read backwards.
                start = (turned * LINES + (line if line >= 5 else 4 - line)) * STATES
                seen = weights[start : start + STATES]
                both.extend(seen if line < 5 else [seen[state] for state in _BACKWARDS])
        self.weights = both

    def evaluate(self, own: int, enemy: int, neutron: int, side: int) -> int:
        """Return the worth in 1/256 of a logit."""
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
