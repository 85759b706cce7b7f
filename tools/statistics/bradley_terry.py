"""The Bradley-Terry model with draws and an advantage of the first move: its likelihood, maximized.

Draws follow Davidson (1970): a game of two engines whose strengths differ by d, the advantage of
the first move included, is won, drawn or lost with the weights exp(d/2), v and exp(-d/2). Among the
models of draws this one makes a draw worth exactly half a win, as the points of a tournament do.
It also fits better: in the chess matches that K. Laskos published on talkchess.com in 2014, with
1000 games each, the product of wins and losses goes with the 1.6th to 2.0th power of the draws.
That power is 2 in Davidson's model, and 1 in Rao-Kupper's, which BayesElo uses.

A rating is d times 2/(2+v), the share of decided games between equals: where two engines are near
each other, the expected score then changes with the difference as it does for Elo without draws.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tools.statistics.scale import NELO_PER_T

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

ELO: Final = NELO_PER_T / 2
"""The Elo points of one unit of the natural logarithm of odds."""

RIDGE: Final = 1e-9  # Keeps ratings finite that only wins or only losses would send to infinity.
_MOST_STEPS: Final = 300
_PRECISE: Final = 1e-15  # The expected gain, relative to the log-likelihood, of the last step.
_DRAWS_INFORMATION: Final = 1e-4
_LONGEST_STEP: Final = 5.0
_POINTS: Final = np.array([0.0, 0.5, 1.0])


@dataclass(frozen=True, slots=True)
class Tally:
    """Counted games by who moved first: a row of losses, draws and wins of `first` per pairing."""

    first: Indices
    second: Indices
    counts: Floats
    engines: int

    @property
    def has_draws(self) -> bool:
        """Whether a game was drawn."""
        return bool(self.counts[:, 1].any())


@dataclass(frozen=True, slots=True)
class Terms:
    """The parameters that are estimated, and those that are known.

    The advantage of the first move is estimated if wanted. `fixed` holds a rating per engine, NaN
    for those that are estimated. `draws` fixes the logarithm of Davidson's v; None estimates it.
    """

    fixed: Floats
    advantage: bool
    draws: float | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """The maximum of the likelihood; ratings and advantage are natural logarithms of odds.

    `parameters` are the free ratings in the order of `free`, the advantage if it was estimated, and
    the logarithm of v if it was estimated. `slopes` holds, for each pairing, the derivatives of d,
    and `information` the expected information about the parameters.
    """

    ratings: Floats
    advantage: float
    draws: float | None
    likelihood: float
    free: Indices
    slopes: Floats
    chances: Floats
    information: Floats
    draws_estimated: bool

    @property
    def drawn(self) -> float:
        """The share of draws between equals without an advantage."""
        if self.draws is None:
            return 0.0
        value = float(np.exp(self.draws))
        return value / (2 + value)

    def scores(self) -> Floats:
        """Return the derivatives of the log-likelihood of one game, by pairing and outcome."""
        surplus = _POINTS - (self.chances @ _POINTS)[:, None]
        scores: Floats = surplus[:, :, None] * self.slopes[:, None, :]
        if self.draws_estimated:
            scores[:, :, -1] += np.array([0.0, 1.0, 0.0]) - self.chances[:, 1, None]
        return scores


def maximize(tally: Tally, terms: Terms) -> Fit:
    """Find the most likely parameters by Fisher's scoring, which is Newton's method without draws.

    A ridge that is too weak to show holds what the games do not determine; `Fit.information` shows
    it by eigenvalues near zero. The logarithm of v has a normal prior with a deviation of a
    hundred, which matters only if the games leave v open. Raises no error for any results.
    """
    model = _Model(tally, terms)
    values = model.start()
    state = model.evaluate(values)
    for _ in range(_MOST_STEPS):
        gradient, information = model.derivatives(state)
        step = _solve(information, gradient)
        last = gradient @ step < _PRECISE * (1 + abs(state.objective))
        length = _LONGEST_STEP / float(np.abs(step).max(initial=_LONGEST_STEP))
        while length > 1e-9:
            fresh = model.evaluate(values + length * step)
            if fresh.objective >= state.objective - 1e-12 * abs(state.objective):
                break
            length /= 2
        else:
            break
        values, state = fresh.values, fresh
        if last:
            break
    return model.fit(state)


def _solve(information: Floats, gradient: Floats) -> Floats:
    """Return the step of Newton's method with the ridge, whatever the information is."""
    values, vectors = np.linalg.eigh(information)
    step: Floats = vectors @ ((vectors.T @ gradient) / (np.maximum(values, 0.0) + RIDGE))
    return step


