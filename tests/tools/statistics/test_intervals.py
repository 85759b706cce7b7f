import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.statistics.coverage import (
    GAMES,
    PAIRS,
    STRONG,
    TWINS,
    chance_below,
    coverage,
    expected,
)
from tools.statistics.intervals import _chance_below, score_bounds
from tools.statistics.results import Results

ALL: dict[str, tuple[float, ...]] = {**PAIRS, **STRONG, **TWINS, **GAMES}
FEW = (*range(2, 11), 14, 20)
MANY = (30,)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_the_interval_covers_however_few_samples_there_are(name: str) -> None:
    covered = {samples: coverage(ALL[name], samples) for samples in FEW}
    assert min(covered.values()) >= 0.94, covered


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_the_interval_is_not_wider_than_it_must_be(name: str) -> None:
    shares = PAIRS[name]
    assert 0.2 <= expected(shares) <= 0.8 + 1e-9
    for samples in MANY:
        assert 0.94 <= coverage(shares, samples) <= 0.97


def test_distributions_that_nobody_chose_are_covered() -> None:
    drawn = np.random.default_rng(11)
    found = [
        coverage(tuple(drawn.dirichlet([1.0] * 5)), samples)
        for samples in (2, 3, 5, 8, 12)
        for _ in range(10)
    ]
    assert min(found) >= 0.94


@pytest.mark.parametrize(
    ("lost", "won", "low", "high"),
    [  # By the quantiles of the beta distribution.
        (0, 2, 0.158113883, 1),
        (7, 3, 0.066739511, 0.652452850),
        (1, 29, 0.827830545, 0.999156429),
        (0, 400, 0.990820195, 1),
        (10, 9990, 0.998161736, 0.999520360),
    ],
)
@pytest.mark.parametrize("kinds", [3, 5])
def test_two_outcomes_have_the_interval_of_clopper_and_pearson(
    lost: int, won: int, low: float, high: float, kinds: int
) -> None:
    bounds = score_bounds(Results((lost, *[0] * (kinds - 2), won)))
    assert (bounds.low, bounds.high) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize(
    ("weights", "score", "chance"),
    [  # By the beta distribution; the last ones lie far out.
        ((3, 0, 0, 0, 4), 0.3, 0.07047),
        ((1, 0, 2), 0.3, 0.09),
        ((30.5, 0, 4000), 0.99, 0.0464766828),
        ((1, 0, 400), 0.98, 0.000309335866),
        ((1, 0, 400), 0.97, 5.11321091e-06),
    ],
)
def test_chances_are_those_of_the_beta_distribution(
    weights: tuple[float, ...], score: float, chance: float
) -> None:
    assert _chance_below(weights, score) == pytest.approx(chance, rel=2e-4)
    assert _chance_below(weights[::-1], 1 - score) == pytest.approx(1 - chance, abs=1e-5)


def test_the_two_ways_to_compute_a_chance_agree() -> None:
    drawn = random.Random(5)
    for _ in range(300):
        weights = [drawn.choice((0, 1)) * drawn.uniform(0.05, 30) for _ in range(5)]
        score = drawn.uniform(0.05, 0.95)
        seen = [rank / 4 for rank, weight in enumerate(weights) if weight]
        if len(seen) < 2 or not seen[0] < score < seen[-1]:
            continue
        other = float(chance_below(np.array([weights]), score)[0])
        assert _chance_below(weights, score) == pytest.approx(other, abs=2e-5), (weights, score)


counts = st.sampled_from((3, 5)).flatmap(
    lambda kinds: st.lists(
        st.one_of(st.just(0), st.integers(0, 10), st.integers(0, 10**6)),
        min_size=kinds,
        max_size=kinds,
    )
)


@given(counts)
def test_the_mean_lies_within_and_the_sides_are_alike(sample: list[int]) -> None:
    bounds = score_bounds(Results(tuple(sample)))
    if sum(sample):
        mean = sum(rank * count for rank, count in enumerate(sample)) / sum(sample)
        assert bounds.low - 1e-6 <= mean / (len(sample) - 1) <= bounds.high + 1e-6
    mirrored = score_bounds(Results(tuple(sample[::-1])))
    assert (mirrored.low, mirrored.high) == pytest.approx(
        (1 - bounds.high, 1 - bounds.low), abs=1e-5
    )
    assert mirrored.superiority == pytest.approx(1 - bounds.superiority, abs=1e-6)


@given(counts)
def test_superiority_is_as_sure_as_the_interval(sample: list[int]) -> None:
    bounds = score_bounds(Results(tuple(sample)))
    if abs(bounds.low - 0.5) > 1e-5:
        assert (bounds.low > 0.5) == (bounds.superiority > 0.975)
    if abs(bounds.high - 0.5) > 1e-5:
        assert (bounds.high < 0.5) == (bounds.superiority < 0.025)


def test_more_of_the_same_narrows_the_interval() -> None:
    for sample in ((1, 0, 1), (0, 1, 2, 1, 0), (1, 1, 1, 1, 1), (0, 0, 1, 2, 4)):
        widths = []
        for times in (1, 2, 5, 20, 1000):
            bounds = score_bounds(Results(tuple(times * count for count in sample)))
            widths.append(bounds.high - bounds.low)
        assert all(one > other for one, other in itertools.pairwise(widths))


def test_without_samples_nothing_is_known() -> None:
    assert score_bounds(Results((0, 0, 0))) == (0, 1, 0.5)
