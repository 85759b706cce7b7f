"""The board of Neutron: pieces and the neutron on five by five squares."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tools.boards.drawing import EDGE, Drawing, Step, label, squares, wood
from tools.boards.scene import Scene
from tools.boards.shapes import Place, Shape, circle, group, polygon, rect, text

_START: Final = "BBBBB/...../..N../...../WWWWW w man"
_CELL: Final = 64.0
_KINDS: Final = {"W": "white", "B": "black", "N": "neutron"}


def draw(scene: Scene) -> Drawing:
    """Draw the pieces and the neutron; White's home row is at the bottom unless it is turned."""
    rows = (scene.setup or _START).split()[0].split("/")
    size = 2 * EDGE + 5 * _CELL

    def place(name: str) -> Place:
        x, y = "abcde".index(name[0]), 5 - int(name[1])
        if scene.flipped:
            x, y = 4 - x, 4 - y
        return EDGE + (x + 0.5) * _CELL, EDGE + (y + 0.5) * _CELL

    places = {
        f"{letter}{row}": place(f"{letter}{row}") for row in range(1, 6) for letter in "abcde"
    }
    board = [*wood(size, size), *_homes(flipped=scene.flipped), *squares(5, 5, cell=_CELL)]
    board += [
        label((place(f"{letter}1")[0], edge), letter)
        for letter in "abcde"
        for edge in (17, size - 19)
    ]
    board += [
        label((edge, place(f"a{row}")[1]), str(row))
        for row in range(1, 6)
        for edge in (17, size - 17)
    ]
    pieces = [
        _piece(f"{'abcde'[x]}{5 - y}", place(f"{'abcde'[x]}{5 - y}"), cell)
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if cell in _KINDS
    ]
    return Drawing(size, size, board, pieces, places, trace, _CELL)


def trace(move: str) -> Iterator[Step]:
    """Yield the ways of the neutron and of the piece."""
    for start, end in re.findall(r"([a-e][1-5])-([a-e][1-5])", move):
        yield Step(start, end)


def clicks(move: str) -> tuple[str, ...]:
    """Return the places to click for a move."""
    return tuple(re.findall(r"[a-e][1-5]", move))


def spell(places: Sequence[str]) -> str:
    """Return the move that clicks on places mean."""
    return "/".join("-".join(places[i : i + 2]) for i in range(0, len(places), 2))


def _homes(*, flipped: bool) -> Iterator[Shape]:
    """Tint the home rows."""
    for kind, low in (("white", not flipped), ("black", flipped)):
        y = EDGE + (4 * _CELL if low else 0)
        yield rect(f"home {kind}", (EDGE, y), (5 * _CELL, _CELL))


def _piece(name: str, place: Place, cell: str) -> Shape:
    """Draw a piece as a disc with the letter of its side, the neutron as a hexagon."""
    x, y = place
    fill = f"url(#quintet-{_KINDS[cell]})"
    if cell == "N":
        corners = [(0, -25), (21.7, -12.5), (21.7, 12.5), (0, 25), (-21.7, 12.5), (-21.7, -12.5)]
        parts = [
            polygon("shadow", [(x + dx + 1.5, y + dy + 2.5) for dx, dy in corners]),
            polygon("body", [(x + dx, y + dy) for dx, dy in corners], fill),
        ]
    else:
        parts = [circle("shadow", (x + 1.5, y + 2.5), 23), circle("body", place, 23, fill)]
        parts.append(circle("groove", place, 17))
    return group(f"piece {_KINDS[cell]}", [*parts, text("letter", (x, y + 6), cell)], name)
