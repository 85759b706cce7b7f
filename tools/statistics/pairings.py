"""The games of a rating list by pairings, and how far the results of their pairs spread.

A pairing, all games of two engines, with few pairs shows little of that spread, so what the model
expects counts like `EXPECTED_PAIRS` more pairs. Pairs that ended alike still show too little: ten
draws say less about two engines than their model does. Two engines that met no others therefore
get the interval of a match between them (`intervals`): the spread of their pairs is multiplied by
the factor that makes their interval as wide. In a longer list this factor, less 1, is weighted with
the leverage of the pairing, the part of what is known of the difference of two engines that stands
on the games between them. It is 1 where nothing else connects the two, and 2/n if each of n engines
has played equally often against each of the others. Small leverages are taken as 0.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.statistics.bradley_terry import ELO, Fit, Floats, Indices, Tally
from tools.statistics.estimates import estimate
from tools.statistics.intervals import QUANTILE
from tools.statistics.results import Results

EXPECTED_PAIRS: Final = 5
_SMALL: Final = 0.15  # Of a leverage: computing the interval of a match takes longer than it tells.
_DETERMINED: Final = 1e-3  # A larger part of a difference without information leaves it open.
_POINTS: Final = np.array([0.0, 0.5, 1.0])


class RatedGame(NamedTuple):
    """A game between two engines, by their places in the list; the points are the first mover's.

    Games of one `pair`, any number, depend on each other; pairs are independent.
    """

    first: int
    second: int
    points: float
    pair: int


class GameTable:
    """The games of a list in arrays: engines, outcomes and the numbers of their pairs.

    A cell is all games of two engines in which the same one moved first.
    """

    def __init__(self, games: Sequence[RatedGame], engines: int) -> None:
        table = np.array(games, dtype=float).reshape(-1, 4)
        self.first: Indices = table[:, 0].astype(np.intp)
        self.second: Indices = table[:, 1].astype(np.intp)
        self.outcome: Indices = (table[:, 2] * 2).astype(np.intp)
        self.pairs: Indices = np.unique(table[:, 3].astype(np.int64), return_inverse=True)[1]
        self.engines = engines
        self._keys, self.cell = np.unique(self.first * engines + self.second, return_inverse=True)

    @property
    def pair_count(self) -> int:
        """The number of pairs."""
        return int(self.pairs.max()) + 1 if len(self.pairs) else 0

    def tally(self) -> Tally:
        """Return the results of each cell."""
        counts = np.zeros((len(self._keys), 3))
        np.add.at(counts, (self.cell, self.outcome), 1.0)
        engines = max(self.engines, 1)
        return Tally(self._keys // engines, self._keys % engines, counts, self.engines)

    def between(self, one: int, other: int) -> NDArray[np.bool_]:
        """Return which games are between two engines."""
        there = (self.first == one) & (self.second == other)
        games: NDArray[np.bool_] = there | ((self.first == other) & (self.second == one))
        return games

    def results(self, one: int, other: int) -> Results | None:
        """Return the games of two engines as a match counts them for `one`.

        These are the pairs of two games, or single games if there is no such pair. Returns None if
        more than two games are one pair: a match has no such samples.
        """
        games = self.between(one, other)
        outcome = self.outcome[games]
        points = np.where(self.first[games] == one, outcome, 2 - outcome)
        number = np.unique(self.pairs[games], return_inverse=True)[1]
        sizes = np.bincount(number)
        most = int(sizes.max(initial=0))
        if not 1 <= most <= 2:
            return None
        totals = np.bincount(number, weights=points)[sizes == most].astype(np.intp)
        return Results(tuple(map(int, np.bincount(totals, minlength=2 * most + 1))))


def spread_of_pairs(games: GameTable, fit: Fit, inverse: Floats) -> Floats:
    """Return the middle of the sandwich: the spread of the sums of scores over all pairs.

    `inverse` is the inverse of the information where there is any, and 0 elsewhere.
    """
    size = fit.information.shape[0]
    meat = np.zeros((size, size))
    if not games.pair_count:
        return meat
    scores = fit.scores()
    by_pair = np.zeros((games.pair_count, size))
    np.add.at(by_pair, games.pairs, scores[games.cell, games.outcome])
    low, high = np.minimum(games.first, games.second), np.maximum(games.first, games.second)
    meeting = low * games.engines + high
    of_pair = np.zeros(games.pair_count, dtype=np.intp)
    of_pair[games.pairs] = meeting
    expected = np.einsum("co,coi,coj->cij", fit.chances, scores, scores)
    samples, parameters = games.pair_count, int(np.linalg.matrix_rank(inverse))
    correction = samples / max(samples - parameters, samples / 2)
    for each in np.unique(of_pair):
        seen = by_pair[of_pair == each]
        cells, played = np.unique(games.cell[meeting == each], return_counts=True)
        share = EXPECTED_PAIRS / (len(seen) + EXPECTED_PAIRS)
        spread = (1 - share) * correction * (seen.T @ seen)
        spread += share * np.einsum("c,cij->ij", played, expected[cells])
        variances = fit.chances[cells] @ _POINTS**2 - (fit.chances[cells] @ _POINTS) ** 2
        information = float(played @ variances) / (1 - fit.drawn) ** 2
        engines = divmod(int(each), games.engines)
        meat += spread * _widening(games, fit, inverse, engines, information, spread)
    return meat


def _widening(
    games: GameTable,
    fit: Fit,
    inverse: Floats,
    engines: tuple[int, int],
    information: float,
    spread: Floats,
) -> float:
    """Return the factor for the spread of a pairing that leads to the interval of a match.

    `information` is that of the games of the pairing about the difference of the two engines.
    """
    contrast = np.zeros(len(spread))
    contrast[: len(fit.free)] = np.equal(fit.free, engines[0]) * 1.0 - np.equal(
        fit.free, engines[1]
    )
    weights = inverse @ contrast
    if not contrast.any() or np.abs(fit.information @ weights - contrast).max() > _DETERMINED:
        return 1.0
    leverage = min(1.0, information * float(contrast @ weights))
    if leverage < _SMALL:
        return 1.0
    variance = _match_variance(games.results(*engines), int(games.between(*engines).sum()))
    if variance is None:
        return 1.0
    own = float(weights @ spread @ weights) * (ELO / leverage) ** 2
    return 1.0 + leverage * (variance / own - 1.0)


def _match_variance(results: Results | None, games: int) -> float | None:
    """Return the variance of the difference in Elo that goes with the interval of a match.

    `games` may be more than those in the results, as when a pair is not finished: they narrow the
    interval in proportion. Returns None if the results do not bound the difference on both sides.
    """
    error = None if results is None else estimate(results).elo_error
    if results is None or error is None:
        return None
    return (error / QUANTILE) ** 2 * results.games / games
