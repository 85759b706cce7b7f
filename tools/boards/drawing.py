"""The drawing of a board, and the parts that several games share."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from tools.boards.shapes import Place, Shape, circle, figure, group, path, rect, text

UNIT: Final = 40.0
"""The distance of two neighbouring places."""

EDGE: Final = 42.0
"""The width of the margin around the outermost line, which has room for the coordinates."""


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a move: from a place, or from outside the board, to another place."""

    start: str  # Empty where a piece is put on the board or removed.
    end: str
    takes: bool = False  # The piece on `end` is removed.


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board with its pieces, and the places that can be clicked, by name.

    `trace` yields the parts of a move, given as text. `cell` is the size of a square, or 0 where
    pieces stand on the crossings of lines. `alerts` are places that are marked as under attack.
    """

    width: float
    height: float
    board: Sequence[Shape]
    pieces: Sequence[Shape]
    places: Mapping[str, Place]
    trace: Callable[[str], Iterator[Step]]
    cell: float = 0.0
    alerts: tuple[str, ...] = field(default=())


@cache
def wood(width: float, height: float) -> tuple[Shape, ...]:
    """Draw the board itself, with a grain that is the same on every machine."""
    shapes = [rect("wood", (0, 0), (width, height), 6, "url(#quintet-wood)")]
    grain = []
    for number in range(int(height // 11)):
        y = 7 + 11 * number + 4 * math.sin(number * 2.4)
        bend, swell = 5 * math.sin(number * 1.7), 4 * math.cos(number * 0.9)
        # The second half of a curve mirrors the first one; the curve stays between its points.
        reach = (y, y + bend, y + swell, y + 2 * swell - bend)
        if min(reach) < 1 or max(reach) > height - 1:
            continue
        middle, last = figure(width / 2), figure(width - 1)
        grain.append(
            f"M1 {figure(y)}Q{figure(width / 4)} {figure(y + bend)} {middle} {figure(y + swell)}"
            f"T{last} {figure(y + bend)}"
        )
    return (*shapes, path("grain", "".join(grain)))


def label(place: Place, words: str) -> Shape:
    """Write a coordinate that is centred on a place."""
    x, y = place
    return text("label", (x, y + 4.5), words)


def piece(name: str, place: Place, kind: str, radius: float, letter: str = "") -> Shape:
    """Draw a round piece with its shadow; its radius is in units of the board."""
    x, y = place
    size = radius * UNIT
    parts = [
        circle("shadow", (x + 1.2, y + 2), size),
        circle("body", place, size, f"url(#quintet-{kind})"),
    ]
    if letter:
        parts.append(text("letter", (x, y + 5.5), letter))
    return group(f"piece {kind}", parts, name)


def grid(columns: int, rows: int) -> list[Shape]:
    """Draw the lines of a board whose pieces stand on the crossings; the border is stronger."""
    right, bottom = EDGE + (columns - 1) * UNIT, EDGE + (rows - 1) * UNIT
    lines = [f"M{EDGE:g} {EDGE + y * UNIT:g}H{right:g}" for y in range(rows)]
    lines += [f"M{EDGE + x * UNIT:g} {EDGE:g}V{bottom:g}" for x in range(columns)]
    border = rect("border", (EDGE, EDGE), (right - EDGE, bottom - EDGE))
    return [path("line", "".join(lines)), border]


def squares(columns: int, rows: int, *, top: float = EDGE, cell: float = UNIT) -> list[Shape]:
    """Draw the lines of a board whose pieces stand inside the squares."""
    right, bottom = EDGE + columns * cell, top + rows * cell
    lines = [f"M{EDGE:g} {top + y * cell:g}H{right:g}" for y in range(1, rows)]
    lines += [f"M{EDGE + x * cell:g} {top:g}V{bottom:g}" for x in range(1, columns)]
    border = rect("border", (EDGE, top), (columns * cell, rows * cell))
    return [path("line", "".join(lines)), border]
