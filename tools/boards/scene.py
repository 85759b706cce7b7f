"""A position to draw: which game, which board, what is marked."""

from dataclasses import dataclass
from typing import Final

TURNED: Final = ("shogi", "neutron")
"""The games whose boards can be turned around."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A position to be drawn, and the moves that matter in it, as texts of its game.

    `last` is the move that led to the position. `line` holds moves that follow it. `dead` are the
    stones of Go that are taken as dead, and `territory` says whose each point is, in reading
    order: `X`, `O` or `.`. `check` marks the king of the side to move. `marks` are
    pairs of a place and a sign (triangle, square, circle or cross) or a label of a few letters.
    """

    game: str
    variant: str = ""
    size: str = ""  # 9, or 9x13; empty is the game's own.
    setup: str = ""
    turn: str = ""
    accept: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    answer: str = ""
    last: str = ""
    line: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    territory: str = ""
    marks: tuple[tuple[str, str], ...] = ()
    check: bool = False
    flipped: bool = False  # Draw the second side at the bottom, in games that can be turned.
    letters: bool = False  # Shogi: letters instead of kanji.
