from array import array
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engines.go import network, reference
from engines.go.inputs import PLANES, SCALARS
from engines.go.network import Evaluator
from engines.go.weights import CHANNELS, HEAD, Weights, fields, load, pack, save

Array = np.ndarray[Any, Any]
BLOCKS, POOLED = 2, 0b10
COMPILED = not str(network.__file__).endswith(".py")


def arrays(seed: int = 1) -> dict[str, Array]:
    source = np.random.default_rng(seed)
    found = {}
    for name, shape in fields(BLOCKS, POOLED).items():
        depth = int(np.prod(shape[1:])) if len(shape) == 4 else shape[0]
        found[name] = source.normal(0.0, 1.2 / depth**0.5, shape).astype(np.float32)
    found["head"][:, 3 * HEAD :] = 0
    return found


def inputs(width: int, height: int) -> tuple[bytes, "array[float]"]:
    source = np.random.default_rng(width * 31 + height)
    planes = source.integers(0, 2, PLANES * width * height).astype(np.uint8).tobytes()
    return planes, array("f", source.normal(size=SCALARS).astype(np.float32).tolist())


def naive(net: dict[str, Array], planes: bytes, scalars: "array[float]", w: int, h: int) -> Array:
    """Evaluate by the definition of a convolution, point by point."""

    def convolve(x: Array, weights: Array) -> Array:
        padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
        out = np.zeros((CHANNELS, h, w))
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
    heard = pool(np.maximum(globe, 0))
    value = np.maximum(value, 0)
    local = np.maximum(raw + dense(heard, "policy_globe")[:, None, None], 0)
    policy = np.einsum("cyx,c->yx", local, net["policy"]) + net["policy_bias"]
    skip = np.maximum(dense(heard, "pass_hidden"), 0) @ net["pass"] + net["pass_bias"]
    judged = dense(np.maximum(dense(pool(value), "value_hidden"), 0), "value")
    owner = np.einsum("cyx,c->yx", value, net["ownership"]) + net["ownership_bias"]
    return np.concatenate([policy.reshape(-1), skip, judged, owner.reshape(-1)])


def run(weights: Weights, width: int, height: int, level: int) -> list[float]:
    evaluator = Evaluator(weights.values, weights.blocks, weights.pooled, width, height, level)
    evaluator.put(*inputs(width, height))
    evaluator.run()
    return evaluator.results()


@pytest.mark.parametrize(("width", "height"), [(9, 9), (7, 7), (4, 13), (2, 2), (19, 19)])
@pytest.mark.parametrize("level", [-1, 0, 1])
def test_every_kernel_computes_what_the_definition_says(
    width: int, height: int, level: int
) -> None:
    net = arrays()
    expected = naive(net, *inputs(width, height), width, height)
    found = np.array(run(pack(net, BLOCKS, POOLED), width, height, level))
    assert np.abs(expected).max() > 0.5
    assert np.abs(found - expected).max() < 1e-3 * max(1.0, np.abs(expected).max())


def test_numpy_computes_what_the_kernel_does() -> None:
    weights = pack(arrays(), BLOCKS, POOLED)
    planes, scalars = inputs(9, 9)
    out = np.zeros(2 * 81 + 3, np.float32)
    reference.run_net(weights.values, BLOCKS, POOLED, planes, scalars, 9, 9, -1, None, out)
    assert np.abs(out - np.array(run(weights, 9, 9, -1))).max() < 1e-3


def test_evaluating_again_gives_the_same_numbers() -> None:
    weights = pack(arrays(), BLOCKS, POOLED)
    evaluator = Evaluator(weights.values, BLOCKS, POOLED, 9, 9)
    evaluator.put(*inputs(9, 9))
    evaluator.run()
    first = evaluator.results()
    evaluator.run()
    assert evaluator.results() == first


def test_a_net_survives_its_file(tmp_path: Path) -> None:
    net = arrays()
    save(tmp_path / "net.npz", net, POOLED)
    weights = load(tmp_path / "net.npz")
    assert (weights.blocks, weights.pooled) == (BLOCKS, POOLED)
    exact = np.array(run(pack(net, BLOCKS, POOLED), 9, 9, -1))
    assert np.abs(np.array(run(weights, 9, 9, -1)) - exact).max() < 0.05


def test_what_is_no_net_is_refused() -> None:
    net = arrays()
    with pytest.raises(ValueError, match=r"not a network: \['policy'\]"):
        pack({name: a for name, a in net.items() if name != "policy"}, BLOCKS, POOLED)
    net["policy"] = net["policy"][:3]
    with pytest.raises(ValueError, match=r"not a network: policy is \(3,\), not \(32,\)"):
        pack(net, BLOCKS, POOLED)
