from array import array

import numpy as np
import pytest

from engines.go.play.network.inputs import PLANES
from engines.go.play.network.network import Evaluator
from engines.go.play.network.weights import CHANNELS, HEAD, pack
from tests.engines.go.play.network.nets import BLOCKS, POOLED, Array, arrays, inputs, run


def naive(net: dict[str, Array], planes: bytes, scalars: "array[float]", w: int, h: int) -> Array:
    """Evaluate by the definition of a convolution, point by point."""

    def convolve(x: Array, weights: Array) -> Array:
        padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
        out = np.zeros((len(weights), h, w))
        for dy in range(3):
            for dx in range(3):
                out += np.einsum(
                    "oi,iyx->oyx", weights[:, :, dy, dx], padded[:, dy : dy + h, dx : dx + w]
                )
        return out

    def pool(x: Array) -> Array:
        mean = x.mean((1, 2))
        return np.concatenate([mean, mean * ((w * h) ** 0.5 - 14) / 10, x.max((1, 2))])

    def dense(x: Array, name: str) -> Array:
        result: Array = x @ net[name] + net[f"{name}_bias"]
        return result

    x = np.frombuffer(planes, np.uint8).reshape(PLANES, h, w).astype(float)
    added = np.array(scalars) @ net["scalars"] + net["first_bias"]
    x = np.maximum(convolve(x, net["first"]) + added[:, None, None], 0)
    for block in range(BLOCKS):
        y = convolve(x, net[f"{block}.one"]) + net[f"{block}.one_bias"][:, None, None]
        y = np.maximum(y, 0)
        if POOLED >> block & 1:
            y = np.maximum(y + dense(pool(y), f"{block}.globe")[:, None, None], 0)
        y = convolve(y, net[f"{block}.two"]) + net[f"{block}.two_bias"][:, None, None]
        x = np.maximum(x + y, 0)
    head = np.einsum("iyx,io->oyx", x, net["head"]) + net["head_bias"][:, None, None]
    raw, globe, value = (head[i * HEAD : (i + 1) * HEAD] for i in range(3))
    pooled_globe = pool(np.maximum(globe, 0))
    value = np.maximum(value, 0)
    local = np.maximum(raw + dense(pooled_globe, "policy_globe")[:, None, None], 0)
    policy = np.einsum("cyx,c->yx", local, net["policy"]) + net["policy_bias"]
    skip = np.maximum(dense(pooled_globe, "pass_hidden"), 0) @ net["pass"] + net["pass_bias"]
    judged = dense(np.maximum(dense(pool(value), "value_hidden"), 0), "value")
    owner = np.einsum("cyx,c->yx", value, net["ownership"]) + net["ownership_bias"]
    return np.concatenate([policy.reshape(-1), skip, judged, owner.reshape(-1)])


@pytest.mark.parametrize(("width", "height"), [(9, 9), (7, 7), (4, 13), (2, 2), (19, 19)])
@pytest.mark.parametrize("level", [-1, 0, 1])
@pytest.mark.parametrize("channels", CHANNELS)
def test_every_kernel_computes_what_the_definition_says(
    channels: int, level: int, width: int, height: int
) -> None:
    net = arrays(channels)
    expected = naive(net, *inputs(width, height), width, height)
    computed = np.array(run(pack(net, POOLED), width, height, level))
    assert np.abs(expected).max() > 0.5
    assert np.abs(computed - expected).max() < 1e-3 * max(1.0, np.abs(expected).max())


def test_evaluating_again_gives_the_same_numbers() -> None:
    evaluator = Evaluator(pack(arrays(), POOLED), 9, 9)
    evaluator.put(*inputs(9, 9))
    evaluator.run()
    first = evaluator.results()
    evaluator.run()
    assert evaluator.results() == first
