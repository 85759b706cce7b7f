"""Engines' thoughts in comments: written in one form, read in three."""

import pytest

from engines.shogi.notation import parse_move
from engines.shogi.remark import Remark, format_line, read_remark, write_remark
from engines.shogi.sfen import START, parse_sfen


@pytest.mark.parametrize(
    "remark",
    [
        Remark(score=35),
        Remark(score=-120, line="▲７六歩△３四歩", depth=12, nodes=1000, engine="Quintet 1.0"),
        Remark(mate=5),
        Remark(mate=-12, line="△３四歩"),
    ],
)
def test_what_is_written_is_read_again(remark: Remark) -> None:
    assert read_remark(["互角", *write_remark(remark)]) == remark


@pytest.mark.parametrize(
    ("comment", "remark"),
    [
        (
            "*対局 時間 00:05.0 深さ 12/34 ノード数 1234 評価値 35 読み筋 ▲７六歩(77) △３四歩(33) ",
            Remark(score=35, depth=12, nodes=1234, line="▲７六歩(77) △３四歩(33)"),
        ),
        (
            "*解析 0 ○ 候補1 時間 00:00.0 深さ 32 ノード数 1 評価値 0 読み筋 △３三角(22) ",
            Remark(score=0, depth=32, nodes=1, line="△３三角(22)"),
        ),
        ("* 30 -3334FU +2726FU", Remark(score=30, line="-3334FU +2726FU")),
        ("* -7 #500", Remark(score=-7, nodes=500)),
        ("* 104", Remark(score=104)),
        ("#評価値=12", Remark(score=12)),
        ("評価値は高い", None),
        ("", None),
    ],
)
def test_other_programs_forms_are_read(comment: str, remark: Remark | None) -> None:
    assert read_remark([comment]) == remark


def test_a_line_of_play_is_written_as_comments_do() -> None:
    moves = [parse_move(text) for text in ("7g7f", "3c3d", "8h2b+", "3a2b", "B*4e")]
    position = parse_sfen(START)
    assert format_line(position, moves) == "▲７六歩△３四歩▲２二角成△同　銀▲４五角"
    assert position.plies() == 0
