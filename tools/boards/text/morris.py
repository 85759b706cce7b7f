"""The board of Nine Men's Morris as text."""

import re
from collections.abc import Iterator
from typing import Final

from engines.morris.rules.text import LINES
from tools.boards.scene import Scene
from tools.boards.text.spans import (
    BOARD,
    COORDINATE,
    FIRST,
    FREE,
    SECOND,
    TAKEN,
    Line,
    Look,
    Marks,
    Span,
    edge,
    legend,
)
from tools.boards.words import say

_ROLES: Final = {"W": FIRST, "B": SECOND, ".": FREE}


def draw(scene: Scene, look: Look) -> Iterator[Line]:
    """Yield the lines of the board, with row 1 at the top, and one with the men in hand."""
    board, _, white, black, *_ = scene.setup.split()
    cells = iter(board.replace("/", ""))
    marks = Marks.of(scene, re.findall(r"[a-g][1-7]", scene.last.partition("x")[0]))
    signs = {"W": "○", "B": "●", ".": "·"} if look.unicode else {"W": "O", "B": "X", ".": "."}
    yield [("    " + "   ".join("ABCDEFG"), COORDINATE)]
    for number, pattern in enumerate(LINES):
        label = " " if number % 2 else str(number // 2 + 1)
        line: list[Span] = [(f"{label}  ", COORDINATE)]
        behind = " "
        for column, sign in enumerate(pattern):
            if sign != "#":
                line.append(edge(behind if behind != " " else " " if not column else ""))
                line.append((sign if behind != ")" and behind != ">" else "", BOARD))
                behind = " "
                continue
            place = f"{'abcdefg'[column // 4]}{number // 2 + 1}"
            before, after = marks.brackets(place)
            if not column:
                line.append(edge(before))
            elif before != " ":  # The bracket stands in place of the line's last sign.
                line[-1] = edge(before)
            cell = next(cells)
            taken = place in marks.taken and cell == "."
            shown = ("×" if look.unicode else "x") if taken else signs[cell]
            line.append((shown, marks.role(place, TAKEN if taken else _ROLES[cell])))
            behind = after
        if behind != " ":
            line.append(edge(behind))
        yield line
    hands = say("board.hands", white=white, black=black)
    first, second = say("side.white"), say("side.black")
    yield from legend(f"{signs['W']} {first}  {signs['B']} {second}", hands, "    ", look)
