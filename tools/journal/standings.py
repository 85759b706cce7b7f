"""The results of each engine of a match, as the table at its end shows them."""

from dataclasses import dataclass

from engines.core.game import FIRST, Side
from tools.records.game import MISDEEDS, GameRecord, Verdict


@dataclass(slots=True)
class EngineStanding:
    """The results of one engine so far."""

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
    longest: float = 0.0  # The seconds of the longest move, also of one that lost on time.
    cpu: float = 0.0  # Seconds of CPU time, in the games in which it is known.
    cpu_moves: int = 0  # The number of moves in these games.

    @property
    def games(self) -> int:
        """The number of counted games."""
        return self.wins + self.draws + self.losses

    def add(self, record: GameRecord, side: Side) -> None:
        """Count a game in which this engine played `side`."""
        points = record.outcome.points(side)
        self.points += points
        self.wins += points == 1.0
        self.draws += points == 0.5
        self.losses += points == 0.0
        if side == FIRST:
            self.points_first += points
            self.games_first += 1
        forfeited = record.verdict in MISDEEDS | {Verdict.TIME}
        self.forfeits += forfeited and points == 0.0
        own = [move for move in record.moves if move.side == side]
        self.moves += len(own)
        self.seconds += sum(move.seconds for move in own)
        late = record.late if points == 0.0 else 0.0  # Journals of older versions do not have it.
        self.longest = max([self.longest, late, *(move.seconds for move in own)])
        if (cpu := record.cpu[side]) is not None:
            self.cpu += cpu
            self.cpu_moves += len(own)
