"""The program as graphical programs start it: real processes, real pipes."""

import subprocess
import time
from array import array
from pathlib import Path

import pytest

from engines.shogi.play.weights import SIZE, save
from tests.programs import own_program


def converse(text: str, timeout: float = 60) -> tuple[list[str], int]:
    done = subprocess.run(
        own_program("quintet-shogi"),
        input=text,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.stderr == ""
    return done.stdout.splitlines(), done.returncode


def test_it_tells_its_options_and_leaves_at_quit() -> None:
    lines, code = converse("usi\nquit\n")
    assert lines[0].startswith("id name Quintet Shogi ")
    assert lines[0].isascii()
    assert lines[-1] == "usiok"
    assert code == 0
    names = [line.split()[2] for line in lines if line.startswith("option")]
    assert names[:3] == ["USI_Hash", "USI_Ponder", "MultiPV"]
    assert "EnteringKingRule" in names
    assert all("  " not in line for line in lines)


def test_a_bounded_search_answers_at_the_end_of_input() -> None:
    lines, code = converse("isready\nposition startpos\ngo depth 3")
    assert lines[0] == "readyok"
    assert sum(line.startswith("bestmove ") for line in lines) == 1
    assert code == 0


def test_quit_ends_endless_thinking() -> None:
    begun = time.monotonic()
    lines, code = converse("position startpos\ngo infinite\nquit\n")
    assert sum(line.startswith("bestmove ") for line in lines) == 1
    assert code == 0
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(
    ("position", "answer"),
    [
        ("sfen 8k/9/7+R1/9/9/9/9/9/K8 w - 1", "bestmove resign"),
        ("sfen 4K4/+P+P+P+P+P4/+P+P+P+P+P4/9/9/9/9/9/4k4 b 2R8P 1", "bestmove win"),
        ("sfen 9/9/9/9/9/9/9/9/9 b - 1", "bestmove resign"),
        ("startpos moves 7g7e", "bestmove resign"),
        ("sfen rubbish", "bestmove resign"),
    ],
)
def test_strange_positions_are_answered(position: str, answer: str) -> None:
    lines, _ = converse(f"position {position}\ngo depth 2\n")
    assert lines[-1] == answer


def test_mates_are_reported_and_refuted() -> None:
    lines, _ = converse(
        "setoption name USI_Hash value 1\nposition sfen 5n1k1/5G3/9/6+R2/9/9/9/9/9 b 2NPg 1\n"
        "go mate 50000\n"
    )
    assert lines == ["checkmate 3d3b 2a1a N*2c"]
    lines, _ = converse("setoption name USI_Hash value 1\nposition startpos\ngo mate 50000\n")
    assert lines == ["checkmate nomate"]


def test_settings_on_the_command_line_are_checked() -> None:
    command = own_program("quintet-shogi")
    good = subprocess.run(
        [*command, "--option", "MultiPV=2"],
        input="position startpos\ngo depth 2\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "multipv 2" in good.stdout
    bad = subprocess.run([*command, "--option", "Nonsense=2"], capture_output=True, timeout=60)
    assert bad.returncode == 2
    assert b"no such setting" in bad.stderr


def test_another_file_of_weights_plays_and_a_broken_one_is_reported(tmp_path: Path) -> None:
    flat, broken = tmp_path / "flat.bin", tmp_path / "broken.bin"
    save(flat, array("h", [0] * SIZE))
    broken.write_bytes(b"no weights")
    moves = "position startpos moves 7g7f 3c3d 8h2b+\ngo depth 1\n"

    def searched(*files: Path) -> tuple[list[str], list[str]]:
        # The search is the last command: another one would end it before its first depth.
        options = "".join(f"setoption name EvalFile value {file}\n" for file in files)
        lines, _ = converse(options + moves)
        return lines[-2].split(" score ")[1].split()[:2], lines

    shipped, _ = searched()
    flattened, _ = searched(flat)
    again, lines = searched(flat, broken)
    assert shipped == again != flattened == ["cp", "0"]
    (complaint,) = [line for line in lines if line.startswith("info string ")]
    assert complaint.startswith(f"info string EvalFile: {broken}: ")
    assert complaint.endswith("; using the shipped network")


def nodes_of_a_search(options: str) -> tuple[int, list[str]]:
    lines, _ = converse(f"{options}position startpos\ngo depth 6\n")
    complaints = [line for line in lines if line.startswith("info string ")]
    return int(lines[-2].split(" nodes ")[1].split()[0]), complaints


def test_methods_of_the_search_can_be_disabled() -> None:
    disable = "setoption name Disable value late moves, reductions\n"
    usual, _ = nodes_of_a_search("")
    more, none = nodes_of_a_search(disable)
    assert more > usual
    assert none == []
    unchanged, complaints = nodes_of_a_search(f"{disable}setoption name Disable value luck\n")
    assert unchanged == more
    assert complaints[0].startswith("info string Disable: no such method: 'luck' (known: reverse f")
    assert nodes_of_a_search(f"{disable}setoption name Disable\n") == (usual, [])


@pytest.mark.parametrize("option", ["EvalFile=/nonexistent", "Disable=luck"])
def test_a_value_that_cannot_be_used_ends_the_program_at_its_start(option: str) -> None:
    command = [*own_program("quintet-shogi"), "--option", option]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert f"--option: {option.partition('=')[0]}: " in done.stderr
