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


def test_a_net_that_ships_is_gone_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    from engines.go import train
    from engines.go.model import POOLED, Net, fold
    from engines.go.weights import read, save

    data, given = tmp_path / "data", tmp_path / "given.npz"
    data.mkdir()
    write(data / "b10-5x5-000.npz")
    torch.manual_seed(1)
    save(given, fold(Net()), sum(1 << block for block in POOLED))
    monkeypatch.setattr(train, "BATCH", {5: 8})
    monkeypatch.setattr(train, "STEPS", {5: 1.0})
    words = ["--data", str(data), "--folder", str(tmp_path / "net"), "--start", str(given)]
    done = CliRunner().invoke(train.main, [*words, "--minutes", "0", "--freeze"])
    assert done.exit_code == 0, done.output
    before, after = read(given)[0], read(tmp_path / "net" / "net.npz")[0]
    assert all(np.abs(before[name] - after[name]).max() < 2e-3 for name in before)


def test_what_is_no_such_net_is_refused(tmp_path: Path) -> None:
    from engines.go import train

    write(tmp_path / "b10-5x5-000.npz")
    (tmp_path / "net").write_bytes(b"PK")
    words = ["--data", str(tmp_path), "--folder", str(tmp_path), "--freeze"]
    refused = CliRunner().invoke(train.main, [*words, "--start", str(tmp_path / "net")])
    assert refused.exit_code == 1
    assert "not a network" in refused.output
