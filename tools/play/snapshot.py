"""A snapshot of a session for its faces: values that can be written as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final

PASSING: Final = ("hint", "undo")
"""The kinds of messages that are withdrawn when the position changes."""


class Phase(StrEnum):
    """The event that a session is waiting for."""

    PLAYING = "playing"  # For a move, or for a throw.
    STEPPING = "stepping"  # For the user, who looks at a position of the game.
    SCORING = "scoring"  # Go: for the dead stones to be accepted.
    OVER = "over"


class PlayerState(StrEnum):
    """The activity of a player."""

    WAITING = "waiting"
    THINKING = "thinking"
    DEAD = "dead"  # The engine has failed and can be started again.


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player; `reason` says why a dead engine failed."""

    name: str
    side: str
    person: bool
    state: PlayerState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClockView:
    """A clock at the moment of the snapshot: the seconds left, and the periods they are for."""

    control: str
    left: float
    periods: int
    running: bool


@dataclass(frozen=True, slots=True)
class EvaluationView:
    """An engine's evaluation.

    `share` is the expected share of the points of the side that moves first, from 0 to 1; None if
    the engine gave none. `score` is the score in words, from the view of the side it names.
    """

    share: float | None
    score: str
    line: str
    depth: int | None
    nodes: int | None
    engine: str = ""


@dataclass(frozen=True, slots=True)
class MoveView:
    """A move or throw; `side` is 2 for a throw, which `mover` has thrown.

    `branches` is the number of variations that begin instead of it, and `commented` says whether
    the record has words on it.
    """

    ply: int
    side: int
    mover: int
    text: str
    seconds: float
    left: float | None
    evaluation: EvaluationView | None
    branches: int = 0
    commented: bool = False


@dataclass(frozen=True, slots=True)
class BranchView:
    """A line that continues the shown position: the first move, and how many moves it has.

    `number` is how faces choose it; 0 is the current line.
    """

    number: int
    text: str
    side: int
    moves: int


@dataclass(frozen=True, slots=True)
class RecordView:
    """The words of a loaded record about the game: its file, its players, and other headers."""

    file: str
    players: tuple[str, str]
    result: str
    headers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LastMove:
    """The last move before the shown position, and what it took, as names of places."""

    text: str
    side: int
    taken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoringView:
    """Go: the dead stones under discussion, and the count with them.

    `ready` is False while the engine still looks for the dead stones. `owners` has a character for
    each point in reading order: `X`, `O` or `.`.
    """

    ready: bool
    dead: tuple[str, ...]
    black: float
    white: float
    result: str
    owners: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """How the game ended: `1-0`, `0-1`, `1/2-1/2` or `*`, the reason, and a full sentence."""

    score: str
    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Message:
    """Something that happened; `number` increases.

    `kind` is `info`, `throw`, `error`, or one of PASSING.
    """

    number: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that a face needs, at one moment.

    The position is that after `ply` of the `plies` moves and throws. `turn` is the side to move, or
    to throw; None if the game is over there. `legal` lists the moves that a person may play now in
    the shown position, and is empty if there are none. `choices` lists all legal moves there.
    `comment` is what a record says of the position; `branches` are the lines that continue it, if
    there are several. Texts of a record have no control characters but line breaks.
    `throw` is the throw to be played, `throw_due` says that the side to move must throw, and
    `to_throw` that a person must. `hints` are the lines of a hint if its engine gave several, the
    best first.
    """

    version: int
    phase: Phase
    game: str
    title: str
    variant: str
    size: str
    setup: str
    ply: int
    plies: int
    turn: int | None
    sides: tuple[str, str]
    players: tuple[PlayerView, PlayerView]
    clocks: tuple[ClockView | None, ClockView | None]
    moves: tuple[MoveView, ...]
    legal: tuple[str, ...]
    choices: tuple[str, ...]
    last: LastMove | None
    throw: int | None = None
    throw_due: bool = False
    to_throw: bool = False
    check: bool = False
    result: ResultView | None = None
    evaluation: EvaluationView | None = None
    hint: str = ""
    hints: tuple[EvaluationView, ...] = ()
    hinting: bool = False
    scoring: ScoringView | None = None
    comment: str = ""
    branches: tuple[BranchView, ...] = ()
    record: RecordView | None = None
    messages: tuple[Message, ...] = field(default_factory=tuple)

    def to_json(self) -> Mapping[str, Any]:
        """Return the snapshot as values that `json.dumps` takes."""
        return asdict(self)
