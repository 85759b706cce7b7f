"""The trained network on disk, and the array of numbers that both kernels use.

`fields` lists the parts of the array in order, with their shapes in the file. The file has plain
3x3 convolutions; the array has them as the 36 frequencies of Winograd's F(4x4, 3x3).
"""

import os
import zipfile
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

# The products are small: several threads of BLAS would mostly wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from engines.go.play.network.inputs import PLANES, SCALARS

Array = np.ndarray[Any, Any]

CHANNELS: Final = (64, 96)  # The numbers of channels that the kernel is compiled for.
MOST_BLOCKS: Final = 30
HEAD: Final = 32
HIDDEN: Final = 64
HEAD_COLUMNS: Final = 128  # Policy, global policy, value, and padding for the kernel.

_G: Final = np.array(
    [
        [1 / 4, 0, 0],
        [-1 / 6, -1 / 6, -1 / 6],
        [-1 / 6, 1 / 6, -1 / 6],
        [1 / 24, 1 / 12, 1 / 6],
        [1 / 24, -1 / 12, 1 / 6],
        [0, 0, 1],
    ]
)


class Weights:
    """A network that is ready to use: its numbers, its shape, and which of its blocks pool."""

    def __init__(self, values: "array[float]", channels: int, blocks: int, pooled: int) -> None:
        self.values = values
        self.channels = channels
        self.blocks = blocks
        self.pooled = pooled  # Bit i is set if block i adds features of the whole board.


def fields(channels: int, blocks: int, pooled: int) -> dict[str, tuple[int, ...]]:
    """List the arrays of a file in the order in which the kernel reads them."""
    wide = 3 * channels
    shapes: dict[str, tuple[int, ...]] = {
        "first": (channels, PLANES, 3, 3),
        "scalars": (SCALARS, channels),
        "first_bias": (channels,),
    }
    for block in range(blocks):
        shapes[f"{block}.one"] = (channels, channels, 3, 3)
        shapes[f"{block}.one_bias"] = (channels,)
        if pooled >> block & 1:
            shapes[f"{block}.globe"] = (wide, channels)
            shapes[f"{block}.globe_bias"] = (channels,)
        shapes[f"{block}.two"] = (channels, channels, 3, 3)
        shapes[f"{block}.two_bias"] = (channels,)
    return shapes | {
        "head": (channels, HEAD_COLUMNS),
        "head_bias": (HEAD_COLUMNS,),
        "policy_globe": (3 * HEAD, HEAD),
        "policy_globe_bias": (HEAD,),
        "policy": (HEAD,),
        "policy_bias": (1,),
        "pass_hidden": (3 * HEAD, HEAD),
        "pass_hidden_bias": (HEAD,),
        "pass": (HEAD,),
        "pass_bias": (1,),
        "value_hidden": (3 * HEAD, HIDDEN),
        "value_hidden_bias": (HIDDEN,),
        "value": (HIDDEN, 2),
        "value_bias": (2,),
        "ownership": (HEAD,),
        "ownership_bias": (1,),
    }


def save(path: Path, arrays: dict[str, Array], pooled: int) -> None:
    """Write a network in half precision, which has no measurable cost."""
    halves: dict[str, Any] = {name: values.astype(np.float16) for name, values in arrays.items()}
    np.savez_compressed(path, pooled=np.array(pooled), **halves)


def read(path: Path) -> tuple[dict[str, Array], int]:
    """Return the arrays of a file, and which blocks pool."""
    try:
        with np.load(path) as file:
            arrays = {name: file[name].astype(np.float32) for name in file.files}
        return arrays, int(arrays.pop("pooled"))
    except (zipfile.BadZipFile, EOFError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"not a network: {path}") from error


def load(path: Path) -> Weights:
    """Load a network; raises ValueError if its arrays are not those of `fields`."""
    return pack(*read(path))


def shape_of(arrays: Mapping[str, Array]) -> tuple[int, int]:
    """Return the channels and blocks of a network; raises ValueError if no kernel evaluates it."""
    if "first" not in arrays or arrays["first"].ndim != 4:
        raise ValueError("not a network: no first layer")
    channels = arrays["first"].shape[0]
    blocks = sum(name.endswith(".one") for name in arrays)
    if channels not in CHANNELS:
        known = " or ".join(map(str, CHANNELS))
        raise ValueError(f"not a network for this version: {channels} channels, not {known}")
    if not 1 <= blocks <= MOST_BLOCKS:
        raise ValueError(f"not a network for this version: {blocks} blocks, not 1 to {MOST_BLOCKS}")
    return channels, blocks


def pack(arrays: dict[str, Array], pooled: int) -> Weights:
    """Convert arrays to the layout of the kernel; raises ValueError if one does not fit."""
    channels, blocks = shape_of(arrays)
    expected = fields(channels, blocks, pooled)
    if set(arrays) != set(expected):
        raise ValueError(f"not a network: {sorted(set(arrays) ^ set(expected))}")
    values = array("f")
    for name, shape in expected.items():
        given = arrays[name]
        if given.shape != shape:
            raise ValueError(f"not a network: {name} is {given.shape}, not {shape}")
        if len(shape) == 4:
            given = np.einsum("ux,vy,oixy->uvio", _G, _G, given)
        values.frombytes(np.ascontiguousarray(given, np.float32).tobytes())
    return Weights(values, channels, blocks, pooled)
