import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.game import FIRST, SECOND
from tools.journal.sampling import MOST_REPEATED, GameResult, Sample, SampleStatus
from tools.statistics.results import Results
from tools.statistics.sprt import Sprt, State


def pair(number: int, first: float, second: float, attempt: int = 0) -> list[GameResult]:
    return [
        GameResult(number, FIRST, first, "resign", attempt=attempt),
        GameResult(number, SECOND, second, "time", attempt=attempt),
    ]


def void(number: int, side: int, attempt: int = 0) -> GameResult:
    return GameResult(number, side, 0, "void", void=True, attempt=attempt)


def test_a_pair_counts_once_it_is_whole() -> None:
    sample = Sample()
    first, second = pair(0, 1, 0.5)
    assert sample.add(first) is SampleStatus.WAITING
    assert sample.results == Results((0, 0, 0, 0, 0))
    assert sample.counted.total == Results((0, 0, 0))
    assert sample.recorded.total == Results((0, 0, 1))
    assert sample.add(second) is SampleStatus.COUNTED
    assert sample.results == Results((0, 0, 0, 1, 0))
    assert sample.counted.total == Results((0, 1, 1))


@pytest.mark.parametrize(
    ("first", "second", "rank"),
    [(0, 0, 0), (0, 0.5, 1), (0.5, 0, 1), (0.5, 0.5, 2), (1, 0, 2), (0.5, 1, 3), (1, 1, 4)],
)
def test_pairs_are_ranked_by_their_points(first: float, second: float, rank: int) -> None:
    sample = Sample()
    for game in pair(3, first, second):
        sample.add(game)
    assert sample.results.counts[rank] == 1


@given(
    st.lists(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 2), max_size=12), st.integers(0, 2**32)
)
def test_the_order_of_finishing_does_not_matter(
    points: list[tuple[float, float]], seed: int
) -> None:
    games = [game for number, both in enumerate(points) for game in pair(number, *both)]
    games += [void(90, FIRST), GameResult(90, SECOND, 1), *pair(90, 0, 0, attempt=1)]
    straight, shuffled = Sample(), Sample()
    for game in games:
        straight.add(game)
    random.Random(seed).shuffle(games)
    for game in games:
        shuffled.add(game)
    assert shuffled.results == straight.results
    assert shuffled.results.samples == len(points) + 1
    assert shuffled.void == 1
    assert list(shuffled.missing(12)) == list(straight.missing(12))
    for side in (FIRST, SECOND):
        assert shuffled.counted.by_side(side) == straight.counted.by_side(side)


@pytest.mark.parametrize("void_first", [True, False])
def test_a_void_game_spoils_its_pair(*, void_first: bool) -> None:
    sample = Sample()
    games = [void(0, FIRST), GameResult(0, SECOND, 1)]
    statuses = [sample.add(game) for game in (games if void_first else games[::-1])]
    assert statuses == (
        [SampleStatus.VOID, SampleStatus.VOID]
        if void_first
        else [SampleStatus.WAITING, SampleStatus.VOID]
    )
    assert sample.results.samples == 0
    assert sample.recorded.total.samples - sample.counted.total.samples == 1
    assert list(sample.missing(1)) == [(0, FIRST, 1), (0, SECOND, 1)]


def test_a_spoilt_pair_is_replayed_whole() -> None:
    sample = Sample()
    replayed = pair(0, 0, 0.5, attempt=1)
    for game in (void(0, FIRST), replayed[0], GameResult(0, SECOND, 1)):
        sample.add(game)
    assert sample.results.samples == 0, "halves of two attempts make no pair"
    assert list(sample.missing(1)) == [(0, SECOND, 1)]
    sample.add(replayed[1])
    assert sample.results == Results((0, 1, 0, 0, 0))
    assert list(sample.missing(1)) == []


def test_what_is_missing_is_told_game_by_game() -> None:
    sample = Sample()
    for game in (*pair(1, 1, 1), GameResult(2, SECOND, 0), void(3, FIRST)):
        sample.add(game)
    assert list(sample.missing(4)) == [
        (0, FIRST, 0),
        (0, SECOND, 0),
        (2, FIRST, 0),
        (3, FIRST, 1),
        (3, SECOND, 1),
    ]


