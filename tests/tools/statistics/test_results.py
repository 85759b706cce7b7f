import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.game import InvalidText
from tools.statistics.results import Results, format_counts, parse_counts

counts = st.one_of(
    st.lists(st.integers(0, 10**6), min_size=3, max_size=3),
    st.lists(st.integers(0, 10**6), min_size=5, max_size=5),
).map(tuple)


def test_games_and_points_of_pairs_count_both_games() -> None:
    results = Results((1, 2, 3, 4, 5))
    assert (results.samples, results.games, results.points) == (15, 30, 20.0)


def test_games_and_points_of_games() -> None:
    results = Results((3, 4, 5))
    assert (results.samples, results.games, results.points) == (12, 12, 7.0)


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
