"""Repeated questions: how often an engine must be right, and what its trials prove."""

import math
import re
from dataclasses import dataclass
from typing import Final

from engines.core.game import InvalidText

MOST: Final = 10_000
CONFIDENCE: Final = 0.95
_BISECTIONS: Final = 60
_COUNT: Final = re.compile(r"(\d+) of (\d+)")
_RATE: Final = re.compile(r"(\d+) at (\d*\.?\d+)(?: confidence (\d*\.?\d+))?")


@dataclass(frozen=True, slots=True)
class Trials:
    """`count` questions, of which `needed` must be answered correctly."""

    needed: int = 1
    count: int = 1
    confidence: float = CONFIDENCE

    @classmethod
    def parse(cls, text: str) -> "Trials":
        """Read `8 of 10`, or `20 at 0.8 [confidence 0.95]`; raises InvalidText.

        The second form fails only if the trials contradict the claim, that is if an engine that is
        right at this rate would do so badly in less than 1 - confidence of all runs.
        """
        if match := _COUNT.fullmatch(text):
            needed, count = int(match[1]), int(match[2])
            if 1 <= needed <= count <= MOST:
                return cls(needed, count)
        if match := _RATE.fullmatch(text):
            count, rate = int(match[1]), float(match[2])
            confidence = float(match[3] or CONFIDENCE)
            if 1 <= count <= MOST and 0 < rate <= 1 and 0 < confidence < 1:
                return cls(least(count, rate, confidence), count, confidence)
        raise InvalidText(f"tries: expected `8 of 10` or `20 at 0.8 confidence 0.95`, not {text!r}")

    def verdict(self, right: int, wrong: int) -> bool | None:
        """Return whether the claim holds; None while the remaining trials may still decide."""
        if right >= self.needed:
            return True
        return False if wrong > self.count - self.needed else None

    def describe(self, right: int, asked: int) -> str:
        """Describe how many answers were right, and which rates that makes plausible."""
        low, high = bounds(right, asked, self.confidence)
        tally = f"{right} of {asked} right, {self.needed} of {self.count} needed"
        return f"{tally} (at {self.confidence:.0%} a rate of {low:.2f} to {high:.2f})"


def below(count: int, right: int, rate: float) -> float:
    """Return the chance of at most `right` successes in `count` trials."""
    if rate >= 1:
        return 1.0 if right >= count else 0.0
    if rate <= 0:
        return 1.0
    total = 0.0
    log_rate, log_rest = math.log(rate), math.log1p(-rate)
    for hits in range(right + 1):
        ways = math.lgamma(count + 1) - math.lgamma(hits + 1) - math.lgamma(count - hits + 1)
        total += math.exp(ways + hits * log_rate + (count - hits) * log_rest)
    return min(total, 1.0)


def least(count: int, rate: float, confidence: float) -> int:
    """Return the least number of successes that does not contradict a rate; at least 1."""
    return next(
        (hits for hits in range(1, count + 1) if below(count, hits, rate) >= 1 - confidence), count
    )


def bounds(right: int, asked: int, confidence: float) -> tuple[float, float]:
    """Return the two-sided confidence bounds of Clopper and Pearson."""
    tail = (1 - confidence) / 2
    low = 0.0 if right == 0 else _solve(asked, right - 1, 1 - tail)
    high = 1.0 if right == asked else _solve(asked, right, tail)
    return low, high


def _solve(count: int, right: int, chance: float) -> float:
    """Return the rate at which at most `right` successes have a given chance."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if below(count, right, middle) > chance:
            low = middle
        else:
            high = middle
    return (low + high) / 2
