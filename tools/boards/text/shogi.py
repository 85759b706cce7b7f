"""The board of shogi as text, with kanji or with letters as in SFEN."""

import re
from collections.abc import Iterator
from typing import Final

from tools.boards.scene import Scene
from tools.boards.text.spans import (
    ALERT,
    BOARD,
    COORDINATE,
    FIRST,
    SECOND,
    WORDS,
    Line,
    Look,
    Marks,
    Span,
    edge,
)
from tools.boards.words import say

_KANJI: Final = dict(zip("KRBGSNLP", "玉飛角金銀桂香歩", strict=True)) | {
    f"+{letter}": kanji for letter, kanji in zip("RBSNLP", "龍馬全圭杏と", strict=True)
}
_HELD: Final = "RBGSNLP"
_RANKS: Final = "abcdefghi"
_WIDTH: Final = 48  # A narrower terminal gets a board without lines.


def draw(scene: Scene, look: Look) -> Iterator[Line]:
    """Yield the lines of the board between the hands; White's pieces have a `v` before them."""
    board, turn, hands, *_ = scene.setup.split()
    kanji = look.unicode and look.kanji
    marks = Marks.of(scene, re.findall(r"[1-9][a-i]", scene.last))
    bars = look.fits(_WIDTH)
    bar = ("│" if look.unicode else "|") if bars else ""
    yield _hand("white", hands, look, black=False)
    yield [(" " * (2 + bars) + (" " * (3 + bars)).join("987654321"), COORDINATE)]
    if bars:
        yield _rule("┌┬┐", look)
    for rank, row in zip(_RANKS, board.split("/"), strict=True):
        line: list[Span] = [(bar, BOARD)]
        file = 9
        for word in re.findall(r"\d|\+?[A-Za-z]", row):
            for cell in [""] * int(word) if word.isdigit() else [word]:
                place = f"{file}{rank}"
                alert = scene.check and cell == ("K" if turn == "b" else "k")
                empty = "" if bars else "·" if look.unicode else "."
                square = _square(cell, place, marks, empty, alert=alert, kanji=kanji)
                line += [*square, (bar, BOARD)]
                file -= 1
        yield [*line, (f" {rank}", COORDINATE)]
        if bars:
            yield _rule("└┴┘" if rank == "i" else "├┼┤", look)
    yield _hand("black", hands, look, black=True)


def _square(
    cell: str, place: str, marks: Marks, empty: str, *, alert: bool, kanji: bool
) -> Iterator[Span]:
    """Yield four columns: a bracket or the `v` of White, the piece, and a bracket."""
    before, after = marks.brackets(place)
    white = cell.islower()
    if kanji:
        sign = _KANJI[cell.upper()] if cell else f"{empty:>2}"
        # Both marks must be seen: the `v` of a white piece stands in place of the first bracket.
        before = "v" if white else before
    else:
        sign = f"{cell:>2}" if cell else " ."
    role = marks.role(place, BOARD if not cell else SECOND if white else FIRST)
    yield (before, SECOND) if before == "v" else edge(before)
    yield sign, ALERT if alert else role
    yield edge(after)


def _hand(name: str, hands: str, look: Look, *, black: bool) -> Line:
    pairs = re.findall(r"(\d*)([A-Za-z])", hands)
    held = {letter.upper(): count for count, letter in pairs if letter.isupper() == black}
    words = []
    for letter in _HELD:
        if letter in held:
            sign = _KANJI[letter] if look.unicode and look.kanji else letter
            words.append(f"{sign}{held[letter] or ''}")
    pieces = " ".join(words) or say("board.held.none")
    return [(say("board.held", side=say(f"side.{name}"), pieces=pieces), WORDS)]


def _rule(signs: str, look: Look) -> Line:
    if not look.unicode:
        return [("+" + "+".join(["----"] * 9) + "+", BOARD)]
    left, middle, right = list(signs)
    return [(left + middle.join(["────"] * 9) + right, BOARD)]
