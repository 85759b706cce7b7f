"""The boards of the five games as SVG: squares, men, and where a move's parts lie."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from tools.regress.result import Scene

UNIT: Final = 28.0
_EDGE: Final = 26.0
_COLUMNS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_MORRIS: Final = re.findall("..", "a1d1g1b2d2f2c3d3e3a4b4c4e4f4g4c5d5e5b6d6f6a7d7g7")
_KANJI: Final = dict(zip("KRBGSNLP", "玉飛角金銀桂香歩", strict=True)) | {
    f"+{letter}": kanji for letter, kanji in zip("RBSNLP", "龍馬全圭杏と", strict=True)
}

Place = tuple[float, float]
"""Where something is drawn."""

Step = tuple[Place | None, Place]
"""A part of a move: from a place or from nowhere, to another."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board with its men; `trace` yields where a move, in the game's own text, leads."""

    width: float
    height: float
    background: str
    pieces: list[str]
    trace: Callable[[str], Iterator[Step]]


def _wood(width: float, height: float) -> str:
    return f'<rect class="wood" width="{width:g}" height="{height:g}"/>'


def _text(x: float, y: float, text: str, kind: str = "text") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _stone(place: Place, kind: str, radius: float = 0.44) -> str:
    x, y = place
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius * UNIT:g}"/>'


def _grid(columns: int, rows: int) -> str:
    """Draw the lines of a board whose men stand on the crossings."""
    right, bottom = _EDGE + (columns - 1) * UNIT, _EDGE + (rows - 1) * UNIT
    lines = [f"M{_EDGE:g} {_EDGE + y * UNIT:g}H{right:g}" for y in range(rows)]
    lines += [f"M{_EDGE + x * UNIT:g} {_EDGE:g}V{bottom:g}" for x in range(columns)]
    return f'<path class="line" d="{"".join(lines)}"/>'


def _squares(columns: int, rows: int) -> str:
    """Draw the lines of a board whose men stand within the squares."""
    right, bottom = _EDGE + columns * UNIT, _EDGE + rows * UNIT
    lines = [f"M{_EDGE:g} {_EDGE + y * UNIT:g}H{right:g}" for y in range(rows + 1)]
    lines += [f"M{_EDGE + x * UNIT:g} {_EDGE:g}V{bottom:g}" for x in range(columns + 1)]
    return f'<path class="line" d="{"".join(lines)}"/>'


def draw_go(scene: Scene) -> Drawing:
    """Draw stones on crossings."""
    rows = [_cells(row) for row in scene.setup.split()[0].split("/")] if scene.setup else []
    given, _, height_text = scene.size.partition("x")
    width = len(rows[0]) if rows else int(given or 19)
    height = len(rows) or int(height_text or given or 19)

    def place(x: int, y: int) -> Place:
        return _EDGE + x * UNIT, _EDGE + y * UNIT

    def trace(move: str) -> Iterator[Step]:
        if match := re.fullmatch(r"([A-HJ-Z])(\d+)", move.upper()):
            yield None, place(_COLUMNS.index(match[1]), height - int(match[2]))

    labels = [_text(place(x, 0)[0], 10, _COLUMNS[x]) for x in range(width)]
    labels += [_text(9, place(0, y)[1] + 3, str(height - y)) for y in range(height)]
    stars = [
        f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="2.2"/>'
        for column, row in _stars(width, height)
        for x, y in [place(column, row)]
    ]
    total = 2 * _EDGE + (width - 1) * UNIT, 2 * _EDGE + (height - 1) * UNIT
    men = [
        _stone(place(x, y), "black" if cell == "X" else "white")
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if cell in "XO"
    ]
    background = _wood(*total) + _grid(width, height) + "".join([*stars, *labels])
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


def draw_shogi(scene: Scene) -> Drawing:
    """Draw men on squares, White's upside down, hands above and below."""
    board, _, hands = (scene.setup or _shogi_start()).split()[:3]
    size = 2 * _EDGE + 9 * UNIT
    height = size + 2 * UNIT

    def place(file: int, rank: int) -> Place:
        return _EDGE + (9 - file + 0.5) * UNIT, _EDGE + (rank + 0.5) * UNIT + UNIT

    def square(text: str) -> Place:
        return place(int(text[0]), "abcdefghi".index(text[1]))

    def trace(move: str) -> Iterator[Step]:
        if match := re.fullmatch(r"([1-9][a-i])([1-9][a-i])\+?", move):
            yield square(match[1]), square(match[2])
        elif match := re.fullmatch(r"[A-Z]\*([1-9][a-i])", move):
            yield None, square(match[1])

    men = []
    for rank, row in enumerate(board.split("/")):
        file = 9
        for word in re.findall(r"\d|\+?[A-Za-z]", row):
            if word.isdigit():
                file -= int(word)
                continue
            men.append(_man(place(file, rank), word))
            file -= 1
    labels = [_text(place(file, 0)[0], _EDGE + UNIT - 5, str(file)) for file in range(1, 10)]
    labels += [_text(size - 12, place(1, rank)[1] + 3, "abcdefghi"[rank]) for rank in range(9)]
    held = [
        _text(size / 2, 20, f"後手  {_held(hands, white=True)}", "text hand"),
        _text(size / 2, height - 12, f"先手  {_held(hands, white=False)}", "text hand"),
    ]
    lines = f'<g transform="translate(0 {UNIT:g})">{_squares(9, 9)}</g>'
    background = _wood(size, height) + lines + "".join([*labels, *held])
    return Drawing(size, height, background, men, trace)


