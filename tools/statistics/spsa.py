"""Simultaneous perturbation stochastic approximation: tuning many values by games in pairs.

In each step an engine with all values moved a little one way plays a pair of games against itself
with all values moved the other way; then every value moves towards the better side. The moves and
the rates shrink as fishtest has them, so that the values settle at the end of the run.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engines.core.errors import QuintetError

Value = float | int

ALPHA: Final = 0.602
"""How fast the rate shrinks, and GAMMA how fast the step does: Spall's values."""
GAMMA: Final = 0.101
STABILITY: Final = 0.1  # So many of the steps, as a share, are added to damp the first ones.
RATES: Final = (0.002, 0.05)
"""The least and the greatest of the usual rates at the end of a run."""


class TuningError(QuintetError):
    """Values that cannot be tuned as they were described."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value to tune: where it starts, its bounds, and its step and rate at the end of the run.

    The step is how far a value is moved to either side; a good one changes the engine's strength by
    a few Elo. The rate is how many squared steps a value moves per won game, divided by the step;
    None is the usual one for the length of the run. A `whole` value is rounded to one of its
    neighbours by lot, so that it is right in the mean. Raises TuningError.
    """

    name: str
    start: float
    low: float
    high: float
    step: float
    rate: float | None = None
    whole: bool = False

    def __post_init__(self) -> None:
        rate = RATES[0] if self.rate is None else self.rate
        numbers = (self.start, self.low, self.high, self.step, rate)
        if not all(math.isfinite(number) for number in numbers):
            raise TuningError(f"{self.name}: expected finite numbers")
        if not self.low < self.high:
            raise TuningError(f"{self.name}: low {self.low:g} is not below high {self.high:g}")
        if not self.low <= self.start <= self.high:
            raise TuningError(
                f"{self.name}: start {self.start:g} is not between low {self.low:g} and high "
                f"{self.high:g}"
            )
        if not 0 < self.step <= self.high - self.low:
            raise TuningError(
                f"{self.name}: step {self.step:g}, expected more than 0 and at most "
                f"{self.high - self.low:g}, the distance of low and high"
            )
        if rate <= 0:
            raise TuningError(f"{self.name}: rate {rate:g}, expected more than 0")
        if self.whole and any(number % 1 for number in (self.start, self.low, self.high)):
            raise TuningError(f"{self.name}: start, low and high of a whole value must be whole")

    def rounded(self, value: float) -> Value:
        """Return a value as an engine receives it at the end of the run."""
        return round(value) if self.whole else float(f"{value:.6g}")


@dataclass(frozen=True, slots=True)
class Trial:
    """The values of both players of a pair of games, in the order of the parameters."""

    plus: tuple[Value, ...]
    minus: tuple[Value, ...]


def usual_rate(pairs: int) -> float:
    """Return the rate that suits a run of so many pairs.

    In simulated runs of 500, 2 000 and 8 000 pairs, of two values that were 100 and 60 Elo off,
    20 / pairs left the least to gain; fishtest's 0.002 is for runs of ten thousand pairs and more.
    """
    least, most = RATES
    return min(max(20 / pairs, least), most)


class Spsa:
    """The values of a run, computed from the results of its pairs in their order.

    The direction in which a value is moved in a pair depends only on the seed and the pair.
    """

    def __init__(self, parameters: Sequence[Parameter], pairs: int, seed: int) -> None:
        if not parameters:
            raise TuningError("there is nothing to tune: expected at least one parameter")
        if pairs < 1:
            raise TuningError(f"expected at least one pair of games, not {pairs}")
        self.parameters = tuple(parameters)
        self.pairs = pairs
        self.values = [parameter.start for parameter in self.parameters]
        self.learnt = 0  # Pairs.
        self._seed = seed
        self._stability = STABILITY * pairs

    def step(self, parameter: Parameter, pair: int) -> float:
        """Return how far a value is moved to either side in a pair, counted from 0."""
        return parameter.step * math.pow(self.pairs / (pair + 1), GAMMA)

    def gain(self, parameter: Parameter, pair: int) -> float:
        """Return how far a pair moves a value for each game that it was won by."""
        rate = usual_rate(self.pairs) if parameter.rate is None else parameter.rate
        at_the_end = rate * parameter.step**2
        damping = (self._stability + self.pairs) / (self._stability + pair + 1)
        return at_the_end * math.pow(damping, ALPHA) / self.step(parameter, pair)

    def trial(self, pair: int) -> Trial:
        """Return the values that play a pair, given all that is known now."""
        return Trial(self._moved(pair, 1), self._moved(pair, -1))

    def _moved(self, pair: int, sign: int) -> tuple[Value, ...]:
        moved: list[Value] = []
        for parameter, value in zip(self.parameters, self.values, strict=True):
            change = sign * self._direction(parameter, pair) * self.step(parameter, pair)
            exact = _within(parameter, value + change)
            if parameter.whole:
                moved.append(math.floor(exact + self._chance(f"{parameter.name} round", pair)))
            else:
                moved.append(float(f"{exact:.9g}"))
        return tuple(moved)

    def learn(self, pair: int, lead: float) -> None:
        """Move all values by a finished pair; `lead` are the wins of `plus` less its losses."""
        for index, parameter in enumerate(self.parameters):
            change = self.gain(parameter, pair) * lead * self._direction(parameter, pair)
            self.values[index] = _within(parameter, self.values[index] + change)
        self.learnt += 1

    def settled(self) -> Mapping[str, Value]:
        """Return the values as an engine would receive them now, by name."""
        return {
            parameter.name: parameter.rounded(value)
            for parameter, value in zip(self.parameters, self.values, strict=True)
        }

    def _direction(self, parameter: Parameter, pair: int) -> int:
        return 1 if self._chance(parameter.name, pair) < 0.5 else -1

    def _chance(self, what: str, pair: int) -> float:
        """Return a number from 0 to below 1 that depends only on the seed, the pair and `what`."""
        digest = hashlib.sha256(f"{self._seed} {pair} {what}".encode()).digest()
        return int.from_bytes(digest[:6], "big") / (1 << 48)


def _within(parameter: Parameter, value: float) -> float:
    return min(max(value, parameter.low), parameter.high)
