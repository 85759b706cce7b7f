"""The moves of a game that is being played, and the lines of play that were left for others."""

from collections.abc import Sequence
from dataclasses import dataclass

from tools.play.clocks import State
from tools.records.game import PlayedMove, Variation


@dataclass(frozen=True, slots=True)
class Ply:
    """A move or throw, and the clocks before it; None if they are not known."""

    move: PlayedMove
    clocks: State | None = None


class History:
    """The current line, and the ends of lines that were replaced."""

    def __init__(self, moves: Sequence[PlayedMove] = (), tails: Sequence[Variation] = ()) -> None:
        self.plies = [Ply(move) for move in moves]
        self.tails = list(tails)

    def __len__(self) -> int:
        return len(self.plies)

    @property
    def moves(self) -> tuple[PlayedMove, ...]:
        """The moves and throws of the current line."""
        return tuple(ply.move for ply in self.plies)

    def texts(self, ply: int | None = None) -> tuple[tuple[int, str], ...]:
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
