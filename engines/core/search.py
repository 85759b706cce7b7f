"""The contract between a search and its caller: limits, reports and scores."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from engines.core.game import Game, Move, Position

Stop = Callable[[], bool]
"""Called every few milliseconds by the searching thread; True ends the search immediately."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search; None means no limit. At least one move is always considered."""

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None

    @property
    def bounded(self) -> bool:
        """Whether the search ends without being stopped."""
        return not (self.seconds is None and self.depth is None and self.nodes is None)


@dataclass(frozen=True, slots=True)
class Score:
    """A chance of winning for the side to move: 1 is a win, 0 is a loss.

    `turns` is the number of turns to a forced end. An exact chance of one half means a draw, except
    in a game with dice.
    """

    chance: float
    exact: bool = False
    turns: int | None = None
    dice: bool = False

    def __str__(self) -> str:
        if not self.exact:
            return f"est {self.chance:.3f}"
        if self.turns is not None and self.chance in (0.0, 1.0):
            return f"exact {'win' if self.chance else 'loss'} {self.turns}"
        if self.chance == 0.5 and not self.dice:
            return "exact draw"
        return f"exact {self.chance:.6f}"


@dataclass(frozen=True, slots=True)
class Report:
    """The state of a search: how far it has come, its best line, and the score of that line."""

    depth: int
    nodes: int
    seconds: float
    score: Score
    pv: Sequence[Move] = field(default=())


P_contra = TypeVar("P_contra", bound=Position)


class Searcher(Protocol[P_contra]):
    """Finds moves. It gets the game, not only the position: repetitions need the history."""

    def search(
        self,
        game: Game[P_contra],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> Move:
        """Return a legal move; the caller guarantees that there is one and the game is not over."""

    def forget(self) -> None:
        """Drop what earlier searches learned, so that the same seed plays the same game."""


class RandomSearcher:
    """Plays any legal move, with equal probability; the same seed plays the same game."""

    def __init__(self, seed: int | None = None, *, dice: bool = False) -> None:
        self._seed = seed
        self._score = Score(0.5, dice=dice)
        self._random = random.Random(seed)

    def forget(self) -> None:
        """Begin the seed's choices again."""
        self._random = random.Random(self._seed)

    def search(
        self, game: Game[Any], limits: Limits, *, stop: Stop, report: Callable[[Report], None]
    ) -> Move:
        """Return any legal move."""
        began = time.monotonic()
        move: Move = self._random.choice(game.position.legal_moves())
        report(Report(0, 1, time.monotonic() - began, self._score, (move,)))
        return move
