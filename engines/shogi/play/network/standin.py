"""Stand-ins for the C functions that `network` calls, when it runs interpreted: numpy."""

from typing import Any

import numpy as np

from engines.shogi.play.network.weights import HIDDEN, NEURONS, UNIT

_TYPES = {"h": np.int16, "b": np.int8, "i": np.int32}


def best_level() -> int:
    """Return the number of the compiled kernel: there is none."""
    return 0


def numbers(weights: Any) -> Any:
    """Return weights as an array of numpy, or, given None, an array for the sums."""
    if weights is None:
        return np.zeros((260, NEURONS), np.int16)
    return np.frombuffer(weights, _TYPES[weights.typecode])


def change_all(
    level: int, table: Any, offsets: Any, sums: Any, row: int, every: Any, count: int
) -> None:
    """Set a row of sums to those of some inputs."""
    rows = table.reshape(-1, NEURONS)
    sums[row] = offsets + rows[every[:count]].sum(0, dtype=np.int16)


def change(
    level: int, table: Any, sums: Any, row: int, more: Any, mores: int, less: Any, lesses: int
) -> None:
    """Set a row of sums to those before the last move, changed."""
    rows = table.reshape(-1, NEURONS)
    sums[row] = sums[row - 2]
    for at in more[2 * row : 2 * row + mores]:
        sums[row] += rows[at]
    for at in less[2 * row : 2 * row + lesses]:
        sums[row] -= rows[at]


def value_of(net: Any, sums: Any, row: int) -> int:
    """Return the value of a position from its two rows of sums."""
    seen = np.concatenate((sums[row], sums[row ^ 1])).clip(0, UNIT)
    hidden = _layer(seen, net.first, net.first_offsets)
    deeper = _layer(hidden, net.second, net.second_offsets)
    return int(deeper @ net.last.astype(np.int32) + net.last_offset) >> 4


def _layer(inputs: Any, weights: Any, offsets: Any) -> Any:
    groups = weights.reshape(-1, HIDDEN, 4).astype(np.int32)
    sums = np.einsum("gk,gnk->n", inputs.astype(np.int32).reshape(-1, 4), groups) + offsets
    return (sums >> 6).clip(0, UNIT)
