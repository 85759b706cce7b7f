from dataclasses import replace
from pathlib import Path

import numpy as np
from click.testing import CliRunner

from engines.shogi.play.weights import load
from engines.shogi.workshop import fit as module
from engines.shogi.workshop.features import TEMPO, read
from engines.shogi.workshop.fit import Factors, FitOptions, fit, initial_weights
from engines.shogi.workshop.selfplay import fill


def test_a_fit_comes_nearer_to_its_labels(tmp_path: Path) -> None:
    path = tmp_path / "some.labels"
    list(fill(path, 24, 20, 5))
    known = np.array(load(), float) / module.UNIT
    samples = read([path])
    samples = replace(samples, value=samples.sums(known))
    weights = fit(samples, FitOptions(epochs=12, share=0.0, rate=2.0))

    def likeness(values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
        # A fit may find that the odds of so few games are flatter: the scale does not count.
        return float(np.corrcoef(samples.sums(values), samples.value)[0, 1])

    assert 1 - likeness(weights) < 0.9 * (1 - likeness(initial_weights()))


def test_what_a_fit_writes_can_be_read(tmp_path: Path) -> None:
    path, out = tmp_path / "some.labels", tmp_path / "weights.bin"
    list(fill(path, 2, 20, 5))
    ran = CliRunner().invoke(module.main, [str(path), "--out", str(out), "--epochs", "1"])
    assert ran.exit_code == 0, ran.output
    assert "held out" in ran.output
    assert load(out)[TEMPO] != load()[TEMPO]


def test_a_fit_goes_on_from_weights_and_keeps_what_a_pawn_is_worth(tmp_path: Path) -> None:
    path, out, more = tmp_path / "some.labels", tmp_path / "one.bin", tmp_path / "two.bin"
    list(fill(path, 4, 40, 5))
    command = [str(path), "--epochs", "3", "--share", "1.0"]
    for start, end in ((None, out), (out, more)):
        words = [*command, "--out", str(end), *(["--start", str(start)] if start else [])]
        ran = CliRunner().invoke(module.main, words)
        assert ran.exit_code == 0, ran.output
    one, two = np.array(load(out), float), np.array(load(more), float)
    assert (one != two).any()
    assert abs(one - two).mean() < abs(one - np.array(load(), float)).mean()
    # Results of such games flatten the odds by far; the weights do not shrink with them.
    samples = read([path])
    begun, fitted = samples.sums(initial_weights()), samples.sums(one / module.UNIT)
    assert 0.7 < np.abs(fitted).mean() / np.abs(begun).mean() < 1.4


def test_weights_are_the_sum_of_their_parts() -> None:
    factors = Factors()
    values = [np.zeros(size) for size in (*factors.sizes, len(load()))]
    values[0][1] = 100.0  # A pawn anywhere.
    values[-1][-1] = 7.0
    weights = factors.spread(values)
    assert set(weights[45 * 81 : 2 * 45 * 81]) == {100.0}
    assert weights[-1] == 7.0
    assert weights[: 45 * 81].sum() == 0
