"""The moves of a game that is being played, and the lines of play that branch off from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from engines.core.game import Side
from tools.play.clocks import State
from tools.records.game import PlayedMove, Variation


@dataclass(frozen=True, slots=True)
class Ply:
    """A move or throw, and the clocks before it; None if they are not known."""

    move: PlayedMove
    clocks: State | None = None


MovePath = tuple[tuple[Side, str], ...]
"""The moves of a line, or of its beginning: their sides and texts."""


class History:
    """The current line, and its variations, each of which replaces the rest of the line."""

    def __init__(self, moves: Sequence[PlayedMove] = (), tails: Sequence[Variation] = ()) -> None:
        self.plies = [Ply(move) for move in moves]
        self.tails = list(tails)

    def __len__(self) -> int:
        return len(self.plies)

    @property
    def moves(self) -> tuple[PlayedMove, ...]:
        """The moves and throws of the current line."""
        return tuple(ply.move for ply in self.plies)

    def texts(self, ply: int | None = None) -> MovePath:
        """Return the sides and texts of the first `ply` moves, or of all."""
        return tuple((each.move.side, each.move.text) for each in self.plies[:ply])

    def add(self, move: PlayedMove, clocks: State | None) -> None:
        """Add a move, with the clocks before it."""
        self.plies.append(Ply(move, clocks))

    def cut(self, ply: int, *, keep: bool) -> State | None:
        """Remove all moves behind a ply; return the clocks before the first one removed.

        They become a variation if `keep` is true.
        """
        removed = self.plies[ply:]
        behind = [tail for tail in self.tails if tail.at >= ply]
        if keep and removed:
            inner = tuple(tail for tail in behind if tail.at > ply)
            beside = [tail for tail in behind if tail.at == ply]
            moves = tuple(each.move for each in removed)
            self.tails = [tail for tail in self.tails if tail.at < ply]
            self.tails += [*beside, Variation(ply, moves, inner)]
        else:
            self.tails = [tail for tail in self.tails if tail.at <= ply]
        del self.plies[ply:]
        return removed[0].clocks if removed else None

    def branches(self, ply: int) -> list[Variation]:
        """Return the variations that begin behind a ply of the current line."""
        return [tail for tail in self.tails if tail.at == ply]

    def along(self, path: MovePath) -> Self | None:
        """Return the same lines with another current one, which begins with a path.

        The line that was current before becomes a variation. Returns None if no line begins so.
        """
        turned = type(self)((), self.tails)
        turned.plies = list(self.plies)
        while (at := _shared(turned.texts(), path)) < len(path):
            for number, tail in enumerate(turned.tails):
                first = tail.moves[0]
                if tail.at == at and (first.side, first.text) == path[at]:
                    turned._swap(number)
                    break
            else:
                return None
        return turned

    def _swap(self, number: int) -> None:
        """Make a variation of the current line the current line; it leaves its place to the old."""
        chosen = self.tails[number]
        rest = tuple(ply.move for ply in self.plies[chosen.at :])
        inner = tuple(tail for tail in self.tails if tail.at > chosen.at)
        left = [Variation(chosen.at, rest, inner)] if rest else []
        beside = [*self.tails[:number], *left, *self.tails[number + 1 :]]
        self.tails = [tail for tail in beside if tail.at <= chosen.at] + list(chosen.variations)
        self.plies[chosen.at :] = [Ply(move) for move in chosen.moves]


def _shared(one: MovePath, other: MovePath) -> int:
    """Return how many moves two lines share."""
    for number, (mine, yours) in enumerate(zip(one, other, strict=False)):
        if mine != yours:
            return number
    return min(len(one), len(other))
