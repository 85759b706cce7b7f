import os
import subprocess
import sys

import pytest

from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from protocols.child.pipes import QUIET
from tests.tools.fakes import ROOT
from tools.match import delays
from tools.match.delays import DelayMeter
from tools.match.referee import play_game
from tools.records.game import GameRecord, Verdict
from tools.roster.seats import EnginePool
from tools.terms.spec import GameSpec

# Plays a game in a process of its own, since its engine suspends its parent.
PLAY = """
from tests.tools.match.test_delays import play_talker
record = play_talker({!r})
print(record.verdict, record.outcome.reason)
"""


def play_talker(*temper: str, clock: str = "0.5/move") -> GameRecord:
    command = (sys.executable, "-m", "tests.tools.fake_talker", *temper)
    engine = EngineSpec(temper[0], command, "usi", "shogi", folder=str(ROOT))
    control = TimeControl.parse(clock)
    pool = EnginePool()
    try:
        return play_game(GameSpec("shogi", "", 0, (engine, engine), (control, control)), pool)
    finally:
        pool.close()


def test_delays_before_the_flag_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delays, "_waited", iter((40.0, 40.25)).__next__)
    meter = DelayMeter()
    meter.begin(flag=10.0)
    meter.notice(10.01)
    assert meter.at_flag(10.9) == pytest.approx(0.01)
    assert meter.at_end(looked=10.5, now=10.9) == pytest.approx(0.25)


def test_no_answer_lay_unread_longer_than_since_the_last_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An engine that prints all the time keeps the referee waiting, but not its move."""
    monkeypatch.setattr(delays, "_waited", iter((0.0, 1.5)).__next__)
    meter = DelayMeter()
    meter.begin(flag=10.0)
    meter.notice(10.0)
    assert meter.at_end(looked=11.59, now=11.6) == pytest.approx(0.01)


def test_an_interruption_is_seen_by_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delays, "_waited", lambda: 0.0)
    meter = DelayMeter()
    meter.begin(flag=10.0)
    assert (meter.at_flag(60.0), meter.at_end(9.9, 60.0)) == (50.0, 0.0)
    assert meter.without_answer(9.9, 60.0) == 0.0  # The engine did not read its question.
    meter.notice(10.0)
    assert meter.at_end(10.1, 60.1) == pytest.approx(50.0 - QUIET)
    assert meter.without_answer(10.1, 60.1) == pytest.approx(50.0 - QUIET)
    assert meter.without_answer(12.0, 12.1) == 0.0


def test_the_system_tells_how_long_a_thread_waited() -> None:
    first = delays._waited()
    assert 0 <= first <= delays._waited() < first + 60


@pytest.mark.slow
@pytest.mark.parametrize(
    ("temper", "verdict"),
    [
        (("late", "1.0", "200"), Verdict.TIME),
        (("endless", "200"), Verdict.STALL),
        (("endless", "1000000"), Verdict.STALL),
        (("waking", "1.0"), Verdict.TIME),
    ],
)
def test_an_engine_that_keeps_the_referee_busy_is_blamed_all_the_same(
    temper: tuple[str, ...], verdict: Verdict
) -> None:
    record = play_talker(*temper, clock="0.6/move")
    assert record.verdict == verdict
    assert record.outcome.winner == 1


def test_an_engine_that_prints_and_is_in_time_plays_on() -> None:
    assert play_talker("late", "0.1", "1000", clock="2/move").verdict == Verdict.RESIGN


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is stopped elsewhere")
def test_a_referee_that_was_suspended_blames_nobody() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PLAY.format("suspending")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        output, _ = process.communicate(timeout=60)
    assert output.startswith("void void: time: 7g7f came")
