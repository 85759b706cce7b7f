import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.engines.go.workshop.test_dataset import write

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")


def test_training_resumes_where_its_checkpoint_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engines.go.workshop import train

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


def test_a_net_that_ships_is_gone_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    from engines.go.play.network.weights import read, save
    from engines.go.workshop import train
    from engines.go.workshop.model import POOLED, Net, fold

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
