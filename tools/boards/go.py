"""The board of Go: stones on the crossings of lines."""

import re
from collections.abc import Iterator
from typing import Final

from tools.boards.drawing import EDGE, UNIT, Drawing, Place, Step, grid, label, stone, wood
from tools.boards.scene import Scene

_COLUMNS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def draw(scene: Scene) -> Drawing:
    """Draw stones on crossings."""
    rows = [_cells(row) for row in scene.setup.split()[0].split("/")] if scene.setup else []
    width_text, _, height_text = scene.size.partition("x")
    width = len(rows[0]) if rows else int(width_text or 19)
    height = len(rows) or int(height_text or width_text or 19)

    def place(x: int, y: int) -> Place:
        return EDGE + x * UNIT, EDGE + y * UNIT

    def trace(move: str) -> Iterator[Step]:
        if match := re.fullmatch(r"([A-HJ-Z])(\d+)", move.upper()):
            yield None, place(_COLUMNS.index(match[1]), height - int(match[2]))

    labels = [label(place(x, 0)[0], 10, _COLUMNS[x]) for x in range(width)]
    labels += [label(9, place(0, y)[1] + 3, str(height - y)) for y in range(height)]
    stars = [
        f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="2.2"/>'
        for column, row in _stars(width, height)
        for x, y in [place(column, row)]
    ]
    total = 2 * EDGE + (width - 1) * UNIT, 2 * EDGE + (height - 1) * UNIT
    men = [
        stone(place(x, y), "black" if cell == "X" else "white")
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if cell in "XO"
    ]
    background = wood(*total) + grid(width, height) + "".join([*stars, *labels])
    return Drawing(*total, background, men, trace)


def _cells(row: str) -> str:
    return re.sub(r"\d+", lambda gap: "." * int(gap[0]), row)


def _stars(width: int, height: int) -> Iterator[tuple[int, int]]:
    def line(size: int) -> list[int]:
        if size < 7:
            return []
        edge = 2 if size < 13 else 3
        middle = [size // 2] if size % 2 and size > 13 else []
        return [edge, *middle, size - 1 - edge]

    yield from ((x, y) for x in line(width) for y in line(height))
    if width % 2 and height % 2 and width <= 13 and min(width, height) >= 7:
        yield width // 2, height // 2
