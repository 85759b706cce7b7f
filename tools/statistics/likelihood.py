"""The generalized likelihood ratio of two strengths, given counted outcomes.

Each hypothesis fixes one figure (expected score or normalized Elo) and leaves the shares of
the outcomes free. It is therefore represented by those shares that make the sample most likely.
The derivation: Van den Bergh, "Normalized Elo practical" and "Comments on normalized Elo".
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from tools.statistics.results import Results
from tools.statistics.scale import NELO_PER_T, expected_score

_ROUNDS: Final = 100  # At most: ordinary samples settle in 5, samples that are all alike creep.
_SETTLED: Final = 1e-10  # Shares that move less than this are final.
_PRECISION: Final = 1e-7  # Of a multiplier, before the last step.


class Model(StrEnum):
    """The scale of the hypotheses: Elo per game played, or per game's worth of noise."""

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"


def log_likelihood_ratio(results: Results, elo0: float, elo1: float, model: Model) -> float:
    """Return how much better `elo1` explains the results than `elo0`, as a natural logarithm.

    Normalized bounds must lie within `normalized_limit`.
    """
    weights = results.weights()
    total = sum(weights)
    shares = [weight / total for weight in weights]
    if model is Model.LOGISTIC:
        null = _shares_by_score(shares, expected_score(elo0))
        other = _shares_by_score(shares, expected_score(elo1))
    else:
        unit = _t_per_nelo(paired=results.paired)
        null = _shares_by_t(shares, elo0 * unit)
        other = _shares_by_t(shares, elo1 * unit)
    return sum(
        weight * math.log(one / zero)
        for weight, zero, one in zip(weights, null, other, strict=True)
    )


def normalized_limit(*, paired: bool) -> float:
    """Return the normalized Elo from which on the search for the best shares cannot begin.

    It begins at equal shares; beyond this limit all outcomes deviate from there in one direction.
    """
    kinds = 5 if paired else 3
    scores = _scores(kinds)
    variance = sum((score - 0.5) ** 2 for score in scores) / kinds
    deviation = math.sqrt(variance)
    return 1 / (deviation * (1 + 0.25 / variance)) / _t_per_nelo(paired=paired)


def _t_per_nelo(*, paired: bool) -> float:
    # A pair's mean score has half the variance of a game's.
    return (math.sqrt(2) if paired else 1) / NELO_PER_T


def _scores(kinds: int) -> list[float]:
    return [rank / (kinds - 1) for rank in range(kinds)]


def _shares_by_score(shares: Sequence[float], score: float) -> list[float]:
    """Return the likeliest shares whose mean is `score`."""
    values = [mine - score for mine in _scores(len(shares))]
    return _tilt(shares, values, solve_multiplier(shares, values))


def _shares_by_t(shares: Sequence[float], t: float) -> list[float]:
    """Return the likeliest shares whose mean exceeds 1/2 by `t` deviations.

    The condition is not linear in the shares: each round replaces it by its tangent.
    """
    scores = _scores(len(shares))
    best = [1 / len(shares)] * len(shares)
    multiplier = 0.0
    for _ in range(_ROUNDS):
        mean = variance = 0.0
        for share, score in zip(best, scores, strict=True):
            mean += share * score
        for share, score in zip(best, scores, strict=True):
            variance += share * (score - mean) ** 2
        half = t * math.sqrt(variance) / 2
        tangent = [score - 0.5 - half * (1 + (score - mean) ** 2 / variance) for score in scores]
        multiplier = solve_multiplier(shares, tangent, multiplier)
        before, best = best, _tilt(shares, tangent, multiplier)
        if all(abs(new - old) < _SETTLED for new, old in zip(best, before, strict=True)):
            break
    return best


def _tilt(shares: Sequence[float], values: Sequence[float], multiplier: float) -> list[float]:
    return [share / (1 + multiplier * value) for share, value in zip(shares, values, strict=True)]


def solve_multiplier(shares: Sequence[float], values: Sequence[float], guess: float = 0.0) -> float:
    """Find the multiplier that tilts shares into the likeliest ones whose `values` average 0.

    That is to solve sum(share * value / (1 + x * value)) = 0 between the poles, where all shares
    stay positive and the sum falls from +infinity to -infinity: by Newton's steps, by halving
    where a step leaves the interval known to enclose the root.
    """
    low, high = first_pole, last_pole = -1 / max(values), -1 / min(values)
    x = guess if low < guess < high else 0.0
    while True:
        height = slope = 0.0
        for share, value in zip(shares, values, strict=True):
            pull = value / (1 + x * value)
            height += share * pull
            slope += share * pull * pull
        if height > 0:
            low = x
        else:
            high = x
        step = height / slope
        # Steps shrink quadratically: after one this small the rest is rounding. Near a pole it is
        # the distance to the pole that must be exact.
        if abs(step) <= _PRECISION * min(x - first_pole, last_pole - x):
            return min(max(x + step, low), high)
        x = x + step if low < x + step < high else (low + high) / 2
        if not low < x < high:  # No number is left between them.
            return x
