"""The board of Senet as text: three rows of ten squares, with the landing and the trap."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tools.boards.scene import Scene
from tools.boards.text.spans import (
    BOARD,
    COORDINATE,
    FIRST,
    FREE,
    SECOND,
    Line,
    Look,
    Marks,
    Span,
    edge,
    legend,
)
from tools.boards.words import say

_ROWS: Final = (range(1, 11), range(20, 10, -1), range(21, 31))
_NAMES: Final = {15: "board.landing", 27: "board.trap"}
_ROLES: Final = {"1": FIRST, "2": SECOND, ".": FREE}
_WIDTHS: Final = (6, 5, 4, 3)  # Of a square, the usual one first: it fits into 80 columns.


@dataclass(frozen=True, slots=True)
class _Grid:
    """The lines around the squares: how wide these are, and whether bars are between them."""

    width: int
    bars: bool
    look: Look

    @classmethod
    def of(cls, look: Look) -> "_Grid":
        """Return the widest grid that fits into the terminal."""
        fitting = [width for width in _WIDTHS if look.fits(10 * (width + 1) + 1)]
        return cls(fitting[0] if fitting else _WIDTHS[-1], bool(fitting), look)

    @property
    def bar(self) -> str:
        return "│" if self.look.unicode else "|"

    @property
    def between(self) -> str:
        """What stands between two squares."""
        return self.bar if self.bars else ""

    def rule(self, signs: str, above: range = range(0)) -> Line:
        """Return the line below a row; it carries the names of the squares in the row."""
        left, middle, right = list(signs if self.look.unicode else "+++")
        stroke = "─" if self.look.unicode else "-"
        text = left + (middle if self.bars else "").join([stroke * self.width] * 10) + right
        for index, square in enumerate(above):
            if key := _NAMES.get(square):
                name = say(key)
                at = index * (self.width + self.bars) + 1
                text = text[:at] + name + text[at + len(name) :]
        return [(text, BOARD)]

    def numbers(self, row: range) -> Line:
        line: list[Span] = [(self.bar, BOARD)]
        for square in row:
            line += [(f"{square:<{self.width}}", COORDINATE), (self.between, BOARD)]
        return [*line[:-1], (self.bar, BOARD)]


def draw(scene: Scene, look: Look) -> Iterator[Line]:
    """Yield the lines of the board, and one that explains the signs."""
    board = scene.setup.split()[0]
    marks = Marks.of(scene, _squares(scene.last))
    signs = {"1": "●", "2": "○", ".": "·"} if look.unicode else {"1": "X", "2": "O", ".": "."}
    grid = _Grid.of(look)
    before_man = " " * min(grid.width - 3, 1)
    behind_man = " " * (grid.width - 3 - len(before_man))
    for number, row in enumerate(_ROWS):
        above = _ROWS[number - 1] if number else range(0)
        yield grid.rule("├┼┤" if number else "┌┬┐", above)
        yield grid.numbers(row)
        line: list[Span] = [(grid.bar, BOARD)]
        for square in row:
            before, after = marks.brackets(str(square))
            cell = board[square - 1]
            role = marks.role(str(square), _ROLES[cell])
            line += [(before_man, BOARD), edge(before), (signs[cell], role), edge(after)]
            line += [(behind_man, BOARD), (grid.between, BOARD)]
        yield [*line[:-1], (grid.bar, BOARD)]
    yield grid.rule("└┴┘", _ROWS[2])
    men = [5 - board.count(mark) for mark in "12"]
    off = say("board.home", black=men[0], white=men[1])
    first, second = say("side.black"), say("side.white")
    yield from legend(f"{signs['1']} {first}  {signs['2']} {second}", off, " ", look)


def _squares(move: str) -> list[str]:
    """Return the squares of a move; a man that the trap sends back is marked at the landing."""
    squares = re.findall(r"\d+", move.rpartition(":")[2])
    return [*squares, "15"] if squares[1:] == ["27"] else squares
