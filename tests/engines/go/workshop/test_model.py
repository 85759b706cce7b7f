"""The network in PyTorch, folded and unfolded."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.engines.go.workshop.test_dataset import write

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")


@pytest.mark.parametrize(("channels", "blocks"), [(64, 6), (96, 3)])
def test_the_folded_net_plays_as_the_taught_one_judges(channels: int, blocks: int) -> None:
    from array import array

    import numpy as np

    from engines.go.play.network.inputs import PLANES, SCALARS
    from engines.go.play.network.network import Evaluator
    from engines.go.play.network.weights import pack
    from engines.go.workshop.model import Net, fold, pooled

    torch.manual_seed(1)
    net = Net(channels, blocks)
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
    weights = pack(fold(net), pooled(blocks))
    evaluator = Evaluator(weights, 9, 9)
    given = array("f", scalars[0].tolist())
    evaluator.put(planes[0].numpy().astype(np.uint8).tobytes(), given)
    evaluator.run()
    assert np.abs(np.array(evaluator.results()) - expected).max() < 1e-3


def test_what_is_no_such_net_is_refused(tmp_path: Path) -> None:
    from engines.go.workshop import train

    write(tmp_path / "b10-5x5-000.npz")
    (tmp_path / "net").write_bytes(b"PK")
    words = ["--data", str(tmp_path), "--folder", str(tmp_path), "--sizes", "5=1"]
    refused = CliRunner().invoke(train.main, [*words, "--start", str(tmp_path / "net")])
    assert refused.exit_code == 1
    assert "not a network" in refused.output


@pytest.mark.parametrize(("channels", "blocks"), [(64, 9), (96, 4), (96, 7)])
def test_a_larger_net_begins_as_the_smaller_one_judges(channels: int, blocks: int) -> None:
    from engines.go.play.network.inputs import PLANES, SCALARS
    from engines.go.workshop.model import Net, deepen, shape_of_state, widen

    torch.manual_seed(1)
    small = Net(64, 4)
    for module in small.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0.0, 0.2)
            module.running_var.uniform_(0.5, 2.0)
            torch.nn.init.uniform_(module.weight, 0.5, 1.5)
    large = deepen(widen(small, channels), blocks)
    assert shape_of_state(large.state_dict()) == (channels, blocks)
    planes = torch.randint(0, 2, (2, PLANES, 9, 9)).float()
    scalars = torch.randn(2, SCALARS)
    with torch.no_grad():
        expected = torch.cat([part.flatten() for part in small.eval()(planes, scalars)])
        given = torch.cat([part.flatten() for part in large.eval()(planes, scalars)])
    assert (given - expected).abs().max() < 1e-3
    copies = large.state_dict()["blocks.0.two.weight"][:, 64:]
    for second in range(copies.shape[1]):
        for first in range(second):
            assert (copies[:, first] != copies[:, second]).any()


def test_a_net_is_never_made_smaller() -> None:
    from engines.go.workshop.model import Net, deepen, widen

    with pytest.raises(ValueError, match="has 2 blocks already"):
        deepen(Net(64, 2), 1)
    with pytest.raises(ValueError, match="has 96 channels already"):
        widen(Net(96, 1), 64)


def test_a_net_of_any_shape_is_unfolded_into_the_same_net() -> None:
    import numpy as np

    from engines.go.workshop.model import Net, fold, pooled, shape_of_state, unfold

    torch.manual_seed(1)
    arrays = fold(Net(96, 5))
    assert pooled(5) == 0b10010
    net = unfold(arrays)
    assert shape_of_state(net.state_dict()) == (96, 5)
    again = fold(net)
    assert all(np.abs(again[name] - arrays[name]).max() < 1e-5 for name in arrays)
    del arrays["1.globe"]
    with pytest.raises(ValueError, match="not a network that is trained here: 5 blocks, 96 chan"):
        unfold(arrays)
