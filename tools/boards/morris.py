"""The board of Nine Men's Morris: three squares, one inside the other."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tools.boards.drawing import EDGE, UNIT, Drawing, Step, label, piece, wood
from tools.boards.scene import Scene
from tools.boards.shapes import Place, Shape, circle, group, path, text
from tools.boards.words import say

_POINTS: Final = re.findall("..", "a1d1g1b2d2f2c3d3e3a4b4c4e4f4g4c5d5e5b6d6f6a7d7g7")
_START: Final = ".../.../.../....../.../.../... w 9 9 0"
_PITCH: Final = 1.35 * UNIT  # The board has few points; wider lines show them better.
_TRAY: Final = 1.5 * UNIT  # The room below the board for the pieces in hand.
_RADIUS: Final = 0.5


def draw(scene: Scene) -> Drawing:
    """Draw three squares, one inside the other, with pieces on the corners and midpoints."""
    words = (scene.setup or _START).split()
    cells = words[0].replace("/", "")
    size = 2 * EDGE + 6 * _PITCH + 10
    places = {name: _place(name) for name in _POINTS}
    board = [*wood(size, size + _TRAY), *_lines()]
    board += [circle("star", place, 4) for place in places.values()]
    board += [label((_place(letter + "1")[0], 14), letter.upper()) for letter in "abcdefg"]
    board += [label((14, _place(f"a{row}")[1]), str(row)) for row in range(1, 8)]
    pieces = [
        _turned(name, places[name], "white" if cell == "W" else "black")
        for name, cell in zip(_POINTS, cells, strict=False)
        if cell in "WB"
    ]
    if len(words) > 3:
        pieces += [*_hand(size, "white", int(words[2])), *_hand(size, "black", int(words[3]))]
    return Drawing(size, size + _TRAY, board, pieces, places, trace)


def trace(move: str) -> Iterator[Step]:
    """Yield where a piece is put or moved, and the pieces that are removed."""
    moved, *taken = move.lower().split("x")
    start, _, end = moved.rpartition("-")
    if re.fullmatch(r"[a-g][1-7]", end):
        yield Step(start, end)
        yield from (Step("", point, takes=True) for point in taken)


def clicks(move: str) -> tuple[str, ...]:
    """Return the places to click for a move."""
    return tuple(re.findall(r"[a-g][1-7]", move.lower()))


def spell(places: Sequence[str]) -> str:
    """Return the move that clicks on places mean."""
    return "-".join(places)


def _place(name: str) -> Place:
    return EDGE + 5 + "abcdefg".index(name[0]) * _PITCH, EDGE + 5 + (int(name[1]) - 1) * _PITCH


def _lines() -> Iterator[Shape]:
    lines = []
    for inset in range(3):
        low, length = EDGE + 5 + inset * _PITCH, (6 - 2 * inset) * _PITCH
        lines.append(f"M{low:g} {low:g}h{length:g}v{length:g}h{-length:g}z")
    start, middle, end = EDGE + 5, EDGE + 5 + 3 * _PITCH, EDGE + 5 + 6 * _PITCH
    lines += [
        f"M{middle:g} {start:g}v{2 * _PITCH:g}M{middle:g} {end:g}v{-2 * _PITCH:g}",
        f"M{start:g} {middle:g}h{2 * _PITCH:g}M{end:g} {middle:g}h{-2 * _PITCH:g}",
    ]
    yield path("line strong", "".join(lines))


def _turned(name: str, place: Place, kind: str, radius: float = _RADIUS) -> Shape:
    """Draw a turned piece: one groove on a white one, a knob on a black one."""
    disc = piece(name, place, kind, radius)
    if kind == "white":
        marks = [circle("groove", place, 0.62 * radius * UNIT)]
    else:
        marks = [circle("groove", place, 0.72 * radius * UNIT), circle("knob", place, 4)]
    return group(f"piece {kind}", (*disc.children, *marks), name)


def _hand(size: float, kind: str, count: int) -> Iterator[Shape]:
    """Draw the pieces that a side has yet to place: White's at the left, Black's at the right."""
    y, side = size + 0.62 * _TRAY, 1 if kind == "white" else -1
    edge = EDGE if kind == "white" else size - EDGE
    for number in range(count):
        yield _turned("", (edge + side * number * 15, y), kind, 0.3)
    words = say("board.hand", side=say(f"side.{kind}"), count=count)
    yield text("label", (edge + side * 38, size + 0.15 * _TRAY), words)
