import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.statistics.passage import expected_time, upper_probability, worse_probability

lowers = st.floats(-8, -0.1)
uppers = st.floats(0.1, 8)
pulls = st.floats(-3, 3)
times = st.floats(0.01, 200)
parts = st.floats(0, 1)


def worse_by_waves(lower: float, upper: float, pull: float, time: float, place: float) -> float:
    """Compute the same from the eigenfunctions of the interval; slow to converge early on."""
    width = upper - lower
    left, inside = 1 - upper_probability(lower, upper, pull), 0.0
    for number in range(1, 400):
        wave = number * math.pi / width
        rate = wave * wave / 2 + pull * pull / 2
        amplitude = math.sin(-wave * lower) * math.exp(-rate * time)
        left -= math.exp(pull * lower) * wave / width * amplitude / rate
        # The integral of exp(pull x) sin(wave (x - lower)) from lower to place.
        reach = place - lower
        end = math.exp(pull * place) * (
            pull * math.sin(wave * reach) - wave * math.cos(wave * reach)
        )
        area = (end + wave * math.exp(pull * lower)) / (pull * pull + wave * wave)
        inside += 2 / width * amplitude * area
    return left + inside


@pytest.mark.parametrize("pull", [-1.5, -0.5, 0.0, 0.3, 2.0])
@pytest.mark.parametrize("time", [0.3, 2.0, 9.0, 60.0])
@pytest.mark.parametrize("place", [-2.9, -1.0, 0.0, 1.7, 2.2])
def test_images_and_waves_agree(pull: float, time: float, place: float) -> None:
    probability = worse_probability(-2.9, 2.2, pull, time, place)
    assert probability == pytest.approx(worse_by_waves(-2.9, 2.2, pull, time, place), abs=1e-10)


@given(lowers, uppers, pulls, times, parts)
def test_upside_down_worse_is_better(
    lower: float, upper: float, pull: float, time: float, part: float
) -> None:
    place = lower + part * (upper - lower)
    one = worse_probability(lower, upper, pull, time, place)
    other = worse_probability(-upper, -lower, -pull, time, -place)
    assert one + other == pytest.approx(1, abs=1e-9)


@given(lowers, uppers, pulls, times, parts, parts)
def test_higher_places_are_better(
    lower: float, upper: float, pull: float, time: float, part: float, more: float
) -> None:
    place = lower + part * (upper - lower)
    higher = place + more * (upper - place)
    low = worse_probability(lower, upper, pull, time, place)
    assert low <= worse_probability(lower, upper, pull, time, higher) + 1e-9


@given(lowers, uppers, pulls, st.floats(0, 3), times, parts)
def test_more_pull_makes_a_worse_course_less_likely(
    lower: float, upper: float, pull: float, more: float, time: float, part: float
) -> None:
    place = lower + part * (upper - lower)
    low = worse_probability(lower, upper, pull + more, time, place)
    assert low <= worse_probability(lower, upper, pull, time, place) + 1e-9


@given(lowers, uppers, st.floats(-1e5, 1e5), st.floats(1e-9, 1e9), parts)
def test_extremes_stay_probabilities(
    lower: float, upper: float, pull: float, time: float, part: float
) -> None:
    place = lower + part * (upper - lower)
    assert 0 <= worse_probability(lower, upper, pull, time, place) <= 1


def test_a_fair_walk_leaves_by_the_nearer_bound() -> None:
    assert upper_probability(-1, 3, 0) == 0.25
    assert expected_time(-1, 3, 0) == 3


@given(lowers, uppers)
def test_a_small_pull_changes_little(lower: float, upper: float) -> None:
    for pull in (-1e-5, 1e-5):
        assert upper_probability(lower, upper, pull) == pytest.approx(
            upper_probability(lower, upper, 0), abs=1e-3
        )
        assert expected_time(lower, upper, pull) == pytest.approx(
            expected_time(lower, upper, 0), rel=1e-3
        )


def test_a_sequential_test_errs_as_often_as_its_bounds_say() -> None:
    # Under its hypotheses the log-likelihood ratio has a pull of -1/2 and of 1/2.
    alpha, beta = 0.05, 0.1
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    assert upper_probability(lower, upper, -0.5) == pytest.approx(alpha)
    assert upper_probability(lower, upper, 0.5) == pytest.approx(1 - beta)
