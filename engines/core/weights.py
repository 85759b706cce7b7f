"""Files of weights: 16-bit numbers, compressed."""

import sys
import zlib
from array import array
from pathlib import Path

from engines.core.errors import QuintetError


class WeightsError(QuintetError, ValueError):
    """A file that does not hold the expected number of weights, or numbers that are too many."""


def save(path: Path, numbers: "array[int]", size: int) -> None:
    """Write `size` numbers to a file; raises WeightsError if there are more or fewer."""
    if len(numbers) != size:
        raise WeightsError(f"{len(numbers)} weights, expected {size}")
    path.write_bytes(zlib.compress(_little_endian(numbers).tobytes(), 9))


def load(path: Path, size: int) -> "array[int]":
    """Read `size` numbers; raises WeightsError for any other file, and OSError."""
    try:
        raw = zlib.decompress(path.read_bytes())
    except zlib.error as error:
        raise WeightsError(f"{path}: no weights: {error}") from None
    numbers = array("h")
    if len(raw) != size * numbers.itemsize:
        raise WeightsError(f"{path}: {len(raw) // 2} weights, expected {size}")
    numbers.frombytes(raw)
    return _little_endian(numbers)


def _little_endian(numbers: "array[int]") -> "array[int]":
    """Convert between this machine's byte order and the file's, in either direction."""
    if sys.byteorder == "little":
        return numbers
    swapped = array("h", numbers)
    swapped.byteswap()
    return swapped
