"""The command `quintet annotate`."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.programs import peer
from tools.cli import main


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[13]PW[one]PB[two];W[d1-d4];B[c3-e3/b5-e2])")
    return path


def quintet(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["annotate", *map(str, words)])


def test_a_record_is_annotated_beside_itself_with_a_table(record: Path, tmp_path: Path) -> None:
    before = record.read_bytes()
    jsonl = tmp_path / "moves.jsonl"
    done = quintet(record, "--time", "depth=1", "--jsonl", jsonl)
    assert done.exit_code == 0, done.output
    line, _, head, *rows = done.stdout.splitlines()
    assert line.startswith(f"{record}: 2 moves, ")
    assert line.endswith(str(tmp_path / "game.annotated.sgf"))
    assert head.split()[0] == "player"
    assert [row.split()[0] for row in rows] == ["one", "two"]
    assert record.read_bytes() == before
    moves = [json.loads(each) for each in jsonl.read_text().splitlines()]
    assert [(each["number"], each["side"], each["move"]) for each in moves] == [
        (1, "white", "d1-d4"),
        (2, "black", "c3-e3/b5-e2"),
    ]
    again = quintet(record, "--time", "depth=1")
    assert again.exit_code == 2
    assert "game.annotated.sgf is there already (--force)" in again.stderr


def test_the_settings_of_a_match_are_understood(record: Path, tmp_path: Path) -> None:
    done = quintet(
        *(record, "--engine", "neutron", "--set", "name=mine", "--set", "time=depth=1"),
        *("--out", tmp_path / "out", "--side", "black", "--thresholds", "1,2,3"),
    )
    assert done.exit_code == 0, done.output
    assert b"annotate: by mine, depth=1" in (tmp_path / "out/game.sgf").read_bytes()


def test_a_game_on_a_rectangular_board_is_annotated(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[5:7];B[cd];W[cc];B[bc])")
    done = quintet(path, "--time", "visits=4")
    assert done.exit_code == 0, done.output
    assert "SZ[5:7]" in (tmp_path / "game.annotated.sgf").read_text()
    assert "3 moves" in done.stdout


def test_the_length_of_the_variations_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[13];W[d1-d4];B[c3-e3/b5-e2];W[e3-a3/a1-a2])")
    found = []
    for length in ("0", "2"):
        out = tmp_path / length
        done = quintet(path, "--time", "depth=3", "--variations", length, "--out", out)
        assert done.exit_code == 0, done.output
        found.append(re.findall(r"better line of (\d) moves? by", (out / "game.sgf").read_text()))
    assert (found[0], set(found[1]) <= {"1", "2"}, bool(found[1])) == ([], True, True)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--engine", "no-such-engine"), "no such engine: 'no-such-engine'"),
        (("--time", "60+1"), "expected a limit for each move"),
        (("--thresholds", "1"), "expected three numbers of percent"),
        (("--jsonl", "no/where/moves.jsonl"), "no such folder: no/where"),
        (("--engine", "quintet-morris"), "plays morris, not neutron"),
    ],
)
def test_what_makes_no_sense_is_refused(record: Path, words: tuple[str, ...], reason: str) -> None:
    done = quintet(record, *words)
    assert done.exit_code == 2
    assert reason in done.stderr
    assert sorted(path.name for path in record.parent.iterdir()) == ["game.sgf"]


def test_gnu_go_is_refused_because_it_gives_no_scores(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[9];B[ee])")
    done = quintet(path, "--engine", f"{peer('gnugo')} --mode gtp")
    assert done.exit_code == 2
    assert "GNU Go tells no values with its moves, so it cannot annotate" in done.stderr
