import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.statistics.estimates import Estimate, estimate, format_elo, format_los
from tools.statistics.results import Results
from tools.statistics.scale import HIGHEST_ELO

counts = st.one_of(
    st.lists(st.integers(0, 10**6), min_size=3, max_size=3),
    st.lists(st.integers(0, 10**6), min_size=5, max_size=5),
).map(tuple)


@pytest.mark.parametrize(
    ("sample", "elo", "elo_error", "nelo", "nelo_error", "los"),
    [
        ((34, 54, 63, 64, 75), 55.579780, 27.653430, 57.935600, 28.275376, 0.999970),
        ((332, 433, 498, 333, 334), -8.642667, 10.334194, -9.172914, 10.960459, 0.050470),
        ((10, 20, 70, 50, 60), 111.185877, 29.529392, 134.243862, 33.227506, 1.0),
        ((89, 123, 76), -15.693521, 30.458001, -20.756450, 40.126026, 0.155326),
        ((96, 111, 136), 40.702458, 30.427218, 49.768415, 36.768451, 0.996010),
    ],
)
def test_estimates_agree_with_published_ones(
    sample: tuple[int, ...],
    elo: float,
    elo_error: float,
    nelo: float,
    nelo_error: float,
    los: float,
) -> None:
    strength = estimate(Results(sample))
    assert strength.elo == pytest.approx(elo, abs=1e-5)
    assert strength.nelo == pytest.approx(nelo, abs=1e-5)
    assert strength.nelo_error == pytest.approx(nelo_error, abs=1e-5)
    # The published errors are those of a normal distribution, which many games approach.
    assert strength.elo_error == pytest.approx(elo_error, rel=2e-3)
    assert strength.los == pytest.approx(los, abs=3e-3)


@given(counts)
def test_swapping_the_engines_changes_the_sign(sample: tuple[int, ...]) -> None:
    one, other = estimate(Results(sample)), estimate(Results(sample[::-1]))
    assert (one.elo_low is None) == (other.elo_high is None)
    for mine, theirs in (
        (one.elo, other.elo),
        (one.elo_low, other.elo_high),
        (one.elo_high, other.elo_low),
        (one.nelo, other.nelo),
    ):
        if mine is not None:
            assert theirs is not None
            assert mine == pytest.approx(-theirs, rel=1e-5, abs=1e-3)
    assert one.los == pytest.approx(1 - other.los, abs=1e-6)


@given(counts, st.integers(0, 3))
def test_a_better_outcome_raises_elo(sample: tuple[int, ...], rank: int) -> None:
    rank = min(rank, len(sample) - 2)
    better = list(sample)
    if sample[rank] < 2:
        return
    better[rank] -= 1
    better[rank + 1] += 1
    one, other = estimate(Results(sample)), estimate(Results(tuple(better)))
    if one.elo is not None and other.elo is not None:
        assert other.elo >= one.elo


@given(counts)
def test_every_figure_of_every_sample_is_finite(sample: tuple[int, ...]) -> None:
    strength = estimate(Results(sample))
    figures = [value for value in strength.figures().values() if value is not None]
    assert all(map(math.isfinite, figures))
    assert 0 <= strength.los <= 1
    if strength.elo is not None:
        assert strength.elo_low is not None
        assert strength.elo_high is not None
        assert strength.elo_low <= strength.elo + 1e-3
        assert strength.elo <= strength.elo_high + 1e-3


def test_the_error_of_normalized_elo_does_not_depend_on_the_score() -> None:
    even, strong = estimate(Results((10, 20, 40, 20, 10))), estimate(Results((1, 4, 20, 40, 35)))
    assert even.nelo_error == pytest.approx(strong.nelo_error)


@pytest.mark.parametrize("sample", [(0, 0, 10, 0, 0), (0, 10, 0)])
def test_draws_alone_are_even_and_do_not_pretend_to_be_sure(sample: tuple[int, ...]) -> None:
    strength = estimate(Results(sample))
    assert (strength.elo, strength.nelo, strength.los) == (0, None, 0.5)
    assert strength.elo_error is not None
    assert strength.elo_error > 50


def test_wins_alone_have_a_lower_bound_that_grows_with_their_number() -> None:
    swept = [estimate(Results((0, 0, wins))) for wins in (1, 2, 4, 10, 100)]
    bounds = [strength.elo_low for strength in swept]
    assert None not in bounds
    assert bounds == sorted(bounds, key=float)  # type: ignore[arg-type]
    assert all(
        strength.elo is strength.elo_high is strength.elo_error is None for strength in swept
    )


def test_four_games_are_no_certainty() -> None:
    won = estimate(Results((0, 0, 0, 0, 2)))
    assert won.elo_low == pytest.approx(-290.5, abs=0.1)
    assert won.los == pytest.approx(0.75)
    assert format_elo(won) == "> -290.5"
    assert format_elo(estimate(Results((2, 0, 0, 0, 0)))) == "< +290.5"


def test_no_games_say_nothing() -> None:
    strength = estimate(Results((0, 0, 0, 0, 0)))
    assert strength == Estimate(None, None, None, None, None, None, 0.5)
    assert format_elo(strength) == "unknown"


def test_scores_near_certainty_have_the_highest_elo() -> None:
    strength = estimate(Results((1, 0, 10**8)))
    assert strength.elo == strength.elo_low == HIGHEST_ELO


def test_elo_is_written_with_its_interval() -> None:
    assert format_elo(estimate(Results((34, 54, 63, 64, 75)))) == "+55.6 [+27.9, +83.2]"
    assert format_elo(estimate(Results((34, 54, 63, 64, 75))), 2) == "+55.58 [+27.93, +83.16]"


@pytest.mark.parametrize(
    ("los", "text"),
    [
        (0.5, "50.0 %"),
        (0.9987, "99.9 %"),
        (0.9996, "> 99.9 %"),
        (1, "> 99.9 %"),
        (0, "< 0.1 %"),
        (0.0012, "0.1 %"),
    ],
)
def test_a_likelihood_of_superiority_never_looks_certain(los: float, text: str) -> None:
    assert format_los(los) == text
