"""The network in numpy, for machines without the compiled kernel: slower, with equal results."""

from typing import Any, Final

from engines.go.play.network.inputs import PLANES, SCALARS
from engines.go.play.network.weights import HEAD, HEAD_COLUMNS, HIDDEN, Array

# isort: split
import numpy as np  # After `weights`, which limits BLAS to one thread.

Buffer = Any  # Anything with the buffer protocol: memoryviews, typed ones when compiled.

_PATCH: Final = np.array(
    [
        [4, 0, -5, 0, 1, 0],
        [0, -4, -4, 1, 1, 0],
        [0, 4, -4, -1, 1, 0],
        [0, -2, -1, 2, 1, 0],
        [0, 2, -1, -2, 1, 0],
        [0, 4, 0, -5, 0, 1],
    ],
    np.float32,
)
_UNPATCH: Final = np.array(
    [[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 0], [0, 1, 1, 4, 4, 0], [0, 1, -1, 8, -8, 1]],
    np.float32,
)
_PATCHES: Final = np.kron(_PATCH, _PATCH)  # 36 x 36: the transform in both directions.
_UNPATCHES: Final = np.kron(_UNPATCH, _UNPATCH)  # 16 x 36.


class _Reader:
    """Reads one array after the other from the array of all weights."""

    def __init__(self, weights: Buffer) -> None:
        self.values: Array = np.frombuffer(weights, np.float32)

    def take(self, *shape: int) -> Array:
        count = int(np.prod(shape))
        taken, self.values = self.values[:count], self.values[count:]
        return taken.reshape(shape)


def run_net(
    weights: Buffer,
    channels: int,
    blocks: int,
    pooled: int,
    planes: Buffer,
    scalars: Buffer,
    width: int,
    height: int,
    level: int,
    work: Buffer,
    out: Buffer,
) -> None:
    """Evaluate one position; `out` receives policy, pass, win, lead and ownership."""
    area = width * height
    read = _Reader(weights)
    board = np.frombuffer(planes, np.uint8).reshape(PLANES, height, width).astype(np.float32)
    given = np.frombuffer(scalars, np.float32)
    first = read.take(36, PLANES, channels)
    bias = given @ read.take(SCALARS, channels) + read.take(channels)
    x = np.maximum(_convolve(board.transpose(1, 2, 0), first) + bias, 0)
    for block in range(blocks):
        y = _convolve(x, read.take(36, channels, channels)) + read.take(channels)
        y = np.maximum(y, 0)
        if pooled >> block & 1:
            globe = _pool(y) @ read.take(3 * channels, channels) + read.take(channels)
            y = np.maximum(y + globe, 0)
        two = _convolve(y, read.take(36, channels, channels)) + read.take(channels)
        x = np.maximum(x + two, 0)
    head = x @ read.take(channels, HEAD_COLUMNS) + read.take(HEAD_COLUMNS)
    pooled_head = _pool(np.maximum(head[..., HEAD : 2 * HEAD], 0))
    value = np.maximum(head[..., 2 * HEAD : 3 * HEAD], 0)
    added = pooled_head @ read.take(3 * HEAD, HEAD) + read.take(HEAD)
    result = np.frombuffer(out, np.float32)
    local = np.maximum(head[..., :HEAD] + added, 0)
    result[:area] = (local @ read.take(HEAD) + read.take(1)).reshape(-1)
    hidden = np.maximum(pooled_head @ read.take(3 * HEAD, HEAD) + read.take(HEAD), 0)
    result[area] = (hidden @ read.take(HEAD) + read.take(1))[0]
    hidden = np.maximum(_pool(value) @ read.take(3 * HEAD, HIDDEN) + read.take(HIDDEN), 0)
    result[area + 1 : area + 3] = hidden @ read.take(HIDDEN, 2) + read.take(2)
    result[area + 3 :] = (value @ read.take(HEAD) + read.take(1)).reshape(-1)


def _convolve(x: Array, weights: Array) -> Array:
    height, width, depth = x.shape
    down, across = (height + 3) // 4, (width + 3) // 4
    padded = np.zeros((4 * down + 2, 4 * across + 2, depth), np.float32)
    padded[1 : height + 1, 1 : width + 1] = x
    views = np.lib.stride_tricks.sliding_window_view(padded, (6, 6), (0, 1))[::4, ::4]
    patches = views.transpose(3, 4, 0, 1, 2).reshape(36, -1)
    seen = (_PATCHES @ patches).reshape(36, down * across, depth)
    made = (_UNPATCHES @ (seen @ weights).reshape(36, -1)).reshape(4, 4, down, across, -1)
    whole = made.transpose(2, 0, 3, 1, 4).reshape(4 * down, 4 * across, -1)
    cut: Array = whole[:height, :width]
    return cut


def _pool(x: Array) -> Array:
    mean = x.mean((0, 1))
    scale = ((x.shape[0] * x.shape[1]) ** 0.5 - 14.0) / 10.0
    return np.concatenate([mean, mean * scale, x.max((0, 1))])
