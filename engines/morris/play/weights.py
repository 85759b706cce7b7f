"""The weights of the evaluation, and their files.

Each phase of the game has a row of weights: for the state of a square (the outer and the inner one,
then the middle one), for the state of three parallel sides, one of each square, for the number of
points where a mill can be closed now, and for the number of free points next to men. After the rows
come the values of men. All are eighths of a hundredth of a man.

Sieges, which are positions of six men against five with none in hand, have separate rows, followed
by a weight that all positions of a row share: the odds that the six men win.
"""

from array import array
from pathlib import Path
from typing import Final

from engines.core import weights as files

PHASES: Final = 4
PHASE: Final = (3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
"""The phase of the game by the number of men in both hands."""

RING: Final = (
    3**8
)  # States of the eight points of a square: each free, the mover's or the opponent's.
FACE: Final = 3**9  # States of three parallel sides, one of each square.
STRIKES: Final = (
    4  # Numbers of points where a side can close a mill; the last one means that or more.
)
STEPS: Final = 16  # Numbers of free points next to men; the last one means that or more.
MEN: Final = 10  # Numbers of men, from none to nine.

MIDDLE: Final = RING
FACES: Final = 2 * RING
STRIKING: Final = FACES + FACE  # mover's points, opponent's points
STEPPING: Final = STRIKING + STRIKES * STRIKES  # the mover's, then the opponent's
ROW: Final = STEPPING + 2 * STEPS
MATERIAL: Final = PHASES * ROW  # men in hand, mover's men, opponent's men
SIZE: Final = MATERIAL + len(PHASE) * MEN * MEN

SIEGE_ROWS: Final = 2  # The mover has the six men, or the five.
SIEGE_COMMON: Final = SIEGE_ROWS * ROW
SIEGE_SIZE: Final = SIEGE_COMMON + SIEGE_ROWS
SIEGE_UNIT: Final = 64  # Weights of sieges per unit of the natural logarithm of the odds.

SIEGES: Final = Path(__file__).parents[1] / "data" / "sieges.bin"
SHIPPED: Final = Path(__file__).parents[1] / "data" / "weights.bin"


def save(path: Path, weights: "array[int]") -> None:
    """Write weights to a file; raises WeightsError for a wrong number of them."""
    files.save(path, weights, SIZE)


def load(path: Path = SHIPPED) -> "array[int]":
    """Read weights from a file; raises WeightsError for any other file."""
    return files.load(path, SIZE)


def save_sieges(path: Path, weights: "array[int]") -> None:
    """Write the weights of sieges to a file; raises WeightsError for a wrong number of them."""
    files.save(path, weights, SIEGE_SIZE)


def load_sieges(path: Path = SIEGES) -> "array[int]":
    """Read the weights of sieges from a file; raises WeightsError for any other file."""
    return files.load(path, SIEGE_SIZE)
