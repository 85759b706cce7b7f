"""The weights of the evaluation as they are shipped: 16-bit numbers, compressed.

A row a phase: the state of a square (the outer and the inner one, then the middle one), that of the
nine points of a side of all squares, points where mills can be closed now, free points beside men.
At the end what men are worth. All are eighths of a hundredth of a man.

Sieges, six men against five with none in hand, have rows of their own, and what all positions of
a row have in common behind them: the odds that the six win.
"""

from array import array
from pathlib import Path
from typing import Final

from engines.core import shorts

PHASES: Final = 4
PHASE: Final = (3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
"""The phase by the men in both hands."""

RING: Final = 3**8  # States of a square's eight points: free, the mover's, the opponent's.
FACE: Final = 3**9  # States of three parallel sides, one of each square.
STRIKES: Final = 4  # Numbers of points where a side closes a mill; the last stands for more.
STEPS: Final = 16  # Numbers of free points beside men; the last stands for more.
MEN: Final = 10  # Numbers of men, none included.

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
SIEGE_UNIT: Final = 64  # Of a natural logarithm of odds.

SIEGES: Final = Path(__file__).parent / "data" / "sieges.bin"
SHIPPED: Final = Path(__file__).parent / "data" / "weights.bin"


def save(path: Path, weights: "array[int]") -> None:
    """Write weights to a file; raises ValueError for more or fewer."""
    shorts.save(path, weights, SIZE)


def load(path: Path = SHIPPED) -> "array[int]":
    """Read weights; raises ValueError for a file of anything else."""
    return shorts.load(path, SIZE)


def save_sieges(path: Path, weights: "array[int]") -> None:
    """Write the weights of sieges to a file; raises ValueError for more or fewer."""
    shorts.save(path, weights, SIEGE_SIZE)


def load_sieges(path: Path = SIEGES) -> "array[int]":
    """Read the weights of sieges; raises ValueError for a file of anything else."""
    return shorts.load(path, SIEGE_SIZE)