@dataclass(frozen=True, slots=True)
class _State:
    values: Floats
    stretch: float
    linear: Floats
    chances: Floats
    likelihood: float
    objective: float


class _Model:
    """The likelihood of a tally as a function of the parameters."""

    def __init__(self, tally: Tally, terms: Terms) -> None:
        self._tally, self._terms = tally, terms
        self._free = np.flatnonzero(np.isnan(terms.fixed))
        known = np.where(np.isnan(terms.fixed), 0.0, terms.fixed)
        rows = np.arange(len(tally.first))
        design = np.zeros((len(rows), tally.engines))
        design[rows, tally.first] += 1.0
        design[rows, tally.second] -= 1.0
        self._offset = design @ known
        self._design = design[:, self._free]
        if terms.advantage:
            self._design = np.hstack([self._design, np.ones((len(rows), 1))])
        self._drawn = tally.has_draws
        self._estimates_draws = self._drawn and terms.draws is None
        self._games = tally.counts.sum(axis=1)
        self._weights = np.full(self._design.shape[1] + self._estimates_draws, RIDGE)
        if self._estimates_draws:
            self._weights[-1] = _DRAWS_INFORMATION

    def start(self) -> Floats:
        """Return the parameters of equal engines, all at the mean of those that are fixed."""
        values = np.zeros(len(self._weights))
        fixed = self._terms.fixed[~np.isnan(self._terms.fixed)]
        values[: len(self._free)] = fixed.mean() if len(fixed) else 0.0
        if self._estimates_draws:
            draws = self._tally.counts[:, 1].sum()
            values[-1] = np.log(2 * draws / max(self._games.sum() - draws, 0.5))
        return values

    def evaluate(self, values: Floats) -> _State:
        """Return the chances of all outcomes and the likelihood of the results."""
        linear = self._design @ values[: self._design.shape[1]] + self._offset
        draws = self._draws(values)
        stretch = 1.0 if draws is None else 1.0 + float(np.exp(draws)) / 2
        half = stretch * linear / 2
        logs = np.stack([-half, np.full_like(half, -np.inf if draws is None else draws), half], 1)
        top = logs.max(axis=1, keepdims=True)
        logs = logs - top - np.log(np.exp(logs - top).sum(axis=1, keepdims=True))
        counts = self._tally.counts
        likelihood = float((counts * np.where(counts > 0, logs, 0.0)).sum())
        prior = float(self._weights @ values**2) / 2
        return _State(values, stretch, linear, np.exp(logs), likelihood, likelihood - prior)

    def _draws(self, values: Floats) -> float | None:
        if not self._drawn:
            return None
        return float(values[-1]) if self._estimates_draws else self._terms.draws

    def slopes(self, state: _State) -> Floats:
        """Return the derivatives of d by the parameters, for each pairing."""
        slopes = state.stretch * self._design
        if self._estimates_draws:
            slopes = np.hstack([slopes, ((state.stretch - 1) * state.linear)[:, None]])
        return slopes

    def derivatives(self, state: _State) -> tuple[Floats, Floats]:
        """Return the gradient of the objective, and the information without the ridge."""
        slopes, chances, games = self.slopes(state), state.chances, self._games
        expected = chances @ _POINTS
        gradient = slopes.T @ (self._tally.counts @ _POINTS - games * expected)
        spread = chances @ _POINTS**2 - expected**2
        information = (slopes * (games * spread)[:, None]).T @ slopes
        if self._estimates_draws:
            drawn = chances[:, 1]
            gradient[-1] += float((self._tally.counts[:, 1] - games * drawn).sum())
            cross = slopes.T @ (games * drawn * (0.5 - expected))
            information[-1] += cross
            information[:, -1] += cross
            information[-1, -1] += float((games * drawn * (1 - drawn)).sum())
            information[-1, -1] += _DRAWS_INFORMATION
        return gradient - self._weights * state.values, information

    def fit(self, state: _State) -> Fit:
        """Return what was found."""
        ratings = self._terms.fixed.copy()
        ratings[self._free] = state.values[: len(self._free)]
        return Fit(
            ratings=ratings,
            advantage=float(state.values[len(self._free)]) if self._terms.advantage else 0.0,
            draws=self._draws(state.values),
            likelihood=state.likelihood,
            free=self._free,
            slopes=self.slopes(state),
            chances=state.chances,
            information=self.derivatives(state)[1],
            draws_estimated=self._estimates_draws,
        )
