"""The board of Senet as text: three rows of ten squares, with the landing and the trap."""

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
    WORDS,
    Line,
    Look,
    Marks,
    Span,
    edge,
)
from tools.boards.words import say

_ROWS: Final = (range(1, 11), range(20, 10, -1), range(21, 31))
_NAMES: Final = {15: "board.landing", 27: "board.trap"}
_ROLES: Final = {"1": FIRST, "2": SECOND, ".": FREE}
_WIDTH: Final = 6  # Of a square; ten of them and their lines fit into 80 columns.


def draw(scene: Scene, look: Look) -> Iterator[Line]:
    """Yield the lines of the board, and one that explains the signs."""
    board = scene.setup.split()[0]
    marks = Marks.of(scene, _squares(scene.last))
    signs = {"1": "●", "2": "○", ".": "·"} if look.unicode else {"1": "X", "2": "O", ".": "."}
    bar = "│" if look.unicode else "|"
    for number, row in enumerate(_ROWS):
        above = _ROWS[number - 1] if number else range(0)
        yield _rule("├┼┤" if number else "┌┬┐", look, above)
        yield _numbers(row, bar)
        line: list[Span] = [(bar, BOARD)]
        for square in row:
            before, after = marks.brackets(str(square))
            cell = board[square - 1]
            role = marks.role(str(square), _ROLES[cell])
            line += [(" ", BOARD), edge(before), (signs[cell], role), edge(after)]
            line += [("  ", BOARD), (bar, BOARD)]
        yield line
    yield _rule("└┴┘", look, _ROWS[2])
    men = [5 - board.count(mark) for mark in "12"]
    off = say("board.home", black=men[0], white=men[1])
    first, second = say("side.black"), say("side.white")
    yield [(f" {signs['1']} {first}  {signs['2']} {second}   {off}", WORDS)]


def _numbers(row: range, bar: str) -> Line:
    line: list[Span] = [(bar, BOARD)]
    for square in row:
        line += [(f"{square:<{_WIDTH}}", COORDINATE), (bar, BOARD)]
    return line


def _squares(move: str) -> list[str]:
    """Return the squares of a move; a man that the trap sends back is marked at the landing."""
    squares = re.findall(r"\d+", move.rpartition(":")[2])
    return [*squares, "15"] if squares[1:] == ["27"] else squares


def _rule(signs: str, look: Look, above: range = range(0)) -> Line:
    """Return the line below a row; it carries the names of the squares in the row."""
    left, middle, right = list(signs if look.unicode else "+++")
    stroke = "─" if look.unicode else "-"
    text = left + middle.join([stroke * _WIDTH] * 10) + right
    for index, square in enumerate(above):
        if key := _NAMES.get(square):
            name = say(key)
            at = index * (_WIDTH + 1) + 1
            text = text[:at] + name + text[at + len(name) :]
    return [(text, BOARD)]
