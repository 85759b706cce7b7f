import random
from pathlib import Path

import numpy as np
import pytest

from engines.morris import evaluation, weights
from engines.morris import fit as module
from engines.morris.fit import Course, Factors, begin, fit, read
from engines.morris.symmetry import Symmetries


def label(path: Path, lines: int) -> None:
    """Write positions in which a man on a corner is worth more than any other."""
    chance = random.Random(1)
    rows = []
    for game in range(lines):
        points = chance.sample(range(24), 12)
        own, enemy = (sum(1 << point for point in points[at::2]) for at in range(2))
        value = 50 * ((own & 0x555555).bit_count() - (enemy & 0x555555).bit_count())
        rows.append(f"{own} {enemy} {game % 4} {game % 4} {value} {np.sign(value)} {game}\n")
    path.write_text("".join(rows))


def test_a_fit_comes_nearer_to_its_labels(tmp_path: Path) -> None:
    label(tmp_path / "labels.txt", 800)
    samples = read([tmp_path / "labels.txt"])
    told: list[str] = []
    fitted = fit(samples, Course(epochs=20, share=0.0), told.append)

    def wrong(found: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
        return float(np.abs(found[samples.rows].sum(axis=1) - samples.value).mean())

    assert wrong(fitted) < 0.7 * wrong(begin())
    assert told[0] == "760 positions, 40 held out"


def test_the_engine_sums_up_what_the_fit_sums_up(tmp_path: Path) -> None:
    label(tmp_path / "labels.txt", 300)
    samples = read([tmp_path / "labels.txt"])
    shipped = np.array(weights.load())
    for line, row in zip(
        (tmp_path / "labels.txt").read_text().splitlines(), samples.rows, strict=True
    ):
        own, enemy, own_hand, enemy_hand = map(int, line.split()[:4])
        found = evaluation.evaluate(own, enemy, own_hand, enemy_hand)
        assert found == int(shipped[row].sum()) >> 3


def test_fitted_weights_are_alike_for_all_images(tmp_path: Path) -> None:
    label(tmp_path / "labels.txt", 300)
    samples = read([tmp_path / "labels.txt"])
    weights = fit(samples, Course(epochs=2), lambda text: None)
    symmetries = Symmetries()
    lines = []
    for number in range(16):
        own, enemy = (symmetries.image(men, number) for men in (0x018241, 0x240814))
        lines.append(f"{own} {enemy} 3 3 0 0 1\n{enemy} {own} 3 3 0 0 1\n")
    (tmp_path / "images.txt").write_text("".join(lines))
    patterns = read([tmp_path / "images.txt"]).rows[:, :7]
    sums = weights[patterns].sum(axis=1)
    assert sums[::2] == pytest.approx(np.full(16, sums[0]))
    assert sums[1::2] == pytest.approx(-sums[::2])


def test_weights_are_the_sum_of_their_parts() -> None:
    factors = Factors()
    values = [np.zeros(size) for size in factors.sizes]
    values[0][-1] = 7.0  # Nine men each, whatever is in hand.
    values[1][-1] = 5.0  # And with all of them in hand.
    found = factors.spread(values[0], values[1])
    assert found[-1] == 12.0
    assert found[-1 - weights.MEN**2] == 7.0


def test_what_a_fit_writes_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label(tmp_path / "labels.txt", 60)
    out = tmp_path / "weights.bin"
    module.main([str(tmp_path / "labels.txt"), "--out", str(out), "--epochs", "1"])
    assert "held out" in capsys.readouterr().err
    assert weights.load(out) != weights.load()
