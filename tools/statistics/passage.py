"""Brownian motion between two bounds: when it leaves, where, and with which probability.

The log-likelihood ratio of a sequential test moves like that. Time is measured by the variance
that the motion has gathered; `pull` is its drift per unit of that time; it starts at 0.
"""

import math
from collections.abc import Iterator
from itertools import count
from typing import Final

_NEGLIGIBLE: Final = 1e-17
_EMPTY: Final = 8.0  # Squared widths of time; the chance to be inside still is below exp(-39).
_FAR: Final = 25.0  # From here on a series replaces erfc, which vanishes at 38.


def upper_probability(lower: float, upper: float, pull: float) -> float:
    """Return the probability that the motion leaves through the upper bound."""
    if pull == 0:
        return -lower / (upper - lower)
    if pull < 0:
        return 1 - upper_probability(-upper, -lower, -pull)
    return math.expm1(2 * pull * lower) / math.expm1(-2 * pull * (upper - lower))


def expected_time(lower: float, upper: float, pull: float) -> float:
    """Return the mean time until the motion leaves."""
    if abs(pull) * (upper - lower) < 1e-6:  # Below, rounding outweighs the drift.
        return -lower * upper
    chance = upper_probability(lower, upper, pull)
    return (upper * chance + lower * (1 - chance)) / pull


def worse_probability(lower: float, upper: float, pull: float, time: float, place: float) -> float:
    """Return how likely a motion does worse than one seen at `place` at `time`.

    Worse is to have left through the lower bound before, or to be lower then. So of two that left
    through the upper bound the later one is worse, through the lower bound the earlier one.
    """
    if time > _EMPTY * (upper - lower) ** 2:
        return 1 - upper_probability(lower, upper, pull)
    left = _left_below(lower, upper, pull, time)
    return min(1.0, left + _inside_below(lower, upper, pull, time, place))


def _left_below(lower: float, upper: float, pull: float, time: float) -> float:
    """Sum over mirror images of the start how likely each reaches the lower bound in time."""
    width, root = upper - lower, math.sqrt(time)
    total = 0.0
    for index in _both_ways():
        distance = 2 * width * index - lower
        far = abs(distance)
        # Drift makes the lower bound likelier or less so; the images know only its size.
        towards = _tail(pull * lower - far * abs(pull), (far - abs(pull) * time) / root)
        away = _tail(pull * lower + far * abs(pull), (far + abs(pull) * time) / root)
        total += math.copysign(towards + away, distance)
        if index < 0 and towards + away < _NEGLIGIBLE:
            break
    return max(0.0, total)


def _inside_below(lower: float, upper: float, pull: float, time: float, place: float) -> float:
    """Sum over mirror images of the start how likely each is between `lower` and `place`."""
    width, root = upper - lower, math.sqrt(time)
    total = 0.0
    for index in _both_ways():
        terms = []
        for image in (2 * width * index, 2 * width * index + 2 * lower):
            middle = image + pull * time
            terms.append(_between(pull * image, (lower - middle) / root, (place - middle) / root))
        total += terms[0] - terms[1]
        if index < 0 and max(terms) < _NEGLIGIBLE:
            break
    return max(0.0, total)


def _both_ways() -> Iterator[int]:
    yield 0
    for index in count(1):
        yield index
        yield -index


def _tail(exponent: float, value: float) -> float:
    """Return exp(exponent) times the chance that a standard normal variable exceeds `value`."""
    if value < _FAR:
        return math.exp(exponent + math.log(math.erfc(value / math.sqrt(2)) / 2))
    square = value * value
    series = 1 - 1 / square + 3 / square**2
    log_tail = -square / 2 - math.log(value * math.sqrt(2 * math.pi))
    return math.exp(exponent + log_tail) * series


def _between(exponent: float, low: float, high: float) -> float:
    """Return exp(exponent) times the chance that a standard normal variable is in between."""
    if low > 0:
        return _tail(exponent, low) - _tail(exponent, high)
    if high < 0:
        return _tail(exponent, -high) - _tail(exponent, -low)
    return math.exp(exponent) * (1 - _tail(0, high) - _tail(0, -low))
