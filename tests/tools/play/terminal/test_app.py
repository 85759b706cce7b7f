"""The program on a pseudo-terminal: whole games, and what goes wrong in them."""

import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engines import registry
from engines.core.game import CHANCE, Game
from tests.programs import own_program
from tests.tools.play.sessions import FAKE
from tests.tools.play.terminal.typist import COLUMNS, Typist
from tools.play.filing import load_file
from tools.play.session import CannotPlay
from tools.play.terminal.arguments import path_of

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals", allow_module_level=True)

PROMPT = r"(Black|White)(, Enter to throw)?>|over>|score>"
MOVE = re.compile(r"^(?:\d+\. \w+: (\S+)|\w+ throws \[(\d)\])", re.MULTILINE)


def followed(game: str, text: str) -> Game[Any]:
    """Return the game that the terminal has shown."""
    rules = registry.rules(game, "", 5 if game == "go" else 0)
    played = Game(rules)
    for move, throw in MOVE.findall(text):
        played.push(played.rules.parse(played.position, move or throw))
    return played


def choose(game: str, played: Game[Any], chance: random.Random) -> str:
    if played.turn == CHANCE:
        return ""
    if game == "go" and len(played.moves) > 8:
        return "pass"
    move = chance.choice(list(played.position.legal_moves()))
    text: str = played.rules.format(played.position, move)
    return text


