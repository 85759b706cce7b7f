"""Files of 16-bit numbers, compressed: the weights of evaluations."""

import sys
import zlib
from array import array
from pathlib import Path


def save(path: Path, numbers: "array[int]", size: int) -> None:
    """Write so many numbers to a file; raises ValueError for more or fewer."""
    if len(numbers) != size:
        raise ValueError(f"{len(numbers)} weights, expected {size}")
    path.write_bytes(zlib.compress(_little(numbers).tobytes(), 9))


def load(path: Path, size: int) -> "array[int]":
    """Read so many numbers; raises ValueError for a file of anything else."""
    try:
        raw = zlib.decompress(path.read_bytes())
    except zlib.error as error:
        raise ValueError(f"{path}: no weights: {error}") from None
    numbers = array("h")
    if len(raw) != size * numbers.itemsize:
        raise ValueError(f"{path}: {len(raw) // 2} weights, expected {size}")
    numbers.frombytes(raw)
    return _little(numbers)


def _little(numbers: "array[int]") -> "array[int]":
    """Turn between this machine's order of bytes and the file's."""
    if sys.byteorder == "little":
        return numbers
    turned = array("h", numbers)
    turned.byteswap()
    return turned
