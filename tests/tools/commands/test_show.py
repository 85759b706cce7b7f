from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from tests.tools.fakes import fake
from tests.tools.match.matches import play, spec
from tools.cli import main


def quintet(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("match")
    made = spec(
        second=fake("illegal", seeded=True), games=2, transcripts=str(folder / "transcripts")
    )
    play(folder, made)
    return folder


def test_a_record_is_drawn(played: Path) -> None:
    record = played / "neutron-0001.sgf"
    result = quintet("show", str(record), "--all")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[0].startswith("good [fake good 1] - illegal [fake illegal 1]")
    assert result.output.count("a   b   c   d   e") == 2 * 4
    assert "1. white " in result.output
    start = quintet("show", str(record), "--ply", "0").output
    assert " 5 │ B │ B │ B │ B │ B │ 5" in start
    assert start.endswith("White to move\n")
    assert "1. white" not in start


def test_a_game_of_a_file_of_several_is_chosen_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[1]SZ[9];B[ee])(;GM[13]QG[neutron]PW[Ann]RE[B+R];W[b1-b4])")
    result = quintet("show", str(path), "--number", "2")
    assert result.exit_code == 0, result.output
    assert "it has 2 games; this is game 2 (--number)" in result.output
    assert "Ann - ?" in result.output
    assert result.output.endswith("Black wins: White resigned\n")
    result = quintet("show", str(path), "--number", "3")
    assert result.exit_code == 2
    assert "it has 2 games, and no game 3" in result.output


def test_a_record_of_another_game_is_named(tmp_path: Path) -> None:
    path = tmp_path / "chess.sgf"
    path.write_text("(;GM[2])")
    result = quintet("show", str(path))
    assert result.exit_code == 2
    assert "GM[2]" in result.output


def test_a_record_with_an_illegal_move_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.sgf"
    path.write_text("(;GM[13];W[a1-a5])")
    result = quintet("show", str(path))
    assert result.exit_code == 2
    assert "move 1: illegal move a1-a5" in result.output


def test_a_ply_beyond_the_end_is_refused(played: Path) -> None:
    result = quintet("show", str(played / "neutron-0001.sgf"), "--ply", "400")
    assert result.exit_code == 2
    assert "it has 3 moves, not 400" in result.output


def test_variations_are_drawn_and_listed(tmp_path: Path) -> None:
    path = tmp_path / "game.kifu"
    path.write_text(
        "1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n"
        "変化：2手\n2 ８四歩(83)\n*よい\n3 ２六歩(27)\n変化：3手\n3 ５六歩(57)\n"
    )
    result = quintet("show", str(path))
    assert "this line has 1 variation: 1 at move 2 (--variation)" in result.stderr
    assert "2. white 3c3d" in result.stdout
    result = quintet("show", str(path), "--variation", "1", "--all")
    assert "this line has 1 variation: 1 at move 3" in result.stderr
    assert "1. black 7g7f\n" in result.stdout
    assert "2. white 8c8d  よい\n" in result.stdout
    assert "3. black 2g2f\n" in result.stdout
    result = quintet("show", str(path), "--variation", "1.1")
    assert (result.stderr, "3. black 5g5f" in result.stdout) == ("", True)
    result = quintet("show", str(path), "--variation", "1.1", "--ply", "4")
    assert (result.exit_code, "it has 3 moves, not 4" in result.stderr) == (2, True)
    result = quintet("show", str(path), "--variation", "2")
    assert result.exit_code == 2
    assert f"{path}: no variation 2: the main line has 1 variation: 1 at move 2" in result.stderr
    assert quintet("show", str(path), "--variation", "x").exit_code == 2


def test_a_variation_in_sgf_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[9](;B[aa];W[bb])(;B[ii];W[hh]C[here]))")
    result = quintet("show", str(path), "--variation", "1")
    assert "2. white H2  here" in result.stdout, result.output


def test_an_unknown_suffix_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("(;GM[1]SZ[9];B[aa])")
    result = quintet("show", str(path))
    assert result.exit_code == 2
    assert (
        "expected .sgf, .gib, .ngf, .ugf, .ugi, .kif, .kifu, .ki2, .ki2u, .csa, .jkf, .usi, .sfen"
        in result.stderr
    )


