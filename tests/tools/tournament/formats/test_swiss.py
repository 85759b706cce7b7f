import random
from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.tournament.formats.playing import (
    draw_round,
    lower_wins,
    meetings,
    play_all,
    play_round,
)
from tools.tournament.formats.plan import Format, Plan, swiss_rounds
from tools.tournament.formats.rounds import History, PairOfGames


def plan(rounds: int, games: int = 2) -> Plan:
    return Plan(Format.SWISS, games=games, rounds=rounds)


def drawn(history: History) -> list[set[int]]:
    return [set(pairing) for pairing in history.rounds[-1].pairings]


def test_eight_engines_meet_as_a_swiss_tournament_on_paper() -> None:
    """The upper half meets the lower one, then the winners meet in the same way."""
    history = draw_round(plan(3), History(8))
    assert history is not None
    assert drawn(history) == [{0, 4}, {1, 5}, {2, 6}, {3, 7}]
    history = draw_round(plan(3), play_round(history, lower_wins))
    assert history is not None
    assert drawn(history) == [{0, 2}, {1, 3}, {4, 6}, {5, 7}]
    history = draw_round(plan(3), play_round(history, lower_wins))
    assert history is not None
    assert drawn(history) == [{0, 1}, {2, 4}, {3, 5}, {6, 7}]
    history = play_round(history, lower_wins)
    assert history.points()[0] == 6.0
    assert draw_round(plan(3), history) is None


def test_five_engines_take_their_byes_from_below_and_each_only_once() -> None:
    history = play_all(plan(5), 5)
    assert [each.byes for each in history.rounds][:2] == [(4,), (3,)]
    assert sorted(engine for each in history.rounds for engine in each.byes) == [0, 1, 2, 3, 4]
    assert len(set(meetings(history))) == 10  # Five rounds of five engines are a round robin.


def test_no_round_is_drawn_before_the_last_one_is_complete() -> None:
    history = draw_round(plan(3), History(4))
    assert history is not None
    assert draw_round(plan(3), history) is None


def test_more_rounds_than_opponents_repeat_the_rarest_meetings_only() -> None:
    history = play_all(plan(7), 4)
    assert len(history.rounds) == 7
    counts = Counter(meetings(history))
    assert set(counts.values()) == {2, 3}


def test_an_engine_that_drops_out_loses_its_games_and_is_not_paired_again() -> None:
    history = draw_round(plan(3), History(4))
    assert history is not None
    history = replace(history, withdrawn=frozenset({2}))
    history = play_round(history, lower_wins)
    assert history.points() == {0: 2.0, 1: 2.0, 2: 0.0, 3: 0.0}
    history = draw_round(plan(3), history) or history
    assert drawn(history) == [{0, 1}]
    assert history.rounds[-1].byes == (3,)


def test_the_number_of_rounds_singles_out_one_winner() -> None:
    assert [swiss_rounds(engines) for engines in (2, 3, 4, 5, 8, 9, 20)] == [1, 2, 2, 3, 3, 4, 5]


@settings(max_examples=60)
@given(engines=st.integers(2, 12), seed=st.integers(0, 10**6), data=st.data())
def test_nobody_meets_twice_while_the_rounds_allow(
    engines: int, seed: int, data: st.DataObject
) -> None:
    """As many rounds are always possible as half the engines have others to meet."""
    dice = random.Random(seed)

    def referee(pair: PairOfGames) -> tuple[float, float]:
        return dice.choice((0.0, 0.5, 1.0)), dice.choice((0.0, 0.5, 1.0))

    rounds = data.draw(st.integers(1, max(1, engines // 2)))
    history = play_all(plan(rounds), engines, referee)
    assert len(history.rounds) == rounds
    assert max(Counter(meetings(history)).values()) == 1
    for each in history.rounds:
        present = [engine for pairing in each.pairings for engine in pairing]
        assert sorted([*present, *each.byes]) == list(range(engines))
