"""The file of the network."""

from pathlib import Path

import numpy as np
import pytest

from engines.go.play.network.weights import CHANNELS, fields, load, pack, save
from tests.engines.go.play.network.nets import BLOCKS, POOLED, arrays, run


@pytest.mark.parametrize("channels", CHANNELS)
def test_a_net_survives_its_file(channels: int, tmp_path: Path) -> None:
    net = arrays(channels)
    save(tmp_path / "net.npz", net, POOLED)
    weights = load(tmp_path / "net.npz")
    assert (weights.channels, weights.blocks, weights.pooled) == (channels, BLOCKS, POOLED)
    exact = np.array(run(pack(net, POOLED), 9, 9, -1))
    assert np.abs(np.array(run(weights, 9, 9, -1)) - exact).max() < 0.05


def test_what_is_no_net_is_refused() -> None:
    net = arrays()
    with pytest.raises(ValueError, match=r"not a network: \['policy'\]"):
        pack({name: a for name, a in net.items() if name != "policy"}, POOLED)
    net["policy"] = net["policy"][:3]
    with pytest.raises(ValueError, match=r"not a network: policy is \(3,\), not \(32,\)"):
        pack(net, POOLED)


@pytest.mark.parametrize(
    ("channels", "blocks", "problem"),
    [
        (80, 2, "not a network for this version: 80 channels, not 64 or 96"),
        (64, 0, "not a network for this version: 0 blocks, not 1 to 30"),
        (64, 31, "not a network for this version: 31 blocks, not 1 to 30"),
    ],
)
def test_a_net_of_another_shape_is_refused(
    channels: int, blocks: int, problem: str, tmp_path: Path
) -> None:
    shapes = fields(channels, blocks, 0)
    save(tmp_path / "net.npz", {name: np.zeros(each) for name, each in shapes.items()}, 0)
    with pytest.raises(ValueError, match=problem):
        load(tmp_path / "net.npz")