def _shogi_start() -> str:
    return "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"


def _man(place: Place, word: str) -> str:
    x, y = place
    turned = f' transform="rotate(180 {x:g} {y:g})"' if word.islower() else ""
    kind = "man promoted" if word.startswith("+") else "man"
    return f'<text class="{kind}" x="{x:g}" y="{y + 7.5:g}"{turned}>{_KANJI[word.upper()]}</text>'


def _held(hands: str, *, white: bool) -> str:
    told = [
        f"{_KANJI[letter.upper()]}{count}"
        for count, letter in re.findall(r"(\d*)([A-Za-z])", hands)
        if letter.islower() == white
    ]
    return " ".join(told) or "なし"


def draw_morris(scene: Scene) -> Drawing:
    """Draw three squares in one another, men on their corners and middles."""
    words = (scene.setup or ".../.../.../....../.../.../... w 9 9 0").split()
    cells = words[0].replace("/", "")
    size = 2 * _EDGE + 6 * UNIT

    def place(name: str) -> Place:
        return _EDGE + "abcdefg".index(name[0]) * UNIT, _EDGE + (int(name[1]) - 1) * UNIT

    def trace(move: str) -> Iterator[Step]:
        points = re.findall(r"[a-g][1-7]", move.lower())
        if not points:
            return
        if "-" in move:
            yield place(points.pop(0)), place(points.pop(0))
        else:
            yield None, place(points.pop(0))
        yield from ((None, place(point)) for point in points)

    lines = []
    for inset in range(3):
        low, length = _EDGE + inset * UNIT, (6 - 2 * inset) * UNIT
        lines.append(f"M{low:g} {low:g}h{length:g}v{length:g}h{-length:g}z")
    middle, end = _EDGE + 3 * UNIT, _EDGE + 6 * UNIT
    lines += [
        f"M{middle:g} {_EDGE:g}v{2 * UNIT:g}M{middle:g} {end:g}v{-2 * UNIT:g}",
        f"M{_EDGE:g} {middle:g}h{2 * UNIT:g}M{end:g} {middle:g}h{-2 * UNIT:g}",
    ]
    labels = [_text(_EDGE + x * UNIT, 11, "abcdefg"[x]) for x in range(7)]
    labels += [_text(9, _EDGE + y * UNIT + 3, str(y + 1)) for y in range(7)]
    hands = f"in hand: white {words[2]}, black {words[3]}" if len(words) > 3 else ""
    labels.append(_text(size / 2, size + 4, hands))
    men = [
        _stone(place(name), "white" if cell == "W" else "black", 0.34)
        for name, cell in zip(_MORRIS, cells, strict=False)
        if cell in "WB"
    ]
    background = _wood(size, size + 12) + f'<path class="line" d="{"".join(lines)}"/>'
    return Drawing(size, size + 12, background + "".join(labels), men, trace)


def draw_neutron(scene: Scene) -> Drawing:
    """Draw men and the neutron on squares."""
    rows = (scene.setup or "BBBBB/...../..N../...../WWWWW w").split()[0].split("/")
    size = 2 * _EDGE + 5 * UNIT

    def place(x: int, y: int) -> Place:
        return _EDGE + (x + 0.5) * UNIT, _EDGE + (y + 0.5) * UNIT

    def square(text: str) -> Place:
        return place("abcde".index(text[0]), 5 - int(text[1]))

    def trace(move: str) -> Iterator[Step]:
        for start, end in re.findall(r"([a-e][1-5])-([a-e][1-5])", move):
            yield square(start), square(end)

    kinds = {"W": "white", "B": "black", "N": "neutron"}
    men = [
        _stone(place(x, y), kinds[cell], 0.36)
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if cell in kinds
    ]
    labels = [_text(place(x, 0)[0], size - 10, "abcde"[x]) for x in range(5)]
    labels += [_text(12, place(0, y)[1] + 3, str(5 - y)) for y in range(5)]
    background = _wood(size, size) + _squares(5, 5) + "".join(labels)
    return Drawing(size, size, background, men, trace)


def draw_senet(scene: Scene) -> Drawing:
    """Draw three rows of ten squares, walked there, back and there again."""
    words = (scene.setup or "2121212121.................... 1 -").split()
    width, height = 2 * _EDGE + 10 * UNIT, 2 * _EDGE + 3 * UNIT

    def place(number: int) -> Place:
        row, column = divmod(number - 1, 10)
        x = 9 - column if row == 1 else column
        return _EDGE + (x + 0.5) * UNIT, _EDGE + (row + 0.5) * UNIT

    def trace(move: str) -> Iterator[Step]:
        if match := re.fullmatch(r"(\d+)-(\d+|off)", move):
            x, y = place(30)
            yield (
                place(int(match[1])),
                (x + UNIT, y) if match[2] == "off" else place(int(match[2])),
            )

    labels = []
    for number in range(1, 31):
        x, y = place(number)
        labels.append(_text(x - 9, y - 7, str(number)))
    men = [
        _stone(place(number), "black" if cell == "1" else "white", 0.34)
        for number, cell in enumerate(words[0], 1)
        if cell in "12"
    ]
    if len(words) > 2 and words[2] != "-":
        told = f"{'black' if words[1] == '1' else 'white'} has thrown {words[2]}"
        labels.append(_text(width / 2, height - 8, told))
    background = _wood(width, height) + _squares(10, 3) + "".join(labels)
    return Drawing(width, height, background, men, trace)
