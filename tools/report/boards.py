"""The parts that a page draws the positions of a game with: the empty board and each kind of piece.

A page that replays thousands of games holds each kind of piece once, drawn on one place of the
board, and moves copies of it. The pieces and the board are those of `tools/boards`.
"""

from collections.abc import Iterator
from typing import Any, Final

from engines import registry
from tools.boards.gradients import DEFINITIONS
from tools.boards.picture import picture
from tools.boards.scene import Scene
from tools.boards.shapes import to_json

_SHOGI: Final = [f"{plus}{letter}" for plus in ("", "+") for letter in "RBSNLP"] + ["K", "G"]


def board_kit(game: str, size: int = 0) -> dict[str, Any]:
    """Return the parts as values of JSON: `kinds` holds each piece with the place it is drawn on.

    A game without a board of its own in `tools/boards` has no kinds.
    """
    first = next(_samples(game, size), ("", "", ""))
    empty = picture(Scene(game, setup=first[1])).json()
    kinds = {kind: _piece(game, setup, place) for kind, setup, place in _samples(game, size)}
    return {
        "game": game,
        "width": empty["width"],
        "height": empty["height"],
        "cell": empty["cell"],
        "board": empty["board"],
        "places": empty["places"],
        "kinds": kinds,
        "definitions": to_json(DEFINITIONS),
    }


def _piece(game: str, setup: str, place: str) -> list[Any]:
    drawn = picture(Scene(game, setup=setup))
    shape = next(each for each in drawn.pieces if ("data-place", place) in each.attributes)
    x, y = drawn.places[place]
    return [to_json(shape), round(x, 1), round(y, 1)]


def _samples(game: str, size: int) -> Iterator[tuple[str, str, str]]:
    """Yield each kind of piece with a set-up in which it stands alone, and its place there."""
    if game == registry.GO:
        width = size or 19
        rows = "/".join([str(width)] * (width - 1))
        for kind in "XO":
            yield kind, f"{rows}/{kind}{width - 1} b", "A1"
    elif game == registry.SHOGI:
        rest = "/".join(["9"] * 8)
        for word in _SHOGI:
            for kind in (word, word.lower()):
                yield kind, f"{kind}8/{rest} - -", "9a"
    elif game == "morris":
        for kind in "WB":
            yield kind, f"{kind}../.../.../....../.../.../... w", "a1"
    elif game == "neutron":
        for kind in "WBN":
            yield kind, f"{kind}..../...../...../...../..... w", "a5"
    elif game == "senet":
        for kind in "12":
            yield kind, f"{kind}{'.' * 29} -", "1"
