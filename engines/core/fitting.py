"""Fit weights to labelled positions: batches, the loss and the steps of Adam. Needs numpy."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# How much of each slope enters the running mean, and of its square the running mean square.
_FIRST_GAIN, _SECOND_GAIN = 0.1, 0.001
_FIRST_DECAY, _SECOND_DECAY = 0.9, 0.999


def chances(odds: Array) -> Array:
    """Return the chances to win that log odds stand for."""
    probabilities: Array = 1.0 / (1.0 + np.exp(-odds))
    return probabilities


def log_loss(odds: Array, targets: Array) -> float:
    """Return the mean cross entropy, in nats, between log odds and the chances wanted."""
    return float((np.logaddexp(0.0, odds) - targets * odds).mean())


def count_batches(rows: int, size: int, epochs: int) -> int:
    """Return how many batches `shuffled_batches` yields."""
    return epochs * -(-rows // size)


def shuffled_batches(
    rows: Array, size: int, epochs: int, generator: np.random.Generator
) -> Iterator[tuple[int, bool, Array]]:
    """Yield the epoch from 0, whether this batch is the last of the epoch, and its rows.

    Each epoch visits every row once, in a new random order; its last batch may be smaller.
    """
    for epoch in range(epochs):
        order = generator.permutation(rows)
        for start in range(0, len(order), size):
            yield epoch, start + size >= len(order), order[start : start + size]


class Adam:
    """Adam over several arrays of weights, at a rate that falls to 0 along half a cosine."""

    def __init__(
        self, values: Sequence[Array], steps: int, rate: float, *, epsilon: float = 1e-8
    ) -> None:
        self._values = values
        self._first = [np.zeros_like(value) for value in values]
        self._second = [np.zeros_like(value) for value in values]
        self._steps = steps
        self._step = 0
        self._rate = rate
        self._epsilon = epsilon

    def step(self, slopes: Sequence[Array]) -> float:
        """Change the arrays in place against the slopes of the loss; return the rate of this step.

        The rate is returned for weight decay, which each fit applies in its own way.
        """
        self._step += 1
        rate = self._rate * 0.5 * (1.0 + math.cos(math.pi * self._step / self._steps))
        first_share = 1.0 - _FIRST_DECAY**self._step
        second_share = 1.0 - _SECOND_DECAY**self._step
        moments = zip(self._values, self._first, self._second, slopes, strict=True)
        for value, first, second, slope in moments:
            first += _FIRST_GAIN * (slope - first)
            second += _SECOND_GAIN * (slope * slope - second)
            value -= rate * (first / first_share) / (np.sqrt(second / second_share) + self._epsilon)
        return rate
