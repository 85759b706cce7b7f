"""The weights of the evaluation as they are shipped: 16-bit numbers, compressed.

One row follows another: men by their king, men in hand by their king, men in hand by their number,
sliding men, the state of squares by their place about a king and by their rank, the tempo. All are
eighths of a hundredth of a pawn. A king stands on one of the 45 squares of files 1 to 5, for a
board and its mirror image are worth the same.
"""

from array import array
from pathlib import Path
from typing import Final

from engines.core import shorts

KINGS: Final = 45  # Squares of files 1 to 5.
HELD: Final = 19  # Numbers of men of a kind in hand, none included.
SLIDERS: Final = (2, 5, 6, 13, 14)
RINGS: Final = 4  # Distances 0 to 3 from a king; what is beyond counts as far.
STATES: Final = (
    81  # How often the king's side attacks and the other, 0, 1 or more; what man, if any.
)

MEN_SIZE: Final = 32 * KINGS * 81  # man, king, square
HAND_SIZE: Final = 2 * 8 * KINGS  # the king's side or the other, kind, king
COUNT_SIZE: Final = 8 * HELD  # kind, number
SLIDE_SIZE: Final = len(SLIDERS) * (2 * RINGS + 1)  # own rings, enemy rings, any square
ABOUT_SIZE: Final = 3 * 5 * STATES  # files aside, ranks from two before the king, state
ALONG_SIZE: Final = 9 * STATES  # rank from the far side, state
SIZE: Final = MEN_SIZE + HAND_SIZE + COUNT_SIZE + SLIDE_SIZE + ABOUT_SIZE + ALONG_SIZE + 1

SHIPPED: Final = Path(__file__).parent / "data" / "weights.bin"


def save(path: Path, weights: "array[int]") -> None:
    """Write weights to a file; raises ValueError for more or fewer."""
    shorts.save(path, weights, SIZE)


def load(path: Path = SHIPPED) -> "array[int]":
    """Read weights; raises ValueError for a file of anything else."""
    return shorts.load(path, SIZE)
