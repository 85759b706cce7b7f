import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tests.programs import peer
from tools.regress.examiner import Examiner
from tools.regress.result import Result, Status
from tools.regress.suites.suite import parse_suite
from tools.roster.seats import Seat

ROOT = Path(__file__).parents[3]
MATE = "game: shogi\nposition: 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\nlimit: nodes=5000\n"
GO = "game: go\nlimit: visits=4\n"
CAPTURE = GO + "diagram:\n  . . . .\n  . X X .\n  X O O .\n  . X X .\nturn: black\n"

# The fakes misbehave at their second move of a game.
THRICE = (
    "game: neutron\nlimit: depth=1\n"
    "test a\nforbid: b1-b4\ntest b\nforbid: b1-b4\nreplay:\n  genmove w\ntest c\nforbid: b1-b4\n"
)

Ask = Callable[..., list[Result]]


def own(game: str, protocol: str) -> EngineSpec:
    command = (sys.executable, "-m", f"engines.{game}")
    return EngineSpec(f"quintet-{game}", command, protocol, game, folder=str(ROOT))


def fake(temper: str, *more: str) -> EngineSpec:
    command = (sys.executable, "-m", "tests.tools.fake_neutron", temper, *more)
    return EngineSpec(temper, command, "line", "neutron", folder=str(ROOT))


@pytest.fixture
def ask() -> Iterator[Ask]:
    seats: list[Seat] = []

    def _ask(
        spec: EngineSpec, text: str, control: str = "", timeout: float | None = None
    ) -> list[Result]:
        seat = Seat(spec)
        seats.append(seat)
        examiner = Examiner(seat, TimeControl.parse(control) if control else None, timeout)
        return [examiner.examine("a.suite", problem) for problem in parse_suite(text)]

    yield _ask
    for seat in seats:
        seat.dismiss(0.5)


def words(results: list[Result]) -> list[str]:
    return [f"{result.name} {result.word}" for result in results]


def sent(result: Result) -> list[str]:
    return [line.removeprefix("> ") for line in result.exchange if line.startswith("> ")]


def test_a_mate_in_shogi_is_found_and_announced(ask: Ask) -> None:
    results = ask(
        own("shogi", "usi"),
        f"{MATE}test a\naccept: G*5b\nmate: 1\nscore: 1000..\n"
        "test b\naccept: G*5b\nmate: 3\ntest c\nforbid: G*5b\nfails: it must\n"
        "test d\naccept: G*5b\nlevel: 20\noption: MultiPV=2\n",
    )
    assert words(results) == ["a passed", "b FAILED", "c failed", "d passed"]
    assert results[1].message == "answered G*5b: mate 1, expected 3 (it said 'mate 1')"
    assert results[2].message == "answered G*5b, which is forbidden (known: it must)"
    assert results[0].answer == "G*5b (mate 1)"
    assert "setoption name MultiPV value 2" in sent(results[3])
    assert "setoption name SkillLevel value 20" in sent(results[3])
    assert results[0].scene is not None
    assert (results[0].scene.turn, results[0].scene.answer) == ("black", "G*5b")


def test_go_is_set_up_stone_by_stone_and_tells_its_chances(ask: Ask) -> None:
    results = ask(
        own("go", "gtp"), f"{CAPTURE}test a\naccept: D2\nscore: 0..1\ntest b\naccept: D2\n"
    )
    assert words(results)[0] in ("a passed", "a FAILED")  # Four visits prove nothing.
    assert results[0].answer.startswith(results[0].answer.split(" ")[0] + " (est 0.")
    assert any(line.partition(" ")[2].startswith("set_position b ") for line in sent(results[0]))
    assert any("genmove_analyze" in line for line in sent(results[0]))
    assert not any("genmove_analyze" in line for line in sent(results[1]))


def test_any_go_engine_is_set_up_by_moves(ask: Ask) -> None:
    gnugo = EngineSpec("gnugo", (peer("gnugo"), "--mode", "gtp", "--level", "1"), "gtp")
    results = ask(
        gnugo,
        f"{CAPTURE.replace('visits=4', '1/move')}test a\nforbid: A1\n"
        "test b\naccept: D2\nscore: 0.5..\ntest c\naccept: D2\nlimit: visits=3\n"
        "test d\nforbid: A1\nlevel: 3\ntest e\nforbid: A1\noption: no-such=3\n",
    )
    assert words(results) == [
        *("a passed", "b unsupported", "c unsupported", "d passed", "e unsupported")
    ]
    assert [line.partition(" ")[2] for line in sent(results[0])][-2].startswith("play ")
    assert "cannot give a score" in results[1].message
    assert "has no kata-set-param for a number of visits" in results[2].message


def test_options_of_one_test_do_not_reach_the_next(ask: Ask) -> None:
    text = "game: neutron\nlimit: depth=1\ntest a\naccept: b1-b4\nlevel: 1\ntest b\naccept: b1-b4\n"
    results = ask(own("neutron", "line"), text)
    assert any(line.endswith(" option level 1") for line in sent(results[0]))
    assert not any(" option " in line for line in sent(results[1]))
    assert sent(results[1])[0].endswith(" game")  # A fresh process is asked what it plays.