def test_a_position_is_written_as_a_picture(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    record = str(played / "neutron-0001.sgf")
    result = quintet(
        *("show", record, "--ply", "1", "--svg", str(out)),
        *("--line", "2", "--mark", "c3=triangle", "--mark", "a1", "--flipped"),
    )
    assert (result.exit_code, result.stdout) == (0, "")
    text = out.read_text("utf-8")
    kinds = [shape.get("class") for shape in ElementTree.fromstring(text).iter()]
    assert "last to" in kinds
    assert kinds.count("sign") == 2
    assert kinds.count("mark plan black") >= 2
    assert quintet("show", record, "--svg", "-").stdout.startswith("<svg ")


def test_a_picture_replaces_no_file_unless_it_is_forced_to(played: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    record.write_bytes((played / "neutron-0001.sgf").read_bytes())
    there = tmp_path / "there.svg"
    there.write_bytes(b"mine")
    result = quintet("show", str(record), "--svg", str(there))
    assert (result.exit_code, there.read_bytes()) == (2, b"mine")
    assert f"{there} exists; give --force to overwrite it" in result.stderr
    out = tmp_path / "board.svg"
    for options in ((), ("--force",)):
        assert quintet("show", str(record), "--svg", str(out), *options).exit_code == 0
    result = quintet("show", str(record), "--svg", str(record / "board.svg"))
    assert result.exit_code == 2
    assert result.stderr.endswith(f"{record / 'board.svg'}: Not a directory\n")


def test_the_marks_of_a_record_of_go_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[5];B[cc]TR[cc]LB[dd:<b>][zz:A];W[dd])")
    drawn = quintet("show", str(path), "--ply", "1", "--svg", "-", "--line", "1").stdout
    signs = [
        shape.text for shape in ElementTree.fromstring(drawn).iter() if shape.get("class") == "sign"
    ]
    assert signs == [None, "<b>"]
    assert "ghost white" in drawn
    assert "sign" not in quintet("show", str(path), "--svg", "-").stdout.partition("</style>")[2]


def test_a_mark_outside_the_board_and_pictures_of_all_positions_are_refused(
    played: Path, tmp_path: Path
) -> None:
    out = tmp_path / "board.svg"
    record = str(played / "neutron-0001.sgf")
    result = quintet("show", record, "--svg", str(out), "--mark", "z9")
    assert (result.exit_code, out.exists()) == (2, False)
    assert "'z9' is no place of this board" in result.stderr
    result = quintet("show", record, "--svg", str(out), "--all")
    assert (result.exit_code, out.exists()) == (2, False)
    assert "--ply instead of --all" in result.stderr


def test_a_finished_position_says_who_has_won_and_nobody_is_to_move(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[13]QP[BBBBB/...../...../NW.../.WWWW w]QG[neutron];W[a2-a1])")
    output = quintet("show", str(path)).output
    assert "White wins: the neutron is on White's home row" in output
    assert "to move" not in output


@pytest.mark.parametrize(
    ("result", "says"),
    [
        ("B+R", "Black wins: White resigned"),
        ("W+T", "White wins: Black has no time left"),
        ("B+12.5", "Black wins: by 12.5 points"),
        ("?", "Black to move"),
        ("", "Black to move"),
    ],
)
def test_the_last_position_says_how_the_record_says_the_game_ended(
    result: str, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "go.sgf"
    path.write_text(f"(;GM[1]SZ[5]RE[{result}];B[cc](;W[bb])(;W[dd]))")
    assert quintet("show", str(path)).output.splitlines()[-1] == says
    assert quintet("show", str(path), "--ply", "2").output.splitlines()[-1] == says
    assert quintet("show", str(path), "--ply", "1").output.splitlines()[-1] == "White to move"
    assert quintet("show", str(path), "--variation", "1").output.endswith("Black to move\n")
    every = [line for line in quintet("show", str(path), "--all").output.splitlines() if line]
    assert every[-1] == says
    assert every.count("Black to move") == 1 + (says == "Black to move")


def test_a_game_of_shogi_that_was_resigned_says_so(tmp_path: Path) -> None:
    path = tmp_path / "game.csa"
    path.write_text("PI\n+\n+7776FU\n%TORYO\n")
    assert quintet("show", str(path)).output.endswith("Black wins: White resigned\n")


def test_a_broken_move_behind_the_position_does_not_disturb_it(tmp_path: Path) -> None:
    path = tmp_path / "go.sgf"
    path.write_text("(;GM[1]SZ[5]RE[B+R];B[cc];W[cc])")
    result = quintet("show", str(path), "--ply", "1")
    assert result.exit_code == 0
    assert result.output.endswith("White to move\n")


def test_control_characters_of_a_record_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;GM[13]PW[\x1b[2Jevil\\]];W[b1-b4]C[\x07[bold\\]loud])")
    output = quintet("show", str(path)).output
    assert "evil" in output
    assert "[bold]loud" in output
    assert not {"\x1b", "\x07"} & set(output)


def test_shogi_is_drawn_with_kanji_or_letters(tmp_path: Path) -> None:
    path = tmp_path / "game.usi"
    path.write_text("position startpos moves 7g7f\n")
    assert "(歩)" in quintet("show", str(path)).output
    assert "( P)" in quintet("show", str(path), "--letters").output


def test_a_repetition_at_the_end_of_a_record_is_said_and_nobody_is_to_move(tmp_path: Path) -> None:
    record = tmp_path / "morris.sgf"
    setup = "W../W../W../....../..B/..B/B.. w 0 0 0"
    moves = ";W[a1-d1];B[a7-d7];W[d1-a1];B[d7-a7]" * 2
    record.write_text(f"(;GM[11]QG[morris]QP[{setup}]{moves})")
    output = quintet("show", str(record)).output
    assert output.endswith("Draw: the position has occurred three times\n"), output
    assert "to move" not in output
    assert quintet("show", str(record), "--ply", "7").output.endswith("Black to move\n")


def test_a_perpetual_check_of_shogi_is_said(tmp_path: Path) -> None:
    record = tmp_path / "checks.usi"
    moves = "3h1h 1c2c 1h2h 2c1c 2h1h 1c2c 1h2h 2c1c 2h1h 1c2c 1h2h 2c1c 2h1h"
    record.write_text(f"position sfen 9/9/8k/9/9/9/9/6R2/K8 b - 1 moves {moves}\n")
    last = quintet("show", str(record)).output.splitlines()[-1]
    assert last.startswith("White wins: "), last


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--line", "2"), "--line is for a picture: give --svg OUT as well"),
        (("--mark", "c3"), "--mark is for a picture"),
        (("--flipped",), "--flipped is for a picture"),
        (("--force",), "--force is for a picture"),
        (("--all", "--ply", "1"), "--all shows every position"),
        (("--svg", "board.png"), "expected a name that ends in .svg"),
        (("--svg", "board"), "expected a name that ends in .svg"),
        (("--svg", "-", "--mark", "E5=abcd"), "or up to 3 letters"),
        (("--svg", "-", "--flipped"), "--flipped is for shogi and neutron"),
        (("--letters",), "--letters is for shogi, and this is a game of go"),
    ],
)
def test_options_that_would_do_nothing_are_refused(
    tmp_path: Path, options: tuple[str, ...], complaint: str
) -> None:
    record = tmp_path / "game.sgf"
    record.write_text("(;GM[1]SZ[9];B[ee])")
    result = quintet("show", str(record), *options)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert sorted(tmp_path.iterdir()) == [record]


def test_a_third_repetition_of_go_names_no_side_to_move(tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    passes = ";B[];W[]" * 2
    for rules, last in (("Japanese", "No result: "), ("Chinese", "the game is over")):
        record.write_text(f"(;GM[1]SZ[5]RU[{rules}];B[cc];W[bb]{passes})")
        lines = quintet("show", str(record)).output.splitlines()
        assert lines[-1].startswith(last)
