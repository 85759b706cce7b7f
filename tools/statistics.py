"""What a match result says about strength: score, Elo, normalized Elo, error bars, LOS.

Counts run from the worst to the best outcome of the engine under test. Three of them count games
(lost, drawn, won); five count pairs of games with one opening and the colours swapped, by points:
0, 1/2, 1, 3/2, 2. Pairs are the better samples: the opening's advantage cancels within them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from engines.core.game import InvalidText

NELO_PER_T: Final = 800 / math.log(10)
"""Normalized Elo of a t-value of 1 per game: both kinds of Elo agree where half the games win."""

CONFIDENCE: Final = 0.95
QUANTILE: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

MOST_SAMPLES: Final = 10**9  # Far above any match; beyond, floats blur the rarest outcomes.
_ABSENT = 1e-3  # Stands for a count of 0: no outcome is impossible only because it was not seen.
_CERTAIN = 1e-3  # Scores closer to 0 or 1 than this have no Elo worth printing.


def elo(score: float) -> float:
    """Return the logistic Elo difference that an expected score between 0 and 1 stands for."""
    score = min(max(score, _CERTAIN), 1 - _CERTAIN)
    return 400 * math.log10(score / (1 - score))


def expected_score(difference: float) -> float:
    """Return the expected score of a logistic Elo difference."""
    return 1 / (1 + math.pow(10, -difference / 400))


HIGHEST_ELO: Final = elo(1)


def normal_cdf(value: float) -> float:
    """Return the probability that a standard normal variable is below `value`."""
    return math.erfc(-value / math.sqrt(2)) / 2


@dataclass(frozen=True, slots=True)
class Results:
    """Counted outcomes, worst first: three kinds of games, or five kinds of pairs."""

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) not in (3, 5):
            raise InvalidText(f"expected 3 counts (games) or 5 (pairs), not {len(self.counts)}")
        if min(self.counts) < 0:
            raise InvalidText(f"counts cannot be negative: {format_counts(self.counts)}")
        if sum(self.counts) > MOST_SAMPLES:
            raise InvalidText(f"more than {MOST_SAMPLES} samples: {format_counts(self.counts)}")

    @property
    def paired(self) -> bool:
        """Whether the samples are pairs of games."""
        return len(self.counts) == 5

    @property
    def samples(self) -> int:
        """How many independent samples there are: games, or pairs."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.samples * (2 if self.paired else 1)

    @property
    def points(self) -> float:
        """What the engine under test scored, in games."""
        return sum(rank * count for rank, count in enumerate(self.counts)) / 2

    @property
    def alike(self) -> bool:
        """Whether all samples came out the same, so that they say nothing about their spread."""
        return sum(count > 0 for count in self.counts) < 2

    def weights(self) -> list[float]:
        """Return the counts with a small weight in place of each 0."""
        return [count or _ABSENT for count in self.counts]

    def moments(self) -> tuple[float, float, float]:
        """Return the total weight, the mean score of a sample and the variance of that score."""
        weights = self.weights()
        total = sum(weights)
        best = len(weights) - 1
        # Summed around the middle, so that a symmetric sample has a mean of exactly 1/2.
        middle = best / 2
        above = math.fsum((rank - middle) * weight for rank, weight in enumerate(weights))
        mean = 0.5 + above / best / total
        spread = sum(weight * (rank / best - mean) ** 2 for rank, weight in enumerate(weights))
        return total, mean, spread / total


def parse_counts(text: str, kinds: int) -> Results:
    """Read counts such as `46,496,1073,640,79`; raises InvalidText."""
    words = [word.strip() for word in text.split(",")]
    if len(words) != kinds:
        raise InvalidText(f"expected {kinds} counts joined by commas, not {len(words)}: {text!r}")
    for word in words:
        if not (word.isascii() and word.isdigit()) or len(word) > 15:
            raise InvalidText(f"expected whole numbers from 0 up, not {word!r}")
    return Results(tuple(int(word) for word in words))


def format_counts(counts: Sequence[int]) -> str:
    """Write counts as `parse_counts` reads them."""
    return ",".join(map(str, counts))


@dataclass(frozen=True, slots=True)
class Estimate:
    """Strength as measured; errors are half the width of the 95 % interval."""

    elo: float
    elo_error: float
    nelo: float
    nelo_error: float
    los: float


def estimate(results: Results) -> Estimate:
    """Estimate the strength difference from a sample whose size was fixed in advance.

    Samples that are all alike have no spread to measure: their Elo error comes from the largest
    share of other outcomes that such luck leaves plausible, and their normalized Elo is only
    as large as the weight given to outcomes not seen.
    """
    total, mean, variance = results.moments()
    deviation = math.sqrt(variance / total)
    low, high = mean - QUANTILE * deviation, mean + QUANTILE * deviation
    if results.alike and results.samples:
        other = 1 - ((1 - CONFIDENCE) / 2) ** (1 / results.samples)
        low, high = mean * (1 - other), mean + (1 - mean) * other
    scale = NELO_PER_T / per_game(variance, paired=results.paired)
    return Estimate(
        elo=elo(mean),
        elo_error=(elo(high) - elo(low)) / 2,
        nelo=(mean - 0.5) * scale,
        nelo_error=QUANTILE * deviation * scale,
        los=normal_cdf((mean - 0.5) / deviation),
    )


def per_game(variance: float, *, paired: bool) -> float:
    """Return the deviation of one game's score, given the variance of a sample's mean score."""
    return math.sqrt(2 * variance if paired else variance)
