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
