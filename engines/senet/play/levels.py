"""Players by name: two that do not think, and ten levels of the search.

A level says how far the search looks ahead, and how large the random errors of its values are.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from engines.core.game import Game, InvalidText, Move
from engines.core.search import Limits, RandomSearcher, Report, Score, Searcher, Stop
from engines.senet.play.search import DEEPEST, Search
from engines.senet.rules.position import SenetPosition
from engines.senet.rules.track import END, TRAP_SQUARE, steps_of


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
NAMES: Final = ("random", "greedy", *LEVELS)
DEFAULT: Final = "10"


class GreedyPlayer:
    """Takes a man off, else captures, else moves the foremost man that avoids the trap."""

    def forget(self) -> None:
        """Do nothing, because nothing is remembered."""

    def search(
        self,
        game: Game[SenetPosition],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> Move:
        """Return the greedy move."""
        began = time.monotonic()
        position = game.position
        enemies = position.men(1 - position.thrower)

        def worth(move: Move) -> tuple[bool, bool, bool, Move]:
            target = move + steps_of(position.throw)
            return target >= END, target in enemies, target != TRAP_SQUARE, move

        move = max(position.legal_moves(), key=worth)
        report(Report(0, 1, time.monotonic() - began, Score(0.5, dice=True), (move,)))
        return move


def make_searcher(level: str, seed: int | None) -> Searcher[SenetPosition]:
    """Return the player of a level; raises InvalidText. Without a seed every game is different."""
    if level == "random":
        return RandomSearcher(seed, dice=True)
    if level == "greedy":
        return GreedyPlayer()
    if level not in LEVELS:
        raise InvalidText(f"no such level: {level!r} (known: {', '.join(NAMES)})")
    return Search(LEVELS[level].depth, LEVELS[level].noise, seed)