def test_each_trial_has_a_seed_of_its_own(ask: Ask) -> None:
    text = "game: neutron\nlimit: depth=1\ntest a\nseed: 40\ntries: 3 of 3\nforbid: b1-a2\n"
    (result,) = ask(own("neutron", "line"), text.replace("b1-a2", "e1-e4"))
    seeds = [line.split()[-1] for line in sent(result) if " option seed " in line]
    assert seeds[: len(seeds)] == ["40", "41", "42"][: len(seeds)]
    assert "3 of 3 needed" in result.message


def test_an_engines_description_may_say_how_it_is_told_the_seed(ask: Ask) -> None:
    spec = replace(own("neutron", "line"), options=(("level", "2"), ("seed", "7{seed}")))
    (result,) = ask(spec, "game: neutron\nlimit: depth=1\ntest a\nseed: 40\nforbid: b1-b4\n")
    assert [line.split(" ", 1)[1] for line in sent(result) if " option seed" in line] == [
        "option seed 740"
    ]


def test_moves_and_throws_are_told_in_their_order(ask: Ask) -> None:
    text = "game: senet\nlevel: 1\nlimit: depth=1\ntest a\nmoves: 1 10-11 2\nforbid: 11-13\n"
    (result,) = ask(own("senet", "line"), text)
    commands = [line.split(" ", 1)[1] for line in sent(result)]
    assert [line for line in commands if line.split(" ")[0] in ("roll", "play", "genmove")] == [
        *("roll 1", "play b 10-11", "roll 2", "genmove b")
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("temper", "message"),
    [
        ("crash", "exited with code 3\nstderr: out of luck"),
        ("killed", "SIGKILL"),
        ("chatter", "lines, but no reply to 'genmove w'"),
        ("confused", "where a reply to"),
    ],
)
def test_an_engine_that_fails_hurts_one_test(ask: Ask, temper: str, message: str) -> None:
    results = ask(fake(temper), THRICE)
    assert [result.status for result in results] == [Status.PASSED, Status.ERROR, Status.PASSED]
    assert message in results[1].message


def test_a_second_answer_is_an_error_of_its_own_test(ask: Ask) -> None:
    program = (
        "for line in iter(input, 'quit'):\n"
        "    if line in ('usi', 'isready'):\n"
        "        print({'usi': 'usiok', 'isready': 'readyok'}[line], flush=True)\n"
        "    if line.startswith('go'):\n"
        "        print('bestmove 7g7f\\nbestmove 2g2f' if '7' in line else 'bestmove 7g7f',\n"
        "              flush=True)\n"
    )
    spec = EngineSpec("twice", (sys.executable, "-S", "-c", program), "usi", "shogi")
    text = (
        "game: shogi\naccept: 7g7f\ntest a\nlimit: nodes=5\n"
        "test b\nlimit: nodes=7\ntest c\nlimit: nodes=5\n"
    )
    results = ask(spec, text)
    assert words(results) == ["a passed", "b ERROR", "c passed"]
    assert "'bestmove 2g2f' after it had answered" in results[1].message


@pytest.mark.slow
def test_an_engine_that_hangs_is_given_up(ask: Ask) -> None:
    results = ask(fake("hang"), THRICE, timeout=3.0)
    assert words(results) == ["a passed", "b ERROR", "c passed"]
    assert "did not answer in time" in results[1].message


def test_an_illegal_move_is_a_wrong_answer(ask: Ask) -> None:
    results = ask(fake("illegal"), THRICE)
    assert words(results) == ["a passed", "b FAILED", "c passed"]
    assert results[1].message.startswith("answered 'a1-a1': illegal move a1-a1: ")


def test_resigning_is_an_answer(ask: Ask) -> None:
    text = THRICE.replace("forbid: b1-b4\nreplay", "accept: resign\nreplay")
    assert words(ask(fake("resign"), text)) == ["a passed", "b passed", "c passed"]


def test_an_engine_of_another_game_is_asked_nothing(ask: Ask) -> None:
    (result,) = ask(own("neutron", "line"), "game: morris\ntest a\naccept: a1\n")
    assert result.word == "unsupported"
    assert result.message == "quintet-neutron plays neutron, not morris"
    (other,) = ask(own("neutron", "line"), f"{MATE}test a\naccept: G*5b\n")
    assert "speaks line, shogi is asked in usi" in other.message
    (unknown,) = ask(own("neutron", "line"), "game: neutron\noption: x=1\ntest a\naccept: b1-b4\n")
    assert unknown.word == "unsupported"
    assert "no such option: 'x'" in unknown.message


def test_limits_of_the_command_line_replace_the_suites(ask: Ask) -> None:
    (result,) = ask(own("neutron", "line"), "game: neutron\ntest a\nforbid: b1-b4\n", "depth=1")
    assert any(line.endswith("time_settings depth=1") for line in sent(result))


def test_what_stands_under_replay_is_said_before_the_question(ask: Ask) -> None:
    text = f"{MATE}test a\naccept: G*5b\nreplay:\n  position startpos\n  go nodes 10\n  isready\n"
    (result,) = ask(own("shogi", "usi"), text)
    assert result.word == "passed"
    assert sent(result)[-6:-3] == ["position startpos", "go nodes 10", "isready"]
    line = "game: neutron\nlimit: depth=1\ntest a\nforbid: b1-b4\nreplay:\n  frobnicate\n"
    (refused,) = ask(own("neutron", "line"), line)
    assert (refused.word, refused.message) == ("ERROR", "frobnicate: unknown command")
