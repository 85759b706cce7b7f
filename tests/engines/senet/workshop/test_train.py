from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.senet.play import lookahead as module
from engines.senet.play.net import Net
from engines.senet.workshop.train import main, train

COMPILED = not module.__file__.endswith(".py")


@pytest.mark.slow
def test_training_writes_a_net_and_tells_its_progress(tmp_path: Path) -> None:
    positions = 200_000 if COMPILED else 300
    seen: list[float] = []
    error = train(positions, tmp_path / "net.bin", 1, lambda done, text: seen.append(done))
    assert seen[-1] == 1
    assert seen == sorted(seen)
    assert 0 < error < (0.08 if COMPILED else 1)
    net = Net((tmp_path / "net.bin").read_bytes())
    behind, ahead = 0b1010101, 0b111 << 20
    assert net.evaluate(ahead, behind) > net.evaluate(behind, ahead) or not COMPILED


def test_the_command_writes_a_net(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["100", str(tmp_path / "net.bin"), "--seed", "2"])
    assert done.stdout.startswith("root mean square error 0.")
    assert Net((tmp_path / "net.bin").read_bytes())
