from dataclasses import replace
from typing import Any

import pytest

from engines.core.game import Outcome
from tests.tools.match.matches import finished
from tests.tools.tournament.tuning.runs import KNOBS, run
from tools.journal.journal import JournalError
from tools.journal.sampling import SampleStatus
from tools.records.game import GameRecord, Verdict
from tools.tournament.tuning.plan import tuning_seal
from tools.tournament.tuning.state import TuningState, read_trial, state_before, trial_event


def state(pairs: int = 4) -> TuningState:
    return TuningState(("mine plus", "mine minus"), KNOBS, pairs, 3, 10)


def game(number: int, winner: int | None, **more: Any) -> GameRecord:
    return finished(run().terms, number, winner, **more)


def test_a_pair_moves_the_values_when_both_of_its_games_have_ended() -> None:
    made = state()
    made.try_out(0, made.spsa.trial(0))
    first = made.count(game(1, 0))
    assert (first, made.leads) == (SampleStatus.WAITING, {})
    made.count(game(2, 1))  # Won again, by moving second.
    assert made.leads == {0: 2}
    before, after = made.course
    assert list(before) == [1.1, 50]
    plus = made.trials[0].plus
    assert (after[0] > before[0]) == (plus[0] > before[0])


def test_a_pair_that_each_side_won_once_leaves_the_values() -> None:
    made = state()
    made.try_out(0, made.spsa.trial(0))
    made.count(game(1, 0))
    made.count(game(2, 0))
    assert made.leads == {0: 0}
    assert made.course[0] == made.course[1]


def test_a_pair_with_a_void_game_is_played_again_with_the_same_values() -> None:
    made = state(1)
    made.try_out(0, made.spsa.trial(0))
    void = replace(game(1, None), verdict=Verdict.VOID, outcome=Outcome(None, "void"))
    assert made.count(void) is SampleStatus.VOID
    made.count(game(2, 1))
    assert list(made.missing()) == [(0, 0, 1), (0, 1, 1)]
    made.count(game(1, 0, again=1))
    assert made.count(game(2, 1, again=1)) is SampleStatus.COUNTED
    assert (made.spsa.learnt, list(made.missing())) == (1, [])


def test_a_game_without_values_is_refused() -> None:
    with pytest.raises(ValueError, match="game 1: no values were chosen for its pair"):
        state().count(game(1, 0))


def test_values_that_are_not_due_are_refused() -> None:
    made = state()
    trial = made.spsa.trial(0)
    made.try_out(0, trial)
    for pair in (0, 4, -1):
        with pytest.raises(JournalError, match="were not due"):
            made.try_out(pair, trial)
    with pytest.raises(JournalError, match="pair 1 was played with"):
        made.try_out(1, trial)


@pytest.mark.parametrize(
    "change",
    [{"pair": "x"}, {"plus": [1]}, {"minus": None}, {"plus": ["a", 1]}, {"plus": [1e999, 1]}],
)
def test_damaged_values_are_named(change: dict[str, Any]) -> None:
    event = {**trial_event(0, state().spsa.trial(0)), **change}
    with pytest.raises(JournalError, match="the values of a pair cannot be read"):
        read_trial(event, 2)


def test_the_words_of_the_proof_must_be_words() -> None:
    with pytest.raises(JournalError, match="`proof` is"):
        state().follow({"event": "tuning", "proof": {"engine": "mine"}})


def test_a_seal_leads_to_the_state_before_the_first_pair() -> None:
    made = state_before(tuning_seal(run()))
    assert (made.spsa.pairs, made.knobs, made.labels) == (4, KNOBS, ("mine plus", "mine minus"))
    with pytest.raises(JournalError, match="cannot be understood"):
        state_before({**tuning_seal(run()), "values": [{"name": "x"}]})
