"""What a game leaves behind: its moves, how it ended, and its record in SGF."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from engines import __version__, registry
from engines.core.game import CHANCE, FIRST, Outcome, Side
from engines.core.sgf import write_sgf
from engines.core.timing import Clock, TimeControl
from tools import go


class Verdict(StrEnum):
    """How a game was decided, apart from who won it."""

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


MISDEEDS: Final = frozenset(
    {Verdict.STALL, Verdict.CRASH, Verdict.ILLEGAL, Verdict.SUPERKO, Verdict.PROTOCOL}
)
"""The ways to lose that say something about the program, not about its play."""

_SGF_FORM: Final = {
    Verdict.NATURAL: "",
    Verdict.ADJUDICATION: "",
    Verdict.RESIGN: "R",
    Verdict.TIME: "T",
    Verdict.STALL: "T",
}


class PlayedMove(NamedTuple):
    """One move of a game: who made it, how long it took, what is left, what its author thought."""

    side: Side
    text: str
    seconds: float
    left: float | None
    evaluation: str


class Method(StrEnum):
    """How a finished game of Go was counted."""

    AGREEMENT = "agreement"  # Both engines told the same score.
    ARBITER = "arbiter"  # An arbiter named the dead stones, the referee counted.
    ALL_ALIVE = "all-alive"  # Nobody was asked: whatever stands lives.


@dataclass(frozen=True, slots=True)
class Count:
    """Who decided what a finished game of Go was worth, and from what.

    `said` holds what each engine answered to `final_score`, in the order of moving: nothing where
    it was not asked, `? ...` for a refusal, `! ...` for a failure. `dead` are points.
    """

    method: Method
    said: tuple[str, str]
    dead: tuple[str, ...]
    arbiter: str
    result: str  # As SGF writes it: B+3.5, W+0.5, 0.

    @property
    def disputed(self) -> bool:
        """Whether an engine that was asked did not tell what the result became."""
        if self.method == Method.AGREEMENT:
            return False
        return any(told and not _same(told, self.result) for told in self.said)

    @property
    def failures(self) -> int:
        """How many engines hung, died or broke the protocol when they were asked."""
        return sum(told.startswith("!") for told in self.said)

    def __str__(self) -> str:
        match self.method:
            case Method.AGREEMENT:
                return "both engines agree"
            case Method.ALL_ALIVE:
                return "all stones count as alive"
        dead = " ".join(self.dead) or "none"
        return f"counted with the dead stones that {self.arbiter} named: {dead}"


def _same(told: str, result: str) -> bool:
    if told[:1] != result[:1]:
        return False
    try:
        return float(told[1:] or "0") == float(result[1:] or "0")
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Player:
    """An engine as a record names it."""

    label: str
    name: str
    version: str

    def __str__(self) -> str:
        told = f"{self.name} {self.version}".strip()
        return told if self.label in ("", self.name) else f"{self.label} [{told}]"


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game; `players` and `controls` are in the order of moving.

    `side` is the one that the match's first engine had; `opening` counts the moves that were
    given. `faults` counts for each side what its announced lines of play had wrong.
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
    side: Side = FIRST
    attempt: int = 0
    seed: int = 0
    opening: int = 0
    opening_name: str = ""
    offence: str = ""  # The move that was refused.
    code: int | None = None  # The exit code of an engine that ended, or minus its signal.
    stderr: str = ""  # The last that the loser wrote there.
    faults: tuple[int, int] = (0, 0)
    count: Count | None = None  # Go: how it was counted.

    @property
    def told(self) -> str:
        """The verdict and the reason, which often begins with it."""
        verdict, reason = str(self.verdict), self.outcome.reason
        return reason if reason.startswith(f"{verdict}: ") else f"{verdict}: {reason}"

    @property
    def ending(self) -> str:
        """The kind of ending: the verdict, or how a game ended by its rules."""
        if self.verdict != Verdict.NATURAL:
            return str(self.verdict)
        return "score" if self.game == go.NAME else self.outcome.reason

    @property
    def result(self) -> str:
        """The score of the first mover and of the second: `1-0`, `0-1`, `1/2-1/2` or `void`."""
        if self.verdict == Verdict.VOID:
            return "void"
        if self.outcome.winner is None:
            return "1/2-1/2"
        return "1-0" if self.outcome.winner == FIRST else "0-1"


def to_sgf(record: GameRecord, sides: tuple[str, str]) -> bytes:
    """Write a record as SGF; `sides` names the colours in the order of moving."""
    letters = tuple(side[0].upper() for side in sides)
    root = {
        "FF": ["4"],
        "GM": [str(registry.find(record.game).record_number)],
        "CA": ["UTF-8"],
        "AP": [f"quintet:{__version__}"],
        "GN": [f"{record.game} {record.number}"],
        "RO": [str(record.number)],
        "DT": [record.started[:10]],
        "RU": [record.variant or "default"],
        "RE": [_result_property(record, letters)],
        "QG": [record.game],
        "QE": [record.told],
    }
    for letter, player in zip(letters, record.players, strict=True):
        root[f"P{letter}"] = [str(player)]
    rules = registry.rules(record.game, record.variant, record.size)
    if record.game == go.NAME:
        root |= go.root_properties(record.variant, record.size, record.setup)
    if record.count is not None:
        root["QC"] = [str(record.count)]
    if record.setup:
        root["QP"] = [record.setup]
    if record.opening_name:
        root["ON"] = [record.opening_name]
    if record.opening:
        root["QO"] = [str(record.opening)]
    root["QS"] = [str(record.seed)]
    root |= _clock_properties(record.controls, letters)
    nodes: list[dict[str, list[str]]] = [root]
    clocks = [Clock(control) for control in record.controls]
    throw = ""
    for number, move in enumerate(record.moves):
        if move.side == CHANCE:
            throw += f"{move.text}:"  # One that allowed no move stays in front of the next.
            continue
        letter = letters[move.side]
        text = go.format_point(move.text, rules) if record.game == go.NAME else move.text
        node = {letter: [throw + text]}
        throw = ""
        if number >= record.opening:
            told = f"{move.seconds:.3f} s" + (f"\n{move.evaluation}" if move.evaluation else "")
            node["C"] = [told]
        if move.left is not None:
            node[f"{letter}L"] = [f"{move.left:.3f}"]
            if periods := _periods_left(clocks, move):
                node[f"O{letter}"] = [str(periods)]
        if record.game == go.NAME:
            node |= go.evaluation_properties(move.evaluation, move.side)
        nodes.append(node)
    nodes[-1]["C"] = [*nodes[-1].get("C", []), _conclusion(record, sides)]
    nodes[-1]["C"] = ["\n".join(nodes[-1]["C"])]
    return write_sgf(nodes)


def _conclusion(record: GameRecord, sides: tuple[str, str]) -> str:
    outcome = record.outcome
    if record.verdict == Verdict.VOID:
        who = "No result"
    elif outcome.winner is not None:
        who = f"{sides[outcome.winner].capitalize()} wins"
    else:
        who = "Both win" if outcome.both else "Draw"
    last = "".join(f"\nstderr: {line}" for line in record.stderr.splitlines())
    return f"{who}: {outcome.reason}{_counting(record, sides)}{last}"


def _periods_left(clocks: Sequence[Clock], move: PlayedMove) -> int:
    """Charge a move as the referee did; return the periods or stones left, 0 in main time."""
    clock = clocks[move.side]
    seconds = min(move.seconds, clock.available())
    clock.charge(seconds)
    clocks[1 - move.side].credit(seconds)
    return clock.left()[1]


def _counting(record: GameRecord, sides: tuple[str, str]) -> str:
    if record.count is None:
        return ""
    said = [
        f"{side} said {told}" for side, told in zip(sides, record.count.said, strict=True) if told
    ]
    return "\n".join(("", *said, str(record.count)))


def _result_property(record: GameRecord, letters: Sequence[str]) -> str:
    if record.verdict == Verdict.VOID:
        return "Void"
    if record.count is not None:
        return record.count.result
    if record.game == go.NAME and record.verdict == Verdict.NATURAL:
        return go.result(record.outcome.reason)
    if record.outcome.winner is None:
        return "Draw"
    return f"{letters[record.outcome.winner]}+{_SGF_FORM.get(record.verdict, 'F')}"


def _clock_properties(
    controls: tuple[TimeControl, TimeControl], letters: Sequence[str]
) -> dict[str, list[str]]:
    properties = _time_properties(controls[0])
    if controls[0] != controls[1]:
        told = " ".join(
            f"{letter} {control}" for letter, control in zip(letters, controls, strict=True)
        )
        properties["OT"] = [told]
    return properties


def _time_properties(control: TimeControl) -> dict[str, list[str]]:
    if not control.kind:
        return {"OT": [str(control)]} if str(control) else {}
    properties = {"TM": [f"{0 if control.kind == 'move' else control.main:.10g}"]}
    if control.kind == "byoyomi":
        properties["OT"] = [f"{control.count}x{control.period:.10g} byo-yomi"]
    elif control.kind == "canadian":
        properties["OT"] = [f"{control.count} moves / {control.period:.10g} sec"]
    elif control.kind != "sudden":
        properties["OT"] = [str(control)]
    return properties
