"""The rules that real graphical clients rely on; each rule comes from at least one of them.

P: processes and streams. G: GTP. R4: records. The needs of shogi clients (USI, KIF, CSA) are
tested with shogi.

| P1 | the first reply comes immediately | P2 | one writer, whole lines |
| P3 | ASCII, line feeds | P4 | nothing on stderr |
| P5 | ends with its input, with quit, with SIGTERM | P6 | one file, no arguments, any folder |
| P7 | an internal error is a reply | G1 | framing | G2 | ids | G3 | the list of commands |
| G4 | any line ends an analysis | G5 | the dialects | G6 | the version |
| G7 | the moves that play accepts | G8 | the settings that clear_board keeps |
| G9 | sizes | G10 | genmove's text | G11 | genmove_analyze |
| G12 | the contents of an analysis | R4 | SGF |
"""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engines.go.__main__ import SERIES
from engines.go.rules.text import make_rules
from tests.engines.go.talk import SHARED, Session
from tests.programs import own_program

RULES = [*(f"p{n}" for n in range(1, 8)), *(f"g{n}" for n in range(1, 13)), "r4"]
PATIENCE = 60  # Seconds; these machines are shared.
SABAKI = "name\nversion\nprotocol_version\nlist_commands\n"
PIECE = re.compile(r"move (\S+) (.*?) pv ((?:pass|[A-Z]\d+)(?: (?:pass|[A-Z]\d+))*)$")


def run(
    text: str, folder: Path | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        own_program("quintet-go"),
        input=text.encode(),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        cwd=folder,
        env=environment,
    )


