"""A position to draw: which game, which board, what is marked."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scene:
    """A position to be drawn, and the moves that matter in it, as texts of its game."""

    game: str
    variant: str = ""
    size: str = ""  # 9, or 9x13; empty is the game's own.
    setup: str = ""
    turn: str = ""
    accept: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    answer: str = ""
