"""A range that a number must lie in, and what an engine's words about a move amount to."""

import math
import re
from dataclasses import dataclass
from typing import Final

from engines.core.game import InvalidText

_NUMBER: Final = r"[-+]?\d+(?:\.\d+)?"
_RANGE: Final = re.compile(rf"({_NUMBER})?\s*\.\.\s*({_NUMBER})?")
_WORDS: Final = ("win", "loss", "none")


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers from `low` to `high`; `exact` asks for a proven score, `word` for no number."""

    low: float = -math.inf
    high: float = math.inf
    exact: bool = False
    word: str = ""

    @classmethod
    def parse(cls, key: str, text: str, *, whole: bool = False) -> "Span":
        """Read `0.5..0.6`, `..-300`, `5`, `exact 0.5..`; of a mate also `win`, `loss`, `none`."""
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
            raise InvalidText(f"{key}: {text!r} holds nothing")
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


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an engine said of its move: a value, whether it is proven, the way to the end.

    The value is in centipawns where the engine speaks of those, else between 0 and 1; a forced
    end has `mate`, positive for a win, `nan` where only its sign is known.
    """

    value: float | None = None
    exact: bool = False
    mate: float | None = None
    sign: int = 0

    @classmethod
    def parse(cls, score: str) -> "Opinion":
        """Read `cp 35`, `mate -4`, `exact win 11`, `exact 0.57`, `est 0.573`; else know nothing."""
        words = score.split()
        match words:
            case ["cp", number, *_] if re.fullmatch(_NUMBER, number):
                return cls(float(number))
            case ["mate", number, *_]:
                sign = -1 if number.startswith("-") else 1
                digits = number.lstrip("+-")
                length = sign * float(digits) if digits.isdecimal() else math.nan
                return cls(sign * math.inf, True, length, sign)
            case ["exact", ("win" | "loss") as word, *rest]:
                sign = 1 if word == "win" else -1
                length = sign * float(rest[0]) if rest and rest[0].isdecimal() else math.nan
                return cls(float(word == "win"), True, length, sign)
            case ["exact", "draw", *_]:
                return cls(0.5, True)
            case ["exact", number, *_] if re.fullmatch(_NUMBER, number):
                value = float(number)
                if value not in (0.0, 1.0):
                    return cls(value, True)
                return cls(value, True, math.nan, 1 if value else -1)
            case ["est", number, *_] if re.fullmatch(_NUMBER, number):
                return cls(float(number))
        return cls()

    def score_fault(self, span: Span) -> str:
        """Say why a score is not as expected; nothing when it is."""
        if self.value is None:
            return "no score was told"
        if span.exact and not self.exact:
            return f"score {self.value:g} is an estimate, an exact one was expected"
        if span.low <= self.value <= span.high:
            return ""
        return f"score {self.value:g}, expected {span}"

    def lacks_length(self, span: Span) -> bool:
        """Tell whether a length is asked of a forced end that was told without one."""
        if span.word or self.mate is None or not math.isnan(self.mate):
            return False
        return span.high > 0 if self.sign > 0 else span.low < 0

    def mate_fault(self, span: Span) -> str:
        """Say why the way to a forced end is not as expected; nothing when it is."""
        if span.word == "none":
            return "" if self.mate is None else f"mate {self._told()} where none was expected"
        if self.mate is None:
            return f"no mate was told, expected {span}"
        if span.word:
            right = self.sign == (1 if span.word == "win" else -1)
        else:
            right = span.low <= self.mate <= span.high
        return "" if right else f"mate {self._told()}, expected {span}"

    def _told(self) -> str:
        if self.mate is None or math.isnan(self.mate):
            return "win" if self.sign > 0 else "loss"
        return f"{self.mate:g}"
