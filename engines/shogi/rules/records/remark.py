"""An engine's evaluation of a move, as comments from which record readers draw graphs."""

from dataclasses import dataclass
from typing import Final

RESEARCH: Final = ("#詰み=", "#評価値=", "#読み筋=", "#深さ=", "#ノード数=", "#エンジン=")
"""How the comments of a research begin."""


@dataclass(frozen=True, slots=True)
class Remark:
    """An engine's evaluation: a score for Black in hundredths of a pawn, or plies to mate.

    `mate` is positive if Black mates. `line` is the principal variation as the comment quotes it.
    """

    score: int | None = None
    mate: int | None = None
    line: str = ""
    depth: int | None = None
    nodes: int | None = None
    engine: str = ""


def write_remark(remark: Remark, *, research: bool = False) -> list[str]:
    """Write comments in the form of ShogiHome, which other programs read as well.

    ShogiHome tells the evaluations of the players from those of a `research` after the game.
    """
    lines = []
    if remark.mate is not None:
        winner = "先手" if remark.mate > 0 else "後手"
        lines.append(f"詰み={winner}勝ち:{abs(remark.mate)}手")
    if remark.score is not None:
        lines.append(f"評価値={remark.score}")
    if remark.line:
        lines.append(f"読み筋={remark.line}")
    if remark.depth is not None:
        lines.append(f"深さ={remark.depth}")
    if remark.nodes is not None:
        lines.append(f"ノード数={remark.nodes}")
    if remark.engine:
        lines.append(f"エンジン={remark.engine}")
    return [f"{'#' if research else '*'}{line}" for line in lines]
