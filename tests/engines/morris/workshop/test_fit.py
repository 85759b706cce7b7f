import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from engines.morris.play import evaluation, weights
from engines.morris.rules.symmetry import Symmetries
from engines.morris.workshop import fit as module
from engines.morris.workshop.fit import Factors, FitOptions, begin, fit, read


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
    messages: list[str] = []
    fitted = fit(samples, FitOptions(epochs=20, share=0.0), messages.append)

    def wrong(row_weights: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
        return float(np.abs(row_weights[samples.rows].sum(axis=1) - samples.value).mean())

    assert wrong(fitted) < 0.7 * wrong(begin())
    assert messages[0] == "760 positions, 40 held out"


def test_the_engine_sums_up_what_the_fit_sums_up(tmp_path: Path) -> None:
    label(tmp_path / "labels.txt", 300)
    samples = read([tmp_path / "labels.txt"])
    shipped = np.array(weights.load())
    for line, row in zip(
        (tmp_path / "labels.txt").read_text().splitlines(), samples.rows, strict=True
    ):
        own, enemy, own_hand, enemy_hand = map(int, line.split()[:4])
        value = evaluation.evaluate(own, enemy, own_hand, enemy_hand)
        assert value == int(shipped[row].sum()) >> 3


def test_fitted_weights_are_alike_for_all_images(tmp_path: Path) -> None:
    label(tmp_path / "labels.txt", 300)
    samples = read([tmp_path / "labels.txt"])
    weights = fit(samples, FitOptions(epochs=2), lambda text: None)
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
    spread = factors.spread(values[0], values[1])
    assert spread[-1] == 12.0
    assert spread[-1 - weights.MEN**2] == 7.0


def test_a_fit_of_small_data_gives_the_same_weights_as_ever(tmp_path: Path) -> None:
    label(tmp_path / "labels.txt", 6000)
    weights = fit(read([tmp_path / "labels.txt"]), FitOptions(epochs=2), lambda text: None)
    assert np.abs(weights).sum() == pytest.approx(2894835.0006544604)
    picked = weights[[5, 100, 6561, 20000, -1]]
    assert picked == pytest.approx([-2.984984, 2.584053, 0.0, -2.948647, -2.92353], abs=1e-6)


def test_what_a_fit_writes_can_be_read(tmp_path: Path) -> None:
    label(tmp_path / "labels.txt", 60)
    out = tmp_path / "weights.bin"
    words = [str(tmp_path / "labels.txt"), "--out", str(out), "--epochs", "1"]
    assert "held out" in CliRunner().invoke(module.main, words).stderr
    assert weights.load(out) != weights.load()
