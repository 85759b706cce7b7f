"""Training the network: it learns, and plays as it was taught."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from engines.shogi.play import evaluating, weights
from engines.shogi.play.network.network import Network, NetworkEvaluation
from engines.shogi.play.network.weights import load
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.sfen import START, parse_sfen
from engines.shogi.workshop.dataset import SCALE, transform
from engines.shogi.workshop.features import LAYOUT
from engines.shogi.workshop.glances import Glancer
from engines.shogi.workshop.label import RECORD, position_of

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("labels") / "some.labels"
    glancer = Glancer(evaluating.load(weights.SHIPPED), 0)
    chance = random.Random(1)
    with path.open("wb") as file:
        for _ in range(600):
            for label in glancer.walk(parse_sfen(START), 20, chance):
                file.write(label.pack(0.5, last=True))
    return path


def test_a_network_learns_and_its_rounded_weights_play_as_taught(
    labels: Path, tmp_path: Path
) -> None:
    from engines.shogi.workshop.model import Net
    from engines.shogi.workshop.train import main

    out = tmp_path / "net.bin"
    words = [str(labels), "--out", str(out), "--epochs", "3", "--rate", "0.005", "--share", "0"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    losses = [json.loads(line)["held out"] for line in done.stdout.splitlines()]
    assert losses[-1] < losses[0]
    net = Net()
    net.start(load(out))
    assert net.layers() == load(out)
    worker = Worker(parse_sfen(START), TranspositionTable(1))
    worker.evaluate_by(NetworkEvaluation(Network(load(out))))
    raw = labels.read_bytes()
    for at in range(0, 100 * RECORD.size, RECORD.size):
        record = raw[at : at + RECORD.size]
        lessons = transform(np.frombuffer(record, LAYOUT), np.zeros(1))
        with torch.no_grad():
            taught = float(net(torch.from_numpy(lessons.inputs.astype("int32")))[0]) * SCALE
        worker.begin(position_of(record))
        assert worker.static_value() == pytest.approx(taught, abs=40)
    again = [*words, "--start", str(out), "--glances", str(labels), "--foreign", str(labels)]
    done = CliRunner().invoke(main, again)
    assert done.exit_code == 0, done.output
    assert "foreign, result" in json.loads(done.stdout.splitlines()[0])
    done = CliRunner().invoke(main, [*words, "--corrects", "--share", "0.3"])
    assert done.exit_code == 0, done.output
    assert load(out).corrects
    # The fitted evaluation gave the labels, so that there is nothing to correct.
    worker.evaluate_by(NetworkEvaluation(Network(load(out))))
    worker.begin(parse_sfen(START))
    assert abs(worker.static_value()) < 60
