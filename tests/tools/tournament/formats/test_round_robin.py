import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tools.tournament.formats.playing import meetings, play_all
from tools.tournament.formats.plan import Format, Plan, planned_games
from tools.tournament.formats.round_robin import circle


def test_four_engines_meet_in_three_groups_as_the_circle_method_says() -> None:
    groups = [{frozenset(pair) for pair in group} for group in circle([0, 1, 2, 3])]
    assert groups == [
        {frozenset((0, 3)), frozenset((1, 2))},
        {frozenset((0, 2)), frozenset((1, 3))},
        {frozenset((0, 1)), frozenset((2, 3))},
    ]


@given(st.integers(2, 15))
def test_everybody_meets_everybody_once_and_nobody_plays_twice_in_a_group(engines: int) -> None:
    groups = circle(range(engines))
    for group in groups:
        assert max(Counter(itertools.chain(*group)).values()) == 1
    met = [frozenset(pair) for group in groups for pair in group]
    assert sorted(met, key=sorted) == [
        frozenset(pair) for pair in itertools.combinations(range(engines), 2)
    ]


def test_with_an_odd_number_each_engine_has_no_opponent_in_one_group() -> None:
    groups = circle(range(5))
    idle = [set(range(5)) - set(itertools.chain(*group)) for group in groups]
    assert sorted(engine for group in idle for engine in group) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("engines", [2, 3, 6])
def test_each_round_plays_one_opening_in_all_pairings(engines: int) -> None:
    plan = Plan(games=6)
    history = play_all(plan, engines)
    assert len(history.rounds) == 3
    for number, each in enumerate(history.rounds):
        assert {pair.start for pair in each.pairs()} == {number}
        assert len(each.pairings) == engines * (engines - 1) // 2
    assert 2 * len(history.results) == planned_games(plan, engines)


def test_an_engine_that_drops_out_is_not_drawn_again() -> None:
    history = play_all(Plan(games=6), 4, dropping=[2])
    assert Counter(meetings(history))[frozenset((0, 1))] == 3
    assert Counter(meetings(history))[frozenset((0, 2))] == 1


def test_in_a_gauntlet_only_challengers_meet_the_others() -> None:
    plan = Plan(Format.GAUNTLET, games=4, challengers=2)
    history = play_all(plan, 5)
    assert Counter(meetings(history)) == {
        frozenset((one, other)): 2 for one in (0, 1) for other in (2, 3, 4)
    }
    assert 2 * len(history.results) == planned_games(plan, 5)


def test_a_gauntlet_ends_with_its_only_challenger() -> None:
    assert len(play_all(Plan(Format.GAUNTLET, games=8), 3, dropping=[0]).rounds) == 1


@pytest.mark.parametrize("engines", [2, 3, 7])
def test_in_a_ladder_everybody_meets_its_neighbours_from_the_same_openings(engines: int) -> None:
    plan = Plan(Format.LADDER, games=6)
    history = play_all(plan, engines)
    steps = [(number, number + 1) for number in range(engines - 1)]
    assert [each.pairings for each in history.rounds] == [tuple(steps)] * 3
    assert {each.start for each in history.rounds} == {0, 1, 2}
    assert planned_games(plan, engines) == sum(2 * len(each.pairings) for each in history.rounds)


def test_a_ladder_closes_the_gap_that_an_engine_leaves() -> None:
    history = play_all(Plan(Format.LADDER, games=4), 4, dropping=[1])
    assert history.rounds[1].pairings == ((0, 2), (2, 3))
