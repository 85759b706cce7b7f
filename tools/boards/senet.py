"""The board of Senet: three rows of ten squares, walked there, back and there again."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tools.boards.drawing import EDGE, Drawing, Step, wood
from tools.boards.scene import Scene
from tools.boards.shapes import Place, Shape, circle, group, path, rect, text
from tools.boards.words import say

_START: Final = "2121212121.................... 1 -"
_CELL: Final = 58.0
_PIECES: Final = 5
_LANDING: Final = 15
_TRAP: Final = 27
_LOW: Final = 92.0  # The room below the board: the throw, and the pieces that are home.
_PIPS: Final = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
}


def draw(scene: Scene) -> Drawing:
    """Draw the board with the throw; the path changes its direction from row to row."""
    words = (scene.setup or _START).split()
    bottom = EDGE + 3 * _CELL
    width, height = 2 * EDGE + 10 * _CELL, bottom + _LOW
    places = {str(number): _place(number) for number in range(1, 31)}
    places["off"] = (EDGE + 9.5 * _CELL, bottom + 32)
    board = [*wood(width, height), *_squares()]
    board.append(rect("tray", (EDGE + 9 * _CELL, bottom + 6), (_CELL, 52), 8))
    board.append(text("note", (EDGE + 9.5 * _CELL, bottom + 38), say("board.tray")))
    pieces = [
        _piece(str(number), places[str(number)], cell)
        for number, cell in enumerate(words[0], 1)
        if cell in "12"
    ]
    pieces += [*_home(words[0], "1", bottom + 24), *_home(words[0], "2", bottom + 62)]
    if len(words) > 1 and words[1] in "12":
        places["die"] = (EDGE + 24, bottom + 34)
        pieces += _throw(words[1], words[2] if len(words) > 2 else "-", places["die"])
    return Drawing(width, height, board, pieces, places, trace, _CELL)


def trace(move: str) -> Iterator[Step]:
    """Yield the way of a piece; nothing for a throw."""
    if match := re.fullmatch(r"(\d+)-(\d+|off)", move):
        yield Step(match[1], match[2])


def clicks(move: str) -> tuple[str, ...]:
    """Return the places to click for a move."""
    return tuple(place for step in trace(move) for place in (step.start, step.end))


def spell(places: Sequence[str]) -> str:
    """Return the move that clicks on places mean."""
    return "-".join(places)


def _place(number: int) -> Place:
    row, column = divmod(number - 1, 10)
    x = 9 - column if row == 1 else column
    return EDGE + (x + 0.5) * _CELL, EDGE + (row + 0.5) * _CELL


def _squares() -> Iterator[Shape]:
    """Draw the squares with their numbers, the landing, the trap, and the turns of the way."""
    for number in range(1, 31):
        x, y = _place(number)
        kind = {_LANDING: " landing", _TRAP: " trap"}.get(number, "")
        kind = kind or (" odd" if (number + (number - 1) // 10) % 2 else "")
        yield rect(f"square{kind}", (x - _CELL / 2, y - _CELL / 2), (_CELL, _CELL))
        yield text("number", (x - _CELL / 2 + 11, y - _CELL / 2 + 14), str(number))
    for number, key in ((_LANDING, "board.landing"), (_TRAP, "board.trap")):
        x, y = _place(number)
        yield text("note", (x, y + _CELL / 2 - 5), say(key))
    x, y = _place(_TRAP)
    waves = "".join(f"M{x - 18:g} {y + dy:g}q4.5 -6 9 0t9 0t9 0t9 0" for dy in (-8, 1, 10))
    yield path("waves", waves)
    x, y = _place(_LANDING)
    yield path("waves", f"M{x:g} {y - 14:g}v26m-8 -17h16M{x - 6:g} {y - 8:g}a6 7 0 1 1 12 0")
    yield rect("border", (EDGE, EDGE), (10 * _CELL, 3 * _CELL))
    right, left = EDGE + 10 * _CELL, EDGE
    for x, y, bend in ((right, EDGE + _CELL, 14), (left, EDGE + 2 * _CELL, -14)):
        tip = 5 if bend > 0 else -5
        yield path(
            "turning",
            f"M{x + tip:g} {y - 16:g}q{bend:g} 16 0 32m{tip * 1.6:g} -4l{-tip * 1.6:g} 5l-2 -9",
        )


def _piece(name: str, place: Place, cell: str) -> Shape:
    """Draw a piece of the first side as a cone, one of the second as a spool."""
    x, y = place
    kind = "black" if cell == "1" else "white"
    fill = f"url(#quintet-{kind})"
    if cell == "1":
        shape = "M{0:g} {1:g}c3 0 5 3 6 6l8 24c1 4 -6 6 -14 6s-15 -2 -14 -6l8 -24c1 -3 3 -6 6 -6z"
        body, shadow = shape.format(x, y - 18), shape.format(x + 1.5, y - 16)
    else:
        shape = (
            "M{0:g} {1:g}h26c3 0 3 8 0 9c-6 2 -7 4 -7 7s1 6 7 8c3 1 3 9 0 9h-26c-3 0 -3 -8 0 -9"
            "c6 -2 7 -5 7 -8s-1 -5 -7 -7c-3 -1 -3 -9 0 -9z"
        )
        body, shadow = shape.format(x - 13, y - 16), shape.format(x - 11.5, y - 14)
    return group(f"piece {kind}", [path("shadow", shadow), path("body", body, fill)], name)


def _home(squares: str, cell: str, y: float) -> Iterator[Shape]:
    """Draw a line about the pieces of a side that are off the board."""
    name = "black" if cell == "1" else "white"
    off = _PIECES - squares.count(cell)
    for number in range(off):
        yield circle(f"token {name}", (EDGE + 9 * _CELL - 22 - 17 * number, y - 5), 7)
    if off:
        yield text("aside", (EDGE + 9 * _CELL - 38 - 17 * off, y), say("board.off", count=off))


def _throw(side: str, number: str, place: Place) -> Iterator[Shape]:
    """Draw the die that shows the throw, and the sentence about it."""
    name = "black" if side == "1" else "white"
    x, y = place
    known = number.isdecimal() and int(number) in _PIPS
    die = [rect("die" if known else "die empty", (x - 20, y - 20), (40, 40), 8)]
    if known:
        die += [circle("pip", (x + 10 * dx, y + 10 * dy), 4) for dx, dy in _PIPS[int(number)]]
    yield group("throw", die, "die")
    key = "board.throws" if not known else "board.thrown.6" if number == "5" else "board.thrown"
    caption = say(key, side=say(f"side.{name}"), throw=number)
    yield text("caption", (x + 34, y + 6), caption)
