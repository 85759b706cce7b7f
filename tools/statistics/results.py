"""The counted outcomes of games, or of pairs of games.

Counts run from the worst to the best outcome of the engine under test. Three of them count games
(lost, drawn, won); five count pairs of games with one opening and the colours swapped, by points:
0, 1/2, 1, 3/2, 2. Pairs are the better samples: the opening's advantage cancels within them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engines.core.game import InvalidText

PAIR_KINDS: Final = ("LL", "LD", "DD+WL", "WD", "WW")
"""The kinds of pairs, in the order of their counts."""

MOST_SAMPLES: Final = 10**9  # Far above any match; beyond, floats blur the rarest outcomes.
_ABSENT: Final = 1e-3  # Replaces a count of 0: an outcome that was not seen is still possible.


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
        """The number of independent samples: games, or pairs."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.samples * (2 if self.paired else 1)

    @property
    def points(self) -> float:
        """The points of the engine under test, in games."""
        return sum(rank * count for rank, count in enumerate(self.counts)) / 2

    @property
    def alike(self) -> bool:
        """Whether all samples have the same outcome, so that their spread is unknown."""
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
