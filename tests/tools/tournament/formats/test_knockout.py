from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.tournament.formats.playing import (
    draw_round,
    lower_wins,
    play_all,
    play_round,
)
from tools.tournament.formats.knockout import bracket, survivors
from tools.tournament.formats.plan import Format, Plan, planned_games
from tools.tournament.formats.rounds import History, PairOfGames

PLAN = Plan(Format.KNOCKOUT, games=2, extra=2)


def always_drawn(pair: PairOfGames) -> tuple[float, float]:
    return 1.0, 0.0


def test_the_bracket_keeps_the_best_seeds_apart() -> None:
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    assert bracket(2) == [0, 1]


def test_six_engines_need_two_byes_and_five_matches() -> None:
    history = play_all(PLAN, 6)
    assert [(each.stage, each.pairings, each.byes) for each in history.rounds] == [
        (1, ((3, 4), (2, 5)), (0, 1)),
        (2, ((0, 3), (1, 2)), ()),
        (3, ((0, 1),), ()),
    ]
    assert 2 * len(history.results) == planned_games(PLAN, 6) == 10
    assert survivors(PLAN, history) == [0]


def test_a_drawn_match_goes_on_and_in_the_end_the_better_seed_does() -> None:
    history = play_all(PLAN, 2, always_drawn)
    assert [(each.stage, each.pairings, each.start) for each in history.rounds] == [
        (1, ((0, 1),), 0),
        (1, ((0, 1),), 1),
        (1, ((0, 1),), 2),
    ]
    assert survivors(PLAN, history) == [0]


def test_only_drawn_matches_of_a_stage_go_on_all_from_the_same_opening() -> None:
    def referee(pair: PairOfGames) -> tuple[float, float]:
        return lower_wins(pair) if pair.engines == (0, 7) or pair.start else (1.0, 0.0)

    history = play_all(replace(PLAN, extra=1), 8, referee)
    first, extra, *_ = history.rounds
    assert (first.stage, extra.stage) == (1, 1)
    assert extra.pairings == ((3, 4), (1, 6), (2, 5))
    assert {pair.start for pair in extra.pairs()} == {1}


def test_the_opponent_of_an_engine_that_drops_out_goes_on() -> None:
    history = draw_round(PLAN, History(4))
    assert history is not None
    history = play_round(replace(history, withdrawn=frozenset({0})), lower_wins)
    history = draw_round(PLAN, history) or history
    assert history.rounds[-1].pairings == ((1, 3),)


def test_a_match_that_was_won_stays_won_when_the_winner_drops_out_later() -> None:
    history = play_round(draw_round(PLAN, History(4)) or History(4), lower_wins)
    history = draw_round(PLAN, history) or history
    assert history.rounds[-1].pairings == ((0, 1),)
    history = replace(history, withdrawn=frozenset({0}))
    assert survivors(PLAN, history) == [1]


@given(
    engines=st.integers(2, 20),
    points=st.lists(st.sampled_from((0.0, 0.5, 1.0)), min_size=7, max_size=7),
    dropping=st.lists(st.integers(0, 19), max_size=4),
)
@pytest.mark.parametrize("games", [2, 4])
def test_one_engine_is_left_over_whatever_happens(
    games: int, engines: int, points: list[float], dropping: list[int]
) -> None:
    def referee(pair: PairOfGames) -> tuple[float, float]:
        return points[pair.pair % 7], points[3 * pair.pair % 7]

    gone = [engine for engine in dropping if engine < engines]
    history = play_all(replace(PLAN, games=games), engines, referee, gone)
    assert len(survivors(PLAN, history)) == 1
    for each in history.rounds:
        present = [engine for pairing in each.pairings for engine in pairing]
        assert len(present) == len(set(present))
