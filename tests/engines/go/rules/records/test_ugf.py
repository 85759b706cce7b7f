from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.sgf import SgfFile, main_line
from engines.go.rules.records.ugf import read_ugf

SAMPLE = Path("tests/data/records/game.ugf")


def read(*lines: str, header: str = "CoordinateType=IGS") -> SgfFile:
    return read_ugf("\n".join(["[Header]", header, "[Data]", *lines]).encode())


def test_a_game_is_read_to_its_last_move_with_comments() -> None:
    file = read_ugf(SAMPLE.read_bytes())
    root, *moves = [node.values for node in main_line(file.roots[0])]
    assert root == {
        "GM": ["1"],
        "SZ": ["19"],
        "KM": ["6.5"],
        "PC": ["東京"],
        "CP": ["none"],
        "PB": ["黒石"],
        "BR": ["九段"],
        "PW": ["White"],
        "WR": ["8d"],
        "EV": ["1st, テスト棋戦"],
        "DT": ["2026-01-09"],
        "RU": ["Japanese"],
        "RE": ["B+R"],
        "TM": ["14400"],
        "C": ["開始"],
    }
    assert moves[:3] == [{"B": ["pd"]}, {"W": ["dp"]}, {"B": ["pp"], "C": ["好手"], "LB": ["dp:A"]}]
    assert (len(moves), moves[-1], file.charset) == (23, {"B": [""]}, "Shift_JIS")
    assert file.notices == ["figures with positions of their own are left out"]


@pytest.mark.parametrize(
    ("kind", "point", "notices"),
    [
        ("IGS", "qr", []),
        ("JPN", "qb", []),
        ("", "qb", ["CoordinateType= is not known: rows count from the top"]),
    ],
)
def test_rows_count_from_the_bottom_or_the_top(kind: str, point: str, notices: list[str]) -> None:
    file = read("QB,B1,1,0", header=f"CoordinateType={kind}")
    assert file.roots[0].children[0].values == {"B": [point]}
    assert file.notices == notices


def test_passes_and_stones_that_are_set_up_are_told_from_moves() -> None:
    file = read("DD,B1,0,0", "QQ,B1,0,0", "PC,W2,1,0", "YZ,MK,2,0", "ZZ,W1,3,0 '00:15:00")
    root, *moves = [node.values for node in main_line(file.roots[0])]
    assert root["AB"] == ["dp", "qc"]
    assert moves == [{"W": ["pq"]}, {"B": [""]}, {"W": [""]}]


@pytest.mark.parametrize(
    ("winner", "result"),
    [("B,7.50", "B+7.5"), ("W,C", "W+R"), ("W,F2", "W+F"), ("D", "Draw"), ("N1,E", "Void")],
)
def test_results_are_those_of_sgf(winner: str, result: str) -> None:
    assert read(header=f"CoordinateType=IGS\nWinner={winner}").roots[0].values["RE"] == [result]


def test_an_unknown_result_is_left_out_and_said() -> None:
    file = read(header="CoordinateType=IGS\nWinner=O,1")
    assert file.notices == ["the result is left out: Winner=O,1 is not known"]
    assert read(header="CoordinateType=IGS\nWinner=P").notices == []


def test_both_players_of_a_side_are_named() -> None:
    file = read(header="CoordinateType=IGS\nPlayerB=one,3d,,mail\nPlayerB2=two,1d")
    assert file.roots[0].values["PB"] == ["one & two"]


def test_sections_that_are_not_read_are_named() -> None:
    file = read("PC,B1,1,0", "[Files]", "a=FF", "b=00", "[Odd]", "x")
    assert file.notices == [
        "the section [Files] is left out",
        "the section [Odd] is not known and left out",
    ]


def test_a_review_with_other_moves_is_left_out_and_said() -> None:
    review = ["[ReviewNode]", "NODE,1,0,0,0", "NODE,2,1,16,3"]
    assert read("PC,B1,1,0", *review).notices == []
    other = read("PC,B1,1,0", *review, "NODE,3,2,1,1")
    assert other.notices == ["the section [ReviewNode] is left out"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["QP"], "line 4: expected a move such as QP,B1,1,0: 'QP'"),
        (["TT,B1,1,0"], "line 4: a point off the board of 19x19"),
        (["[Figure]", ".Text,5"], "line 5: a text on move 5, and there are 0"),
        (["[Figure]", ".Text,0", ".#,30,1,A"], "line 6: a label off the board"),
        (["[Figure]", ".Text,0", ".#,3"], "line 6: expected a label such as .#,6,16,A"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(lines: list[str], reason: str) -> None:
    with pytest.raises(InvalidText) as caught:
        read(*lines)
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "line 1: no UGF begins in it"),
        (b"(;B[aa])", "line 1: no UGF begins in it: expected [Header]: '(;B[aa])'"),
        (b"[Header]\nCrypt=9666,UGF_FILE,X", "line 2: it is encrypted"),
        (b"[Header]\nHdcp=x", "line 2: the handicap is no number"),
        (b"[Header]\nSize=99", "line 2: unacceptable size: 99"),
    ],
)
def test_what_is_no_readable_ugf_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidText) as caught:
        read_ugf(data)
    assert str(caught.value).startswith(reason)
