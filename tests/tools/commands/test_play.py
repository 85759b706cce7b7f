from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tools.cli import main


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> "Play":
    monkeypatch.setenv("QUINTET_DATA", str(tmp_path))
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))
    return Play()


class Play:
    def __call__(self, *arguments: str, lines: str = "") -> Result:
        return CliRunner().invoke(main, ["play", *arguments], input=lines)


def test_lines_of_a_pipe_play_a_game(play: Play) -> None:
    result = play("neutron", "person", "person", lines="b1-b4\nresign\nquit\n")
    assert result.exit_code == 0
    assert result.output.count("`help` lists the commands") == 1
    assert "1. White: b1-b4" in result.output
    assert "White wins: Black resigned" in result.output


def test_colour_second_gives_the_engine_the_first_move(play: Play) -> None:
    result = play("neutron", "--level", "1", "--colour", "second", lines="quit\n")
    assert result.exit_code == 0
    assert "1. White: " in result.output
    assert "Black>" in result.output


def test_a_lot_decides_who_begins_in_go_by_a_guess(play: Play) -> None:
    result = play("go", "person", "person", "--colour", "lot", "--size", "5", lines="1\nquit\n")
    assert "There " in result.output
    assert result.exit_code == 0


def test_levels_are_described(play: Play) -> None:
    result = play("go", "--level", "list")
    assert result.exit_code == 0
    assert "a beginner who has just learnt the rules" in result.output
    result = play("shogi", "--level", "list")
    assert len(result.output.splitlines()) == 22


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("chess",), "no such game or file: 'chess'"),
        (("neutron", "person", "person", "person"), "two players at most"),
        (("neutron", "--level", "99"), "99"),
        (("neutron", "senet"), "plays senet, not neutron"),
        (("neutron", "--time", "abc"), "time control"),
        (("neutron", "--time", "1", "--time", "1", "--time", "1"), "twice at most"),
        (("neutron", "--komi", "1"), "Go"),
        (("--size", "9"), "--size cannot be given here: the menu asks for it"),
        (("--time", "60"), "--time cannot be given here"),
        (("neutron", "--number", "2"), "--number cannot be given here: it is for a FILE"),
        (("go", "--letters"), "--letters is for shogi"),
        (("neutron", "person", "--level", "1", "--colour", "second"), "give them in that order"),
    ],
)
def test_what_cannot_be_played_exits_with_2(
    play: Play, words: tuple[str, ...], message: str
) -> None:
    result = play(*words)
    assert result.exit_code == 2
    assert message in result.output


def test_dead_stones_are_changed_and_accepted_in_a_pipe(play: Play) -> None:
    stones = ["B3", "D3", "B2", "D2", "B4", "D4", "B1", "D1", "B5", "D5", "pass", "pass"]
    lines = "\n".join([*stones, "dead D3 Z9", "dead D3", "dead D3", "legal", "accept", "quit", ""])
    result = play("go", "person", "person", "--size", "5", lines=lines)
    assert result.exit_code == 0
    assert "Dead stones: D5 D4 D3 D2 D1" in result.output
    assert " wins: by " in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--size", "9"), "--size cannot be given here: the record says it"),
        (("--variant", "kraus"), "the record says it"),
        (("--colour", "second"), "give a PLAYER or --level, too"),
        (("--level", "list"), "give the game, neutron"),
        (("--level", "99"), "no such level"),
        (("senet",), "plays senet, not neutron"),
    ],
)
def test_options_that_a_record_has_no_use_for_are_refused(
    play: Play, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    record = tmp_path / "game.sgf"
    record.write_text("(;GM[13]QG[neutron];W[b1-b4])")
    result = play(str(record), *words)
    assert result.exit_code == 2
    assert message in result.output


def test_a_record_is_played_on_by_the_players_that_are_given(play: Play, tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    record.write_text("(;GM[13]QG[neutron]PW[Ann];W[b1-b4])")
    words = ("--level", "1", "--time", "600")
    result = play(str(record), *words, lines="continue\nlegal\nquit\n")
    assert result.exit_code == 0
    assert "2. Black: " in result.output
    assert "White 10:00" in result.output


def test_a_game_of_a_file_is_opened_by_its_number_and_the_first_in_a_pipe(
    play: Play, tmp_path: Path
) -> None:
    record = tmp_path / "games.sgf"
    record.write_text("(;GM[1]SZ[5];B[cc])(;GM[13]QG[neutron]PW[Ann];W[b1-b4])")
    result = play(str(record), "--number", "2", lines="quit\n")
    assert "it has 2 games; this is game 2" in result.output
    assert "Ann - ?" in result.output
    result = play(str(record), lines=f"load {record}\nquit\n")
    assert result.output.count("it has 2 games; this is game 1") == 2
    result = play(str(record), "--number", "3")
    assert result.exit_code == 2
    assert "it has 2 games, and no game 3" in result.output


def test_go_is_played_on_a_rectangular_board_saved_and_loaded(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    lines = f"E13\nJ9\nE14\nsave {path}\nquit\n"
    result = play("go", "person", "person", "--size", "9x13", lines=lines)
    assert result.exit_code == 0
    assert "13 ┌─┬─┬─┬(●)┬─┬─┬─┐ 13" in result.output
    assert "E14" in result.output
    assert "SZ[9:13]" in path.read_text()
    result = play(str(path), "--level", "1", "--colour", "second", lines="continue\nlegal\nquit\n")
    assert "3. Black: " in result.output
    for size in ("9x26", "1", "9x", "x"):
        result = play("go", "--size", size)
        assert result.exit_code == 2
        assert f"or two such as 9x13, not '{size}'" in result.output
