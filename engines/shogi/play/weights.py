"""The file of the evaluation's weights: 16-bit numbers, compressed.

The tables follow each other in this order: men by the square of a king, men in hand by the square
of a king, men in hand by their number, sliding men, squares around a king by their state, squares
by their rank and state, and the bonus for the side to move. All numbers are in eighths of a
hundredth of a pawn. Kings stand on one of the 45 squares of files 1 to 5, because a position and
its mirror image have the same value.
"""

from array import array
from pathlib import Path
from typing import Final

from engines.core import weights as files

KINGS: Final = 45  # Squares of files 1 to 5.
HELD: Final = 19  # From 0 to 18 men of one kind in hand.
SLIDERS: Final = (2, 5, 6, 13, 14)
RINGS: Final = 4  # Distances 0 to 3 from a king; all greater distances count as one.
# A square is attacked by the king's side and by the other 0, 1 or more times, and empty or occupied
# by one of four groups of kinds of either side.
STATES: Final = 81

MEN_SIZE: Final = 32 * KINGS * 81  # man, king, square
HAND_SIZE: Final = 2 * 8 * KINGS  # the king's side or the other, kind, king
COUNT_SIZE: Final = 8 * HELD  # kind, number
SLIDE_SIZE: Final = len(SLIDERS) * (2 * RINGS + 1)  # own rings, enemy rings, any square
ABOUT_SIZE: Final = 3 * 5 * STATES  # files aside, ranks from two before the king, state
ALONG_SIZE: Final = 9 * STATES  # rank from the far side, state
SIZE: Final = MEN_SIZE + HAND_SIZE + COUNT_SIZE + SLIDE_SIZE + ABOUT_SIZE + ALONG_SIZE + 1

SHIPPED: Final = Path(__file__).parents[1] / "data" / "weights.bin"


def save(path: Path, weights: "array[int]") -> None:
    """Write weights to a file; raises WeightsError if there are not SIZE of them."""
    files.save(path, weights, SIZE)


def load(path: Path = SHIPPED) -> "array[int]":
    """Read weights; raises WeightsError for any other file, and OSError."""
    return files.load(path, SIZE)
