from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tools.cli import main
from tools.records.reading import WRITERS, read_record

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
    result = convert(source, target)
    assert (result.exit_code, target.read_text()) == (2, "mine")
    assert "is there already" in result.output
    assert convert(source, target, "--force").exit_code == 0


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("bad.usi", "position startpos moves 5e5d", "line 1: illegal move 5e5d"),
        ("bad.usi", "\nposition startpos moves 5e5d", "line 2: illegal move 5e5d"),
        ("bad.usi", "position startpos moves 7g7f x", "line 1: not a move: 'x'"),
        ("bad.usi", "position startpos\nposition startpos", "line 2: a second line"),
        ("bad.sfen", "", "line 1: the file is empty"),
        ("bad.csa", "V2.2\nPI\n+\n+1111FU\n", "line 4"),
        ("bad.doc", "x", "expected .sgf, .gib, .ngf, .ugf, .ugi, .kif, .kifu"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, text: str, complaint: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    result = convert(path, tmp_path / "out.kif")
    assert result.exit_code == 2
    assert complaint in result.output
    assert not (tmp_path / "out.kif").exists()


def test_an_unknown_target_is_refused(source: Path, tmp_path: Path) -> None:
    result = convert(source, tmp_path / "game.gib")
    assert result.exit_code == 2
    assert "cannot be written as .gib (a .usi becomes .kif, .kifu, .ki2" in result.output
    result = convert(source, tmp_path / "game.doc")
    assert "no such format: '.doc'" in result.output


def test_a_file_without_a_suffix_is_named(tmp_path: Path) -> None:
    result = convert(Path("/dev/null"), tmp_path / "c.sgf")
    assert result.exit_code == 2
    assert "/dev/null: the suffix of a file tells its format" in result.output


def test_a_wrong_byte_order_mark_is_told_with_its_place_and_overruled(tmp_path: Path) -> None:
    path = tmp_path / "marked.sgf"
    path.write_bytes(b"\xef\xbb\xbf(;GM[1]\nC[\xe4])")
    result = convert(path, tmp_path / "out.sgf")
    assert result.exit_code == 2
    assert "line 2, column 3: its byte order mark says utf-8" in result.output
    assert "(--encoding NAME)" in result.output
    assert convert(path, tmp_path / "out.sgf", "--encoding", "latin-1").exit_code == 0
    assert "ä" in (tmp_path / "out.sgf").read_text(encoding="utf-8")
    path.write_bytes(b"\xef\xbb\xbf" + "(;GM[1]C[黒の勝ち])".encode("cp932"))
    assert convert(path, tmp_path / "out.sgf", "--force", "--encoding", "cp932").exit_code == 0
    assert "黒の勝ち" in (tmp_path / "out.sgf").read_text(encoding="utf-8")


def test_a_target_that_cannot_be_written_is_named(source: Path) -> None:
    result = convert(source, "/dev/null/game.kif")
    assert result.exit_code == 2
    assert "Not a directory" in result.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    (folder / "old").mkdir(parents=True)
    (folder / "a.usi").write_text(f"position startpos moves {MOVES}\n")
    (folder / "old" / "b.kifu").write_text("1 ７六歩(77)\n*よい\n2 投了\n変化：1手\n1 ２六歩(27)\n")
    (folder / "notes.txt").write_text("no game")
    (folder / "go.sgf").write_text("(;GM[1]SZ[9];B[aa])")
    return folder


def test_a_folder_is_converted_with_a_report(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = convert(folder, "--to", "csa", "--out", out)
    assert result.exit_code == 0, result.output
    assert read_record(out / "a.csa").moves() == MOVES.split()
    assert read_record(out / "old" / "b.csa").moves() == ["7g7f"]
    assert result.stdout.splitlines() == [
        f"2 files converted to csa in {out}",
        "2 files skipped, because their format, or the game in them, cannot become csa: "
        "1 .sgf, 1 .txt",
        "1 variation left out",
    ]
    assert f"{folder / 'old' / 'b.kifu'}: 1 variation left out: CSA has none" in result.stderr


def test_a_folder_takes_only_shogi_from_sgf(folder: Path, tmp_path: Path) -> None:
    (folder / "shogi.sgf").write_text("(;FF[4]GM[8]PB[Anna];B[7g7f])")
    result = convert(folder, "--to", "kif", "--out", tmp_path / "kif")
    assert result.exit_code == 0, result.output
    assert read_record(tmp_path / "kif" / "shogi.kif").black == "Anna"
    assert not (tmp_path / "kif" / "go.kif").exists()
    result = convert(folder, "--to", "sgf", "--out", tmp_path / "sgf")
    assert result.exit_code == 0, result.output
    assert len(list((tmp_path / "sgf").rglob("*.sgf"))) == 4


def test_an_error_in_a_file_keeps_the_others_going(folder: Path, tmp_path: Path) -> None:
    (folder / "a.csa").write_text("+1111FU\n")
    (folder / "old" / "b.usi").write_text("position startpos\n")
    out = tmp_path / "out"
    result = convert(folder, "--to", "kif", "--out", out)
    assert result.exit_code == 2
    assert f"{folder / 'a.csa'}: line 1: a move before the side to move" in result.stderr
    b = folder / "old"
    assert f"{b / 'b.usi'}: {out / 'old' / 'b.kif'} is written from {b / 'b.kifu'}" in result.stderr
    assert "2 files converted to kif" in result.stdout
    assert "2 files not converted" in result.stdout
    assert read_record(out / "a.kif").moves() == MOVES.split()
    assert read_record(out / "old" / "b.kif").moves() == ["7g7f"]
    again = convert(folder, "--to", "kif", "--out", out)
    assert "is there already (--force)" in again.stderr
    assert "4 files not converted" in again.stdout


def test_files_and_folders_are_taken_together(folder: Path, source: Path, tmp_path: Path) -> None:
    out = folder / "out"  # What is written there is no source of the next run.
    for _ in range(2):
        result = convert(source, folder, "--to", "kifu", "--out", out, "--force")
        assert result.exit_code == 0, result.output
        assert "3 files converted to kifu" in result.stdout
    assert sorted(path.name for path in out.rglob("*.kifu")) == ["a.kifu", "b.kifu", "game.kifu"]


def test_strict_is_status_1_when_something_is_left_out(folder: Path, tmp_path: Path) -> None:
    source = folder / "old" / "b.kifu"
    assert convert(source, tmp_path / "b.kif", "--strict").exit_code == 0
    result = convert(source, tmp_path / "b.usi", "--strict")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"{source}: 1 variation left out: USI has none",
        f"{source}: 1 comment left out: USI has none",
        f"{source}: 1 ending left out: USI has no word for resign",
    ]
    assert (tmp_path / "b.usi").exists()
    assert convert(folder, "--to", "csa", "--out", tmp_path / "o", "--strict").exit_code == 1


def test_standard_input_becomes_standard_output(tmp_path: Path) -> None:
    text = f"position startpos moves {MOVES}\n"
    words = ["convert", "-", "-", "--from", "usi", "--to", "csa"]
    result = CliRunner().invoke(main, words, input=text)
    assert result.exit_code == 0, result.output
    assert "+7776FU" in result.stdout
    target = tmp_path / "game.kif"
    words = ["convert", "-", str(target), "--from", "usi"]
    assert CliRunner().invoke(main, words, input=text).exit_code == 0
    assert read_record(target).moves() == MOVES.split()
    assert convert(target, "-", "--to", "usi").stdout == text
    again = CliRunner().invoke(main, words, input=text)
    assert (again.exit_code, "is there already" in again.output) == (2, True)
    bad = CliRunner().invoke(main, ["convert", "-", "-", "--from", "usi", "--to", "csa"], input="x")
    assert bad.exit_code == 2
    assert "standard input: line 1" in bad.output


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["-", "game.kif"], "the standard input has no suffix: --from FORMAT is needed"),
        (["game.usi", "-"], "the standard output has no suffix: --to FORMAT is needed"),
        (["game.usi", "x.kif", "--from", "usi"], "--from is for the standard input"),
        (["game.usi"], "expected FILE TARGET, or FILE... --to FORMAT --out FOLDER"),
        (["a.kif", "b.kif", "c.kif"], "expected FILE TARGET"),
        ([".", "x.kif"], "it needs --to FORMAT and --out FOLDER"),
        (["game.usi", "--out", "o"], "--out needs --to FORMAT"),
        (["-", "--out", "o", "--to", "kif"], "not for the standard input"),
        (["no.kif", "--out", "o", "--to", "kif"], "no.kif: no such file or folder"),
        (["empty", "--out", "o", "--to", "sgf"], "no files to convert to sgf"),
        (["no.kif", "x.csa"], "no.kif: No such file"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(
    source: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], complaint: str
) -> None:
    monkeypatch.chdir(source.parent)
    Path("empty").mkdir()
    result = convert(*words)
    assert result.exit_code == 2, result.output
    assert complaint in result.output


def test_a_shogi_record_is_drawn(source: Path) -> None:
    result = CliRunner().invoke(main, ["show", str(source), "--ply", "3"])
    assert result.exit_code == 0, result.output
    assert "3. black 8h2b+" in result.output
    assert "Black in hand: " in result.output


def test_a_problem_that_breaks_the_rules_is_drawn_as_well_as_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "problem.usi"  # Pawns that can never move, two of them on a file.
    path.write_text("position sfen p3k4/p8/4P4/9/9/9/9/9/p8 b G 1 moves G*5b\n")
    result = CliRunner().invoke(main, ["show", str(path)])
    assert result.exit_code == 0, result.output
    assert "1. black G*5b" in result.output
