import math

import numpy as np
import pytest

from engines.core.fitting import Adam, chances, count_batches, log_loss, shuffled_batches


def test_every_epoch_visits_each_row_once_in_another_order() -> None:
    rows = np.array([2, 3, 5, 7, 11])
    seen = list(shuffled_batches(rows, 2, 3, np.random.default_rng(1)))
    assert len(seen) == count_batches(len(rows), 2, 3) == 9
    assert [last for _, last, _ in seen] == [False, False, True] * 3
    orders = []
    for epoch in range(3):
        batches = [batch for number, _, batch in seen if number == epoch]
        assert [len(batch) for batch in batches] == [2, 2, 1]
        orders.append(np.concatenate(batches).tolist())
    assert all(sorted(order) == rows.tolist() for order in orders)
    assert len({tuple(order) for order in orders}) > 1


def test_the_loss_is_least_where_the_odds_meet_the_targets() -> None:
    targets = np.array([0.2, 0.5, 0.9])
    odds = np.log(targets / (1.0 - targets))
    assert chances(odds) == pytest.approx(targets)
    entropy = -sum(p * math.log(p) + (1 - p) * math.log(1 - p) for p in targets) / 3
    assert log_loss(odds, targets) == pytest.approx(entropy)
    assert log_loss(odds + 0.1, targets) > entropy < log_loss(odds - 0.1, targets)


def test_the_first_step_has_the_length_of_its_rate_whatever_the_slopes() -> None:
    one, two = np.array([1.0, 1.0]), np.array([5.0])
    adam = Adam([one, two], 2, 0.5)
    rate = adam.step([np.array([1000.0, -0.001]), np.array([0.0])])
    assert rate == pytest.approx(0.25)  # Half way along the cosine.
    assert one == pytest.approx([0.75, 1.25], abs=1e-5)
    assert two == pytest.approx([5.0])


def test_steps_follow_the_published_formulas_and_end_at_rate_zero() -> None:
    generator = np.random.default_rng(3)
    value = generator.normal(size=4)
    wanted, first, second = value.copy(), np.zeros(4), np.zeros(4)
    adam = Adam([value], 5, 0.3, epsilon=1e-7)
    for step in range(1, 6):
        slope = generator.normal(size=4)
        rate = 0.15 * (1 + math.cos(math.pi * step / 5))
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        wanted -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-7)
        assert adam.step([slope]) == pytest.approx(rate)
        assert value == pytest.approx(wanted)
    assert rate == pytest.approx(0.0)


def test_a_fit_finds_the_weights_that_made_the_labels() -> None:
    generator = np.random.default_rng(5)
    features = generator.normal(size=(400, 3))
    true = np.array([1.0, -2.0, 0.5])
    targets = chances(features @ true)
    weights = np.zeros(3)
    adam = Adam([weights], count_batches(400, 50, 40), 0.2)
    for _, _, rows in shuffled_batches(np.arange(400), 50, 40, generator):
        errors = chances(features[rows] @ weights) - targets[rows]
        adam.step([errors @ features[rows] / len(rows)])
    assert weights == pytest.approx(true, abs=0.02)
