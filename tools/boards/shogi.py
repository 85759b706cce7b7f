"""The board of shogi: pieces on squares, White's upside down, hands above and below."""

import re
from collections.abc import Iterator
from typing import Final

from tools.boards.drawing import EDGE, UNIT, Drawing, Place, Step, label, squares, wood
from tools.boards.scene import Scene

_KANJI: Final = dict(zip("KRBGSNLP", "玉飛角金銀桂香歩", strict=True)) | {
    f"+{letter}": kanji for letter, kanji in zip("RBSNLP", "龍馬全圭杏と", strict=True)
}


def draw(scene: Scene) -> Drawing:
    """Draw pieces on squares, White's upside down, and the hands above and below."""
    board, _, hands = (scene.setup or _shogi_start()).split()[:3]
    size = 2 * EDGE + 9 * UNIT
    height = size + 2 * UNIT

    def place(file: int, rank: int) -> Place:
        return EDGE + (9 - file + 0.5) * UNIT, EDGE + (rank + 0.5) * UNIT + UNIT

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
    labels = [label(place(file, 0)[0], EDGE + UNIT - 5, str(file)) for file in range(1, 10)]
    labels += [label(size - 12, place(1, rank)[1] + 3, "abcdefghi"[rank]) for rank in range(9)]
    held = [
        label(size / 2, 20, f"後手  {_held(hands, white=True)}", "text hand"),
        label(size / 2, height - 12, f"先手  {_held(hands, white=False)}", "text hand"),
    ]
    lines = f'<g transform="translate(0 {UNIT:g})">{squares(9, 9)}</g>'
    background = wood(size, height) + lines + "".join([*labels, *held])
    return Drawing(size, height, background, men, trace)


def _shogi_start() -> str:
    return "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"


def _man(place: Place, word: str) -> str:
    x, y = place
    turned = f' transform="rotate(180 {x:g} {y:g})"' if word.islower() else ""
    kind = "man promoted" if word.startswith("+") else "man"
    return f'<text class="{kind}" x="{x:g}" y="{y + 7.5:g}"{turned}>{_KANJI[word.upper()]}</text>'


def _held(hands: str, *, white: bool) -> str:
    pieces = [
        f"{_KANJI[letter.upper()]}{count}"
        for count, letter in re.findall(r"(\d*)([A-Za-z])", hands)
        if letter.islower() == white
    ]
    return " ".join(pieces) or "なし"
