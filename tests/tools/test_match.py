import sys
import time
from pathlib import Path

import pytest

from engines.core.game import Game, Outcome
from engines.core.timing import TimeControl
from protocols.errors import EngineError
from tools.engines import EngineSpec
from tools.match import MatchSpec, play_match
from tools.record import GameRecord, Verdict

ROOT = Path(__file__).parents[2]


def fake(temper: str) -> EngineSpec:
    command = (sys.executable, "-m", "tests.tools.fake_neutron", temper)
    return EngineSpec(temper, command, protocol="line", game="neutron", folder=str(ROOT))


def played(
    first: EngineSpec, second: EngineSpec, *, games: int = 1, time_control: str = "60"
) -> list[GameRecord]:
    control = TimeControl.parse(time_control)
    return list(play_match(MatchSpec("neutron", "", 0, (first, second), games, control)))


def test_a_game_between_two_good_citizens_ends_by_the_rules() -> None:
    (record,) = played(fake("good"), fake("better"))
    game = Game(MatchSpec("neutron", "", 0, (fake("a"), fake("b")), 1, record.control).rules())
    for move in record.moves:
        assert move.side == game.turn
        game.play(move.text)
    assert game.outcome() == record.outcome
    assert record.verdict == Verdict.NATURAL
    assert [player.name for player in record.players] == ["fake good", "fake better"]


def test_colours_alternate() -> None:
    records = played(fake("good"), fake("better"), games=3)
    firsts = [record.players[0].label for record in records]
    assert firsts == ["good", "better", "good"]


@pytest.mark.parametrize(
    ("temper", "verdict", "reason"),
    [
        ("illegal", Verdict.ILLEGAL, "illegal move a1-a1: "),
        ("crash", Verdict.CRASH, "exited with code 3"),
        ("confused", Verdict.PROTOCOL, "protocol: "),
        ("resign", Verdict.RESIGN, "resignation"),
        ("stubborn", Verdict.PROTOCOL, "I do not believe it"),
        ("unwilling", Verdict.PROTOCOL, "no variants here"),
    ],
)
def test_a_misdeed_loses_for_its_author(temper: str, verdict: Verdict, reason: str) -> None:
    (record,) = played(fake("good"), fake(temper))
    assert record.verdict == verdict
    assert reason in record.outcome.reason
    assert record.outcome.winner == 0


def test_whoever_hangs_loses_on_time_and_the_next_game_has_a_fresh_process() -> None:
    began = time.monotonic()
    first, second = played(fake("good"), fake("hang"), games=2, time_control="0.5/move")
    assert first.verdict == Verdict.TIME
    assert first.outcome.winner == 0
    assert len(first.moves) == 3
    # The fresh process hangs at its own second move, as the first player now.
    assert second.verdict == Verdict.TIME
    assert second.outcome.winner == 1
    assert len(second.moves) == 2
    assert time.monotonic() - began < 30


def test_a_crash_is_followed_by_games() -> None:
    records = played(fake("crash"), fake("good"), games=3)
    assert [record.verdict for record in records] == [Verdict.CRASH] * 3
    assert [record.outcome.winner for record in records] == [1, 0, 1]


def test_a_program_that_cannot_be_started_stops_the_match_before_its_first_game() -> None:
    with pytest.raises(EngineError, match="cannot start"):
        played(fake("good"), EngineSpec("none", ("/nonexistent/engine",), protocol="line"))


def test_clocks_are_kept() -> None:
    (record,) = played(fake("good"), fake("better"), time_control="60+1")
    for move in record.moves:
        assert move.left is not None
        assert 59 < move.left < 90
        assert move.seconds >= 0


def test_without_a_clock_nothing_is_left() -> None:
    (record,) = played(fake("good"), fake("better"), time_control="depth=2")
    assert {move.left for move in record.moves} == {None}


def test_an_outcome_for_both_is_half_a_point_each() -> None:
    assert Outcome(None, "neutron blocked", both=True).points(0) == 0.5
