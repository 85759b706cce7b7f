"""The engine's evaluation as comments in the form that ShogiHome and other readers know."""

import pytest

from engines.shogi.rules.records.remark import RESEARCH, Remark, write_remark


@pytest.mark.parametrize(
    ("remark", "comments"),
    [
        (Remark(score=35), ["*評価値=35"]),
        (
            Remark(score=-120, line="▲７六歩△３四歩", depth=12, nodes=1000, engine="Quintet 1.0"),
            [
                "*評価値=-120",
                "*読み筋=▲７六歩△３四歩",
                "*深さ=12",
                "*ノード数=1000",
                "*エンジン=Quintet 1.0",
            ],
        ),
        (Remark(mate=5), ["*詰み=先手勝ち:5手"]),
        (Remark(mate=-12, line="△３四歩"), ["*詰み=後手勝ち:12手", "*読み筋=△３四歩"]),
        (Remark(), []),
    ],
)
def test_a_remark_is_written_as_shogihome_writes_it(remark: Remark, comments: list[str]) -> None:
    assert write_remark(remark) == comments


def test_the_remarks_of_a_research_are_told_from_those_of_a_player() -> None:
    remark = Remark(score=35, mate=3, line="▲７六歩", depth=1, nodes=2, engine="x")
    lines = write_remark(remark, research=True)
    assert [line.partition("=")[0] + "=" for line in lines] == list(RESEARCH)