def test_games_count_by_themselves_where_they_are_not_paired() -> None:
    sample = Sample(paired=False)
    statuses = [sample.add(game) for game in (GameResult(0, FIRST, 1), void(0, SECOND))]
    assert statuses == [SampleStatus.COUNTED, SampleStatus.VOID]
    assert sample.results == Results((0, 0, 1))
    assert list(sample.missing(2)) == [(0, SECOND, 1), (1, FIRST, 0), (1, SECOND, 0)]
    assert sample.add(GameResult(0, SECOND, 0.5, attempt=1)) is SampleStatus.COUNTED
    assert sample.results == Results((0, 1, 1))


@pytest.mark.parametrize("paired", [True, False])
def test_no_game_counts_twice(*, paired: bool) -> None:
    sample = Sample(paired=paired)
    games = pair(0, 1, 0)
    for game in games:
        sample.add(game)
    before = sample.results
    with pytest.raises(ValueError, match="game 0 of pair 0 was added before"):
        sample.add(games[0])
    again = pair(0, 1, 0, attempt=1)
    if paired:
        sample.add(again.pop())
    with pytest.raises(ValueError, match="of pair 0 was added before"):
        sample.add(again[0])
    assert sample.results == before


def test_scores_are_split_by_side_and_ending() -> None:
    sample = Sample()
    for game in (*pair(0, 1, 0), *pair(1, 1, 0.5), GameResult(2, FIRST, 0, "crash")):
        sample.add(game)
    assert sample.counted.by_side(FIRST) == Results((0, 0, 2))
    assert sample.counted.by_side(SECOND) == Results((1, 1, 0))
    assert sample.recorded.by_side(FIRST) == Results((1, 0, 2))
    assert sample.recorded.endings == ["resign", "time", "crash"]
    assert sample.recorded.by_ending("time") == Results((1, 1, 0))
    assert sample.recorded.by_ending("crash") == Results((1, 0, 0))
    assert sample.recorded.by_ending("stall") == Results((0, 0, 0))


def closed_sample() -> Sample:
    sample = Sample(Sprt(0, 100))
    for number in range(100):
        for game in pair(number, 1, number % 2):
            sample.add(game)
        if sample.closed:
            return sample
    raise AssertionError("the test was not decided")


def test_a_crossed_bound_closes_the_sample() -> None:
    sample = closed_sample()
    verdict, results = sample.verdict, sample.results
    assert verdict is not None
    assert verdict.state is State.H1
    for number in range(100, 400):
        for game in pair(number, 0, 0):
            assert sample.add(game) is SampleStatus.LATE
    assert sample.verdict == verdict, "games that would have changed the verdict came too late"
    assert sample.results == results
    assert sample.recorded.total.samples == results.games + 600
    assert sample.recorded.total.samples - sample.counted.total.samples == 600


def test_half_a_pair_that_waited_at_the_end_never_counts() -> None:
    sample = Sample(Sprt(0, 100))
    early, late = pair(999, 0, 0)
    sample.add(early)
    for number in range(100):
        for game in pair(number, 1, number % 2):
            sample.add(game)
    assert sample.closed
    results = sample.results
    assert sample.add(late) is SampleStatus.LATE
    assert sample.results == results


def test_a_sample_without_a_test_stays_open() -> None:
    sample = Sample()
    for number in range(300):
        for game in pair(number, 1, 1):
            sample.add(game)
    assert sample.verdict is None
    assert not sample.closed
    assert sample.results == Results((0, 0, 0, 0, 300))


def test_an_empty_sample_of_any_test_is_open() -> None:
    assert not Sample(Sprt(0, 5, 0.4999, 0.4999)).closed


def test_a_test_of_pairs_wants_a_sample_of_pairs() -> None:
    with pytest.raises(ValueError, match="pairs"):
        Sample(Sprt(0, 5), paired=False)


def test_nonsense_is_no_game() -> None:
    with pytest.raises(ValueError, match="points"):
        GameResult(0, FIRST, 2)
    with pytest.raises(ValueError, match="side"):
        GameResult(0, 2, 1)


def test_what_is_missing_is_found_without_looking_at_all_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = 0
    look = Sample._missing_of

    def count(self: Sample, number: int) -> Iterator[tuple[int, int, int]]:
        nonlocal looks
        looks += 1
        return look(self, number)

    monkeypatch.setattr(Sample, "_missing_of", count)
    sample = Sample()
    for number in range(500):
        for game in pair(number, 1, 0):
            sample.add(game)
        assert next(sample.missing(10**9)) == (number + 1, FIRST, 0)
    assert looks <= 1001
    sample.add(void(501, FIRST))
    assert list(sample.missing(502)) == [
        *((500, FIRST, 0), (500, SECOND, 0)),
        *((501, FIRST, 1), (501, SECOND, 1)),
    ]


