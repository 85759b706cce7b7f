from pathlib import Path

import numpy as np
from click.testing import CliRunner

from engines.go.play.network.weights import fields, read, save
from engines.go.workshop.average import main


def write(path: Path, value: float, blocks: int = 2) -> Path:
    shapes = fields(64, blocks, 0)
    save(path, {name: np.full(shape, value, np.float32) for name, shape in shapes.items()}, 0)
    return path


def run(*words: object) -> str:
    done = CliRunner().invoke(main, [str(word) for word in words])
    return f"{done.exit_code} {done.output}"


def test_the_new_network_has_its_share_of_the_mean(tmp_path: Path) -> None:
    old, new = write(tmp_path / "old.npz", 0.0), write(tmp_path / "new.npz", 1.0)
    assert run(old, new, tmp_path / "mean.npz", "--share", "0.25") == "0 "
    arrays, pooled = read(tmp_path / "mean.npz")
    assert pooled == 0
    assert all((each == 0.25).all() for each in arrays.values())


def test_networks_of_different_shapes_have_no_mean(tmp_path: Path) -> None:
    old, new = write(tmp_path / "old.npz", 0.0), write(tmp_path / "new.npz", 1.0, blocks=3)
    assert "different shapes" in run(old, new, tmp_path / "mean.npz")
    assert not (tmp_path / "mean.npz").exists()
