"""The drawing of a board, and the shapes that several games share."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

UNIT: Final = 28.0


EDGE: Final = 26.0


Place = tuple[float, float]
"""The coordinates of something that is drawn."""


Step = tuple[Place | None, Place]
"""A part of a move: from a place, or from outside the board, to another place."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board with its pieces; `trace` yields the places that a move, as text, leads to."""

    width: float
    height: float
    background: str
    pieces: list[str]
    trace: Callable[[str], Iterator[Step]]


def wood(width: float, height: float) -> str:
    """Draw the board itself."""
    return f'<rect class="wood" width="{width:g}" height="{height:g}"/>'


def label(x: float, y: float, words: str, kind: str = "text") -> str:
    """Write words that are centred on a place."""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(words)}</text>'


def stone(place: Place, kind: str, radius: float = 0.44) -> str:
    """Draw a round piece; its radius is in units of the board."""
    x, y = place
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius * UNIT:g}"/>'


def grid(columns: int, rows: int) -> str:
    """Draw the lines of a board whose pieces stand on the crossings."""
    right, bottom = EDGE + (columns - 1) * UNIT, EDGE + (rows - 1) * UNIT
    lines = [f"M{EDGE:g} {EDGE + y * UNIT:g}H{right:g}" for y in range(rows)]
    lines += [f"M{EDGE + x * UNIT:g} {EDGE:g}V{bottom:g}" for x in range(columns)]
    return f'<path class="line" d="{"".join(lines)}"/>'


def squares(columns: int, rows: int) -> str:
    """Draw the lines of a board whose pieces stand inside the squares."""
    right, bottom = EDGE + columns * UNIT, EDGE + rows * UNIT
    lines = [f"M{EDGE:g} {EDGE + y * UNIT:g}H{right:g}" for y in range(rows + 1)]
    lines += [f"M{EDGE + x * UNIT:g} {EDGE:g}V{bottom:g}" for x in range(columns + 1)]
    return f'<path class="line" d="{"".join(lines)}"/>'


def diagram_line(x: float, y: float, words: str) -> str:
    """Write a line of a text diagram, which begins at a place and keeps its blanks."""
    return f'<text class="diagram" xml:space="preserve" x="{x:g}" y="{y:g}">{escape(words)}</text>'
