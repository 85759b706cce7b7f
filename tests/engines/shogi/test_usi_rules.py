"""The rules that graphical programs expect a USI engine to follow: U1 to U7 and P1 to P7."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engines.shogi.__main__ import OPTIONS, ShogiProgram
from engines.shogi.play.player import Player
from engines.shogi.rules import position as position_module
from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.sfen import START, parse_sfen
from tests.programs import own_program
from tests.protocols.serve.test_usi import Conversation, conversation, count_lines

COMPILED = not str(position_module.__file__).endswith(".py")
MATED = "position sfen 8k/9/7+R1/9/9/9/9/9/K8 w - 1"
MATE_IN_ONE = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
DECLARED = "position sfen 4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/4k4 b 2R8P 1"
ALMOST = "position sfen 4K4/+P+P+P+P+P4/+P+P+P+P5/9/9/9/9/9/4k4 b 2R8P 1"  # Nine men, not ten.
DOUBTFUL = "position sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
BARE = "position sfen 9/9/9/9/9/9/9/9/9 b - 1"

POSITIONS = ["position startpos", MATED, MATE_IN_ONE, DECLARED, BARE][: 5 if COMPILED else 2]
GO = "go nodes 20"
DEEP = "go depth 4" if COMPILED else "go depth 2"
INFINITE = "go infinite"
PONDER = "go ponder btime 100 wtime 100 byoyomi 100"
MATE = "go mate infinite"


def engine() -> ShogiProgram:
    """Make the engine with tables as small as they get."""
    made = ShogiProgram()
    made.set_option("USI_Hash", "1")
    return made


@pytest.mark.parametrize("position", POSITIONS[:3])
@pytest.mark.parametrize(
    ("commands", "best", "mates"),
    [
        ([GO], 1, 0),
        ([GO, "stop"], 1, 0),
        ([GO, "gameover win", "isready", GO], 2, 0),
        ([INFINITE, "stop"], 1, 0),
        ([INFINITE, "stop", "gameover lose"], 1, 0),
        ([INFINITE, "gameover lose", "stop"], 1, 0),
        ([INFINITE, "gameover draw"], 1, 0),
        ([INFINITE, "ponderhit", "stop"], 1, 0),
        ([INFINITE, "quit"], 1, 0),
        ([INFINITE], 1, 0),
        ([INFINITE, INFINITE, "stop"], 2, 0),
        ([PONDER, "ponderhit"], 1, 0),
        ([PONDER, "stop"], 1, 0),
        ([PONDER, "ponderhit", "stop"], 1, 0),
        ([PONDER, "stop", "ponderhit"], 1, 0),
        ([PONDER, "ponderhit", "gameover win"], 1, 0),
        ([PONDER, "gameover win", "ponderhit"], 1, 0),
        ([PONDER, "stop", "gameover win", "quit"], 1, 0),
        ([PONDER, "gameover win", "stop"], 1, 0),
        ([PONDER, "quit"], 1, 0),
        ([PONDER, "stop", "position startpos", GO], 2, 0),
        (["go mate 1"], 0, 1),
        ([MATE, "stop"], 0, 1),
        ([MATE, "gameover win", "stop"], 0, 1),
        ([MATE, "quit"], 0, 1),
        (["stop", "ponderhit", "gameover win"], 0, 0),
    ],
)
def test_u1_every_go_has_one_answer_in_every_order(
    position: str, commands: list[str], best: int, mates: int
) -> None:
    talk = Conversation(engine())
    talk.send(position, *commands)
    lines = talk.close()
    assert (count_lines(lines, "bestmove "), count_lines(lines, "checkmate ")) == (best, mates)


@pytest.mark.parametrize("seed", range(6 if COMPILED else 1))
def test_u1_random_commands_never_lose_or_double_an_answer(seed: int) -> None:
    generator = random.Random(seed)
    words: list[Callable[[], str]] = [
        lambda: GO,
        lambda: generator.choice(["go", "go movetime 5", "go depth 2", "go byoyomi 1"]) + " ",
        lambda: INFINITE,
        lambda: PONDER,
        lambda: MATE,
        lambda: f"go mate {generator.randrange(3)}",
        lambda: "stop",
        lambda: "ponderhit",
        lambda: "gameover " + generator.choice(["win", "lose", "draw", ""]),
        lambda: generator.choice(["position startpos moves 7g7f", MATED, MATE_IN_ONE, DOUBTFUL]),
        lambda: generator.choice(["position sfen x", "position startpos moves 1a1b", "position"]),
        lambda: "usinewgame",
        lambda: "isready",
        lambda: f"setoption name MultiPV value {generator.randrange(1, 9)}",
        lambda: f"setoption name {generator.choice(OPTIONS).name} value {generator.randrange(3)}",
        lambda: generator.choice(["", "  ", "nonsense", "go" * 9, "\t", "é", "setoption name"]),
    ]
    commands = [generator.choice(words)() for _ in range(80 if COMPILED else 20)]
    orders = sum(command.startswith("go ") for command in commands)
    mates = sum(command.startswith("go mate") for command in commands)
    talk = Conversation(engine())
    for command in commands:
        # A bare `go` thinks for a second: it is stopped, as everything is now and then.
        talk.send(command, *["stop"] * (command == "go " or generator.random() < 0.1))
        if generator.random() < 0.1:
            talk.send("usi")
            talk.until("usiok")
    lines = talk.close()
    assert count_lines(lines, "checkmate ") == mates
    assert count_lines(lines, "bestmove ") == orders - mates


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("order", [INFINITE, PONDER, "go ponder depth 1", "go infinite depth 1"])
def test_u2_nothing_is_answered_before_the_stop(position: str, order: str) -> None:
    with conversation(engine()) as talk:
        talk.send(position, order, "usi")
        talk.until("usiok")
        talk.send("nonsense", "setoption name MultiPV value 2", "usi")
        talk.until("usiok")
        assert count_lines(talk.lines, "bestmove") == 0
        talk.send("stop")
        talk.until("bestmove ")


def test_u3_positions_are_taken_in_every_form() -> None:
    shuffle = "2h3h 8b7b 3h2h 7b8b "
    forms = [
        "position startpos",
        "position startpos moves",
        "position startpos moves 7g7f 3c3d",
        f"position sfen {START}",
        f"position sfen {START} moves 7g7f",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
        "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 1P2g 1",
        "position  startpos   moves  7g7f ",
        "position startpos moves " + shuffle * 2600,  # More than 50 000 characters.
    ]
    assert len(forms[-1]) > 50_000
    with conversation(engine()) as talk:
        for form in forms:
            talk.send(form, "go nodes 1")
            answer = talk.until("bestmove ").split()[1]
            assert parse_move(answer), form
        assert count_lines(talk.lines, "info string") == 0


def test_u3_options_with_empty_values_and_unknown_ones_are_taken_in_silence() -> None:
    with conversation(engine()) as talk:
        talk.send(
            *(f"setoption name {option.name} value " for option in OPTIONS),
            *(f"setoption name {option.name}" for option in OPTIONS),
            "setoption name BookFile value <empty>",
            "setoption name Stochastic_Ponder value true",
            "setoption name USI_Hash value 0",
            "setoption name USI_Hash value 1",
            "isready",
        )
        talk.until("readyok")
        assert talk.lines == ["readyok"]


def test_u3_the_number_of_lines_may_change_during_a_search() -> None:
    with conversation(engine()) as talk:
        talk.send("position startpos", INFINITE)
        talk.until("info depth")
        talk.send("setoption name MultiPV value 3")
        while " multipv 3 " not in talk.until("info depth"):
            pass
        talk.send("setoption name MultiPV value 1")
        while " multipv " in talk.until("info depth"):
            pass
        talk.send("stop")
        talk.until("bestmove ")
        assert count_lines(talk.lines, "bestmove ") == 1


@pytest.mark.parametrize(
    "times",
    [
        "btime 0 wtime 0 byoyomi 10",
        "btime 50 wtime 50 byoyomi 0",
        "btime 50 wtime 50 binc 10 winc 10",
        "binc 10 winc 10 btime 0 wtime 0",
        "btime 50 wtime 50",
        "btime -20 wtime -20 byoyomi 0",
        "byoyomi 10",
        "rtime 10",
        "movetime 10",
        "depth 1",
        "nodes 1",
        "nodes 0 depth 1",
        "btime 50 wtime 50 byoyomi 0 depth 1 nodes 10 movetime 10",
        "btime x wtime depth 1",
        "btime 99999999999999999999 depth 1",
    ],
)
def test_u4_every_form_of_times_is_understood(times: str) -> None:
    with conversation(engine()) as talk:
        talk.send("position startpos", f"go {times}")
        assert parse_move(talk.until("bestmove ").split()[1])
        talk.send(f"go ponder {times}", "ponderhit")
        talk.until("bestmove ")
        talk.send("go ponder", f"ponderhit {times}", "stop")
        talk.until("bestmove ")


def test_u5_options_have_the_names_that_clients_know() -> None:
    names = [option.name for option in OPTIONS]
    assert names[:4] == ["USI_Hash", "USI_Ponder", "MultiPV", "Threads"]
    assert {"NetworkDelay", "ResignValue", "MaxMovesToDraw"} < set(names)
    assert {"EnteringKingRule", "SkillLevel"} < set(names)
    assert "Stochastic_Ponder" not in names
    for option in OPTIONS:
        line = option.declare()
        assert line.isascii()
        assert "  " not in line
        assert line.split(" ")[:4] == ["option", "name", option.name, "type"]
    rule = next(option for option in OPTIONS if option.name == "EnteringKingRule")
    assert rule.declare() == (
        "option name EnteringKingRule type combo default CSARule27"
        " var CSARule27 var CSARule24 var TryRule var NoEnteringKing"
    )


@pytest.mark.parametrize("lines", [1, 3])
def test_u6_information_is_in_the_grammar_and_ends_with_the_move(lines: int) -> None:
    with conversation(engine()) as talk:
        talk.send(f"setoption name MultiPV value {lines}", "position startpos", DEEP)
        move = talk.until("bestmove ").split()[1]
    output = [line for line in talk.lines if line.startswith("info ")]
    groups = [line.split(" multipv ")[1].split()[0] for line in output if " multipv " in line]
    assert groups == [str(rank) for rank in range(1, lines + 1)] * (len(output) // lines) * (
        lines > 1
    )
    first = output[-lines].split(" ")
    assert first[first.index("pv") + 1] == move
    for line in output:
        assert line.isascii()
        assert "  " not in line
        assert " string" not in line
        words = line.split(" ")
        assert words[words.index("score") + 1] in ("cp", "mate")
        at = words.index("pv")
        int(words[words.index("score") + 2])
        position = parse_sfen(START)
        for text in words[at + 1 :]:
            assert position.allows(parse_move(text))
            position.play(parse_move(text))


@pytest.mark.parametrize(
    ("position", "answer"),
    [(MATED, "resign"), (BARE, "resign"), (DECLARED, "win"), ("position sfen x", "resign")],
)
def test_u7_resign_and_win_are_answered_where_they_hold(position: str, answer: str) -> None:
    with conversation(engine()) as talk:
        talk.send(position, GO)
        assert talk.until("bestmove ") == f"bestmove {answer}"


@pytest.mark.parametrize("rule", ["NoEnteringKing", "TryRule"])
def test_u7_win_is_never_answered_where_it_would_be_false(rule: str) -> None:
    with conversation(engine()) as talk:
        talk.send(ALMOST, GO)
        assert talk.until("bestmove ").split()[1] not in ("win", "resign")
        talk.send(f"setoption name EnteringKingRule value {rule}", DECLARED, GO)
        assert talk.until("bestmove ").split()[1] not in ("win", "resign")


def test_p1_no_search_and_no_table_is_imported_before_the_first_command() -> None:
    code = (
        "import sys, engines.shogi.__main__; "
        "print(sorted({'numpy', 'click', 'argparse', 'asyncio', 'engines.shogi.play.tree',"
        " 'engines.shogi.play.player', 'multiprocessing'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "[]\n"


def test_p2_and_p3_lines_are_whole_ascii_and_end_plainly_whatever_comes() -> None:
    done = run(b"usi\r\nisready\r\nposition startpos\r\ngo depth 3\r\nquit\r\n")
    assert done.stdout.isascii()
    assert b"\r" not in done.stdout
    assert done.stdout.endswith(b"\n")
    lines = done.stdout.decode().splitlines()
    known = ("id ", "option ", "usiok", "readyok", "info ", "bestmove ")
    assert all(line.startswith(known) for line in lines)


def test_p4_standard_error_stays_silent() -> None:
    garbage = "é\0\x7f\n\nsetoption name\nposition sfen x\ngo depth 1\ngo mate x\nquit\n"
    assert run(garbage.encode("latin-1")).stderr == b""


@pytest.mark.parametrize("order", ["", "go infinite\n", "go ponder\n", "go mate infinite\n"])
@pytest.mark.parametrize("end", ["", "quit\n"])
def test_p5_it_leaves_at_quit_and_at_the_end_of_input(order: str, end: str) -> None:
    assert run(f"position startpos\n{order}{end}".encode()).returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs its system's variables")
def test_p6_it_is_one_file_that_needs_no_home_no_path_and_no_folder(tmp_path: Path) -> None:
    command = own_program("quintet-shogi")
    root = str(Path(__file__).parents[3])
    environment = {} if len(command) == 1 else {"PYTHONPATH": root}
    for name in ("QUINTET_EXPECT", "LD_LIBRARY_PATH"):
        if name in os.environ:
            environment[name] = os.environ[name]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        input=b"usi\nquit\n",
        capture_output=True,
        timeout=60,
    )
    assert done.stdout.endswith(b"usiok\n")
    assert done.stderr == b""
    assert list(tmp_path.iterdir()) == []


def test_p7_an_internal_error_still_brings_a_legal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(Player, "go", fail)
    with conversation(engine()) as talk:
        talk.send("position startpos", GO)
        move = talk.until("bestmove ").split()[1]
        assert parse_sfen(START).allows(parse_move(move))
        assert "info string internal error" in talk.lines


def run(text: bytes) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        own_program("quintet-shogi"), input=text, capture_output=True, timeout=120
    )
