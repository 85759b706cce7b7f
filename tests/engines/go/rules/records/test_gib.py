from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.sgf import SgfFile, main_line
from engines.go.rules.records.gib import read_gib

SAMPLE = Path("tests/data/records/game.gib")
HEADER = "\\HS\n\\[GAMEBLACKNAME={}\\]\n\\[GAMEINFOMAIN=GTIME:{},GRLT:{},ZIPSU:{},DUM:{}\\]\n\\HE\n"


def read(text: str) -> SgfFile:
    return read_gib(text.encode())


def header(
    name: str = "one", time: str = "", result: str = "255", margin: str = "0", dum: str = "0"
) -> str:
    return HEADER.format(name, time, result, margin, dum)


def test_a_game_is_read_to_its_last_move() -> None:
    file = read_gib(SAMPLE.read_bytes())
    root, *moves = [node.values for node in main_line(file.roots[0])]
    assert root == {
        "GM": ["1"],
        "SZ": ["19"],
        "GN": ["친선 대국"],
        "PC": ["타이젬 바둑"],
        "PB": ["검은돌"],
        "BR": ["2단"],
        "PW": ["흰돌"],
        "WR": ["3단"],
        "DT": ["2026-01-09"],
        "KM": ["6.5"],
        "RE": ["W+R"],
        "TM": ["600"],
        "OT": ["3x30 byo-yomi"],
    }
    assert (moves[0], moves[1], moves[-1]) == ({"B": ["pd"]}, {"W": ["dp"]}, {"B": [""]})
    assert (len(moves), file.charset, file.notices) == (23, "EUC-KR", [])


@pytest.mark.parametrize(
    ("kind", "margin", "result"),
    [("0", "35", "B+3.5"), ("1", "0", "W+"), ("4", "0", "W+R"), ("7", "", "B+T"), ("8", "", "W+T")],
)
def test_results_are_those_of_sgf(kind: str, margin: str, result: str) -> None:
    root = read(header(result=kind, margin=margin)).roots[0]
    assert root.values["RE"] == [result]


def test_what_is_not_known_is_left_out_and_said() -> None:
    file = read(header(result="5", dum="3"))
    assert "RE" not in file.roots[0].values
    assert file.notices == [
        "DUM:3 is left out: what it means is not known",
        "the result is left out: its kind 5 is not known ()",
    ]
    assert read(header()).notices == []  # An unfinished game.


def test_the_line_of_tags_is_enough() -> None:
    root = read("\\HS\n\\[GAMETAG=S0,R0,D0,G-5,W0,Z105,T30\\]\n\\[GAMETAG=again\\]\n").roots[0]
    assert (root.values["RE"], "KM" in root.values) == (["B+10.5"], False)


def test_a_header_may_have_several_lines() -> None:
    root = read("\\HS\n\\[GAMECOMMENT=one\n\ntwo\\]\n\\HE\n").roots[0]
    assert root.values["GC"] == ["one\n\ntwo"]


def test_names_may_lack_ranks_or_have_several_brackets() -> None:
    assert read(header("plain")).roots[0].values["PB"] == ["plain"]
    root = read(header("a (b) (3D)")).roots[0]
    assert (root.values["PB"], "BR" in root.values) == (["a (b) (3D)"], False)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("STO 0 2 1 19 0", "line 5: a point off the board"),
        ("STO 0 2 3 1 1", "line 5: expected STO 0 NUMBER SIDE X Y: 'STO 0 2 3 1 1'"),
        ("STO 0 2 1 1", "line 5: expected STO 0 NUMBER SIDE X Y"),
        ("STO 0 2 1 x 1", "line 5: a coordinate is no number: 'x'"),
        ("REM 0 3", "line 5: expected STO, SKI or INI: 'REM 0 3'"),
        ("INI 0 1", "line 5: the handicap is no number"),
        ("INI 0 1 12 &4", "line 5: unacceptable handicap: 12"),
        ("\\[GAMENAME", "line 5: expected"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: str, reason: str) -> None:
    with pytest.raises(InvalidText) as caught:
        read(header() + line)
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize("text", ["", "2 1 0\n", "(;B[aa])"])
def test_what_is_no_gib_is_refused(text: str) -> None:
    with pytest.raises(InvalidText):
        read(text)
