"""Scores and evaluations in the words of any of the three protocols, parsed once."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Self

from protocols.ask.text import moves

_PAWNS: Final = 600.0  # Centipawns in the exponent, as shogi engines turn scores into chances.
_MOST_CENTIPAWNS: Final = 30_000  # Beyond this, more centipawns no longer change the chance.
_MOST_DIGITS: Final = 15  # Longer numbers are no scores, depths or counts of nodes.
INTEGER: Final = re.compile(rf"[-+]?[0-9]{{1,{_MOST_DIGITS}}}")
_DECIMAL: Final = re.compile(rf"[-+]?[0-9]{{1,{_MOST_DIGITS}}}(?:\.[0-9]{{1,{_MOST_DIGITS}}})?")
_INFO_WORDS: Final = ("info", "depth", "nodes", "time", "score", "pv")


class End(StrEnum):
    """A result that an engine claims to be forced, from the view of the side to move."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


class Bound(StrEnum):
    """Whether a score is a bound only: the true score is at least, or at most, as large."""

    LOWER = "lowerbound"
    UPPER = "upperbound"


@dataclass(frozen=True, slots=True)
class Score:
    """The worth of a position to the side that is to move, as its engine put it.

    Exactly one of `centipawns`, `chance` and `end` is given. `exact` scores come from tables or
    from a finished search of the line protocol; an `end` that is not exact is a mate of USI.
    """

    centipawns: int | None = None
    chance: float | None = None  # The expected share of the points, from 0 to 1.
    lead: float | None = None  # In points of Go, beside a chance.
    end: End | None = None
    length: int | None = None  # Moves to a forced end; None where the engine does not say.
    exact: bool = False
    bound: Bound | None = None
    digits: str = field(default="", compare=False)  # The share as the engine wrote it.

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read the words behind `score`; None for words that are no score.

        They are USI's `cp 35 [lowerbound]` and `mate -4`, and the line protocol's `est 0.573`,
        `est 0.573 lead +1.5`, `exact win 11`, `exact draw` and `exact 0.569549`.
        """
        words = text.split()
        match words:
            case ["cp", number, *rest] if INTEGER.fullmatch(number):
                return cls(centipawns=int(number), bound=_bound(rest))
            case ["mate", number, *rest]:
                return cls._mate(number, _bound(rest))
            case ["exact", "win" | "loss" as word, *rest]:
                return cls(end=End(word), length=whole(rest[0]) if rest else None, exact=True)
            case ["exact", "draw", *_]:
                return cls(end=End.DRAW, exact=True)
            case ["exact" | "est" as kind, number, *rest] if _DECIMAL.fullmatch(number):
                return cls._share(number, exact=kind == "exact", rest=rest)
        return None

    @classmethod
    def _mate(cls, number: str, bound: Bound | None) -> Self | None:
        if number in ("+", "-"):
            return cls(end=End.WIN if number == "+" else End.LOSS, bound=bound)
        if not INTEGER.fullmatch(number):
            return None
        # A mate in 0 is one that stands on the board: the side to move has lost.
        lost = number.startswith("-") or int(number) == 0
        return cls(end=End.LOSS if lost else End.WIN, length=abs(int(number)), bound=bound)

    @classmethod
    def _share(cls, number: str, *, exact: bool, rest: Sequence[str]) -> Self | None:
        chance = float(number)
        if not 0 <= chance <= 1:
            return None
        if exact and chance in (0, 1):
            return cls(end=End.WIN if chance else End.LOSS, exact=True, digits=number)
        lead = None
        if rest[:1] == ["lead"] and len(rest) > 1 and _DECIMAL.fullmatch(rest[1]):
            lead = round(float(rest[1]), 1)  # As `str` writes it.
        return cls(chance=chance, lead=lead, exact=exact, digits=number)

    @property
    def share(self) -> float | None:
        """The expected share of the points, from 0 to 1; None for a bound, which gives none."""
        if self.bound is not None:
            return None
        if self.end is not None:
            return {End.WIN: 1.0, End.LOSS: 0.0, End.DRAW: 0.5}[self.end]
        if self.centipawns is not None:
            limited = max(-_MOST_CENTIPAWNS, min(_MOST_CENTIPAWNS, self.centipawns))
            return 1 / (1 + math.exp(-limited / _PAWNS))
        return self.chance

    @property
    def mate(self) -> int | None:
        """The moves to a forced end as USI counts them, negative for a loss; None if unknown."""
        if self.length is None or self.end in (None, End.DRAW):
            return None
        return self.length if self.end is End.WIN else -self.length

    def __str__(self) -> str:
        if self.centipawns is not None:
            return f"cp {self.centipawns}" + (f" {self.bound}" if self.bound else "")
        kind = "exact" if self.exact else "est"
        if self.end is not None and self.exact:
            if self.digits:
                return f"{kind} {self.digits}"
            return f"exact {self.end}" + ("" if self.length is None else f" {self.length}")
        if self.end is not None:
            sign = "-" if self.end is End.LOSS and self.length != 0 else ""
            unknown = "+" if self.end is End.WIN else ""
            length = unknown if self.length is None else str(self.length)
            return f"mate {sign}{length}" + (f" {self.bound}" if self.bound else "")
        lead = "" if self.lead is None else f" lead {self.lead:+.1f}"
        return f"{kind} {self.digits or format(self.chance, '.10g')}{lead}"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An engine's remarks about its move: score, line of play, depth and nodes."""

    score: Score | None = None
    line: str = ""  # The expected moves, as the engine wrote them.
    depth: int | None = None
    nodes: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an `info` line of the line protocol, or an evaluation as `str` writes it."""
        if not text:
            return cls()
        words: dict[str, list[str]] = {key: [] for key in _INFO_WORDS}
        current: list[str] = []
        for word in text.split():
            if word in words and not words[word]:
                current = words[word]
            else:
                current.append(word)
        depth, nodes = words["depth"], words["nodes"]
        return cls(
            Score.parse(" ".join(words["score"])),
            moves_of(" ".join(words["pv"])),
            whole(depth[0]) if depth else None,
            whole(nodes[0]) if nodes else None,
        )

    def __bool__(self) -> bool:
        return self != _NOTHING

    def __str__(self) -> str:
        words = [] if self.score is None else [f"score {self.score}"]
        words += [] if self.depth is None else [f"depth {self.depth}"]
        words += [] if self.nodes is None else [f"nodes {self.nodes}"]
        words += [f"pv {self.line}"] if self.line else []
        return " ".join(words)


_NOTHING: Final = Evaluation()


def moves_of(text: str) -> str:
    """Return a line of play without what could be read as another part of an evaluation."""
    return moves(text, _INFO_WORDS)


def whole(text: str) -> int | None:
    """Read a whole number that is not negative, such as a depth; None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS else None


def _bound(words: Sequence[str]) -> Bound | None:
    return next((bound for bound in Bound if bound in words), None)
