"""The file of the network."""

from pathlib import Path

import numpy as np
import pytest

from engines.go.play.network.weights import load, pack, save
from tests.engines.go.play.network.nets import BLOCKS, POOLED, arrays, run


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
