"""The real program over pipes."""

import os
import subprocess
import sys
from array import array
from pathlib import Path

import pytest

from engines.core.player import Player
from engines.morris.__main__ import equipment
from engines.morris.play import weights
from engines.morris.tables import store


def converse(*lines: str, arguments: tuple[str, ...] = ()) -> list[str]:
    """Send lines, and return the replies without their `= `."""
    done = subprocess.run(
        [sys.executable, "-m", "engines.morris", *arguments],
        input="\n".join((*lines, "quit", "")),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stderr == ""
    return [reply.removeprefix("= ").removeprefix("=") for reply in done.stdout.split("\n\n")]


def test_its_help_tells_its_options() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engines.morris", "--help"],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "level: how well it plays; 1 2 3 4 5 6 7 8 9 10 (default 10)" in done.stdout
    assert "; original standard (default original)" in done.stdout


@pytest.mark.slow
def test_a_damaged_table_is_reported_once_and_before_the_game(tmp_path: Path) -> None:
    mark = store.fingerprint(flying=True, doubles=False)
    folder = tmp_path / "morris" / mark
    folder.mkdir(parents=True)
    (folder / "9-8.depth").write_bytes(b"no table")
    with subprocess.Popen(
        [sys.executable, "-m", "engines.morris"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"QUINTET_DATA": str(tmp_path)},
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write("newgame\n")
        process.stdin.flush()
        message = process.stderr.readline()
        answers, rest = process.communicate(
            "newgame level=9\nlimit depth 1\ngenmove\nquit\n", timeout=120
        )
    why = f"{folder / '9-8.depth'}: no table of Nine Men's Morris"
    assert message == f"quintet-morris: table refused, the game goes on without it: {why}\n"
    assert rest == ""
    assert answers.count("= ") == 5


def test_a_game_is_set_up_played_and_ended() -> None:
    replies = converse(
        "game",
        "newgame no-flying,no-draws level=2 seed=3",
        "position WW./.../.../B..W.W/.../.../B.B w 0 0 0",
        "option level 10",
        "limit depth 2",
        "genmove w",
        "result",
        "turn",
        "undo",
        "option coordinates standard",
        "play w c3-c4",
        "position",
    )
    assert replies[0] == "morris"
    assert replies[5].startswith("g4-g1x")
    assert replies[6:8] == ["white fewer than three men", "over"]
    assert replies[10].startswith("? illegal move c3-c4: c3: no man there")
    assert replies[11] == "WW./.../.../B..W.W/.../.../B.B w 0 0 0"


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("newgame lasker", "? no such variant: 'lasker' (known: no-draws, no-flying, double-remov"),
        ("option level 11", "? level: expected 1 2 3 4 5 6 7 8 9 10, not '11'"),
        ("option coordinates chess", "? coordinates: expected original standard, not 'chess'"),
        ("play a1-d1", "? illegal move a1-d1: 9 men are still to be placed"),
        ("position W w 1 1 1", "? the rows are 3, 3, 3, 6, 3, 3 and 3 of . W B"),
        ("roll", "? there are no dice in morris"),
        ("perft 3", "12144"),
        ("legal", "a1 d1 g1"),
    ],
)
def test_a_command_is_answered(command: str, reply: str) -> None:
    assert converse(command)[0].startswith(reply)


@pytest.mark.slow
def test_a_file_of_weights_changes_the_play(tmp_path: Path) -> None:
    path = tmp_path / "other.bin"
    weights.save(path, array("h", [-weight for weight in weights.load()]))
    lines = ("limit depth 1", "position WW./.B./.../....../.../..B/B.. w 7 6 0", "genmove")
    plain = converse("option seed 1", "option level 3", *lines)[4]
    other = ("option seed 1", "option level 3", f"option weights {path}")
    assert converse(*other, *lines)[5] != plain
    assert converse(*other, "option weights shipped", *lines)[6] == plain


def test_a_file_without_weights_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.bin"
    assert converse(f"option weights {path}")[0] == f"? {path}: No such file or directory"
    path.write_bytes(b"no weights")
    assert converse(f"option weights {path}")[0].startswith(f"? {path}: no weights: ")


def test_options_may_come_with_the_command_line() -> None:
    assert converse("option level", arguments=("--option", "level=4"))[0].startswith("4")


def test_after_a_repetition_the_board_of_morris_names_no_side_to_move() -> None:
    player = Player(equipment())
    player.set_position("W../W../W../....../..B/..B/B.. w 0 0 0")
    for move in ("a1-d1", "a7-d7", "d1-a1", "d7-a7") * 2:
        assert player.board().splitlines()[-1] == player.turn()
        player.play(move)
    assert player.board().splitlines()[-2:] == [
        "O white, X black; in hand: white 0, black 0",
        "Draw: third repetition",
    ]


@pytest.mark.slow
def test_the_slack_of_the_search_is_an_option() -> None:
    lines = ("newgame", "play d6", "play d2", "play b4", "limit depth 5", "genmove", "showboard")
    told = [
        converse(f"option slack {slack}", "option book off", "option seed 1", *lines)
        for slack in ("0", "1000")
    ]
    assert not [answer for answers in told for answer in answers if answer.startswith("?")]
    refused = converse("option slack 1001")[0]
    assert refused == "? slack: expected a whole number from 0 to 1000, not 1001"
