import json
from pathlib import Path

import pytest
from click.testing import CliRunner

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

from tests.engines.go.test_dataset import write  # noqa: E402 - only where torch is


def test_training_resumes_where_its_checkpoint_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engines.go import train

    data, folder = tmp_path / "data", tmp_path / "net"
    data.mkdir()
    for number in range(3):
        write(data / f"b10-5x5-{number:03}.npz")
    monkeypatch.setattr(train, "BATCH", {5: 8})
    monkeypatch.setattr(train, "STEPS", {5: 1.0})
    samples = []
    for _ in range(2):
        done = CliRunner().invoke(
            train.main, ["--data", str(data), "--folder", str(folder), "--minutes", "0.01"]
        )
        assert done.exit_code == 0, done.output
        samples.append(torch.load(folder / "checkpoint.pt", weights_only=True)["samples"])
    assert 0 < samples[0] < samples[1]
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line)["samples"] for line in lines)


def test_the_folded_net_plays_as_the_taught_one_judges() -> None:
    from array import array

    import numpy as np

    from engines.go.inputs import PLANES, SCALARS
    from engines.go.model import BLOCKS, POOLED, Net, fold
    from engines.go.network import Evaluator
    from engines.go.weights import pack

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
        told = torch.cat([part.flatten() for part in net(planes.float(), scalars)]).numpy()
    weights = pack(fold(net), BLOCKS, sum(1 << block for block in POOLED))
    evaluator = Evaluator(weights.values, weights.blocks, weights.pooled, 9, 9)
    given = array("f", scalars[0].tolist())
    evaluator.put(planes[0].numpy().astype(np.uint8).tobytes(), given)
    evaluator.run()
    assert np.abs(np.array(evaluator.results()) - told).max() < 1e-3
