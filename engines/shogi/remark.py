"""What an engine thought of a move, as comments that record readers draw graphs from."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engines.shogi.ki2 import format_ki2_move
from engines.shogi.position import Position

_KEYED: Final = re.compile(r"[*#](評価値|詰み|読み筋|深さ|ノード数|エンジン)=(.*)")
_SPACED: Final = re.compile(
    r"\*(?:対局|検討|解析\s+\d+(?:\s+\S+)?)\s.*?"
    r"(?:深さ\s+(\d+)(?:/\d+)?\s+)?(?:ノード数\s+(\d+)\s+)?評価値\s+([+-]?\d+)\S*"
    r"(?:\s+読み筋\s+(.*))?"
)
_FLOODGATE: Final = re.compile(r"\*\s+(-?\d+)((?:\s+[+-]\d{4}[A-Z]{2})*)(?:\s+#(\d+))?\s*")
_MATE: Final = re.compile(r"(先手|後手)勝ち(?::(\d+)手)?")


@dataclass(frozen=True, slots=True)
class Remark:
    """An engine's thoughts, the score from Black's side: hundredths of a pawn, or plies to mate.

    `mate` is positive where Black mates. `line` is as it stands in the comment.
    """

    score: int | None = None
    mate: int | None = None
    line: str = ""
    depth: int | None = None
    nodes: int | None = None
    engine: str = ""


def write_remark(remark: Remark) -> list[str]:
    """Write comments in ShogiHome's form, which it and others read."""
    lines = []
    if remark.mate is not None:
        winner = "先手" if remark.mate > 0 else "後手"
        lines.append(f"*詰み={winner}勝ち:{abs(remark.mate)}手")
    if remark.score is not None:
        lines.append(f"*評価値={remark.score}")
    if remark.line:
        lines.append(f"*読み筋={remark.line}")
    if remark.depth is not None:
        lines.append(f"*深さ={remark.depth}")
    if remark.nodes is not None:
        lines.append(f"*ノード数={remark.nodes}")
    if remark.engine:
        lines.append(f"*エンジン={remark.engine}")
    return lines


def read_remark(comments: Sequence[str]) -> Remark | None:
    """Read the comments of ShogiHome, ShogiGUI and Floodgate; the last score counts."""
    found = False
    score: int | None = None
    mate: int | None = None
    depth: int | None = None
    nodes: int | None = None
    line = engine = ""
    for comment in comments:
        if match := _KEYED.match(comment):
            key, value = match.groups()
            if key == "評価値" and re.fullmatch(r"[+-]?\d+", value):
                score, found = int(value), True
            elif key == "詰み" and (told := _MATE.fullmatch(value)) and told[2]:
                mate, found = int(told[2]) * (1 if told[1] == "先手" else -1), True
            elif key == "読み筋":
                line = value
            elif key == "エンジン":
                engine = value
            elif value.isascii() and value.isdigit():
                depth, nodes = (int(value), nodes) if key == "深さ" else (depth, int(value))
        elif match := _FLOODGATE.fullmatch(comment):
            score, line, found = int(match[1]), match[2].strip(), True
            nodes = int(match[3]) if match[3] else nodes
        elif match := _SPACED.match(comment):
            score, line, found = int(match[3]), (match[4] or "").strip(), True
            depth = int(match[1]) if match[1] else depth
            nodes = int(match[2]) if match[2] else nodes
    return Remark(score, mate, line, depth, nodes, engine) if found else None


def format_line(position: Position, moves: Sequence[int], previous: int = 0) -> str:
    """Write a line of play as comments do, such as `▲７六歩△３四歩`."""
    position = position.copy()
    text = ""
    for move in moves:
        text += format_ki2_move(position, move, previous)
        position.play(move)
        previous = move
    return text
