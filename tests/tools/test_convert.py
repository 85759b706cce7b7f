from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tools.cli import main
from tools.convert import WRITERS, read_record

MOVES = "7g7f 3c3d 8h2b+ 3a2b"


def convert(*words: Path | str) -> Result:
    return CliRunner().invoke(main, ["convert", *map(str, words)])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "game.usi"
    path.write_text(f"position startpos moves {MOVES}\n")
    return path


@pytest.mark.parametrize("suffix", WRITERS)
def test_there_and_back_the_moves_are_the_same(source: Path, tmp_path: Path, suffix: str) -> None:
    there, back = tmp_path / f"there{suffix}", tmp_path / "back.sfen"
    assert convert(source, there).exit_code == 0
    assert read_record(there).moves() == MOVES.split()
    assert convert(there, back).exit_code == 0
    assert back.read_text() == source.read_text()


def test_kif_is_shift_jis_and_kifu_is_utf_8(source: Path, tmp_path: Path) -> None:
    for suffix, encoding in ((".kif", "cp932"), (".kifu", "utf-8")):
        target = tmp_path / f"game{suffix}"
        convert(source, target)
        assert "７六歩" in target.read_bytes().decode(encoding)


def test_nothing_is_overwritten_unasked(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "game.kif"
    target.write_text("mine")
    told = convert(source, target)
    assert (told.exit_code, target.read_text()) == (2, "mine")
    assert "is there already" in told.output
    assert convert(source, target, "--force").exit_code == 0


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("bad.usi", "position startpos moves 5e5d", "line 1: illegal move 5e5d"),
        ("bad.usi", "\nposition startpos moves 5e5d", "line 2: illegal move 5e5d"),
        ("bad.usi", "position startpos moves 7g7f x", "line 1: no move: 'x'"),
        ("bad.usi", "position startpos\nposition startpos", "line 2: a second line"),
        ("bad.sfen", "", "line 1: syntax"),
        ("bad.csa", "V2.2\nPI\n+\n+1111FU\n", "line 4"),
        ("bad.doc", "x", "expected .sgf, .kif, .kifu"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    told = convert(path, tmp_path / "out.kif")
    assert told.exit_code == 2
    assert complaint in told.output
    assert not (tmp_path / "out.kif").exists()


def test_an_unknown_target_is_refused(source: Path, tmp_path: Path) -> None:
    told = convert(source, tmp_path / "game.ki2")
    assert told.exit_code == 2
    assert ".kif cannot be written as .ki2" in told.output or ".usi cannot" in told.output
    assert "becomes .kif, .kifu, .csa" in told.output
    told = convert(source, tmp_path / "game.sgf")
    assert "cannot be written as .sgf (a ." in told.output
    told = convert(source, tmp_path / "game.doc")
    assert "no such format: '.doc'" in told.output


def test_a_file_without_a_suffix_is_named(tmp_path: Path) -> None:
    told = convert(Path("/dev/null"), tmp_path / "c.sgf")
    assert told.exit_code == 2
    assert "/dev/null: what it is written in is told by its suffix" in told.output


def test_a_wrong_byte_order_mark_is_told_with_its_place_and_overruled(tmp_path: Path) -> None:
    path = tmp_path / "marked.sgf"
    path.write_bytes(b"\xef\xbb\xbf(;GM[1]\nC[\xe4])")
    told = convert(path, tmp_path / "out.sgf")
    assert told.exit_code == 2
    assert "line 2, column 3: its byte order mark says utf-8" in told.output
    assert "(--encoding NAME)" in told.output
    assert convert(path, tmp_path / "out.sgf", "--encoding", "latin-1").exit_code == 0
    assert "ä" in (tmp_path / "out.sgf").read_text(encoding="utf-8")
    path.write_bytes(b"\xef\xbb\xbf" + "(;GM[1]C[黒の勝ち])".encode("cp932"))
    assert convert(path, tmp_path / "out.sgf", "--force", "--encoding", "cp932").exit_code == 0
    assert "黒の勝ち" in (tmp_path / "out.sgf").read_text(encoding="utf-8")


def test_a_target_that_cannot_be_written_is_named(source: Path) -> None:
    told = convert(source, "/dev/null/game.kif")
    assert told.exit_code == 2
    assert "Not a directory" in told.output


def test_a_shogi_record_is_drawn(source: Path) -> None:
    told = CliRunner().invoke(main, ["show", str(source), "--ply", "3"])
    assert told.exit_code == 0, told.output
    assert "3. black 8h2b+" in told.output
    assert "black in hand: B" in told.output


def test_a_problem_that_breaks_the_rules_is_drawn_as_well_as_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "problem.usi"  # Pawns that can never move, two of them on a file.
    path.write_text("position sfen p3k4/p8/4P4/9/9/9/9/9/p8 b G 1 moves G*5b\n")
    told = CliRunner().invoke(main, ["show", str(path)])
    assert told.exit_code == 0, told.output
    assert "1. black G*5b" in told.output
