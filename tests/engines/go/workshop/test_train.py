import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.engines.go.workshop.test_dataset import write

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")

SMALL = ("--sizes", "5=1", "--batch", "5=8")


@pytest.fixture(name="data")
def data_fixture(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    data.mkdir()
    for number in range(3):
        write(data / f"b10-5x5-{number:03}.npz")
    write(data / "b6-5x5-sampled-000.npz")
    return data


def train(data: Path, folder: Path, *words: str) -> Result:
    from engines.go.workshop.train import main

    given = ["--data", str(data), "--folder", str(folder), *SMALL, *words]
    return CliRunner().invoke(main, given)


def kept(folder: Path) -> dict[str, Any]:
    state: dict[str, Any] = torch.load(folder / "checkpoint.pt", weights_only=True)
    return state


def is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


def test_training_resumes_where_its_checkpoint_stands(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "net"
    samples = []
    for _ in range(2):
        done = train(data, folder, "--minutes", "0.01")
        assert done.exit_code == 0, done.output
        samples.append(kept(folder)["samples"])
    assert 0 < samples[0] < samples[1]
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line)["samples"] for line in lines)


@pytest.mark.parametrize("stopped_after", [3, 9])
def test_an_interrupted_run_gives_the_same_network(
    stopped_after: int, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engines.go.workshop.train import Pace

    plan = ("--samples", "96", "--freeze", "0.4")
    assert train(data, tmp_path / "whole", *plan).exit_code == 0
    monkeypatch.setattr(Pace, "is_over", lambda self, samples: samples >= 8 * stopped_after)
    assert train(data, tmp_path / "parts", *plan).exit_code == 0
    assert kept(tmp_path / "parts")["samples"] == 8 * stopped_after
    monkeypatch.undo()
    assert train(data, tmp_path / "parts", *plan, "--helper").exit_code == 0
    whole, parts = kept(tmp_path / "whole"), kept(tmp_path / "parts")
    assert whole["samples"] == parts["samples"] == 96
    assert whole["frozen"]
    assert parts["frozen"]
    assert is_same(whole["net"], parts["net"])
    assert is_same(whole["average"], parts["average"])


def test_the_rate_rises_and_then_falls_as_a_cosine_over_the_plan() -> None:
    from engines.go.workshop.train import LEAST, WARM, Pace

    pace = Pace(0.002, 1_000_000)
    assert pace.rate_at(0, 0) == pytest.approx(0.002 / WARM)
    assert pace.rate_at(500_000, WARM) == pytest.approx(0.001 * (1 + LEAST))
    assert pace.rate_at(1_000_000, WARM) == pytest.approx(0.002 * LEAST)
    assert pace.is_over(1_000_000)
    assert not Pace(0.002).is_over(1 << 40)


def test_the_shape_of_a_new_net_is_chosen_and_then_kept(data: Path, tmp_path: Path) -> None:
    from engines.go.play.network.weights import load

    shape = ("--channels", "96", "--blocks", "2")
    done = train(data, tmp_path / "net", *shape, "--samples", "8")
    assert done.exit_code == 0, done.output
    weights = load(tmp_path / "net" / "net.npz")
    assert (weights.channels, weights.blocks, weights.pooled) == (96, 2, 0b10)
    assert train(data, tmp_path / "net", "--samples", "16").exit_code == 0
    refused = train(data, tmp_path / "net", "--channels", "64")
    assert refused.exit_code == 1
    assert "--channels 64: the network has 96 channels" in refused.output


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--teachers", "b7=1"), "no such teacher: 'b7'"),
        (("--teachers", "b10"), "'b10': NAME=NUMBER is expected"),
        (("--sizes", "5=-1"), "'5=-1': the number is out of range"),
        (("--sizes", "5=0"), "all shares are 0"),
        (("--batch", "5=0"), "'5=0': the number is out of range"),
        (("--channels", "80"), "'80' is not one of '64', '96'"),
        (("--freeze", "0.5"), "--freeze with a part of the samples requires --samples"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    words: tuple[str, ...], problem: str, data: Path, tmp_path: Path
) -> None:
    refused = train(data, tmp_path / "net", *words)
    assert refused.exit_code == 2
    assert problem in refused.output


@pytest.mark.parametrize("words", [(), ("--helper",)])
def test_a_folder_without_positions_is_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    refused = train(tmp_path, tmp_path / "net", *words)
    assert refused.exit_code == 1
    assert "no labelled positions" in refused.output


def test_a_net_that_ships_is_gone_on_from(data: Path, tmp_path: Path) -> None:
    import numpy as np

    from engines.go.play.network.weights import read, save
    from engines.go.workshop.model import Net, fold, pooled

    given = tmp_path / "given.npz"
    torch.manual_seed(1)
    save(given, fold(Net(96, 3)), pooled(3))
    words = ("--start", str(given), "--minutes", "0", "--freeze", "1")
    done = train(data, tmp_path / "net", *words)
    assert done.exit_code == 0, done.output
    before, after = read(given)[0], read(tmp_path / "net" / "net.npz")[0]
    assert all(np.abs(before[name] - after[name]).max() < 2e-3 for name in before)
