"""The range that a score or a mate must lie in, and what is wrong with one outside it."""

import math
import re
from dataclasses import dataclass
from typing import Final

from engines.core.game import InvalidText
from protocols.ask.score import Bound, End, Score

_NUMBER: Final = r"[-+]?\d+(?:\.\d+)?"
_RANGE: Final = re.compile(rf"({_NUMBER})?\s*\.\.\s*({_NUMBER})?")
_WORDS: Final = ("win", "loss", "none")
_FORCED: Final = (End.WIN, End.LOSS)


@dataclass(frozen=True, slots=True)
class Span:
    """A range of numbers; `exact` requires a proven score, and `word` replaces the numbers."""

    low: float = -math.inf
    high: float = math.inf
    exact: bool = False
    word: str = ""

    @classmethod
    def parse(cls, key: str, text: str, *, whole: bool = False) -> "Span":
        """Read `0.5..0.6`, `..-300`, `5`, `exact 0.5..`; for a mate also `win`, `loss`, `none`."""
        if whole and text in _WORDS:
            return cls(word=text)
        rest = text.removeprefix("exact ").strip() if not whole else text
        exact = rest != text
        if re.fullmatch(_NUMBER, rest):
            low = high = float(rest)
        elif (match := _RANGE.fullmatch(rest)) and (match[1] or match[2]):
            low = float(match[1]) if match[1] else -math.inf
            high = float(match[2]) if match[2] else math.inf
        else:
            words = ", win, loss or none" if whole else ""
            raise InvalidText(f"{key}: expected LOW..HIGH or a number{words}, not {text!r}")
        if low > high:
            raise InvalidText(f"{key}: {text!r} is an empty range")
        return cls(low, high, exact)

    def __str__(self) -> str:
        if self.word:
            return self.word
        head = "exact " if self.exact else ""
        if self.low == self.high:
            return f"{head}{self.low:.10g}"
        low = "" if self.low == -math.inf else f"{self.low:.10g}"
        high = "" if self.high == math.inf else f"{self.high:.10g}"
        return f"{head}{low}..{high}"


def score_fault(score: Score | None, span: Span) -> str:
    """Say why a score is not as expected; empty if it is.

    A score is in centipawns if the engine uses them, else from 0 to 1; a forced mate is
    beyond all centipawns. A bound must leave no value outside the range.
    """
    if score is None:
        return "the engine gave no score"
    value = _value(score)
    if span.exact and not (score.exact or score.end is not None):
        return f"score {value:g} is an estimate, an exact one was expected"
    low = -math.inf if score.bound is Bound.UPPER else value
    high = math.inf if score.bound is Bound.LOWER else value
    if span.low <= low and high <= span.high:
        return ""
    word = {Bound.LOWER: "at least ", Bound.UPPER: "at most ", None: ""}[score.bound]
    return f"score {word}{value:g}, expected {span}"


def lacks_length(score: Score | None, span: Span) -> bool:
    """Whether a length is required of a forced end that was announced without one."""
    if span.word or score is None or score.end not in _FORCED or score.length is not None:
        return False
    return span.high > 0 if score.end is End.WIN else span.low < 0


def mate_fault(score: Score | None, span: Span) -> str:
    """Say why a forced end is not as expected; empty if it is."""
    end = None if score is None or score.end not in _FORCED else score.end
    if score is None or end is None:
        return "" if span.word == "none" else f"no mate was announced, expected {span}"
    shown = str(end) if score.mate is None else str(score.mate)
    if span.word == "none":
        return f"mate {shown} where none was expected"
    if span.word:
        right = end == span.word
    else:
        right = score.mate is not None and span.low <= score.mate <= span.high
    return "" if right else f"mate {shown}, expected {span}"


def _value(score: Score) -> float:
    if score.centipawns is not None:
        return score.centipawns
    if score.chance is not None:
        return score.chance
    if score.exact:
        return {End.WIN: 1.0, End.LOSS: 0.0}.get(score.end or End.DRAW, 0.5)
    return math.inf if score.end is End.WIN else -math.inf
