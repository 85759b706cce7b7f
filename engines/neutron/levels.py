"""Computer players by name: two that do not think, nine that think less, and the full search."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from engines.core.game import Game, InvalidText, Move
from engines.core.search import Limits, Report, Score, Searcher, Stop
from engines.neutron.board import DIRECTIONS, NOWHERE, slide
from engines.neutron.position import Position
from engines.neutron.search import Search


@dataclass(frozen=True, slots=True)
class Level:
    """How deep a level looks, how blurred it judges (1/256 logit), how often it plays at random."""

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


class RandomPlayer:
    """Plays any legal turn."""

    def __init__(self, seed: int | None) -> None:
        self._seed = seed
        self._random = random.Random(seed)

    def forget(self) -> None:
        """Begin the seed's turns again."""
        self._random = random.Random(self._seed)

    def search(
        self,
        game: Game[Position],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> Move:
        """Return any legal turn."""
        began = time.monotonic()
        move = self._random.choice(game.position.legal_moves())
        report(Report(0, 1, time.monotonic() - began, Score(0.5), (move,)))
        return move


class StubbornPlayer:
    """Takes its men in turn, and of n possible directions the one just before the middle."""

    def forget(self) -> None:
        """Nothing is remembered: whose turn it is among the men is in the game."""

    def search(
        self,
        game: Game[Position],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> Move:
        """Return the one turn that it ever considers."""
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
    """Searches as its level allows, and now and then does not think at all."""

    def __init__(self, level: Level, seed: int | None) -> None:
        self._level = level
        self._seed = random.SystemRandom().getrandbits(62) if seed is None else seed
        self._random = random.Random(self._seed)
        self._search = Search(level.noise, self._random.getrandbits(62), table_bits=16, knows=False)

    def forget(self) -> None:
        """Drop what earlier searches learned, and begin the seed's lapses again."""
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
        """Return the level's choice; limits can only lower it."""
        depth = self._level.depth if limits.depth is None else min(self._level.depth, limits.depth)
        lapse = self._random.random() < self._level.lapses
        # Drawn in any case, so that a seed's later choices do not hang on earlier ones.
        move = self._random.choice(game.position.legal_moves())
        if lapse:
            report(Report(0, 1, 0.0, Score(0.5), (move,)))
            return move
        lowered = Limits(limits.seconds, depth, limits.nodes)
        return self._search.search(game, lowered, stop=stop, report=report)


def make_searcher(level: str, seed: int | None) -> Searcher[Position]:
    """Return the player of a level; raises InvalidText. Level 10 needs no seed: it never wavers."""
    if level == "random":
        return RandomPlayer(seed)
    if level == "stubborn":
        return StubbornPlayer()
    if level == DEFAULT:
        return Search()
    if level not in LEVELS:
        raise InvalidText(f"no such level: {level!r} (known: {', '.join(NAMES)})")
    return LevelPlayer(LEVELS[level], seed)


def _keep_direction(square: int, occupied: int) -> int:
    """Return where `stubborn` moves a piece; its own square if it cannot move."""
    stops = [slide(square, direction, occupied) for direction in DIRECTIONS]
    possible = [stop for stop in stops if stop != square]
    return possible[max(0, len(possible) // 2 - 1)] if possible else square


def _line_up(game: Game[Position]) -> tuple[list[int], int]:
    """Return the mover's men in the order of the set-up's squares, and whose turn it is."""
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
