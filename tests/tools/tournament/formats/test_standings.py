from dataclasses import replace

import pytest

from tests.tools.tournament.formats.playing import lower_wins, play_all
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.formats.rounds import History, PairOfGames, PairResult, Round
from tools.tournament.formats.standings import rank

ROBIN = Plan()
# A beats B 2-0, C 1-1; B beats C 2-0 and D 1.5-0.5; C beats D 2-0; D beats A 1.5-0.5.
TABLE = {
    (0, 1): (1.0, 1.0),
    (0, 2): (1.0, 0.0),
    (0, 3): (0.5, 0.0),
    (1, 2): (1.0, 1.0),
    (1, 3): (1.0, 0.5),
    (2, 3): (1.0, 1.0),
}


def table(pair: PairOfGames) -> tuple[float, float]:
    one, other = pair.engines
    if pair.engines in TABLE:
        return TABLE[pair.engines]
    first, second = TABLE[other, one]
    return 1 - second, 1 - first


def test_sonneborn_berger_as_computed_by_hand() -> None:
    """Points: A 3.5, B 3.5, C 3, D 2. SB of A: 3.5 + 3 / 2 + 2 / 4; of B: 3 + 2 * 3 / 4."""
    places = rank(ROBIN, play_all(ROBIN, 4, table))
    assert [(each.engine, each.place, each.points) for each in places] == [
        (0, 1, 3.5),
        (1, 2, 3.5),
        (2, 3, 3.0),
        (3, 4, 2.0),
    ]
    assert places[0].tie_breaks[0] == 3.5 + 3 / 2 + 2 / 4
    assert places[1].tie_breaks[0] == 3 + 2 * 3 / 4
    assert places[0].tie_breaks[2] == 3  # A has won three games.


def test_the_games_between_equals_decide_where_sonneborn_berger_does_not() -> None:
    """C and D have 5 points, and opponents with 9 by Sonneborn-Berger; D has beaten C."""
    won = {(0, 2): 2, (0, 4): 0, (1, 3): 3, (1, 4): 4, (2, 3): 3, (2, 4): 2, (3, 4): 4}

    def referee(pair: PairOfGames) -> tuple[float, float]:
        one, other = pair.engines
        winner = won.get((min(one, other), max(one, other)))
        points = 0.5 if winner is None else float(winner == one)
        return points, points

    places = rank(ROBIN, play_all(ROBIN, 5, referee))
    assert [(each.engine, each.points, each.tie_breaks) for each in places[:2]] == [
        (3, 5.0, (9.0, 2.0, 4.0)),
        (2, 5.0, (9.0, 0.0, 4.0)),
    ]
    assert [each.place for each in places] == [1, 2, 3, 4, 5]


def test_equal_engines_share_their_place() -> None:
    places = rank(ROBIN, play_all(ROBIN, 3, lambda pair: (0.5, 0.5)))
    assert [(each.place, each.share) for each in places] == [(1, 0.5)] * 3


def test_buchholz_as_computed_by_hand() -> None:
    """Rounds: A-C, B-D; A-B, C-D. A has 4 points, B and C 2, D 0."""
    plan = Plan(Format.SWISS, rounds=2)
    places = rank(plan, play_all(plan, 4))
    assert [(each.engine, each.points, each.tie_breaks[0]) for each in places] == [
        (0, 4.0, 4.0),
        (1, 2.0, 4.0),
        (2, 2.0, 4.0),
        (3, 0.0, 4.0),
    ]
    assert [each.place for each in places] == [1, 2, 2, 4]


