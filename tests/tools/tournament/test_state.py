from dataclasses import replace

import pytest

from engines.core.game import Outcome
from tests.tools.journal.test_collection import between
from tools.journal.journal import JournalError
from tools.journal.sampling import SampleStatus
from tools.records.game import GameRecord, Verdict
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.formats.rounds import Round
from tools.tournament.state import TournamentState, read_round, round_event, state_before

ROUND = Round(1, ((0, 2), (0, 1)), 2, 0, 0)


def state(plan: Plan | None = None) -> TournamentState:
    made = TournamentState("abc", plan or Plan(), 10)
    made.add_round(ROUND)
    return made


def test_a_pair_of_games_counts_when_both_are_finished() -> None:
    cup = state()
    assert cup.count(between(0, 2, 1, winner=0)) is SampleStatus.WAITING
    assert cup.status().waiting == 1
    assert cup.results == {}
    assert cup.count(between(0, 2, 2, winner=None)) is SampleStatus.COUNTED
    assert cup.results[0].points == (1.0, 0.5)
    assert list(cup.missing()) == [(1, 0, 0), (1, 1, 0)]


def test_both_games_of_a_pair_are_played_again_when_one_is_void() -> None:
    cup = state()
    cup.count(between(0, 2, 1))
    void = replace(between(0, 2, 2), outcome=Outcome(None, "void"), verdict=Verdict.VOID)
    cup.count(void)
    assert list(cup.missing())[:2] == [(0, 0, 1), (0, 1, 1)]
    assert cup.results == {}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (between(0, 1, 1), r"game 1 is between engines \(0, 1\) in round 1, where \(0, 2\)"),
        (replace(between(0, 2, 1), round=2), "in round 2, where"),
        (between(0, 1, 5), "game 5 is in no round that was drawn"),
    ],
)
def test_a_game_that_was_not_drawn_is_refused(record: GameRecord, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        state().count(record)


def test_a_round_is_read_as_it_was_written() -> None:
    round_ = Round(1, ((0, 2),), 4, 0, 0, (1,), 1)
    event = round_event(round_)
    assert read_round({**event, "pairings": [[0, 2]], "byes": [1]}) == round_


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (replace(ROUND, number=3), "round 3 does not follow round 1"),
        (replace(ROUND, number=2, start=1), "does not follow"),
        (Round(2, ((0, 7),), 2, 2, 1), "names engines that do not take part"),
    ],
)
def test_a_round_that_does_not_follow_is_refused(wrong: Round, message: str) -> None:
    with pytest.raises(JournalError, match=message):
        state().add_round(wrong)


def test_an_event_that_is_no_round_is_named() -> None:
    with pytest.raises(JournalError, match="a round of the journal cannot be read: KeyError"):
        read_round({"event": "round", "number": 1})


def test_games_of_rounds_to_come_are_missing_too() -> None:
    assert state(Plan(games=4)).status().missing == 4 + 6
    assert state(Plan(Format.SWISS, rounds=3)).status().missing == 4 + 2 * 2


def test_a_beginning_without_a_format_is_named() -> None:
    with pytest.raises(JournalError, match="first event cannot be understood: KeyError"):
        state_before({"engine1.label": "a"}, {"event": "tournament"})
