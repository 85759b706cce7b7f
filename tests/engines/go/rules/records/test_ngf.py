from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.sgf import SgfFile, main_line
from engines.go.rules.records.ngf import read_ngf

SAMPLE = Path("tests/data/records/handicap.ngf")
LINES = ["Rated", "19", "w 3D", "b 2D*", "place", "0", "0", "6", "20260109", "10", "", "1"]
OTHER = ["Cup", "w 九段", "b", "", "", "2006-9-5", "9", "0", "0", "6", "1"]


def read(lines: list[str]) -> SgfFile:
    return read_ngf("\n".join(lines).encode())


def changed(at: int, text: str) -> list[str]:
    return [*LINES[:at], text, *LINES[at + 1 :], "PMABBCCCC"]


def test_a_game_is_read_to_its_last_move_with_comments() -> None:
    file = read_ngf(SAMPLE.read_bytes())
    root, *moves = [node.values for node in main_line(file.roots[0])]
    assert root == {
        "GM": ["1"],
        "SZ": ["19"],
        "HA": ["3"],
        "EV": ["友谊赛"],
        "PW": ["白棋"],
        "WR": ["3D*"],
        "PB": ["黑棋  Li"],
        "BR": ["2D"],
        "PC": ["www.example.com"],
        "KM": ["6"],
        "DT": ["2026-01-09"],
        "RE": ["W+12.5"],
        "AB": ["pd", "dp", "dd"],
    }
    assert (len(moves), moves[-1]) == (19, {"B": [""]} if len(moves) % 2 == 0 else {"W": [""]})
    assert moves[1]["C"] == ["好棋\n再见"]
    assert file.notices == [
        "the character set is guessed: GB18030",
        "the 3 handicap stones are put on the usual points",
    ]


def test_the_other_kind_of_header_is_read() -> None:
    file = read([*(f"GI{line}" for line in OTHER), "PMABBCCCC"])
    assert file.roots[0].values == {
        "GM": ["1"],
        "SZ": ["9"],
        "EV": ["Cup"],
        "PW": ["w"],
        "WR": ["九段"],
        "PB": ["b"],
        "KM": ["6.5"],
        "DT": ["2006-09-05"],
    }
    assert file.notices == ["the first of the players is taken for White, as in other files of NGF"]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("White wins by  resign!", "W+R"),
        ("White loses on time", "B+T"),
        ("Black wins by 16.5 points! >> White(66):Black(89)", "B+16.5"),
        ("White 19Win  >> White(83):Black(64)", "W+19"),
    ],
)
def test_results_are_those_of_sgf(text: str, result: str) -> None:
    assert read(changed(10, text)).roots[0].values["RE"] == [result]


def test_a_result_in_another_language_is_kept_as_text() -> None:
    file = read(changed(10, "黒中押し勝ち!"))
    root = file.roots[0].values
    assert (root["RE"], root["GC"]) == (["?"], ["黒中押し勝ち!"])
    assert file.notices == ["the result is not understood: 黒中押し勝ち!"]


def test_a_wrong_number_of_moves_is_said() -> None:
    assert read(changed(11, "7")).notices == ["7 moves are announced, and there are 1"]
    assert read([*changed(11, "1"), "PMACWAAAA"]).notices == []  # Passes may not be counted.


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["one"], "line 2: expected 12 lines before the first move"),
        (changed(1, "x"), "line 2: the size is no number: 'x'"),
        (changed(1, "40"), "line 2: unacceptable size: 40"),
        (changed(5, "11"), "line 6: unacceptable handicap: 11"),
        ([*LINES, "more"], "line 13: expected a move such as PMABBQEEQ: 'more'"),
        ([*LINES, "PMABBCDCC"], "line 13: a point that is not the same forwards and backwards"),
        ([*LINES, "PMABBZCCZ"], "line 13: a point off the board of 19x19"),
        ([*LINES, "PMABBCCCC", "x"], "line 14: expected a move"),
        ([*LINES, "PMABBCCCC", "ZZB[1] x[EndTxt]"], "line 14: a comment on move 675"),
        ([*LINES, "PMABBCCCC", "ABB[1] x"], "line 14: a comment without [EndTxt]"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(lines: list[str], reason: str) -> None:
    with pytest.raises(InvalidText) as caught:
        read(lines)
    assert str(caught.value).startswith(reason)
