"""The evaluator of one thread: planes and scalars in, the network's outputs out. Hot."""

from array import array
from typing import TYPE_CHECKING, Any

try:
    import cython
except ImportError:
    from engines.core import uncompiled as cython

from engines.go.play.network.inputs import PLANES, SCALARS

if TYPE_CHECKING:
    from engines.go.play.network.weights import Weights

if not cython.compiled:
    from engines.go.play.network.standin import best_level, run_net, work_size


class Evaluator:
    """Evaluates positions on boards of one size; each thread needs its own evaluator.

    `level` selects the compiled kernel: 2 for AVX-512, 1 for AVX2, 0 for any processor, and -1
    for the best one that the processor supports.
    """

    def __init__(
        self,
        weights: "Weights",
        width: int,
        height: int,
        level: int = -1,
    ) -> None:
        self.width = width
        self.height = height
        self.area = width * height
        self.channels = weights.channels
        self.blocks = weights.blocks
        self.pooled = weights.pooled
        best = best_level()
        self.level = best if level < 0 or level > best else level
        self.weights = memoryview(weights.values)
        self.work = memoryview(array("f", bytes(4 * work_size(width, height, self.channels))))
        self.planes: Any = memoryview(bytearray(PLANES * self.area))
        self.scalars: Any = memoryview(array("f", bytes(4 * SCALARS)))
        self.out: Any = memoryview(array("f", bytes(4 * (2 * self.area + 3))))

    def run(self) -> None:
        """Evaluate the planes and scalars that were set."""
        run_net(
            self.weights,
            self.channels,
            self.blocks,
            self.pooled,
            self.planes,
            self.scalars,
            self.width,
            self.height,
            self.level,
            self.work,
            self.out,
        )

    def put(self, planes: bytes, scalars: "array[float]") -> None:
        """Set the planes and scalars."""
        self.planes[:] = planes
        self.scalars[:] = scalars

    def inputs(self) -> tuple[bytes, list[float]]:
        """Return the planes and scalars that were set last."""
        return bytes(self.planes), list(self.scalars)

    def results(self) -> list[float]:
        """Return the logits of all moves, the win logit, the lead and the ownership logits."""
        return list(self.out)
