from dataclasses import replace

import pytest

from engines.core.game import FIRST, SECOND, Outcome
from engines.core.timing import TimeControl
from protocols.ask.score import Evaluation
from tools.records.game import Count, GameRecord, Method, PlayedMove, Player, Verdict


def count(method: Method, *claims: str, result: str = "B+3.5") -> Count:
    one, other = claims
    return Count(method, (one, other), ("A1",), "arbiter 1", result)


def record(winner: int | None, verdict: Verdict, reason: str, game: str = "neutron") -> GameRecord:
    clock = TimeControl.parse("60")
    players = (Player("one", "", ""), Player("two", "", ""))
    outcome = Outcome(winner, reason)
    return GameRecord(game, "", 1, players, (clock, clock), "", (), outcome, verdict)


@pytest.mark.parametrize(
    ("claims", "disputed", "failures"),
    [
        (("B+3.5", "B+3.5"), False, 0),
        (("B+3.50", ""), False, 0),
        (("B+3.5", "W+3.5"), True, 0),
        (("? cannot score", "B+3.5"), True, 0),
        (("! it hung", "! it died"), True, 2),
    ],
)
def test_a_count_is_disputed_by_an_answer_that_differs(
    claims: tuple[str, str], disputed: bool, failures: int
) -> None:
    counted = count(Method.ARBITER, *claims)
    assert (counted.disputed, counted.failures) == (disputed, failures)


def test_an_agreement_is_never_disputed() -> None:
    assert not count(Method.AGREEMENT, "B+3.5", "B+3.50").disputed


def test_a_count_says_how_it_was_made() -> None:
    assert str(count(Method.AGREEMENT, "", "")) == "both engines agree"
    assert str(count(Method.ALL_ALIVE, "", "")) == "all stones count as alive"
    assert str(count(Method.ARBITER, "", "")).endswith("dead stones that arbiter 1 named: A1")


@pytest.mark.parametrize(
    ("player", "text"),
    [
        (Player("mine", "GNU Go", "3.8"), "mine [GNU Go 3.8]"),
        (Player("GNU Go", "GNU Go", "3.8"), "GNU Go 3.8"),
        (Player("", "GNU Go", ""), "GNU Go"),
    ],
)
def test_a_player_has_a_label_and_a_name(player: Player, text: str) -> None:
    assert str(player) == text


def test_a_record_knows_its_result_and_its_kind_of_ending() -> None:
    won = record(0, Verdict.NATURAL, "goal")
    assert (won.result, won.ending, won.verdict_with_reason) == ("1-0", "goal", "natural: goal")
    lost = record(1, Verdict.CRASH, "crash: it exited")
    assert (lost.result, lost.ending) == ("0-1", "crash")
    assert lost.verdict_with_reason == "crash: it exited"
    assert record(None, Verdict.NATURAL, "repetition").result == "1/2-1/2"
    assert record(None, Verdict.VOID, "void: late").result == "void"
    assert record(0, Verdict.NATURAL, "B+3.5", game="go").ending == "score"


def lost(time: str, late: float, *seconds: float) -> GameRecord:
    """Return a game that the second side loses by a move that took too long."""
    control = TimeControl.parse(time)
    moves = [
        PlayedMove(side, "b1-b4", spent, None, Evaluation.parse(""))
        for spent in seconds
        for side in (FIRST, SECOND)
    ]
    made = record(FIRST, Verdict.TIME, "time: it came too late")
    return replace(made, moves=moves, controls=(control, control), late=late)


@pytest.mark.parametrize(
    ("game", "overrun"),
    [
        (lost("10", 4.25, 3.0, 3.0), 0.25),
        (lost("1+2", 4.2, 0.5), 1.7),
        (lost("1/move", 1.125, 0.5), 0.125),
        (lost("10", 0.0, 3.0), 0.0),
        (replace(lost("10", 10.2, 3.0), opening=2), 0.2),
        (record(None, Verdict.VOID, "void: the referee was late"), 0.0),
    ],
)
def test_an_overrun_is_the_time_after_the_flag(game: GameRecord, overrun: float) -> None:
    assert game.overrun == pytest.approx(overrun)
