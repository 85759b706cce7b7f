"""A small network with random weights, and inputs for it."""

from array import array
from typing import Any

import numpy as np

from engines.go.play.network.inputs import PLANES, SCALARS
from engines.go.play.network.network import Evaluator
from engines.go.play.network.weights import HEAD, Weights, fields

Array = np.ndarray[Any, Any]

BLOCKS, POOLED = 2, 0b10


def arrays(channels: int = 64, seed: int = 1) -> dict[str, Array]:
    source = np.random.default_rng(seed)
    weights = {}
    for name, shape in fields(channels, BLOCKS, POOLED).items():
        depth = int(np.prod(shape[1:])) if len(shape) == 4 else shape[0]
        weights[name] = source.normal(0.0, 1.2 / depth**0.5, shape).astype(np.float32)
    weights["head"][:, 3 * HEAD :] = 0
    return weights


def inputs(width: int, height: int) -> tuple[bytes, "array[float]"]:
    source = np.random.default_rng(width * 31 + height)
    planes = source.integers(0, 2, PLANES * width * height).astype(np.uint8).tobytes()
    return planes, array("f", source.normal(size=SCALARS).astype(np.float32).tolist())


def run(weights: Weights, width: int, height: int, level: int) -> list[float]:
    evaluator = Evaluator(weights, width, height, level)
    evaluator.put(*inputs(width, height))
    evaluator.run()
    return evaluator.results()
