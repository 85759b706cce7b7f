import numpy as np
import pytest

from tools.statistics.pairings import GameTable, RatedGame
from tools.statistics.results import Results

GAMES = (
    RatedGame(0, 1, 1.0, 7),
    RatedGame(1, 0, 0.5, 7),
    RatedGame(2, 1, 0.0, 9),
    RatedGame(1, 0, 1.0, 8),
    RatedGame(0, 1, 0.5, 8),
)


def test_pairs_are_counted_for_the_engine_that_is_named_first() -> None:
    table = GameTable(GAMES, 3)
    assert table.pair_count == 3
    assert table.results(0, 1) == Results((0, 1, 0, 1, 0))
    assert table.results(1, 0) == Results((0, 1, 0, 1, 0))
    more = GameTable([*GAMES, RatedGame(0, 1, 1.0, 3), RatedGame(1, 0, 0.0, 3)], 3)
    assert more.results(0, 1) == Results((0, 1, 0, 1, 1))
    assert more.results(1, 0) == Results((1, 1, 0, 1, 0))


def test_single_games_are_counted_only_where_no_pair_is_whole() -> None:
    table = GameTable(GAMES, 3)
    assert table.results(1, 2) == Results((0, 0, 1))
    assert table.results(2, 1) == Results((1, 0, 0))
    assert table.results(0, 2) is None
    unfinished = GameTable([*GAMES, RatedGame(0, 1, 1.0, 5)], 3)
    assert unfinished.results(0, 1) == table.results(0, 1)


def test_a_match_has_no_pairs_of_three_games() -> None:
    assert GameTable([RatedGame(0, 1, 1.0, 0)] * 3, 2).results(0, 1) is None


@pytest.mark.parametrize(("one", "other", "games"), [(0, 1, 4), (1, 0, 4), (2, 1, 1), (0, 2, 0)])
def test_games_between_two_engines_are_those_of_both_colours(
    one: int, other: int, games: int
) -> None:
    assert GameTable(GAMES, 3).between(one, other).sum() == games


def test_results_are_tallied_by_who_moved_first() -> None:
    tally = GameTable(GAMES, 3).tally()
    assert list(zip(tally.first.tolist(), tally.second.tolist(), strict=True)) == [
        (0, 1),
        (1, 0),
        (2, 1),
    ]
    assert np.array_equal(tally.counts, [[0, 1, 1], [0, 1, 1], [1, 0, 0]])
