"""The file of the network.

The file begins with a name and version, the sizes of the layers, whether the network is added to
the fitted evaluation, and a checksum; the weights follow, compressed. Weights of the first layer
are 16-bit numbers, in units of 1/127, which are added up. The results, cut to 0 to 127, go through
two layers of 8-bit weights in units of 1/64, and those of the second through 16-bit weights, whose
sum is in sixteenths of a hundredth of a pawn.
"""

import struct
import sys
import zlib
from array import array
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from engines.core.weights import WeightsError
from engines.shogi.play.network.inputs import INPUTS

NEURONS: Final = 256
"""Neurons of the first layer, for each of the two views of a position."""
HIDDEN: Final = 32
"""Neurons of the second and of the third layer."""
UNIT: Final = 127
"""The integer that stands for 1 in the results of a layer."""
FINE: Final = 64
"""The integer that stands for 1 in the weights of the second and third layers."""
STEP: Final = 16
"""The integer that stands for a hundredth of a pawn in the last sum."""

MAGIC: Final = b"quintet-shogi-net 1\n"
SHIPPED: Final = Path(__file__).parents[2] / "data" / "net.bin"

_HEAD: Final = struct.Struct("<HHH?I")
_SIZES: Final = (
    ("h", INPUTS * NEURONS),
    ("h", NEURONS),
    ("b", 2 * NEURONS * HIDDEN),
    ("i", HIDDEN),
    ("b", HIDDEN * HIDDEN),
    ("i", HIDDEN),
    ("h", HIDDEN),
    ("i", 1),
)


@dataclass(frozen=True, slots=True)
class Layers:
    """The weights: those of one input or neuron of a layer follow each other in `table`.

    In `first` and `second` the weights of one neuron of the layer follow each other.
    """

    table: "array[int]"  # INPUTS x NEURONS
    offsets: "array[int]"
    first: "array[int]"  # HIDDEN x 2 NEURONS, the side to move's first
    first_offsets: "array[int]"
    second: "array[int]"  # HIDDEN x HIDDEN
    second_offsets: "array[int]"
    last: "array[int]"
    last_offset: "array[int]"
    corrects: bool = False  # Its values are added to the fitted evaluation.

    @classmethod
    def parse(cls, raw: bytes, name: str) -> Self:
        """Read the content of a file; raises WeightsError, whose message begins with the name."""
        if not raw.startswith(MAGIC):
            raise WeightsError(f"{name}: not a network of this version of quintet-shogi")
        head, packed = raw[len(MAGIC) :][: _HEAD.size], raw[len(MAGIC) + _HEAD.size :]
        if len(head) < _HEAD.size:
            raise WeightsError(f"{name}: the network is cut off")
        *sizes, corrects, checksum = _HEAD.unpack(head)
        if sizes != [INPUTS, NEURONS, HIDDEN]:
            shape = "-".join(str(size) for size in sizes)
            raise WeightsError(f"{name}: a network of shape {shape}, which this version has not")
        if zlib.crc32(packed) != checksum:
            raise WeightsError(f"{name}: the network is damaged: its checksum is wrong")
        try:
            content = zlib.decompressobj().decompress(packed, _TOTAL + 1)
        except zlib.error as error:
            raise WeightsError(f"{name}: no network: {error}") from None
        if len(content) != _TOTAL:
            raise WeightsError(f"{name}: the network is cut off")
        parts: list[Any] = []
        at = 0
        for kind, size in _SIZES:
            part = array(kind)
            end = at + size * part.itemsize
            part.frombytes(content[at:end])
            if sys.byteorder != "little":
                part.byteswap()
            parts.append(part)
            at = end
        return replace(cls(*parts), corrects=corrects)

    def pack(self) -> bytes:
        """Return the content of a file; raises WeightsError if a layer has another size."""
        content = b""
        parts = (
            self.table,
            self.offsets,
            self.first,
            self.first_offsets,
            self.second,
            self.second_offsets,
            self.last,
            self.last_offset,
        )
        for part, (kind, size) in zip(parts, _SIZES, strict=True):
            if part.typecode != kind or len(part) != size:
                raise WeightsError(f"a layer of {len(part)} weights, expected {size}")
            part = array(kind, part)
            if sys.byteorder != "little":
                part.byteswap()
            content += part.tobytes()
        packed = zlib.compress(content, 9)
        head = _HEAD.pack(INPUTS, NEURONS, HIDDEN, self.corrects, zlib.crc32(packed))
        return MAGIC + head + packed


_TOTAL: Final = sum(size * array(kind).itemsize for kind, size in _SIZES)


def load(path: Path = SHIPPED) -> Layers:
    """Read a network; raises WeightsError for any other file, and OSError."""
    return Layers.parse(path.read_bytes(), str(path))


def is_network(path: Path) -> bool:
    """Tell whether a file begins like a network; raises OSError."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC
