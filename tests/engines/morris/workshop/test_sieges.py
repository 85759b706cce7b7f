import math
import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from engines.core.fitting import Array
from engines.morris.play import evaluation, weights
from engines.morris.rules.position import Position
from engines.morris.rules.symmetry import Symmetries
from engines.morris.tables.library import SHIPPED
from engines.morris.workshop import sieges
from engines.morris.workshop.errors import truth
from engines.morris.workshop.fit import find_patterns
from engines.morris.workshop.sieges import Samples, fit, pack, sample

SYMMETRIES = Symmetries()


def some(own: int, enemy: int, number: int) -> list[tuple[int, int]]:
    chance = random.Random(number)
    made = []
    for _ in range(number):
        points = chance.sample(range(24), own + enemy)
        men = sum(1 << point for point in points[:own])
        made.append((men, sum(1 << point for point in points[own:])))
    return made


def patterns(positions: list[tuple[int, int]]) -> Array:
    return find_patterns(np.array([(*men, 0, 0) for men in positions]))


def taught(number: int) -> Samples:
    """Return positions that the six win where they close a mill now."""
    rows = patterns(some(6, 5, number))
    strikes = (rows[:, 7] - weights.STRIKING) // weights.STRIKES
    return Samples(rows, strikes > 0)


def test_a_fit_learns_who_wins_and_images_are_worth_the_same() -> None:
    messages: list[str] = []
    fitted = fit(taught(2_000), 20, 0.05, messages.append)
    before, *_, after = (float(text.split()[-3]) for text in messages)
    assert after < 0.7 * before
    images = [
        (SYMMETRIES.image(own, number), SYMMETRIES.image(enemy, number))
        for own, enemy in some(6, 5, 1)
        for number in range(16)
    ]
    assert np.ptp(fitted[patterns(images)].sum(axis=1)) == pytest.approx(0.0)


def test_a_fit_of_small_data_gives_the_same_weights_as_ever() -> None:
    fitted = fit(taught(12_000), 3, 0.05, lambda text: None)
    assert np.abs(fitted).sum() == pytest.approx(2232.5811490461156)


def test_the_engine_sums_up_what_the_fit_sums_up() -> None:
    shipped = np.array(weights.load_sieges())
    for at, (own, enemy) in enumerate(sieges.SECTORS):
        positions = some(own, enemy, 200)
        common = int(shipped[weights.SIEGE_COMMON + at])
        sums = shipped[at * weights.ROW + patterns(positions)].sum(axis=1) + common
        for men, total in zip(positions, sums.tolist(), strict=True):
            odds = max(-16.0, (total >> 2) / 16)
            chance = 1 / (1 + math.exp(-odds))
            worth = min(600.0, 400 * math.log10((1 + chance) / (1 - chance)) + odds + 16)
            value = evaluation.evaluate(*men, 0, 0)
            assert value == pytest.approx(worth if own > enemy else -worth, abs=0.51)


def test_other_numbers_of_men_and_men_in_hand_are_worth_what_they_were() -> None:
    before = weights.load_sieges()
    others = [*some(7, 4, 20), *some(4, 7, 20), *some(6, 6, 20), *some(5, 5, 20)]
    values = [evaluation.evaluate(*men, 0, 0) for men in others]
    values += [evaluation.evaluate(*men, 1, 1) for men in some(5, 4, 20)]
    try:
        evaluation.fill_sieges(pack([np.ones(weights.ROW + 1)] * 2))
        again = [evaluation.evaluate(*men, 0, 0) for men in others]
        again += [evaluation.evaluate(*men, 1, 1) for men in some(5, 4, 20)]
        assert again == values
        assert {evaluation.evaluate(*men, 0, 0) for men in some(6, 5, 20)} == {600}
    finally:
        evaluation.fill_sieges(before)


@pytest.mark.compiled("thousands of values take long")
def test_the_shipped_weights_see_the_captures_that_win() -> None:
    oracle = truth(SHIPPED)
    worth: dict[bool, list[int]] = {True: [], False: []}
    for own, enemy in some(6, 5, 400):
        position = Position(white=own, black=enemy, hands=(0, 0))
        wins = False
        for move in position.legal_moves():
            position.play(move)
            value = oracle.value(position.own, position.enemy)
            wins = wins or (value > 0 and value % 2 == 1)
            position.undo()
        worth[wins].append(evaluation.evaluate(own, enemy, 0, 0))
    assert min(map(len, worth.values())) > 20
    assert np.mean(worth[True]) > np.mean(worth[False]) + 150


def test_tables_that_do_not_reach_are_refused(tmp_path: Path) -> None:
    refused = CliRunner().invoke(sieges.main, [str(tmp_path)])
    assert refused.exit_code == 2
    assert "no tables in" in refused.stderr
    with pytest.raises(ValueError, match="6-5: the tables do not reach there"):
        sample(truth(SHIPPED), (6, 5), 5, 1)


@pytest.mark.compiled("hundreds of values take long")
def test_positions_are_labelled_by_who_wins_of_the_six() -> None:
    oracle = truth(SHIPPED)
    ours, theirs = (sample(oracle, sector, 300, 1).won.mean() for sector in ((6, 4), (4, 6)))
    assert 0.1 < ours < 0.4  # 23.3 %: the mover wins.
    assert 0.0 < theirs < 0.2  # 6.5 %: the opponent does.
