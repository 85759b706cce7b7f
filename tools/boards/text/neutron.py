"""The board of Neutron as text: White's home row at the bottom, Black's at the top."""

import re
from collections.abc import Iterator
from typing import Final

from tools.boards.scene import Scene
from tools.boards.text.spans import (
    BOARD,
    COORDINATE,
    FIRST,
    FREE,
    SECOND,
    THIRD,
    Line,
    Look,
    Marks,
    Span,
    edge,
)

_ROLES: Final = {"W": FIRST, "B": SECOND, "N": THIRD, ".": FREE}


def draw(scene: Scene, look: Look) -> Iterator[Line]:
    """Yield the lines of the board."""
    rows = scene.setup.split()[0].split("/")
    marks = Marks.of(scene, re.findall(r"[a-e][1-5]", scene.last))
    bar = "│" if look.unicode else "|"
    letters: Line = [("     " + "   ".join("abcde"), COORDINATE)]
    yield letters
    yield _rule("┌┬┐", look)
    for number, row in zip("54321", rows, strict=True):
        line: list[Span] = [(f" {number} ", COORDINATE), (bar, BOARD)]
        for column, cell in zip("abcde", row, strict=True):
            before, after = marks.brackets(column + number)
            sign = {".": "·", "N": "◉"}.get(cell, cell) if look.unicode else cell
            role = marks.role(column + number, _ROLES[cell])
            line += [edge(before), (sign, role), edge(after), (bar, BOARD)]
        yield [*line, (f" {number}", COORDINATE)]
        yield _rule("└┴┘" if number == "1" else "├┼┤", look)
    yield letters


def _rule(signs: str, look: Look) -> Line:
    if not look.unicode:
        return [("   +---+---+---+---+---+", BOARD)]
    left, middle, right = list(signs)
    return [(f"   {left}{middle.join(['───'] * 5)}{right}", BOARD)]
