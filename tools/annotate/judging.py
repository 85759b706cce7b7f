"""Mistakes: moves after which a side's expected share of the points is smaller than before."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from engines.core.game import CHANCE, InvalidText, Side
from tools.annotate.valuing import Value
from tools.records.game import PlayedMove

MISSING: Final = "no score"


class Mark(StrEnum):
    """The names of good and bad moves; SGF writes them TE, IT, DO, BM and BM[2]."""

    GOOD = "good"  # Better than the engine expected of its own choice.
    INTERESTING = "interesting"
    DOUBTFUL = "doubtful"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


ERRORS: Final = (Mark.DOUBTFUL, Mark.MISTAKE, Mark.BLUNDER)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least losses, in shares of the points, of doubtful moves, mistakes and blunders.

    A move that gains as much as a doubtful one loses is interesting, and one that gains as much as
    a mistake loses is good: the engine had not seen how strong it is.
    """

    doubtful: float = 0.05
    mistake: float = 0.1
    blunder: float = 0.2

    @classmethod
    def parse(cls, text: str) -> "Thresholds":
        """Read three rising numbers of percent, such as `5,10,20`; raises InvalidText."""
        words = [word.strip() for word in text.split(",")]
        plain = all(word.replace(".", "", 1).isdecimal() and word.isascii() for word in words)
        if len(words) != 3 or not plain:
            raise InvalidText(f"expected three numbers of percent such as 5,10,20, not {text!r}")
        doubtful, mistake, blunder = (float(word) / 100 for word in words)
        if not 0 < doubtful <= mistake <= blunder <= 1:
            raise InvalidText(f"the numbers must rise, from above 0 to 100, and not be {text!r}")
        return cls(doubtful, mistake, blunder)

    def mark(self, loss: float) -> Mark | None:
        """Return what is to be said of a move that is not the engine's own choice."""
        for least, mark in (
            (self.blunder, Mark.BLUNDER),
            (self.mistake, Mark.MISTAKE),
            (self.doubtful, Mark.DOUBTFUL),
        ):
            if loss >= least:
                return mark
        if -loss >= self.mistake:
            return Mark.GOOD
        return Mark.INTERESTING if -loss >= self.doubtful else None


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of a record with its worth; `number` counts from 1, without throws of dice.

    `before` and `after` are the values of the positions around it. `loss` is None if one of them is
    not known.
    """

    number: int
    side: Side
    text: str
    before: Value
    after: Value
    loss: float | None
    mark: Mark | None

    @property
    def agrees(self) -> bool:
        """Whether the engine chose the same move."""
        return self.before.best == self.text

    @property
    def fault(self) -> str:
        """Why the move has no worth; empty if it has."""
        if self.loss is not None:
            return ""
        return self.before.fault or self.after.fault or MISSING

    def to_json(self) -> dict[str, Any]:
        """Return the move as an object of the file of `--jsonl`."""
        evaluation = self.before.evaluation
        return {
            "number": self.number,
            "side": self.side,
            "move": self.text,
            "best": self.before.best,
            "before": self.before.share(self.side),
            "after": self.after.share(self.side),
            "loss": self.loss,
            "mark": None if self.mark is None else str(self.mark),
            "score": None if evaluation.score is None else str(evaluation.score),
            "depth": evaluation.depth,
            "nodes": evaluation.nodes,
            "line": evaluation.line,
            "fault": self.fault,
        }


def judge_moves(
    moves: Sequence[PlayedMove],
    values: Mapping[str, Value],
    thresholds: Thresholds,
    first: int,
    last: int,
    side: Side | None,
) -> Iterator[JudgedMove]:
    """Yield the moves from `first` to `last`, of one side or both, with what they lost.

    `values` holds the value before move N + 1 under the name N, and the one after move N, where it
    is not the same, under `N+`. The engine's own choice loses nothing.
    """
    played = [move for move in moves if move.side != CHANCE]
    for number, move in enumerate(played, 1):
        if not first <= number <= last or side not in (None, move.side):
            continue
        before = values.get(str(number - 1), Value(move.side, fault=MISSING))
        after = values.get(f"{number}+", values.get(str(number), Value(move.side, fault=MISSING)))
        loss = _loss(move, before, after)
        agrees = before.best == move.text
        mark = None if loss is None or agrees else thresholds.mark(loss)
        yield JudgedMove(number, move.side, move.text, before, after, loss, mark)


def _loss(move: PlayedMove, before: Value, after: Value) -> float | None:
    was, now = before.share(move.side), after.share(move.side)
    if was is None:
        return None
    if before.best == move.text:
        return 0.0
    return None if now is None else round(was - now, 9)  # 0.5 - 0.45 is less than 0.05.


@dataclass(slots=True)
class Tally:
    """The moves of one player, in all records."""

    player: str
    moves: int = 0
    valued: int = 0
    agreed: int = 0
    lost: float = 0.0  # Gains do not make up for losses.
    marks: Counter[Mark] = field(default_factory=Counter)

    def add(self, move: JudgedMove) -> None:
        """Count a move."""
        self.moves += 1
        if move.loss is None:
            return
        self.valued += 1
        self.agreed += move.agrees
        self.lost += max(move.loss, 0.0)
        if move.mark is not None:
            self.marks[move.mark] += 1


def format_tallies(tallies: Sequence[Tally]) -> list[str]:
    """Return a table of players: moves, average loss, mistakes and agreement with the engine."""
    heads = ("player", "moves", "loss/move", "doubtful", "mistakes", "blunders", "agreement")
    rows: list[tuple[str, ...]] = [heads]
    for tally in tallies:
        counts = [str(tally.marks[mark]) for mark in ERRORS]
        share = [_percent(number, tally.valued) for number in (tally.lost, tally.agreed)]
        rows.append((tally.player, str(tally.moves), share[0], *counts, share[1]))
    widths = [max(_width(row[at]) for row in rows) for at in range(len(heads))]
    lines = []
    for name, *cells in rows:
        columns = [f"{name}{' ' * (widths[0] - _width(name))}"]
        columns += [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join(columns))
    return lines


def _width(text: str) -> int:
    """Return the columns of a terminal that a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "FW" else 1 for letter in text)


def _percent(part: float, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
