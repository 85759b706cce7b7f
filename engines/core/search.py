"""The contract between a search and whoever asks it: limits, reports, scores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from engines.core.game import Game, Move, Position

Stop = Callable[[], bool]
"""Asked every few milliseconds from the searching thread; True ends the search at once."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search must end; None is no limit. At least one move is always considered."""

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None

    @property
    def bounded(self) -> bool:
        """Whether the search ends by itself."""
        return not (self.seconds is None and self.depth is None and self.nodes is None)


@dataclass(frozen=True, slots=True)
class Score:
    """A chance from the view of the side to move: 1 a win, 0 a loss; `turns` to a forced end.

    An exact chance of one half is a draw, but not with dice.
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
    """What a search knows so far: its best line and what that is worth."""

    depth: int
    nodes: int
    seconds: float
    score: Score
    pv: Sequence[Move] = field(default=())


P_contra = TypeVar("P_contra", bound=Position)


class Searcher(Protocol[P_contra]):
    """Finds moves. It is given the game, not the position alone: repetitions need the history."""

    def search(
        self,
        game: Game[P_contra],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> Move:
        """Return a legal move; the game is over or has none only by the caller's mistake."""

    def forget(self) -> None:
        """Drop what earlier searches learned, so that the same seed plays the same game."""