def test_a_bye_counts_as_an_opponent_with_ones_own_points() -> None:
    """Rounds: A-B with a bye of C; A-C with a bye of B."""
    plan = Plan(Format.SWISS, rounds=2)
    history = play_all(plan, 3)
    assert [each.byes for each in history.rounds] == [(2,), (1,)]
    places = {each.engine: each for each in rank(plan, history)}
    assert [places[engine].points for engine in range(3)] == [4.0, 2.0, 2.0]
    assert [places[engine].games for engine in range(3)] == [4, 2, 2]
    assert [places[engine].byes for engine in range(3)] == [0, 1, 1]
    assert [places[engine].share for engine in range(3)] == [1.0, 0.0, 0.0]
    assert [places[engine].tie_breaks[0] for engine in range(3)] == [4.0, 6.0, 6.0]


def test_an_engine_that_drops_out_early_leaves_no_trace_in_the_points() -> None:
    plan = Plan(games=6)
    places = rank(plan, play_all(plan, 3, dropping=[2]))
    assert [(each.engine, each.points, each.games) for each in places] == [
        (0, 6.0, 6),
        (1, 0.0, 6),
        (2, 0.0, 0),
    ]
    assert places[2].withdrawn


@pytest.mark.parametrize("format_", Format)
def test_engines_that_dropped_out_come_after_all_others(format_: Format) -> None:
    """The engines that were named first drop out, although they have won all their games."""
    plan = Plan(format_, games=4, rounds=2)
    history = play_all(plan, 4)
    gone = replace(history, withdrawn=frozenset({0, 1}))
    places = rank(plan, gone)
    assert [each.withdrawn for each in places] == [False, False, True, True]
    assert places[1].place < places[2].place
    assert {each.engine for each in places[:2]} == {2, 3}


def test_an_engine_whose_opponents_were_annulled_shares_no_place_with_them() -> None:
    plan = Plan(games=20)
    drawn = Round(1, ((0, 1), (0, 2), (1, 2)), 2, 0, 0)
    results = {
        pair.pair: PairResult(pair.engines, (0.0, 0.0))
        for pair in drawn.pairs()
        if 2 in pair.engines
    }
    places = rank(plan, History(3, [drawn], results, frozenset({0, 1})))
    assert [(each.engine, each.place, each.points) for each in places] == [
        (2, 1, 0.0),
        (0, 2, 0.0),
        (1, 2, 0.0),
    ]


def test_an_engine_that_drops_out_late_loses_the_games_that_were_drawn() -> None:
    drawn = Round(1, ((0, 1), (0, 2), (1, 2)), 2, 0, 0)
    again = replace(drawn, number=2, first_pair=3, start=1)
    results = {
        pair.pair: PairResult(pair.engines, lower_wins(pair))
        for pair in [*drawn.pairs(), *again.pairs()]
        if pair.pair != 4
    }
    history = History(3, [drawn, again], results, frozenset({2}))
    places = rank(Plan(games=4), history)
    assert [(each.engine, each.points, each.games) for each in places] == [
        (0, 8.0, 8),
        (1, 4.0, 8),
        (2, 0.0, 8),
    ]


def test_losers_of_one_stage_share_a_place_in_a_knockout() -> None:
    plan = Plan(Format.KNOCKOUT)
    places = rank(plan, play_all(plan, 6))
    assert [(each.engine, each.place) for each in places] == [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 3),
        (4, 5),
        (5, 5),
    ]


def test_a_gauntlet_ranks_the_opponents_by_their_shares() -> None:
    plan = Plan(Format.GAUNTLET, games=4)
    shares = {1: (0.0, 0.0), 2: (1.0, 1.0), 3: (0.5, 0.5)}
    places = rank(plan, play_all(plan, 4, lambda pair: shares[pair.engines[1]]))
    assert [(each.engine, each.share) for each in places] == [
        (0, 0.5),
        (1, 1.0),
        (3, 0.5),
        (2, 0.0),
    ]


def test_before_the_first_game_all_are_equal() -> None:
    assert [each.place for each in rank(ROBIN, History(3))] == [1, 1, 1]
    knockout = Plan(Format.KNOCKOUT)
    assert [each.place for each in rank(knockout, History(3))] == [1, 1, 1]
