import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.game import InvalidText
from tools.statistics import (
    HIGHEST_ELO,
    Results,
    elo,
    estimate,
    expected_score,
    format_counts,
    normal_cdf,
    parse_counts,
)

counts = st.one_of(
    st.lists(st.integers(0, 10**6), min_size=3, max_size=3),
    st.lists(st.integers(0, 10**6), min_size=5, max_size=5),
).map(tuple)


@pytest.mark.parametrize(
    ("sample", "elo_", "elo_error", "nelo", "nelo_error", "los"),
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
    elo_: float,
    elo_error: float,
    nelo: float,
    nelo_error: float,
    los: float,
) -> None:
    found = estimate(Results(sample))
    assert found.elo == pytest.approx(elo_, abs=1e-5)
    assert found.elo_error == pytest.approx(elo_error, abs=1e-5)
    assert found.nelo == pytest.approx(nelo, abs=1e-5)
    assert found.nelo_error == pytest.approx(nelo_error, abs=1e-5)
    assert found.los == pytest.approx(los, abs=1e-6)


def test_games_and_points_of_pairs_count_both_games() -> None:
    results = Results((1, 2, 3, 4, 5))
    assert (results.samples, results.games, results.points) == (15, 30, 20.0)


def test_games_and_points_of_games() -> None:
    results = Results((3, 4, 5))
    assert (results.samples, results.games, results.points) == (12, 12, 7.0)


@given(counts)
def test_swapping_the_engines_changes_the_sign(sample: tuple[int, ...]) -> None:
    one, other = estimate(Results(sample)), estimate(Results(sample[::-1]))
    assert one.elo == pytest.approx(-other.elo, abs=1e-7)
    assert one.elo_error == pytest.approx(other.elo_error, abs=1e-7)
    assert one.nelo == pytest.approx(-other.nelo, rel=1e-6, abs=1e-7)
    assert one.los == pytest.approx(1 - other.los, abs=1e-9)


@given(counts, st.integers(0, 3))
def test_a_better_outcome_never_lowers_elo(sample: tuple[int, ...], rank: int) -> None:
    rank = min(rank, len(sample) - 2)
    if sample[rank] < 2:  # The weight of an outcome not seen would mask the change.
        return
    better = list(sample)
    better[rank] -= 1
    better[rank + 1] += 1
    assert estimate(Results(tuple(better))).elo >= estimate(Results(sample)).elo - 1e-9


@given(counts)
def test_every_figure_of_every_sample_is_finite(sample: tuple[int, ...]) -> None:
    found = estimate(Results(sample))
    assert all(
        map(math.isfinite, (found.elo, found.elo_error, found.nelo, found.nelo_error, found.los))
    )
    assert found.elo_error >= 0
    assert 0 <= found.los <= 1


@given(st.floats(0.001, 0.999))
def test_elo_and_expected_score_are_inverse(score: float) -> None:
    assert expected_score(elo(score)) == pytest.approx(score, abs=1e-12)


def test_certain_scores_have_the_highest_elo() -> None:
    assert elo(1.0) == HIGHEST_ELO == pytest.approx(1199.826, abs=1e-3)
    assert elo(0.0) == pytest.approx(-HIGHEST_ELO)


def test_the_error_of_normalized_elo_does_not_depend_on_the_score() -> None:
    even, strong = estimate(Results((10, 20, 40, 20, 10))), estimate(Results((1, 4, 20, 40, 35)))
    assert even.nelo_error == pytest.approx(strong.nelo_error)


@pytest.mark.parametrize("sample", [(0, 0, 10, 0, 0), (0, 10, 0)])
def test_draws_alone_are_even_and_do_not_pretend_to_be_sure(sample: tuple[int, ...]) -> None:
    found = estimate(Results(sample))
    assert (found.elo, found.los) == (0, 0.5)
    assert found.elo_error > 50


def test_wins_alone_grow_surer_with_their_number() -> None:
    errors = [estimate(Results((0, 0, wins))).elo_error for wins in (10, 100, 1000)]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] > 0


def test_no_games_say_nothing() -> None:
    found = estimate(Results((0, 0, 0, 0, 0)))
    assert (found.elo, found.nelo, found.los) == (0, 0, 0.5)
    assert found.elo_error == HIGHEST_ELO


@given(counts)
def test_counts_are_read_as_they_are_written(sample: tuple[int, ...]) -> None:
    assert parse_counts(format_counts(sample), len(sample)).counts == sample


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1,2", "expected 3 counts"),
        ("1,2,3,4,5", "expected 3 counts"),
        ("1,-2,3", "not '-2'"),
        ("1,2.5,3", "not '2.5'"),
        ("1,,3", "not ''"),
        ("１,2,3", "not '１'"),
        ("1,2,9999999999", "more than 1000000000 samples"),
        ("1,2,1" + "0" * 5000, "expected whole numbers"),
    ],
)
def test_wrong_counts_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        parse_counts(text, 3)


@pytest.mark.parametrize("sample", [(), (1, 2), (1, 2, 3, 4), (1, -1, 3)])
def test_counts_of_no_known_kind_are_refused(sample: tuple[int, ...]) -> None:
    with pytest.raises(InvalidText):
        Results(sample)


def test_the_normal_distribution_is_exact_in_both_tails() -> None:
    assert normal_cdf(1.959963984540054) == pytest.approx(0.975, abs=1e-12)
    assert normal_cdf(-10) == pytest.approx(7.61985302416e-24, rel=1e-9)
