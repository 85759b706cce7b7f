"""Players by name: two that do not think, nine weakened levels, and the full search."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from engines.core.game import Game, InvalidText, Move
from engines.core.search import Limits, RandomSearcher, Report, Score, Searcher, Stop
from engines.neutron.play.search import Search
from engines.neutron.rules.board import DIRECTIONS, NOWHERE, slide
from engines.neutron.rules.position import Position


@dataclass(frozen=True, slots=True)
class Level:
    """The depth of a level, its random error (in 1/256 logit), and its share of random turns."""

    depth: int
    noise: int
    lapses: float


LEVELS: Final[Mapping[str, Level]] = {
    "1": Level(1, 1000, 0.50),
    "2": Level(1, 800, 0.30),
    "3": Level(1, 600, 0.12),
    "4": Level(1, 400, 0.03),
    "5": Level(1, 310, 0.0),
    "6": Level(1, 120, 0.0),
    "7": Level(2, 350, 0.0),
    "8": Level(2, 130, 0.0),
    "9": Level(4, 250, 0.0),
}
NAMES: Final = ("random", "stubborn", *LEVELS, "10")
DEFAULT: Final = "10"


class StubbornPlayer:
    """Moves its men in turn, each in the direction just before the middle of the possible ones."""

    def forget(self) -> None:
        """Do nothing: the game itself shows which man is next."""

    def search(
        self,
        game: Game[Position],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> Move:
        """Return the only turn that this player considers."""
        began = time.monotonic()
        move = self._choose(game)
        report(Report(0, 1, time.monotonic() - began, Score(0.5), (move,)))
        return move

    def _choose(self, game: Game[Position]) -> Move:
        position = game.position
        men, following = _line_up(game)
        occupied = position.white | position.black
        half, neutron = NOWHERE | NOWHERE << 5, position.neutron
        if not position.only_man:
            neutron = _keep_direction(position.neutron, occupied)
            half = position.neutron | neutron << 5
            if half | NOWHERE << 10 | NOWHERE << 15 in position.legal_moves():
                return half | NOWHERE << 10 | NOWHERE << 15
        occupied |= 1 << neutron
        for index in range(5):
            man = men[(following + index) % 5]
            to = _keep_direction(man, occupied)
            if to != man:
                break
        return half | man << 10 | to << 15


class LevelPlayer:
    """Searches as its level allows, and sometimes plays a random turn instead."""

    def __init__(self, level: Level, seed: int | None) -> None:
        self._level = level
        self._seed = random.SystemRandom().getrandbits(62) if seed is None else seed
        self._random = random.Random(self._seed)
        self._search = Search(level.noise, self._random.getrandbits(62), table_bits=16, knows=False)

    def forget(self) -> None:
        """Drop what earlier searches learned, and begin the seed's random choices again."""
        self._random = random.Random(self._seed)
        self._random.getrandbits(62)
        self._search.forget()

    def search(
        self,
        game: Game[Position],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> Move:
        """Return the turn that the level chooses; limits can only make it weaker."""
        depth = self._level.depth if limits.depth is None else min(self._level.depth, limits.depth)
        lapse = self._random.random() < self._level.lapses
        # Drawn in any case, so that later random choices do not depend on earlier ones.
        move = self._random.choice(game.position.legal_moves())
        if lapse:
            report(Report(0, 1, 0.0, Score(0.5), (move,)))
            return move
        lowered = Limits(limits.seconds, depth, limits.nodes)
        return self._search.search(game, lowered, stop=stop, report=report)


def make_searcher(level: str, seed: int | None) -> Searcher[Position]:
    """Return the player of a level; raises InvalidText. Level 10 plays without chance or seed."""
    if level == "random":
        return RandomSearcher(seed)
    if level == "stubborn":
        return StubbornPlayer()
    if level == DEFAULT:
        return Search()
    if level not in LEVELS:
        raise InvalidText(f"no such level: {level!r} (known: {', '.join(NAMES)})")
    return LevelPlayer(LEVELS[level], seed)


def _keep_direction(square: int, occupied: int) -> int:
    """Return where `stubborn` moves a piece: to its own square if it cannot move."""
    stops = [slide(square, direction, occupied) for direction in DIRECTIONS]
    possible = [stop for stop in stops if stop != square]
    return possible[max(0, len(possible) // 2 - 1)] if possible else square


def _line_up(game: Game[Position]) -> tuple[list[int], int]:
    """Return the mover's men in the order of their first squares, and which man is next."""
    start = game.copy()
    while start.moves:
        start.undo()
    side = game.position.turn
    own = start.position.black if side else start.position.white
    men = [square for square in range(25) if own >> square & 1]
    following = 0
    for move in game.moves:
        if start.position.turn == side and (move >> 10 & 31) != NOWHERE:
            moved = men.index(move >> 10 & 31)
            men[moved] = move >> 15 & 31
            following = (moved + 1) % 5
        start.push(move)
    return men, following
