"""A finished game: its moves, its result, and how it was decided."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from engines import registry
from engines.core.game import CHANCE, FIRST, Outcome, Side
from engines.core.timing import Clock, TimeControl
from protocols.ask.score import Evaluation


class Verdict(StrEnum):
    """How a game was decided, regardless of the winner."""

    NATURAL = "natural"  # By the rules of the game; the reason says which.
    RESIGN = "resign"
    TIME = "time"  # A move that came too late.
    STALL = "stall"  # No move at all.
    CRASH = "crash"
    ILLEGAL = "illegal"
    SUPERKO = "superko"  # Go: a move that repeats the board.
    PROTOCOL = "protocol"
    ADJUDICATION = "adjudication"
    VOID = "void"  # No result: the referee itself was at fault.
    UNFINISHED = "unfinished"  # A person saved the game before its end.


MISDEEDS: Final = frozenset(
    {Verdict.STALL, Verdict.CRASH, Verdict.ILLEGAL, Verdict.SUPERKO, Verdict.PROTOCOL}
)
"""The ways to lose that show a fault of the program, not of its play."""


class PlayedMove(NamedTuple):
    """One move of a game: its side, its time, the time left on the clock, and its evaluation.

    `comment` is what a record says of it in words, which may be any text.
    """

    side: Side
    text: str
    seconds: float
    left: float | None
    evaluation: Evaluation = Evaluation()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Variation:
    """A line of play that replaces the moves of another line behind its first `at` moves.

    `at` counts from the beginning of the game, also for the variations of a variation.
    """

    at: int
    moves: tuple[PlayedMove, ...]
    variations: tuple["Variation", ...] = ()


class Method(StrEnum):
    """How a finished game of Go was counted."""

    AGREEMENT = "agreement"  # Both engines claimed the same score.
    WINNER = "winner"  # Both named the same winner, and the arbiter decided the margin.
    ARBITER = "arbiter"  # An arbiter named the dead stones, the referee counted.
    ALL_ALIVE = "all-alive"  # Every stone on the board counted as alive.


@dataclass(frozen=True, slots=True)
class Count:
    """The count of a finished game of Go, and how it was decided.

    `claims` holds the answers of both engines to `final_score`, in the order of moving: empty if an
    engine was not asked, `? ...` for a refusal, `! ...` for a failure. `dead` names the points of
    dead stones.
    """

    method: Method
    claims: tuple[str, str]
    dead: tuple[str, ...]
    arbiter: str
    result: str  # As SGF writes it: B+3.5, W+0.5, 0; B+ without a margin.

    @property
    def disputed(self) -> bool:
        """Whether the answer of an engine differs from the result."""
        if self.method == Method.AGREEMENT:
            return False
        return any(claim and not _same(claim, self.result) for claim in self.claims)

    @property
    def failures(self) -> int:
        """How many engines hung, crashed or broke the protocol when they were asked."""
        return sum(claim.startswith("!") for claim in self.claims)

    def to_json(self) -> dict[str, Any]:
        """Return the count as the journal holds it: there, the claims are called `said`."""
        return {"said" if key == "claims" else key: value for key, value in asdict(self).items()}

    def __str__(self) -> str:
        match self.method:
            case Method.AGREEMENT:
                return "both engines agree"
            case Method.ALL_ALIVE:
                return "all stones count as alive"
        winner = "both engines name the winner; " if self.method == Method.WINNER else ""
        if not self.arbiter:
            return f"{winner}the margin is not known, because the arbiter failed"
        dead = " ".join(self.dead) or "none"
        return f"{winner}counted with the dead stones that {self.arbiter} named: {dead}"


def _same(claim: str, result: str) -> bool:
    if claim[:1] != result[:1]:
        return False
    try:
        return float(claim[1:] or "0") == float(result[1:] or "0")
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Player:
    """An engine as a record names it."""

    label: str
    name: str
    version: str

    def __str__(self) -> str:
        name = f"{self.name} {self.version}".strip()
        return name if self.label in ("", self.name) else f"{self.label} [{name}]"


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game; `players` and `controls` are in the order of moving.

    `engines` are the numbers, from 0, that the two engines of the game's pair have among all those
    of the match or tournament, and `side` is the side of the first of them. `opening` is the number
    of moves of the opening. `faults` counts for each side the faults in its lines of play and its
    claims.
    """

    game: str
    variant: str
    number: int
    players: tuple[Player, Player]
    controls: tuple[TimeControl, TimeControl]
    started: str  # ISO 8601.
    moves: Sequence[PlayedMove]
    outcome: Outcome
    verdict: Verdict
    setup: str = ""
    size: int = 0
    pair: int = 0
    engines: tuple[int, int] = (0, 1)
    round: int = 0  # Of a tournament, from 1.
    side: Side = FIRST
    attempt: int = 0
    seed: int = 0
    opening: int = 0
    opening_name: str = ""
    offence: str = ""  # The move that was refused.
    late: float = 0.0  # The seconds of the move that lost on time, which is not among the moves.
    code: int | None = None  # The exit code of an engine that ended, or minus its signal.
    stderr: str = ""  # The last lines that the loser wrote there.
    faults: tuple[int, int] = (0, 0)
    count: Count | None = None  # Go: how it was counted.
    cpu: tuple[float | None, float | None] = (None, None)  # Seconds of CPU time, if known.
    variations: tuple[Variation, ...] = ()  # Lines that a person left to play on elsewhere.

    def engine(self, side: Side) -> int:
        """Return the number of the engine that played a side."""
        return self.engines[0 if side == self.side else 1]

    def side_of(self, engine: int) -> Side | None:
        """Return the side of an engine by its number; None if it did not play this game."""
        if engine not in self.engines:
            return None
        return self.side if engine == self.engines[0] else 1 - self.side

    def replay_clocks(self, clocks: Sequence[Clock]) -> Iterator[tuple[int, PlayedMove]]:
        """Charge each move of an engine to its side's clock, and yield its number and the move."""
        for ply, move in enumerate(self.moves, 1):
            if ply > self.opening and move.side != CHANCE and clocks[move.side].running:
                seconds = min(move.seconds, clocks[move.side].available())
                clocks[move.side].charge(seconds)
                clocks[1 - move.side].credit(seconds)
                yield ply, move

    @property
    def overrun(self) -> float:
        """The seconds between the flag and the move that lost on time; 0 if there is none."""
        if not self.late or self.outcome.winner is None:
            return 0.0
        clocks = [Clock(control) for control in self.controls]
        for _ in self.replay_clocks(clocks):
            pass
        return max(0.0, self.late - clocks[1 - self.outcome.winner].available())

    @property
    def verdict_with_reason(self) -> str:
        """The verdict and the reason, which often begins with it or says the same."""
        verdict, reason = str(self.verdict), self.outcome.reason
        if (self.verdict, reason) == (Verdict.RESIGN, "resignation"):
            return reason
        return reason if reason.startswith(f"{verdict}: ") else f"{verdict}: {reason}"

    @property
    def ending(self) -> str:
        """The kind of ending: the verdict, or how a game ended by its rules."""
        if self.verdict != Verdict.NATURAL:
            return str(self.verdict)
        return "score" if self.game == registry.GO else self.outcome.reason

    @property
    def result(self) -> str:
        """The score of both players, as `1-0` or `1/2-1/2`; `void`, or `*` for an open game."""
        if self.verdict == Verdict.VOID:
            return "void"
        if self.verdict == Verdict.UNFINISHED:
            return "*"
        if self.outcome.winner is None:
            return "1/2-1/2"
        return "1-0" if self.outcome.winner == FIRST else "0-1"
