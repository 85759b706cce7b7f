"""The board of shogi: pieces on squares, the opponent's upside down, and the hands beside it."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from tools.boards.drawing import EDGE, UNIT, Drawing, Step, label, squares, wood
from tools.boards.scene import Scene
from tools.boards.shapes import Place, Shape, circle, group, polygon, rect, text
from tools.boards.words import say

_START: Final = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"
_KANJI: Final = dict(zip("KRBGSNLP", "玉飛角金銀桂香歩", strict=True)) | {
    f"+{letter}": kanji for letter, kanji in zip("RBSNLP", "龍馬全圭杏と", strict=True)
}
_RANKS: Final = "abcdefghi"
_HELD: Final = "RBGSNLP"  # The order of the pieces in a hand.
_TRAY: Final = 50.0  # The height of a hand.
_SIZES: Final = {"K": 1.0, "R": 0.98, "B": 0.98, "G": 0.94, "S": 0.94, "N": 0.9, "L": 0.88}
_SMALLEST: Final = 0.84  # Pawns.


def draw(scene: Scene) -> Drawing:
    """Draw the pieces; the side at the top points downwards."""
    board_text, turn, hands, *_ = [*(scene.setup or _START).split(), "b", "-"]
    width = 2 * EDGE + 9 * UNIT
    top = EDGE + _TRAY
    height = width + 2 * _TRAY

    def place(name: str) -> Place:
        x, y = 9 - int(name[0]), _RANKS.index(name[1])
        if scene.flipped:
            x, y = 8 - x, 8 - y
        return EDGE + (x + 0.5) * UNIT, top + (y + 0.5) * UNIT

    places = {f"{file}{rank}": place(f"{file}{rank}") for file in range(1, 10) for rank in _RANKS}
    pieces = []
    alerts = []
    for rank, row in zip(_RANKS, board_text.split("/"), strict=False):
        file = 9
        for word in re.findall(r"\d|\+?[A-Za-z]", row):
            if word.isdigit():
                file -= int(word)
                continue
            name = f"{file}{rank}"
            if scene.check and word == ("K" if turn == "b" else "k"):
                alerts.append(name)
            pieces.append(_piece(name, places[name], word, scene))
            file -= 1
    for side in "bw":
        low = (side == "b") != scene.flipped
        y = height - 32 if low else 32.0
        for name, shapes, at in _hand(hands, side, y, scene):
            pieces.append(group(f"held {'black' if side == 'b' else 'white'}", shapes, name))
            if side == turn:
                places[name] = at
    board = [*wood(width, height), *squares(9, 9, top=top), *_decoration(place, top, height)]
    board += _names(height, flipped=scene.flipped)
    return Drawing(width, height, board, pieces, places, trace, UNIT, tuple(alerts))


def trace(move: str) -> Iterator[Step]:
    """Yield where a piece moves, or where it is dropped."""
    if match := re.fullmatch(r"([1-9][a-i])([1-9][a-i])\+?", move):
        yield Step(match[1], match[2])
    elif match := re.fullmatch(r"[A-Z]\*([1-9][a-i])", move):
        yield Step("", match[1])


def clicks(move: str) -> tuple[str, ...]:
    """Return the places to click for a move: `+` is the choice to promote, `P*` a pawn in hand."""
    return tuple(re.findall(r"[A-Z]\*|[1-9][a-i]|\+", move))


def spell(places: Sequence[str]) -> str:
    """Return the move that clicks on places mean."""
    return "".join(places)


def _decoration(place: Callable[[str], Place], top: float, height: float) -> Iterator[Shape]:
    """Draw the coordinates, the four dots, and the trays of the hands."""
    side = 2 * EDGE + 9 * UNIT
    for file in range(1, 10):
        yield label((place(f"{file}a")[0], top - 12), str(file))
    for rank in _RANKS:
        yield label((side - 17, place(f"1{rank}")[1]), rank)
    for x in (3, 6):
        yield from (circle("star", (EDGE + x * UNIT, top + y * UNIT), 3) for y in (3, 6))
    for y in (8.0, height - 56):
        yield rect("tray", (EDGE, y), (9 * UNIT, 48), 8)


def _names(height: float, *, flipped: bool) -> Iterator[Shape]:
    """Write which hand is whose."""
    names = [("☖", "white"), ("☗", "black")]
    for y, (sign, name) in zip((8.0, height - 56), names[:: -1 if flipped else 1], strict=True):
        yield text("side", (EDGE + 10, y + 29), f"{sign} {say(f'side.{name}')}")


def _piece(name: str, place: Place, word: str, scene: Scene) -> Shape:
    """Draw a piece as a pentagon that points at its opponent."""
    turned = word.islower() != scene.flipped
    shapes = _pentagon(place, word, turned=turned, letters=scene.letters)
    return group(f"piece {'white' if word.islower() else 'black'}", shapes, name)


def _pentagon(place: Place, word: str, *, turned: bool, letters: bool) -> list[Shape]:
    x, y = place
    piece = word.upper()
    size = _SIZES.get(piece.removeprefix("+"), _SMALLEST)
    half, sign = size * 18.5, -1 if turned else 1

    def corners(dx: float, dy: float) -> list[Place]:
        outline = ((0, -1.0), (0.74, -0.62), (0.96, 0.98), (-0.96, 0.98), (-0.74, -0.62))
        return [(x + sign * half * 0.95 * a + dx, y + sign * half * b + dy) for a, b in outline]

    kanji = "王" if word == "k" else _KANJI[piece]
    kind = ("letters" if letters else "kanji") + (" promoted" if piece.startswith("+") else "")
    height = 8.0 if not letters else 7.0
    return [
        polygon("shadow", corners(1.2, 2)),
        polygon("body", corners(0, 0), "url(#quintet-piece)"),
        text(kind, (x, y + sign * height), piece if letters else kanji, turned=turned),
    ]


def _hand(
    hands: str, side: str, y: float, scene: Scene
) -> Iterator[tuple[str, list[Shape], Place]]:
    """Yield each kind of piece in a hand: its name, its shapes and its place."""
    held = {
        letter.upper(): int(count or 1)
        for count, letter in re.findall(r"(\d*)([A-Za-z])", hands)
        if letter.islower() == (side == "w")
    }
    x = EDGE + 0.5 * UNIT + 56
    for letter in _HELD:
        if letter not in held:
            continue
        word = letter if side == "b" else letter.lower()
        turned = (side == "w") != scene.flipped
        shapes = _pentagon((x, y), word, turned=turned, letters=scene.letters)
        if held[letter] > 1:
            at = (x + 17, y + 13)
            shapes += [
                circle("count", at, 8),
                text("figure", (at[0], at[1] + 4), str(held[letter])),
            ]
        yield f"{letter}*", shapes, (x, y)
        x += 42