def open_program() -> subprocess.Popen[str]:
    return subprocess.Popen(
        own_program("quintet-go"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def pieces(line: str) -> list[tuple[str, dict[str, str], list[str]]]:
    """Take a line apart as Sabaki does: pairs of words, the line of play behind them."""
    moves = []
    for part in re.split(r"\s*\binfo ", line)[1:]:
        match = PIECE.fullmatch(part)
        assert match, part
        words = match[2].split(" ")
        assert len(words) % 2 == 0, part
        moves.append((match[1], dict(zip(words[::2], words[1::2], strict=True)), match[3].split()))
    return moves


def first_line(gtp: Session, command: str) -> str:
    """Begin an analysis, hear its first line, end it."""
    gtp.conversation.say(f"{command}\n")
    assert gtp.conversation.hear_line() == "="
    line = gtp.conversation.hear_line()
    gtp.conversation.say("protocol_version\n")
    gtp.conversation.hear_until(b"= 2\n\n")
    return line


def test_every_rule_has_its_test() -> None:
    names = [name for name in globals() if name.startswith("test_")]
    for rule in RULES:
        assert [name for name in names if name.startswith(f"test_{rule}_")], rule


def test_p1_the_first_reply_needs_neither_numpy_nor_the_network() -> None:
    program = (
        "import sys; import engines.go.__main__; from engines.go.gtp.commands import Commands;"
        "from engines.go.play.player import Player; "
        "Commands(Player(), '1.15.0').table['boardsize'];"
        "print({'numpy', 'sgfmill', 'engines.go.play.search'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"


def test_p2_lines_come_whole_while_an_analysis_is_disturbed(gtp: Session) -> None:
    gtp.conversation.say("kata-analyze b 1\n" + "name\nkata-analyze w 1\n" * 20 + "name\n")
    for _ in range(20):
        lines = gtp.conversation.hear_until(b"= Quintet Go\n\n").split("\n")
        assert {line[:5] for line in lines if line} <= {"=", "info "}
    gtp.conversation.hear_until(b"= Quintet Go\n\n")


def test_p3_only_ascii_and_line_feeds_are_written() -> None:
    done = run("näme\r\nplay b é5\r\nkgs-chat game x ü\r\nshowboard\r\nprintsgf\r\nquit\r\n")
    assert b"\r" not in done.stdout
    done.stdout.decode("ascii")


def test_p4_stderr_stays_silent() -> None:
    done = run("boardsize 9\nkata-set-param maxVisits 5\ngenmove b\nfrobnicate\nloadsgf x\nquit\n")
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.slow
def test_p5_the_program_ends_with_its_input_with_quit_and_with_sigterm() -> None:
    assert run("name\n").returncode == 0
    with open_program() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("boardsize 9\nkata-analyze b 10\n")
        while not process.stdout.readline().startswith("info"):
            pass
        process.stdin.write("quit\n")
        assert process.stdout.read().endswith("\n= \n\n")
        assert process.wait(PATIENCE) == 0
    with open_program() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("boardsize 9\nkata-analyze b 10\n")
        while not process.stdout.readline().startswith("info"):
            pass
        process.terminate()
        assert process.wait(PATIENCE) in (0, -signal.SIGTERM)


def test_p6_one_file_runs_without_arguments_home_or_folder(tmp_path: Path) -> None:
    (command, *_) = own_program("quintet-go")
    assert Path(command).is_absolute()
    environment = {key: value for key, value in os.environ.items() if key not in ("HOME", "PATH")}
    environment["PYTHONPATH"] = str(Path(__file__).resolve().parents[4])
    done = run("boardsize 5\nkata-set-param visits 3\ngenmove b\n", tmp_path, environment)
    assert re.search(rb"= [A-E][1-5]\n\n$", done.stdout)


def test_p7_an_internal_error_is_a_reply_and_the_game_goes_on(
    gtp: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    gtp.does("play b E5")

    def fail(*arguments: object, **more: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(SHARED, "think", fail)
    assert gtp.ask("7 genmove w") == "?7 internal error"
    gtp.conversation.say("8 kata-genmove_analyze w\n")
    assert gtp.conversation.hear() == "=8"
    monkeypatch.undo()
    assert re.fullmatch(r"= [A-HJ][1-9]", gtp.ask("genmove w"))


def test_g1_replies_are_framed_with_a_space_and_no_empty_line(gtp: Session) -> None:
    assert gtp.ask("komi 6.5") == "= "
    assert gtp.ask("3 komi 6.5") == "=3 "
    assert gtp.ask("4 komi x").startswith("?4 ")
    for command in ("showboard", "list_commands", "printsgf", "kata-raw-nn 0"):
        reply = gtp.ask(command)
        assert reply.startswith("= ")
        assert all(line for line in reply.split("\n"))


def test_g2_ids_come_back_exactly(gtp: Session) -> None:
    assert gtp.ask("2147483647 name") == "=2147483647 Quintet Go"
    assert gtp.ask("12name") == "=12 Quintet Go"
    assert gtp.ask("12  name") == "=12 Quintet Go"
    assert gtp.ask("0 frobnicate") == "?0 unknown command"


def test_g3_the_list_begins_with_protocol_version_and_holds_no_bare_analyze(gtp: Session) -> None:
    text = gtp.ask("list_commands")
    assert text.startswith("= protocol_version\n")
    listed = text[2:].split("\n")
    assert listed == [line.strip() for line in listed]
    assert not {"analyze", "genmove_analyze"} & set(listed)


@pytest.mark.parametrize("line", ["name", "", "# anything", "play b E5", "unknown words"])
def test_g4_any_line_ends_an_analysis(gtp: Session, line: str) -> None:
    gtp.conversation.say("5 lz-analyze 1\n")
    assert gtp.conversation.hear_line() == "=5"
    assert gtp.conversation.hear_line().startswith("info ")
    gtp.conversation.say(f"{line}\n")
    while output := gtp.conversation.hear_line():
        assert output.startswith("info ")
    if line.startswith(("name", "play", "unknown")):
        assert gtp.conversation.hear()[0] in "=?"


def test_g5_the_dialects_write_numbers_as_their_clients_read_them(gtp: Session) -> None:
    for _, values, _ in pieces(first_line(gtp, "lz-analyze b 1")):
        assert list(values) == ["visits", "winrate", "prior", "lcb", "order"]
        assert all(value.isdecimal() for value in values.values())
    for _, values, _ in pieces(first_line(gtp, "kata-analyze b 1")):
        assert {"scoreLead", "scoreMean", "scoreStdev"} <= set(values)
        for key in ("winrate", "scoreLead", "scoreMean", "scoreStdev", "prior", "lcb", "utility"):
            assert re.fullmatch(r"-?\d+\.\d+", values[key])


def test_g6_the_version_has_a_second_number_of_fifteen(gtp: Session) -> None:
    done = run("version\n")
    match = re.fullmatch(rb"= 1\.(\d+)\.\d+ .*\n\n", done.stdout)
    assert match
    assert int(match[1]) >= 15
    assert f"version: {SERIES}, which Lizzie asks for" in gtp.ask("help version")


def test_g7_play_takes_what_records_hold(gtp: Session) -> None:
    gtp.does("play b C3", "play b D3", "play w pass", "play w J9", "play b pass", "play b pass")
    gtp.does("boardsize 4", *(f"play b {v}" for v in ("B4", "A3", "B2")))
    gtp.does(*(f"play w {v}" for v in ("C4", "D3", "C2", "B3")))
    gtp.does(
        "play b C3", "play w B3", "play b C3"
    )  # A ko is retaken immediately, and the board repeats.
    for wrong in ("play b C4", "play b Z1", "play b"):
        assert gtp.ask(wrong).startswith("? ")


def test_g8_komi_rules_and_clocks_outlive_boards(gtp: Session) -> None:
    gtp.does("komi 3.5", "kata-set-rules japanese", "time_settings 0 30 5")
    gtp.does("boardsize 13", "clear_board", "boardsize 9", "clear_board")
    assert gtp.ask("get_komi") == "= 3.5"
    assert json.loads(gtp.ask("kata-get-rules")[2:])["scoring"] == "TERRITORY"
    assert gtp.player.clock(0).control.kind == "canadian"


def test_g9_every_size_from_two_to_twenty_five_is_taken(gtp: Session) -> None:
    for size in (2, 7, 19, 25):
        gtp.does(f"boardsize {size}")
    gtp.does("boardsize 9 13", "rectangular_boardsize 13 9", "play b N9", "undo")
    for wrong in ("1", "26", "9 26", "100000"):
        assert gtp.ask(f"boardsize {wrong}") == "? unacceptable size"


def test_g10_genmove_answers_a_vertex_in_capitals_and_nothing_else(gtp: Session) -> None:
    for turn in "bw" * 3:
        assert re.fullmatch(r"= ([A-HJ][1-9]|pass|resign)", gtp.ask(f"genmove {turn}"))
    gtp.does("clear_board", "komi 99.5", "play b E5", "play w pass")
    assert re.fullmatch(r"= ([A-HJ][1-9]|pass|resign)", gtp.ask("genmove b"))


@pytest.mark.parametrize("dialect", ["lz", "kata", "cgos"])
@pytest.mark.parametrize(
    "words", ["", "B", "W 50", "50", "B ownership true", "W 100000", "b minmoves 3 unknown x"]
)
def test_g11_genmove_analyze_tells_plays_and_ends(gtp: Session, dialect: str, words: str) -> None:
    gtp.conversation.say(f"9 {dialect}-genmove_analyze {words}\n")
    assert gtp.conversation.hear_line() == "=9"
    *lines, last = gtp.conversation.hear().split("\n")
    assert lines
    assert all(line.startswith("{" if dialect == "cgos" else "info ") for line in lines)
    assert re.fullmatch(r"play [A-HJ][1-9]", last)


def test_g12_an_analysis_tells_moves_that_are_no_passes_and_no_better_than_the_best(
    gtp: Session,
) -> None:
    gtp.does("play b E5", "play w pass")
    moves = pieces(first_line(gtp, "kata-analyze b 1"))
    assert moves[0][0] != "pass"
    assert sum(int(values["visits"]) for _, values, _ in moves) >= 9
    chances = [float(values["winrate"]) for _, values, _ in moves]
    assert max(chances) == chances[0]
    assert [int(values["order"]) for _, values, _ in moves] == list(range(len(moves)))
    assert all(line[0] == move for move, _, line in moves)


def test_r4_sgf_has_size_rules_and_empty_passes(gtp: Session) -> None:
    gtp.does("komi 6.5", "play b E5", "play w pass")
    text = gtp.ask("printsgf")[2:]
    assert text.startswith("(;")
    for part in ("SZ[9]", "KM[6.5]", "CA[UTF-8]", "FF[4]", "GM[1]", "RU[Chinese]", ";W[]"):
        assert part in text
    assert make_rules("", 9).rules.title == "Chinese"
