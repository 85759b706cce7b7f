"""Levels of play: how far each looks ahead, and how blurred it sees what a move is worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engines.core.game import InvalidText
from engines.senet.search import DEEPEST, Search


@dataclass(frozen=True, slots=True)
class Level:
    """A depth in throws, and the standard deviation of the error in a move's chance."""

    depth: int
    noise: float


LEVELS: Final[Mapping[str, Level]] = {
    "1": Level(1, 1.0),
    "2": Level(1, 0.30),
    "3": Level(1, 0.15),
    "4": Level(1, 0.09),
    "5": Level(1, 0.06),
    "6": Level(1, 0.04),
    "7": Level(1, 0.025),
    "8": Level(1, 0.010),
    "9": Level(2, 0.006),
    "10": Level(DEEPEST, 0.0),
}
DEFAULT: Final = "10"


def make_searcher(level: str, seed: int | None) -> Search:
    """Return the player of a level; raises InvalidText. Without a seed each game is another."""
    if level not in LEVELS:
        raise InvalidText(f"no such level: {level!r} (known: {', '.join(LEVELS)})")
    return Search(LEVELS[level].depth, LEVELS[level].noise, seed)
