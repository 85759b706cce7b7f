"""The record model: USI lines, branches, endings."""

from collections.abc import Callable

import pytest

from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.records.csa import read_csa
from engines.shogi.rules.records.ki2 import read_ki2
from engines.shogi.rules.records.record import Ending, Grower, Record, RecordError, lines_of
from engines.shogi.rules.sfen import START


@pytest.mark.parametrize(
    "text",
    [
        "position startpos",
        "position startpos moves 7g7f 3c3d",
        "position sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1 moves P*5e",
        "position sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1",
    ],
)
def test_usi_lines_are_read_and_written_alike(text: str) -> None:
    assert Record.from_usi(text).usi() == text


def test_a_start_is_known_however_it_is_written() -> None:
    assert Record.from_usi(f"sfen {START.removesuffix(' 1')} moves 7g7f").start == START
    assert Record.from_usi("4k4/9/9/9/9/9/9/9/4K4 b p1P").start == "4k4/9/9/9/9/9/9/9/4K4 b Pp 1"


def test_a_resignation_ends_a_usi_line() -> None:
    record = Record.from_usi("startpos moves 7g7f resign")
    assert record.ending() is Ending.RESIGN
    assert record.usi() == "position startpos moves 7g7f"
    assert Record.from_usi(START, Ending.INTERRUPT).ending() is Ending.INTERRUPT


@pytest.mark.parametrize("text", ["startpos moves 7g7e", "startpos moves x", "sfen x", ""])
def test_bad_usi_lines_are_refused(text: str) -> None:
    with pytest.raises(RecordError, match=r"^line 7: "):
        Record.from_usi(text, line=7)


def test_a_branch_leaves_the_line_before_the_ply() -> None:
    grower = Grower(Record())
    for text in ("7g7f", "3c3d", "2g2f"):
        grower.play(parse_move(text), 1)
    grower.end(Ending.RESIGN)
    grower.branch(2, 1)
    assert grower.ply == 1
    grower.play(parse_move("8c8d"), 1)
    assert [len(node.children) for node in grower.path] == [1, 2, 0]
    with pytest.raises(RecordError, match="line 9: a variation at ply 3"):
        grower.branch(3, 9)


@pytest.mark.parametrize(
    ("read", "head", "moves"),
    [
        (Record.from_usi, "startpos moves", [" 2h3h", " 8b7b", " 3h2h", " 7b8b"]),
        (read_csa, "PI\n+\n", ["+2838HI\n", "-8272HI\n", "+3828HI\n", "-7282HI\n"]),
        (read_ki2, "", ["▲３八飛", "△７二飛", "▲２八飛", "△８二飛"]),
    ],
)
def test_more_moves_than_can_be_kept_are_refused(
    read: Callable[[str], Record], head: str, moves: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engines.shogi.rules.records.record.MOST_MOVES", 40)
    assert len(read(head + "".join(moves * 10)).moves()) == 40
    with pytest.raises(RecordError, match="it has more than 40 moves"):
        read(head + "".join(moves * 11))


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_lines_are_numbered_without_their_ends(end: str) -> None:
    lines = list(lines_of(f"one\r\n\ntwo{end}"))
    assert lines == [(1, "one"), (2, ""), (3, "two"), *([(4, "")] if end else [])]
