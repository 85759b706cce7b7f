import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from protocols.ask.engine import EngineSpec
from tools.regress.result import Result, Status
from tools.regress.suites.suite import parse_suite
from tools.regress.work import (
    CHUNK,
    Dispatcher,
    EngineWorker,
    Problems,
    QuestionSettings,
    Unread,
    longest_question,
)
from tools.roster.exchange import LINES, WIDTH, Exchange

ROOT = Path(__file__).parents[3]
MANY = "game: neutron\nlimit: depth=1\n" + "".join(
    f"test {number}\nforbid: b1-b4\n" for number in range(2 * CHUNK + 3)
)


def fake(temper: str) -> EngineSpec:
    command = (sys.executable, "-m", "tests.tools.fake_neutron", temper)
    return EngineSpec(temper, command, "line", "neutron", folder=str(ROOT))


@dataclass
class Broken:
    """A piece whose work fails in a way that nobody foresaw."""

    games: Sequence[str] = ()
    tests: int = 1

    def run(self, worker: EngineWorker) -> Iterator[Result]:
        raise ZeroDivisionError("unforeseen")


def test_a_suite_is_cut_into_pieces_that_workers_share() -> None:
    whole = Problems("a", parse_suite(MANY))
    parts = list(whole.parts())
    assert [part.tests for part in parts] == [CHUNK, CHUNK, 3]
    assert whole.games == ["neutron"]
    crew = Dispatcher([EngineWorker(QuestionSettings(fake("good"))) for _ in range(2)])
    results: list[Result] = []
    crew.run(parts, results.append)
    assert {result.name for result in results} == {str(number) for number in range(whole.tests)}
    assert {result.status for result in results} == {Status.PASSED}


def test_a_run_that_is_called_off_ends_after_the_running_test() -> None:
    crew = Dispatcher([EngineWorker(QuestionSettings(fake("good")))])
    parts = list(Problems("a", parse_suite(MANY)).parts()) * 100
    results: list[Result] = []

    def stop(result: Result) -> None:
        results.append(result)
        crew.stopping = True

    crew.run(parts, stop)
    assert 1 <= len(results) < sum(part.tests for part in parts)


def test_what_nobody_foresaw_is_raised_where_somebody_waits() -> None:
    with pytest.raises(ZeroDivisionError, match="unforeseen"):
        Dispatcher([EngineWorker(QuestionSettings(fake("good")))]).run([Broken()], print)


def test_a_station_says_why_an_engine_cannot_be_asked() -> None:
    dead = EngineSpec("dead", (sys.executable, "-c", "import sys; sys.exit('sorry')"), "line")
    worker = EngineWorker(QuestionSettings(dead))
    assert worker.fault("neutron") == "dead exited with code 1\nstderr: sorry"
    missing = EngineWorker(QuestionSettings(EngineSpec("gone", ("/no/such/program",), "gtp")))
    assert missing.fault("go").startswith("gone: cannot start '/no/such/program'")
    good = EngineWorker(QuestionSettings(fake("good")))
    assert good.fault("neutron") == ""
    assert good.seat("neutron") is good.seat("neutron")
    good.close()


def test_a_programs_name_is_said_once() -> None:
    mute = EngineSpec("mute", (sys.executable, "-S", "-c", "input()"))
    assert (
        EngineWorker(QuestionSettings(mute))
        .fault("go")
        .startswith("mute speaks no known protocol: ")
    )


def test_a_single_question_takes_as_long_as_its_test_allows() -> None:
    text = "game: neutron\nlimit: depth=1\nforbid: b1-b4\n"
    pieces = [Problems("a", parse_suite(f"{text}test a\ntest b\ntimeout: 90\n"))]
    assert longest_question(pieces, QuestionSettings()) == 90.0
    assert longest_question(pieces[:1], QuestionSettings(timeout=120.0)) == 120.0
    assert longest_question([Unread("b", "gone")], QuestionSettings(timeout=5.0)) == 5.0


def test_each_game_has_its_own_engine_where_none_is_named() -> None:
    settings = QuestionSettings()
    assert settings.spec("go").game == "go"
    assert settings.spec("senet").game == "senet"
    assert QuestionSettings(fake("good")).spec("senet").label == "good"


def test_a_flood_keeps_its_beginning_and_its_end() -> None:
    exchange = Exchange()
    for number in range(5 * LINES):
        exchange("<", f"{number} " + "x" * WIDTH)
    lines = exchange.lines()
    assert len(lines) == LINES + 1
    assert lines[0].startswith("< 0 ")
    assert lines[LINES // 2] == f"... {4 * LINES} lines left out"
    assert lines[-1].startswith(f"< {5 * LINES - 1} ")
    assert max(map(len, lines)) == WIDTH + 2
    exchange.forget()
    assert exchange.lines() == ()
