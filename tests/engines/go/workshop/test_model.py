"""The network in PyTorch, folded and unfolded."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.engines.go.workshop.test_dataset import write

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")


def test_the_folded_net_plays_as_the_taught_one_judges() -> None:
    from array import array

    import numpy as np

    from engines.go.play.network.inputs import PLANES, SCALARS
    from engines.go.play.network.network import Evaluator
    from engines.go.play.network.weights import pack
    from engines.go.workshop.model import BLOCKS, POOLED, Net, fold

    torch.manual_seed(1)
    net = Net()
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0.0, 0.2)
            module.running_var.uniform_(0.5, 2.0)
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
    net.eval()
    planes = torch.randint(0, 2, (1, PLANES, 9, 9))
    scalars = torch.randn(1, SCALARS)
    with torch.no_grad():
        expected = torch.cat([part.flatten() for part in net(planes.float(), scalars)]).numpy()
    weights = pack(fold(net), BLOCKS, sum(1 << block for block in POOLED))
    evaluator = Evaluator(weights.values, weights.blocks, weights.pooled, 9, 9)
    given = array("f", scalars[0].tolist())
    evaluator.put(planes[0].numpy().astype(np.uint8).tobytes(), given)
    evaluator.run()
    assert np.abs(np.array(evaluator.results()) - expected).max() < 1e-3


def test_what_is_no_such_net_is_refused(tmp_path: Path) -> None:
    from engines.go.workshop import train

    write(tmp_path / "b10-5x5-000.npz")
    (tmp_path / "net").write_bytes(b"PK")
    words = ["--data", str(tmp_path), "--folder", str(tmp_path), "--freeze"]
    refused = CliRunner().invoke(train.main, [*words, "--start", str(tmp_path / "net")])
    assert refused.exit_code == 1
    assert "not a network" in refused.output
