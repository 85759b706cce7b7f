"""The board of Go as text: stones on the crossings of lines."""

import re
from collections.abc import Iterator

from engines.go.rules.text import COLUMNS
from tools.boards.go import star_points
from tools.boards.scene import Scene
from tools.boards.text.spans import (
    BOARD,
    COORDINATE,
    DEAD,
    FIRST,
    FREE,
    SECOND,
    TAKEN,
    WORDS,
    Line,
    Look,
    Marks,
    Span,
    edge,
)
from tools.boards.words import say

_ROLES = {"X": FIRST, "O": SECOND, ".": BOARD}


def draw(scene: Scene, look: Look) -> Iterator[Line]:
    """Yield the lines of the board, and one with the captured stones."""
    rows = [_cells(row) for row in scene.setup.split()[0].split("/")]
    width, height = len(rows[0]), len(rows)
    marks = Marks.of(scene, [scene.last])
    stars = set(star_points(width, height))
    # Without the labels at the right, there is no room for a bracket there either.
    labelled = look.fits(2 * width + 2 + 2 + (height > 9))
    letters: Line = [("   " + " ".join(COLUMNS[:width]), COORDINATE)]
    yield letters
    for y, row in enumerate(rows):
        line: list[Span] = [(f"{height - y:2}", COORDINATE)]
        behind = " "
        for x, cell in enumerate(row):
            place = f"{COLUMNS[x]}{height - y}".lower()
            before, after = marks.brackets(place)
            line.append(edge(before if before != " " else behind))
            line.append(_point(cell, place, (x, y) in stars, marks, look, (x, y), rows))
            behind = after if after != " " else _between(x, width, look)
        if labelled:
            line += [edge(behind if behind in ")>" else " "), (f"{height - y}", COORDINATE)]
        yield line
    yield letters
    if match := re.search(r"captured=(\d+),(\d+)", scene.setup):
        # The stones that Black has lost are White's prisoners.
        captured = say("board.captured", black=match[1], white=match[2])
        yield [(f"   {captured}", WORDS)]


def _between(x: int, width: int, look: Look) -> str:
    return "─" if look.unicode and x + 1 < width else " "


def _point(
    cell: str,
    place: str,
    star: bool,
    marks: Marks,
    look: Look,
    at: tuple[int, int],
    rows: list[str],
) -> Span:
    if place in marks.dead:
        sign = ("x" if cell == "X" else "o") if not look.unicode else ("◆" if cell == "X" else "◇")
        return sign, DEAD
    if cell == ".":
        if place in marks.taken:
            return ("×" if look.unicode else "x"), TAKEN
        sign = _crossing(at, len(rows[0]), len(rows), star=star) if look.unicode else ".+"[star]
        return sign, marks.role(place, FREE if star else BOARD)
    signs = "●○" if look.unicode else "XO"
    return signs[cell == "O"], marks.role(place, _ROLES[cell])


def _crossing(at: tuple[int, int], width: int, height: int, *, star: bool) -> str:
    x, y = at
    if star:
        return "╋"
    column = 0 if x == 0 else 2 if x == width - 1 else 1
    row = 0 if y == 0 else 2 if y == height - 1 else 1
    return ("┌┬┐", "├┼┤", "└┴┘")[row][column]


def _cells(row: str) -> str:
    return re.sub(r"\d+", lambda gap: "." * int(gap[0]), row)
