"""What a game leaves behind: its moves, how it ended, and its record in SGF."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engines import __version__, registry
from engines.core.game import FIRST, Outcome, Side
from engines.core.sgf import write_sgf
from engines.core.timing import TimeControl


class Verdict(StrEnum):
    """How a game was decided, apart from who won it."""

    NATURAL = "natural"  # By the rules of the game.
    RESIGN = "resign"
    TIME = "time"
    CRASH = "crash"
    ILLEGAL = "illegal"
    PROTOCOL = "protocol"


_SGF_FORM: Final = {Verdict.NATURAL: "", Verdict.RESIGN: "R", Verdict.TIME: "T"}


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move of a game: who made it, how long it took, what is left, what its author thought."""

    side: Side
    text: str
    seconds: float
    left: float | None
    evaluation: str


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
    """A finished game; `players` are in the order of moving."""

    game: str
    variant: str
    number: int
    players: tuple[Player, Player]
    control: TimeControl
    started: str  # ISO 8601.
    moves: Sequence[PlayedMove]
    outcome: Outcome
    verdict: Verdict
    setup: str = ""

    @property
    def result(self) -> str:
        """The score of the first mover and of the second: `1-0`, `0-1` or `1/2-1/2`."""
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
        "QE": [f"{record.verdict}: {record.outcome.reason}"],
    }
    for letter, player in zip(letters, record.players, strict=True):
        root[f"P{letter}"] = [str(player)]
    if record.setup:
        root["QP"] = [record.setup]
    root |= _time_properties(record.control)
    nodes: list[dict[str, list[str]]] = [root]
    for move in record.moves:
        letter = letters[move.side]
        told = f"{move.seconds:.3f} s" + (f"\n{move.evaluation}" if move.evaluation else "")
        node = {letter: [move.text], "C": [told]}
        if move.left is not None:
            node[f"{letter}L"] = [f"{move.left:.3f}"]
        nodes.append(node)
    nodes[-1]["C"] = [*nodes[-1].get("C", []), _conclusion(record, sides)]
    nodes[-1]["C"] = ["\n".join(nodes[-1]["C"])]
    return write_sgf(nodes)


def _conclusion(record: GameRecord, sides: tuple[str, str]) -> str:
    outcome = record.outcome
    if outcome.winner is not None:
        who = f"{sides[outcome.winner].capitalize()} wins"
    else:
        who = "Both win" if outcome.both else "Draw"
    return f"{who}: {outcome.reason}"


def _result_property(record: GameRecord, letters: Sequence[str]) -> str:
    if record.outcome.winner is None:
        return "Draw"
    return f"{letters[record.outcome.winner]}+{_SGF_FORM.get(record.verdict, 'F')}"


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
