"""The interval in which the expected score lies, right also for few samples and clean sweeps.

The shares of the outcomes are unknown. Given the samples, they are taken as a Dirichlet variable
with the counts as its weights, and with about one sample more, at the ends of the scale, for the
outcomes that have not been seen. The expected score is then a random variable, and the bounds are
its quantiles. This extends the interval of Clopper and Pearson to more than two outcomes (after
Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
variable"), and equals it where only the best and the worst outcome were seen.

How the weight of the unseen is placed was chosen by computing the coverage exactly, for
distributions from decisive to drawish; `tests/tools/statistics/test_intervals.py` repeats that.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Final, NamedTuple

from tools.statistics.likelihood import solve_multiplier
from tools.statistics.results import Results

CONFIDENCE: Final = 0.95
QUANTILE: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

_TAIL: Final = (1 - CONFIDENCE) / 2
_UNSEEN: Final = 0.5  # Samples added at each end of the scale.

# Added to the weight of the far end, and taken from the near one. A sum of outcomes that are far
# apart takes few values, and its bounds must allow for the gaps between these.
_COARSE: Final = {1: 0.5, 2: 0.05, 4: 0.0}  # By the number of steps from the worst to the best.
_FEW: Final = 1.0  # Divided by the number of samples.
_RARE: Final = 0.05  # If the extreme outcomes are taken to be rare.

# How far the extreme outcomes are taken to be rare if they have not been seen.
_RARITY: Final = 0.7  # Below 1, they are taken to be more frequent.
_DOUBT: Final = 4.0  # So few samples say nothing about it.

_STEP: Final = 0.1  # Of the logarithm, in the integral; with it the error is below 1e-5.
_FIRST: Final = -8.0  # The first logarithm, from that of the place of the line.
_CLOSE: Final = 0.1  # Standard deviations; no line is closer to the pole.
_NEGLIGIBLE: Final = 23.0  # exp(-23) is 1e-10.
_PRECISION: Final = 1e-6  # Of a bound, in standard deviations.
_NORMAL: Final = NormalDist()


class Bounds(NamedTuple):
    """The bounds of the expected score, and how sure it is that the score is above 1/2.

    A bound of 0 or 1 says that nothing bounds the score on this side. `superiority` is above 0.975
    exactly if the lower bound is above 1/2, and below 0.025 if the upper bound is below 1/2.
    """

    low: float
    high: float
    superiority: float


@lru_cache(maxsize=64)  # A match asks again and again about the same results.
def score_bounds(results: Results) -> Bounds:
    """Return the 95 % interval of the expected score of one sample."""
    counts = results.counts
    samples = results.samples
    if not samples:
        return Bounds(0.0, 1.0, 0.5)
    lower, upper = weights_of_bounds(counts)
    mean = sum(rank * count for rank, count in enumerate(counts)) / (len(counts) - 1) / samples
    low = 0.0 if counts[0] == samples else _quantile(lower, _TAIL)
    high = 1.0 if counts[-1] == samples else _quantile(upper, 1 - _TAIL)
    above, below = 1 - _chance_below(lower, 0.5), _chance_below(upper, 0.5)
    if abs(mean - 0.5) < 1e-12:
        superiority = 0.5
    else:
        superiority = max(0.5, above) if mean > 0.5 else min(0.5, 1 - below)
    return Bounds(low, high, superiority)


def weights_of_bounds(counts: Sequence[int]) -> tuple[list[float], list[float]]:
    """Return the weights of the outcomes for the lower bound and for the upper one."""
    return _weights(counts), _weights(counts[::-1])[::-1]


def _weights(counts: Sequence[int]) -> list[float]:
    low, high = _rare(counts), _rare(counts[::-1])
    shift = _COARSE[_steps(counts)] + _FEW / sum(counts) + _RARE * (1 - min(low, high))
    shift = min(_UNSEEN, shift)
    weights = list(map(float, counts))
    for mass, share, end, inner in (
        (_UNSEEN + shift, low, 0, 1),
        (_UNSEEN - shift, high, -1, -2),
    ):
        weights[end] += mass * share
        weights[inner] += mass * (1 - share)
    return weights


def _steps(counts: Sequence[int]) -> int:
    """Return how many steps between outcomes that were seen lead from the worst to the best."""
    seen = [rank for rank, count in enumerate(counts) if count]
    step = math.gcd(*(rank - seen[0] for rank in seen))
    best = len(counts) - 1
    if step == 0:
        return 1
    return best // step if best % step == 0 else best


def _rare(counts: Sequence[int]) -> float:
    """Return which part of the weight belongs to the worst outcome itself, not the next one.

    If single draws are seen to decide pairs, but no pair was lost twice, then losing twice is as
    much rarer than losing once as losing once is than a tie, or rarer.
    """
    if len(counts) < 5 or counts[0] or not (counts[1] or counts[3]):
        return 1.0
    share = (counts[1] + 1) ** 2 / (counts[2] + 1) / _RARITY
    return min(1.0, share + (_DOUBT / sum(counts)) ** 2)


def _quantile(weights: Sequence[float], level: float) -> float:
    """Return the score below which the expected score is with probability `level`."""
    best = len(weights) - 1
    total = sum(weights)
    mean = sum(weight * rank for rank, weight in enumerate(weights)) / best / total
    spread = sum(weight * (rank / best - mean) ** 2 for rank, weight in enumerate(weights))
    wanted = _NORMAL.inv_cdf(level)

    def excess(score: float) -> float:
        # On this scale the chance rises almost in a straight line.
        chance = min(max(_chance_below(weights, score), 1e-12), 1 - 1e-12)
        return _NORMAL.inv_cdf(chance) - wanted

    deviation = math.sqrt(spread / total / (total + 1))
    guess = mean + wanted * deviation
    if not 0 < guess < 1:
        guess = (mean + round(guess > 0)) / 2
    return _root(excess, guess, deviation / 2)


def _root(rising: Callable[[float], float], guess: float, stride: float) -> float:
    """Find where a rising function on the numbers from 0 to 1 is 0, near a guess."""
    low, high = 0.0, 1.0
    height_low = height_high = 0.0  # Unknown as long as they are 0.
    enough = _PRECISION * stride
    x = guess
    while True:
        height = rising(x)
        if height < 0:
            low, height_low = x, height
            x += stride
        else:
            high, height_high = x, height
            x -= stride
        stride *= 2
        if height_low and height_high:
            # A little past the place where a straight line meets 0, so that both ends approach it.
            x = low - height_low * (high - low) / (height_high - height_low)
            x += enough / 2 if height < 0 else -enough / 2
        before, x = (low if height < 0 else high), x if low < x < high else (low + high) / 2
        if high - low < enough or (height_low and height_high and abs(x - before) < enough):
            return x


def _chance_below(weights: Sequence[float], score: float) -> float:
    """Return the probability that the expected score is below `score`.

    A Dirichlet variable is made of gamma variables, so this is the probability that their sum,
    each times the distance of its outcome from `score`, is negative: an integral of its moment
    generating function, divided by the variable, along a line parallel to the imaginary axis. The
    line through the saddle point avoids oscillations (Daniels, "Tail probability approximations").
    Over the logarithm of the place on the line, sums at equal steps converge faster than any power
    of the step.
    """
    best = len(weights) - 1
    terms = [
        (weight, rank / best - score)
        for rank, weight in enumerate(weights)
        if weight and rank / best != score
    ]
    if all(distance > 0 for _, distance in terms):
        return 0.0
    if all(distance < 0 for _, distance in terms):
        return 1.0
    scale = math.sqrt(math.fsum(weight * distance * distance for weight, distance in terms))
    terms = [(weight, distance / scale) for weight, distance in terms]
    shift = _shift(terms)
    peak = -math.fsum(weight * math.log1p(-shift * distance) for weight, distance in terms)
    terms = [(weight, distance / (1 - shift * distance)) for weight, distance in terms]
    first = math.log(abs(shift)) + _FIRST
    # Below the first place the integrand is a power of e: its terms make a geometric series.
    total = math.exp(first + peak) / shift / math.expm1(_STEP)
    for index in itertools.count():
        point = math.exp(first + index * _STEP)
        angle = fading = 0.0
        for weight, distance in terms:
            product = distance * point
            angle += weight * math.atan(product)
            fading += weight * math.log1p(product * product) / 2
        part = shift * math.cos(angle) + point * math.sin(angle)
        total += point * math.exp(peak - fading) * part / (shift * shift + point * point)
        if fading - peak > _NEGLIGIBLE:
            break
    tail = total * _STEP / math.pi
    return min(max(-tail if shift < 0 else 1 - tail, 0.0), 1.0)


def _shift(terms: Sequence[tuple[float, float]]) -> float:
    """Return where the line of the integral crosses the real axis: at the saddle point.

    It keeps away from 0, where the integrand has a pole.
    """
    weights = [weight for weight, _ in terms]
    distances = [distance for _, distance in terms]
    saddle = -solve_multiplier(weights, distances)
    if abs(saddle) >= _CLOSE:
        return saddle
    if saddle < 0:
        return max(-_CLOSE, 0.5 / min(distances))
    return min(_CLOSE, 0.5 / max(distances))
