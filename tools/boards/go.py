"""The board of Go: stones on the crossings of lines."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from tools.boards.drawing import EDGE, UNIT, Drawing, Step, grid, label, piece, wood
from tools.boards.scene import Scene
from tools.boards.shapes import Place, Shape, circle

_COLUMNS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def draw(scene: Scene) -> Drawing:
    """Draw stones on crossings."""
    rows = [_cells(row) for row in scene.setup.split()[0].split("/")] if scene.setup else []
    width_text, _, height_text = scene.size.partition("x")
    width = len(rows[0]) if rows else int(width_text or 19)
    height = len(rows) or int(height_text or width_text or 19)

    def place(x: int, y: int) -> Place:
        return EDGE + x * UNIT, EDGE + y * UNIT

    def name(x: int, y: int) -> str:
        return f"{_COLUMNS[x]}{height - y}"

    places = {name(x, y): place(x, y) for y in range(height) for x in range(width)}
    low, right = EDGE + (height - 1) * UNIT, EDGE + (width - 1) * UNIT
    pieces = [
        piece(name(x, y), place(x, y), "black" if cell == "X" else "white", 0.47)
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if cell in "XO"
    ]
    return Drawing(right + EDGE, low + EDGE, _board(width, height), pieces, places, trace)


@cache
def _board(width: int, height: int) -> tuple[Shape, ...]:
    """Draw the lines, the star points and the coordinates."""
    low, right = EDGE + (height - 1) * UNIT, EDGE + (width - 1) * UNIT
    shapes = [*wood(right + EDGE, low + EDGE), *grid(width, height)]
    shapes += [
        circle("star", (EDGE + x * UNIT, EDGE + y * UNIT), 3.6)
        for x, y in star_points(width, height)
    ]
    for x in range(width):
        at = EDGE + x * UNIT
        shapes += [label((at, edge), _COLUMNS[x]) for edge in (13, low + EDGE - 13)]
    for y in range(height):
        at = EDGE + y * UNIT
        shapes += [label((edge, at), str(height - y)) for edge in (14, right + EDGE - 14)]
    return tuple(shapes)


def trace(move: str) -> Iterator[Step]:
    """Yield the point of a stone; nothing for a pass."""
    if re.fullmatch(r"[A-HJ-Z]\d+", move.upper()):
        yield Step("", move.upper())


def clicks(move: str) -> tuple[str, ...]:
    """Return the places to click for a move."""
    return tuple(step.end for step in trace(move))


def spell(places: Sequence[str]) -> str:
    """Return the move that clicks on places mean."""
    return "".join(places[:1])


def _cells(row: str) -> str:
    return re.sub(r"\d+", lambda gap: "." * int(gap[0]), row)


def star_points(width: int, height: int) -> Iterator[tuple[int, int]]:
    """Yield column and row of the points that boards mark: on 9x9, five of nine for handicaps."""

    def line(size: int) -> list[int]:
        if size < 7:
            return []
        edge = 2 if size < 13 else 3
        middle = [size // 2] if size % 2 and size > 13 else []
        return [edge, *middle, size - 1 - edge]

    yield from ((x, y) for x in line(width) for y in line(height))
    if width % 2 and height % 2 and width <= 13 and min(width, height) >= 7:
        yield width // 2, height // 2
