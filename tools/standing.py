"""How the engines of a match stand."""

from dataclasses import dataclass

from engines.core.game import FIRST, Side
from tools.record import MISDEEDS, GameRecord, Verdict


@dataclass(slots=True)
class Standing:
    """One engine's games so far."""

    label: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points_first: float = 0.0
    games_first: int = 0
    points: float = 0.0
    forfeits: int = 0
    moves: int = 0
    seconds: float = 0.0

    @property
    def games(self) -> int:
        """How many games are counted."""
        return self.wins + self.draws + self.losses

    def add(self, record: GameRecord, side: Side) -> None:
        """Count a game in which this engine had a side."""
        points = record.outcome.points(side)
        self.points += points
        self.wins += points == 1.0
        self.draws += points == 0.5
        self.losses += points == 0.0
        if side == FIRST:
            self.points_first += points
            self.games_first += 1
        lost_by_itself = record.verdict in MISDEEDS | {Verdict.TIME}
        self.forfeits += lost_by_itself and points == 0.0
        own = [move for move in record.moves if move.side == side]
        self.moves += len(own)
        self.seconds += sum(move.seconds for move in own)
