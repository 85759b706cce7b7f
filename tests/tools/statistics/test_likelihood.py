import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tools.statistics.likelihood import Model, log_likelihood_ratio, normalized_limit
from tools.statistics.results import MOST_SAMPLES, Results

counts = st.one_of(
    st.lists(st.integers(0, 10**8), min_size=3, max_size=3),
    st.lists(st.integers(0, 10**8), min_size=5, max_size=5),
    st.lists(st.integers(0, 30), min_size=5, max_size=5),
).map(tuple)
models = st.sampled_from(Model)
bounds = st.floats(-30, 30)


@pytest.mark.parametrize(
    ("sample", "elo0", "elo1", "model", "llr"),
    [
        ((365, 16618, 36229, 16974, 390), 0, 2, Model.NORMALIZED, 2.250368),
        ((127, 4883, 10712, 5150, 104), -1.75, 0.25, Model.NORMALIZED, 3.010154),
        ((46, 496, 1073, 640, 79), 0, 3, Model.NORMALIZED, 2.890508),
        ((10, 20, 30, 25, 15), 0, 5, Model.NORMALIZED, 0.232803),
        ((3, 10, 40, 9, 2), -5, 0, Model.NORMALIZED, -0.065105),
        ((36027, 68692, 36433), 0, 2, Model.NORMALIZED, 0.923293),
        ((0, 0, 0, 0, 5550), 0, 5, Model.NORMALIZED, 111.7976),
        ((0, 0, 10, 0, 0), 0, 5, Model.NORMALIZED, -0.0027),
        ((0, 0, 0, 0, 0), 0, 5, Model.NORMALIZED, -0.000001),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, Model.LOGISTIC, -3.074126),
        ((10, 20, 30, 25, 15), 0, 5, Model.LOGISTIC, 0.269413),
        ((21184, 40708, 21404), 0.5, 2.5, Model.LOGISTIC, -1.571889),
        ((0, 0, 10, 0, 0), 0, 5, Model.LOGISTIC, -0.139428),
    ],
)
def test_ratios_agree_with_published_ones(
    sample: tuple[int, ...], elo0: float, elo1: float, model: Model, llr: float
) -> None:
    # The one-sided samples are published with four digits.
    digits = 1e-4 if 0 in sample else 2e-6
    assert log_likelihood_ratio(Results(sample), elo0, elo1, model) == pytest.approx(
        llr, abs=digits
    )


@given(counts, bounds, bounds, models)
def test_swapping_the_hypotheses_changes_the_sign(
    sample: tuple[int, ...], elo0: float, elo1: float, model: Model
) -> None:
    results = Results(sample)
    one = log_likelihood_ratio(results, elo0, elo1, model)
    other = log_likelihood_ratio(results, elo1, elo0, model)
    # Each game's logarithm is rounded: 21 million of them were 2e-9 apart.
    assert one == pytest.approx(-other, rel=1e-9, abs=1e-9 + 1e-15 * sum(sample))


@given(counts, bounds, bounds, models)
def test_swapping_the_engines_changes_the_sign(
    sample: tuple[int, ...], elo0: float, elo1: float, model: Model
) -> None:
    assume(any(sample))
    one = log_likelihood_ratio(Results(sample), elo0, elo1, model)
    other = log_likelihood_ratio(Results(sample[::-1]), -elo1, -elo0, model)
    assert one == pytest.approx(-other, rel=1e-5, abs=1e-4)


@given(counts, models, st.floats(-0.999, 0.999), st.floats(-0.999, 0.999))
def test_every_sample_has_a_ratio_for_all_bounds_within_the_limit(
    sample: tuple[int, ...], model: Model, part0: float, part1: float
) -> None:
    results = Results(sample)
    limit = normalized_limit(paired=results.paired)
    assert math.isfinite(log_likelihood_ratio(results, part0 * limit, part1 * limit, model))


@given(counts, bounds, models)
def test_equal_hypotheses_are_equally_likely(
    sample: tuple[int, ...], elo0: float, model: Model
) -> None:
    assert log_likelihood_ratio(Results(sample), elo0, elo0, model) == 0


@pytest.mark.parametrize("model", Model)
@pytest.mark.parametrize("sample", [(20, 30, 50, 30, 20), (30, 40, 30), (1, 4, 9, 6, 2)])
def test_a_better_outcome_raises_the_ratio(sample: tuple[int, ...], model: Model) -> None:
    ratios = []
    for rank in range(len(sample)):
        more = list(sample)
        more[rank] += 1
        ratios.append(log_likelihood_ratio(Results(tuple(more)), 0, 5, model))
    assert ratios == sorted(ratios)
    assert len(set(ratios)) == len(ratios)


def test_the_ratio_compares_the_likeliest_shares() -> None:
    # Of wins and losses alone the score fixes the shares: nothing is left to maximize.
    won, lost = 60, 40
    expected = won * math.log(0.6 / 0.5) + lost * math.log(0.4 / 0.5)
    elo1 = 400 * math.log10(0.6 / 0.4)
    ratio = log_likelihood_ratio(Results((lost, 0, won)), 0, elo1, Model.LOGISTIC)
    assert ratio == pytest.approx(expected, abs=1e-3)


def test_normalized_bounds_have_limits() -> None:
    assert normalized_limit(paired=True) == pytest.approx(231.624, abs=5e-4)
    assert normalized_limit(paired=False) == pytest.approx(340.416, abs=5e-4)


@pytest.mark.parametrize("model", Model)
@pytest.mark.parametrize("kinds", [3, 5])
def test_the_largest_one_sided_samples_have_a_ratio(kinds: int, model: Model) -> None:
    # The tilt lies so close to its pole that few floating-point numbers are left between them.
    worst, best = (MOST_SAMPLES, *[0] * (kinds - 1)), (*[0] * (kinds - 1), MOST_SAMPLES)
    losses = log_likelihood_ratio(Results(worst), 0, 5, model)
    wins = log_likelihood_ratio(Results(best), 0, 5, model)
    thousandth = (*[0] * (kinds - 1), MOST_SAMPLES // 1000)
    assert wins == pytest.approx(
        1000 * log_likelihood_ratio(Results(thousandth), 0, 5, model), rel=1e-6
    )
    assert losses == pytest.approx(-wins, rel=0.05)
