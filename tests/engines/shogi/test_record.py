"""The record model: USI lines, branches, endings."""

import pytest

from engines.shogi.notation import parse_move
from engines.shogi.record import Ending, Grower, Record, RecordError
from engines.shogi.sfen import START


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
