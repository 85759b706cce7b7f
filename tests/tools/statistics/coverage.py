"""How often the interval of the expected score contains it, computed for named distributions.

All possible results of a number of pairs are enumerated, so no chance is involved. As a program,
`python -m tests.tools.statistics.coverage` prints the coverage for 2 to 40 pairs.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tools.statistics.intervals import CONFIDENCE, weights_of_bounds

Array = NDArray[np.float64]

# Shares of the pairs with 0, 1/2, 1, 3/2 and 2 points.
PAIRS: Final[Mapping[str, tuple[float, ...]]] = {
    "decisive, even": (0.25, 0, 0.5, 0, 0.25),
    "decisive, 65 %": (0.1225, 0, 0.455, 0, 0.4225),
    "decisive, 80 %": (0.04, 0, 0.32, 0, 0.64),
    "the first mover wins, even": (0.1, 0, 0.8, 0, 0.1),
    "the first mover wins, 55 %": (0.05, 0, 0.8, 0, 0.15),
    "the first mover nearly always wins": (0.05, 0, 0.9, 0, 0.05),
    "uniform": (0.2, 0.2, 0.2, 0.2, 0.2),
    "few draws": (0.2, 0.05, 0.45, 0.05, 0.25),
    "three ninths drawn": (0.09, 0.18, 0.33, 0.24, 0.16),
    "balanced, even": (0.1, 0.2, 0.4, 0.2, 0.1),
    "balanced, 65 %": (0.05, 0.1, 0.3, 0.3, 0.25),
    "balanced, 21 %": (0.55, 0.2, 0.15, 0.05, 0.05),
    "drawish, even": (0.02, 0.2, 0.56, 0.2, 0.02),
    "drawish, 53 %": (0.01, 0.14, 0.6, 0.22, 0.03),
    "computer chess, short games": (0.005, 0.235, 0.514, 0.24, 0.006),
    "computer chess, long games": (0.001, 0.06, 0.87, 0.067, 0.002),
    "nearly all drawn, even": (0, 0.05, 0.9, 0.05, 0),
    "nearly all drawn, 51 %": (0, 0.03, 0.9, 0.07, 0),
}
STRONG: Final[Mapping[str, tuple[float, ...]]] = {
    "strong, 81 %": (0, 0.05, 0.15, 0.3, 0.5),
    "superior, 92 %": (0, 0, 0.1, 0.1, 0.8),
    "superior, 95 %": (0.01, 0, 0.08, 0, 0.91),
    "hopeless, 2 %": (0.95, 0.03, 0.02, 0, 0),
}
# Both games of a pair end alike, so few values of the score are possible, and the intervals must
# be wider: those of Clopper and Pearson.
TWINS: Final[Mapping[str, tuple[float, ...]]] = {
    "both games alike, even": (0.5, 0, 0, 0, 0.5),
    "both games alike, 70 %": (0.3, 0, 0, 0, 0.7),
    "both games alike, 20 %": (0.8, 0, 0, 0, 0.2),
}
GAMES: Final[Mapping[str, tuple[float, ...]]] = {
    "games, decisive, even": (0.5, 0, 0.5),
    "games, decisive, 75 %": (0.25, 0, 0.75),
    "games, few draws": (0.45, 0.1, 0.45),
    "games, balanced": (0.25, 0.4, 0.35),
    "games, drawish": (0.1, 0.75, 0.15),
    "games, nearly all drawn": (0.05, 0.9, 0.05),
    "games, superior": (0.02, 0.08, 0.9),
}

_RAREST: Final = 1e-7  # Results less likely than this are left out, and count as misses.
_STEP: Final = 0.1


def expected(shares: Sequence[float]) -> float:
    """Return the expected score of a distribution."""
    return sum(rank * share for rank, share in enumerate(shares)) / (len(shares) - 1)


def coverage(shares: Sequence[float], samples: int) -> float:
    """Return the probability that the interval of so many samples contains the expected score."""
    counts, chances = _possible(tuple(shares), samples)
    score, tail = expected(shares), (1 - CONFIDENCE) / 2
    weights = np.array([weights_of_bounds(tuple(row)) for row in counts.tolist()])
    # A mean that lies above the score can only miss it by its lower bound, and vice versa.
    high = counts @ np.arange(len(shares)) / (len(shares) - 1) / samples > score
    bounded = np.where(high, counts[:, 0] < samples, counts[:, -1] < samples)
    missed = np.zeros(len(counts), dtype=bool)
    missed[high] = chance_below(weights[high, 0], score) < tail
    missed[~high] = chance_below(weights[~high, 1], score) > 1 - tail
    return float(chances[~(missed & bounded)].sum())


def chance_below(weights: Array, score: float) -> Array:
    """Return for rows of weights how likely the expected score is below `score`.

    By the inversion formula of Gil-Pelaez, at a small and fixed step.
    """
    distances = np.arange(weights.shape[1]) / (weights.shape[1] - 1) - score
    points = np.exp(np.arange(-12, 9, _STEP) - math.log(math.sqrt(weights.sum(axis=1).mean())))
    products = np.outer(distances, points)
    angles, fading = np.arctan(products), np.log1p(products**2) / 2
    chances = np.empty(len(weights))
    for first in range(0, len(weights), 2000):
        rows = weights[first : first + 2000]
        parts = np.sin(rows @ angles) * np.exp(-(rows @ fading))
        chances[first : first + 2000] = 0.5 - parts.sum(axis=1) * _STEP / math.pi
    return chances


def _possible(shares: tuple[float, ...], samples: int) -> tuple[NDArray[np.int64], Array]:
    """Return the possible counts of a number of samples, and how likely each is."""
    seen = [rank for rank, share in enumerate(shares) if share]
    parts = _compositions(samples, len(seen))
    factorials = np.array([math.lgamma(number + 1) for number in range(samples + 1)])
    logarithms = np.log([shares[rank] for rank in seen])
    chances: Any = np.exp(factorials[samples] - factorials[parts].sum(axis=1) + parts @ logarithms)
    counts = np.zeros((len(parts), len(shares)), dtype=np.int64)
    counts[:, seen] = parts
    kept = chances > _RAREST
    return counts[kept], chances[kept]


@cache
def _compositions(total: int, parts: int) -> NDArray[np.int64]:
    if parts == 1:
        return np.array([[total]])
    return np.concatenate(
        [
            np.insert(_compositions(total - first, parts - 1), 0, first, 1)
            for first in range(total + 1)
        ]
    )


def main() -> None:
    """Print the coverage of every named distribution."""
    for name, shares in {**PAIRS, **STRONG, **TWINS, **GAMES}.items():
        found = {samples: 100 * coverage(shares, samples) for samples in range(2, 41)}
        many = [share for samples, share in found.items() if samples >= 30]
        least = min(found, key=lambda samples: found[samples])
        print(
            f"{name:36} score {100 * expected(shares):5.1f} %: least {found[least]:5.1f} % "
            f"({least:2}), from 30 on {min(many):5.1f} to {max(many):5.1f} %",
            flush=True,
        )


if __name__ == "__main__":
    main()