def same(number: int, first: float, second: float, kind: str = "") -> list[GameResult]:
    """Return the games of a pair whose digests are those of every pair of its kind."""
    return [
        GameResult(number, FIRST, first, digest=f"first {kind}{first}"),
        GameResult(number, SECOND, second, digest=f"second {kind}{second}"),
    ]


def fill(sample: Sample, *games: GameResult) -> Sample:
    for game in games:
        sample.add(game)
    return sample


def test_equal_pairs_are_one_sample() -> None:
    sample = fill(Sample(), *same(0, 1, 0.5), *same(1, 1, 0.5), *same(2, 1, 0), *same(3, 1, 0.5))
    assert sample.results == Results((0, 0, 1, 3, 0))
    assert sample.distinct == Results((0, 0, 1, 1, 0))
    assert sample.counted.total == Results((1, 3, 4))
    assert sample.repeated == 1


def test_the_games_of_equal_pairs_may_finish_in_any_order() -> None:
    sample = fill(Sample(), *same(0, 1, 0.5), *same(1, 1, 0.5)[::-1])
    assert sample.distinct.samples == 1


def test_a_pair_with_one_other_game_is_another_sample() -> None:
    one, other = same(1, 1, 0.5)[0], same(1, 1, 0.5, kind="other")[1]
    assert fill(Sample(), *same(0, 1, 0.5), one, other).distinct.samples == 2


def test_colours_are_told_apart() -> None:
    crossed = [
        GameResult(1, FIRST, 1, digest="second 1"),
        GameResult(1, SECOND, 1, digest="first 1"),
    ]
    assert fill(Sample(), *same(0, 1, 1), *crossed).distinct.samples == 2


def test_games_of_which_nothing_is_known_are_like_no_other() -> None:
    assert fill(Sample(), *pair(0, 1, 0), *pair(1, 1, 0)).distinct.samples == 2


def test_equal_games_are_one_sample_where_they_are_not_paired() -> None:
    sample = fill(Sample(paired=False), *same(0, 1, 1), *same(1, 1, 1), *same(2, 1, 0))
    assert sample.results == Results((1, 0, 5))
    assert sample.distinct == Results((1, 0, 2))


def test_a_pair_that_is_played_again_may_repeat_its_own_games() -> None:
    half = same(0, 1, 1)[0]
    again = [replace(game, attempt=1) for game in same(0, 1, 1)]
    sample = fill(Sample(), half, void(0, SECOND), *again)
    assert (sample.results.samples, sample.distinct.samples) == (1, 1)


@pytest.mark.parametrize("paired", [True, False])
def test_a_test_is_not_decided_by_repetitions(*, paired: bool) -> None:
    sample = Sample(Sprt(0, 200, paired=paired), paired=paired)
    for number in range(MOST_REPEATED):
        fill(sample, *same(number, 1, 1))
    assert sample.test is not None
    assert sample.verdict == sample.test.judge(sample.distinct)
    assert sample.distinct.samples == (1 if paired else 2)
    exhausted = [sample.closed, sample.exhausted]
    for number, kind in ((MOST_REPEATED, ""), (MOST_REPEATED + 1, "new")):
        exhausted.append(fill(sample, *same(number, 1, 1, kind)).exhausted)
    assert exhausted == [False, not paired, True, False]
    for number in range(MOST_REPEATED + 2, 400):
        fill(sample, *same(number, 1, 1, kind=f"{number} "))
        if sample.closed:
            break
    assert sample.closed
    assert sample.verdict is not None
    assert sample.verdict.state is State.H1


def test_without_a_test_nothing_is_exhausted() -> None:
    sample = Sample()
    for number in range(2 * MOST_REPEATED):
        fill(sample, *same(number, 1, 1))
    assert not sample.exhausted


def test_games_wait_for_the_other_game_of_their_pair() -> None:
    sample = fill(Sample(), pair(0, 1, 1)[0], pair(1, 1, 1)[1])
    assert sample.waiting == 2
    fill(sample, pair(0, 1, 1)[1])
    assert sample.waiting == 1
    fill(sample, void(1, FIRST))
    assert sample.waiting == 0
    fill(sample, void(2, FIRST), GameResult(2, SECOND, 1))
    assert sample.waiting == 0
    assert fill(Sample(paired=False), GameResult(0, FIRST, 1)).waiting == 0


def test_nothing_waits_for_a_test_that_is_decided() -> None:
    sample = closed_sample()
    fill(sample, GameResult(900, FIRST, 1))
    assert sample.waiting == 0