@pytest.mark.parametrize(
    "game",
    [
        "go",
        "morris",
        "neutron",
        pytest.param("senet", marks=pytest.mark.slow),
        pytest.param("shogi", marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_against_the_weakest_level_is_played(game: str, tmp_path: Path) -> None:
    chance = random.Random(3)
    level = "1"
    size = ("--size", "5") if game == "go" else ()
    with Typist(game, "--level", level, *size, data=tmp_path) as typist:
        while True:
            shown = typist.until(PROMPT)
            if shown.endswith("score>"):
                typist.enter("accept")
            elif shown.endswith("over>"):
                break
            else:
                typist.enter(choose(game, followed(game, typist.text), chance))
        assert re.search(r"(wins|Draw|Both win|No result): ", typist.text)
        typist.enter("quit")
        assert typist.leave() == 0
        lines = [line for line in typist.text.splitlines() if set("│─●○┼") & set(line)]
        assert lines
        assert max(map(len, lines)) <= COLUMNS
    assert not list((tmp_path / "play").glob("*.play")), "a finished game is not kept"


def test_an_illegal_move_is_refused_in_red_with_the_reason_and_asked_again(tmp_path: Path) -> None:
    environment = {"NO_COLOR": ""}
    with Typist("neutron", "person", "person", data=tmp_path, environment=environment) as typist:
        typist.until("White>")
        typist.enter("b1-b9")
        typist.until(r"no such square: b9 \(expected a1 to e5\)")
        typist.until("White>")
        typist.enter("b1-c1")
        typist.until(r"illegal move b1-c1: c1 is occupied")
        typist.until("White>")
        assert b"\x1b[1;31m" in typist.raw
        typist.press(b"\x04")
        assert typist.leave() == 0


def test_a_dead_engine_is_announced_and_started_again(tmp_path: Path) -> None:
    command = f"{sys.executable} {FAKE} legal spit"
    words = (command, "protocol=line", "game=neutron", "name=fake")
    with Typist("neutron", "person", *words, data=tmp_path) as typist:
        typist.until("White>")
        typist.enter("b1-b4")
        typist.until("2. Black: ")
        typist.until("White>")
        moves = followed("neutron", typist.text)
        legal = [moves.rules.format(moves.position, each) for each in moves.position.legal_moves()]
        typist.enter(next(move for move in legal if "/" in move))
        shown = typist.until("engine failed>")
        assert re.search(r"fake has failed and can be started again:\s+(?!fake:)", shown)
        assert re.search("`restart` starts it again, `player black person` lets you", shown)
        assert "[bold]boo[/bold]" in shown, "markup of an engine is text"
        assert b"owned\x07" not in typist.raw
        assert b"\x1b[2J" not in typist.raw
        typist.enter("restart")
        typist.until("fake is started again")
        typist.until("4. Black: ")


def test_a_game_is_saved_loaded_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    with Typist("morris", "person", "person", data=tmp_path) as typist:
        for move in ("a1", "d1", "g1"):
            typist.until("(White|Black)>")
            typist.enter(move)
        typist.until("Black>")
        typist.enter("save game.sgf")
        typist.until("saved as ")
        typist.enter("quit")
        assert typist.leave() == 0
        assert "The game is kept" in typist.text
    assert [move.text for move in load_file(path).moves] == ["a1", "d1", "g1"]
    with Typist(str(path), data=tmp_path) as typist:
        typist.until("at 3 of 3>")
        typist.enter("go 1")
        typist.until("at 1 of 3>")
        typist.enter("d3")
        typist.until("to play d3 here, `continue` the game first")
        typist.enter("continue")
        typist.until("the moves behind move 1 are kept as a variation")
        typist.until("Black>")
        typist.enter("d3")
        typist.until("White>")
        typist.enter("save game.sgf")
        typist.until("overwrite it")
        typist.enter("yes")
        typist.until("saved as ")
    (variation,) = load_file(path).variations
    assert (variation.at, [move.text for move in variation.moves]) == (1, ["d3"])


def test_a_file_that_cannot_be_named_so_does_not_end_the_game(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    with Typist("neutron", "person", "person", data=tmp_path) as typist:
        for name, reason in (
            (".", r"\. is a folder; expected the name of a file"),
            ("..", r"\.\. is a folder"),
            ("/", "/ is a folder"),
            ("records", "records is a folder"),
            ("~no-such-user-here/a/b.sgf", r"No such file\s+or directory"),
        ):
            typist.until("White>")
            typist.enter(f"save {name}")
            typist.until(reason)
        typist.until("White>")
        typist.enter("load ~no-such-user-here/a/b.sgf")
        typist.until(r"No such file\s+or directory")
        typist.until("White>")
        typist.enter("q")
        assert typist.leave() == 0


def test_a_name_that_is_too_long_does_not_end_the_game(tmp_path: Path) -> None:
    done = subprocess.run(
        [*own_program("quintet"), "play", "neutron", "person", "person"],
        input=f"save {'n' * 300}\nb1-b4\n",
        text=True,
        capture_output=True,
        check=True,
        env={**os.environ, "QUINTET_DATA": str(tmp_path), "QUINTET_CONFIG": str(tmp_path)},
    )
    assert "File name too long" in done.stderr + done.stdout
    assert "1. White: b1-b4" in done.stdout


def test_a_zero_byte_in_the_name_of_a_file_is_refused() -> None:
    with pytest.raises(CannotPlay, match="zero byte"):
        path_of("game\0.sgf")


def test_words_that_people_try_are_understood(tmp_path: Path) -> None:
    with Typist("senet", "person", "person", data=tmp_path) as typist:
        typist.until("Black, Enter to throw>")
        typist.enter("?")
        typist.until("Commands")
        typist.until("Black, Enter to throw>")
        typist.enter("roll")
        typist.until(r"Black throws \[\d\]")
        typist.until("(Black|White)(, Enter to throw)?>")
        typist.enter("exit")
        assert typist.leave() == 0


def test_a_record_that_is_garbage_is_refused_with_the_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.kif"
    path.write_text("手数----指手---------消費時間--\n   1 ５五王(59)\n", encoding="utf-8")
    with Typist("shogi", "person", "person", data=tmp_path) as typist:
        typist.until("Black>")
        typist.enter("load bad.kif")
        typist.until(r"bad\.kif: line 2: ")
        typist.until("Black>")


def test_names_in_a_record_move_no_cursor(tmp_path: Path) -> None:
    path = tmp_path / "evil.sgf"
    path.write_bytes(b"(;GM[13]QG[neutron]PW[\x1b[2Jevil\x07]PB[<script>[red\\]];W[b1-b4])")
    with Typist(str(path), data=tmp_path) as typist:
        typist.until("at 1 of 1>")
        assert "<script>[red]" in typist.text
        assert b"\x1b[2Jevil" not in typist.raw


def test_ctrl_c_opens_the_line_while_an_engine_thinks_and_ctrl_d_leaves(tmp_path: Path) -> None:
    words = (f"{sys.executable} {FAKE} hang", "protocol=line", "game=neutron", "name=fake")
    with Typist("neutron", "person", *words, data=tmp_path) as typist:
        typist.until("White>")
        typist.press(b"\x03")
        typist.until("Ctrl-D leaves")
        typist.until("White>")
        typist.enter("b1-b4")
        typist.until("fake is thinking; Ctrl-C opens the input line")
        typist.press(b"\x03")
        typist.until("Black thinks>")
        typist.enter("undo")
        typist.until("taken back to move 0")
        typist.until("White>")
        typist.press(b"\x04")
        assert typist.leave() == 0


def test_a_killed_game_is_offered_at_the_next_start(tmp_path: Path) -> None:
    with Typist("senet", "person", "person", data=tmp_path) as typist:
        typist.until("Enter to throw>")
        typist.enter("")
        typist.until("Black>")
        typist.kill()
    with Typist(data=tmp_path) as typist:
        typist.until(r" 1  .* Senet: person - person, up to move 0\n")
        typist.until("d N to delete")
        typist.enter("1")
        typist.until("Black>")
        typist.enter("quit")
        assert typist.leave() == 0
    with Typist(data=tmp_path) as typist:
        typist.until("d N to delete")
        typist.enter("d 1")
        typist.until("deleted")
        typist.until("Number")
        typist.press(b"\x04")
        assert typist.leave() == 0
    assert [path.name for path in (tmp_path / "play").iterdir()] == ["history"]


def test_a_game_that_cannot_be_kept_is_not_left_without_a_question(tmp_path: Path) -> None:
    (tmp_path / "play").write_text("a file where the folder should be")
    with Typist("neutron", "person", "person", data=tmp_path) as typist:
        typist.until("the game cannot be kept for the case of a crash")
        typist.until("White>")
        typist.enter("b1-b4")
        typist.until("Black>")
        typist.enter("quit")
        typist.until("Leave it, and lose it")
        typist.until(r"N\]")
        typist.enter("no")
        typist.until("nothing was done")
        typist.until("Black>")
        typist.enter("new")
        typist.until(r"N\]")
        typist.enter("n")
        typist.until("Black>")
        typist.press(b"\x03")
        typist.until(r"the game is lost then, unless `save FILE`\s+saves it")
        typist.until("Black>")
        typist.enter("quit")
        typist.until(r"N\]")
        typist.enter("y")
        assert typist.leave() == 0
        assert "could not be kept, and is lost" in typist.text


def test_a_game_that_was_saved_or_comes_from_a_pipe_is_left_without_a_question(
    tmp_path: Path,
) -> None:
    (tmp_path / "play").write_text("a file where the folder should be")
    for lines, lost in (("b1-b4\nsave a.sgf\nq\n", False), ("b1-b4\nq\n", True), ("q\n", False)):
        done = subprocess.run(
            [*own_program("quintet"), "play", "neutron", "person", "person"],
            input=lines,
            text=True,
            capture_output=True,
            check=True,
            cwd=tmp_path,
            env={**os.environ, "QUINTET_DATA": str(tmp_path), "QUINTET_CONFIG": str(tmp_path)},
        )
        assert ("could not be kept, and is lost" in done.stdout) == lost
        assert "lose it?" not in done.stdout
        assert "The game is kept" not in done.stdout


def test_a_game_given_by_arguments_begins_with_one_line_about_unfinished_ones(
    tmp_path: Path,
) -> None:
    for count in range(2):
        with Typist("neutron", "person", "person", data=tmp_path) as typist:
            shown = typist.until("White>")
            assert ("Unfinished games: 1. `quintet play` without" in shown) == (count == 1)
            typist.enter("b1-b4")
            typist.until("Black>")
            typist.kill()
    with Typist(data=tmp_path) as typist:
        typist.until("Unfinished games\n")
        typist.until("  2  ")
        typist.until("new game:")
        typist.enter("")
        typist.until("Game\n")


def test_the_menu_leads_to_a_game_by_lot(tmp_path: Path) -> None:
    with Typist(data=tmp_path) as typist:
        for answer in ("4", "4"):  # Neutron, instructions.
            typist.until(r"Number \[1\]:")
            typist.enter(answer)
        typist.until("Neutron is played by two players")
        for answer in ("4", "1", "9", "1"):
            typist.until(r"Number \[1\]:")
            typist.enter(answer)
        typist.until("Clock")
        typist.enter("5")
        typist.until(r"Level \[5\]:")
        typist.enter("stubborn")
        typist.until("Your colour")
        typist.enter("3")
        typist.until(r"The lot falls: you are (White|Black)")
        typist.until(r"(White|Black)>")
        assert "expected a number from 1 to 2" in typist.text
        typist.enter("resign")
        typist.until("over>")
        typist.enter("new")
        typist.until(r"Number \[1\]:")
        typist.enter("6")
        assert typist.leave() == 0


def test_the_flag_of_a_person_falls_while_the_line_is_open(tmp_path: Path) -> None:
    with Typist("neutron", "person", "person", "--time", "0.3", data=tmp_path) as typist:
        typist.until("Black wins: White has no time left")
        typist.until("over>")


@pytest.mark.slow
def test_a_hint_of_several_lines_is_written_below_the_suggestion(tmp_path: Path) -> None:
    with Typist("shogi", "person", "person", data=tmp_path) as typist:
        typist.until("Black>")
        typist.enter("hint")
        typist.until(r"suggestion: \w+")
        typist.until(r"1\. \w+  Black \d+ %  \w+")
        typist.until(r"2\. \w+  Black \d+ %")
        typist.until("Black>")
        typist.enter("quit")
        assert typist.leave() == 0


def test_two_engines_are_watched(tmp_path: Path) -> None:
    words = ("neutron", "options.level=1")
    with Typist("neutron", *words, *words, "--pace", "0.05", data=tmp_path) as typist:
        assert len(re.findall("[┌]", typist.until("2. Black: ") + typist.until("to move"))) > 1
        typist.until("(wins|Draw|Both win): ")
        typist.until("over>")


@pytest.mark.slow
def test_ctrl_c_stops_two_engines_until_they_are_told_to_continue(tmp_path: Path) -> None:
    words = ("neutron", "options.level=1")
    with Typist("neutron", *words, *words, "--pace", "3", data=tmp_path) as typist:
        typist.until("1. White: ")
        typist.until("is thinking")
        typist.press(b"\x03")
        typist.until("at 1 of 1>")
        typist.enter("continue")
        typist.until("2. Black: ")


def test_a_terminal_without_utf_8_gets_ascii(tmp_path: Path) -> None:
    environment = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    with Typist("morris", "person", "person", data=tmp_path, environment=environment) as typist:
        typist.until("White>")
        assert "O White  X Black" in typist.text
        assert typist.raw.isascii()


def test_words_and_variations_of_a_record_are_shown_and_chosen(tmp_path: Path) -> None:
    path = tmp_path / "old.sgf"
    path.write_text(
        "(;GM[1]SZ[5]PB[Ann\x1b[2J]EV[Cup]C[before];B[cc]C[in the\ncentre\x1b[31m]"
        "(;W[bb])(;W[dd];B[aa]))"
    )
    with Typist(str(path), data=tmp_path) as typist:
        shown = typist.until("at 2 of 2>")
        assert "Ann?[2J - ?" in shown
        assert "Event: Cup" in shown
        typist.enter("go 1")
        shown = typist.until("at 1 of 2>")
        assert "in the\ncentre?[31m" in shown
        assert "From here (`variation N`): 0: B4 (shown), 1: D2" in shown
        typist.enter("variation 1")
        typist.until("at 2 of 3>")
        typist.enter("variation x")
        typist.until("expected the number of a variation that begins here")
        typist.enter("record")
        typist.until("Event: Cup")
        typist.enter("continue")
        typist.until("Black>")
        typist.enter("E1")
        typist.until("White>")
        typist.enter("save old.sgf")
        typist.until("overwrite it")
        typist.enter("y")
        typist.until("saved as ")
        assert b"centre\x1b" not in typist.raw
    assert "C[in the\ncentre" in path.read_text()
    (variation,) = load_file(path).variations
    assert [move.text for move in variation.moves] == ["D2", "A5"]
    (inner,) = variation.variations
    assert (inner.at, inner.moves[0].text) == (2, "E1")


@pytest.mark.slow
@pytest.mark.parametrize("locale", [{"LC_ALL": "", "LANG": "C"}, {"LC_ALL": "POSIX"}])
def test_a_posix_terminal_gets_ascii_and_no_colours_if_none_are_wanted(
    tmp_path: Path, locale: dict[str, str]
) -> None:
    with Typist("shogi", "person", "person", data=tmp_path, environment=locale) as typist:
        typist.until("Black>")
        typist.enter("7g7f")
        typist.until("White>")
        assert typist.raw.isascii()
        assert not re.search(rb"\x1b\[(?:[0-9]+;)*[349][0-7]m", typist.raw)


def test_an_engine_plays_on_from_a_record(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[13]QG[neutron]PW[Ann]PB[Bo];W[b1-b4];B[c3-b2/a5-a2])")
    with Typist(str(path), "--level", "1", "--colour", "second", data=tmp_path) as typist:
        typist.until("at 2 of 2>")
        typist.enter("continue")
        typist.until(r"3\. White: ")
        typist.until("Black>|over>")


def test_a_record_is_stepped_through_by_words_and_continued_from_any_move(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[13]QG[neutron]PW[Ann]PB[Bo];W[b1-b4];B[c3-b2/a5-a2])")
    with Typist(str(path), data=tmp_path) as typist:
        for line, answer in (
            ("foo", "no such command: foo; `next`, `back` and `go N` look"),
            ("n", "this is the last position"),
            ("hint", "the game is only being looked at; continue it"),
            ("b", "Black to move"),
            ("back", "White to move"),
            ("go -", "this is the first position"),
            ("next", "Black to move"),
            ("go", "White to move"),
            ("continue x", "expected the number of a move, or nothing"),
            ("continue 3", "no move 3: the game has 2"),
            ("continue 1", "the moves behind move 1 are kept as a variation"),
        ):
            typist.until("at . of 2>")
            typist.enter(line)
            typist.until(re.escape(answer))
        typist.until("Black>")


def test_the_result_of_a_record_is_stated_once(tmp_path: Path) -> None:
    words = "White wins: time: Bo came 0.2 s late"
    for comment in (f"C[0.1 s\n{words}]", ""):
        path = tmp_path / "game.sgf"
        path.write_text(f"(;GM[13]QG[neutron]PW[Ann]PB[Bo]RE[W+T];{comment}W[b1-b4])")
        with Typist(str(path), data=tmp_path) as typist:
            shown = typist.until("at 1 of 1>")
        assert shown.count("White wins") == 1
        assert (words in shown) == bool(comment)


def test_a_side_is_given_to_an_engine_and_back_to_a_person(tmp_path: Path) -> None:
    with Typist("neutron", "person", "person", data=tmp_path) as typist:
        typist.until("White>")
        typist.enter("player black")
        typist.until(r"expected a side \(white or black\) and a player")
        typist.enter("player black senet")
        typist.until("plays senet, not neutron")
        typist.enter("player black 1")
        typist.until("White>")
        typist.enter("b1-b4")
        typist.until(r"2\. Black: ")
        typist.until("White>")
        typist.enter("player b person name=Bo")
        typist.until("Black is played by Bo now")
        typist.enter("undo")
        typist.until(r"Black to move \(Bo\)|White to move")


GAMES = "(;GM[1]SZ[5]PB[Ann]PW[Bo]RE[B+R];B[cc])(;GM[13]QG[neutron]PW[Eve];W[b1-b4])"


def test_a_game_of_a_file_with_several_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "games.sgf").write_text(GAMES)
    with Typist("games.sgf", data=tmp_path) as typist:
        typist.until("The file has 2 games\n  1  Ann - Bo, B\\+R\n  2  Eve - \\?\n")
        typist.until(r"Number \[1\]:")
        typist.enter("3")
        typist.until("expected a number from 1 to 2")
        typist.until(r"Number \[1\]:")
        typist.enter("2")
        typist.until("it has 2 games; this is game 2")
        typist.until("at 1 of 1>")
        typist.enter("load games.sgf")
        typist.until(r"Number \[1\]:")
        typist.press(b"\x03")
        typist.until("nothing was done")
        typist.until("at 1 of 1>")
        typist.enter("load games.sgf")
        typist.until(r"Number \[1\]:")
        typist.enter("")
        typist.until("this is game 1")
        typist.until("at 1 of 1>")
        typist.enter("quit")
        assert typist.leave() == 0


@pytest.mark.slow
def test_an_open_question_survives_the_move_of_an_engine(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("x")
    with Typist("neutron", "person", "person", "--time", "3", data=tmp_path) as typist:
        typist.until("White>")
        typist.enter("save game.sgf")
        typist.until("overwrite it")
        typist.until("overwrite it")  # The flag has fallen.
        typist.enter("yes")
        typist.until("Black wins: White has no time left")
        typist.until("over>")


def test_help_in_ascii_has_no_kanji(tmp_path: Path) -> None:
    for locale, kanji in (("C", False), ("C.UTF-8", True)):
        done = subprocess.run(
            [*own_program("quintet"), "play", "shogi", "person", "person"],
            input="help\n",
            encoding="utf-8",
            capture_output=True,
            check=True,
            env={**os.environ, "QUINTET_DATA": str(tmp_path), "LC_ALL": locale},
        )
        assert "also P-7f, 7776FU" in done.stdout
        assert ("76歩" in done.stdout) == kanji
        assert done.stderr == "", "nothing is lost"
