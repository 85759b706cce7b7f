"""Ratings of many engines together: a list in Elo, from any games between them.

The model is in `bradley_terry`. The intervals hold although the games of a pair, which have one
opening with the colours swapped, depend on each other: the covariance is the sandwich of the
model's information around the spread that pairs really show, which is in `pairings`.

A rating that the games do not determine has no figure. Engines that no chain of games connects are
in different components. An engine that only won, or only lost, against the rest of its component
has one bound instead of a rating: where such a result, with each pair counted as a single game,
would have had a chance of 2.5 %.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from engines.core.errors import QuintetError
from tools.statistics.bradley_terry import ELO, Fit, Floats, Tally, Terms, maximize
from tools.statistics.estimates import estimate
from tools.statistics.intervals import QUANTILE, score_bounds
from tools.statistics.pairings import GameTable, RatedGame, spread_of_pairs
from tools.statistics.results import Results

_OPEN_SCALE: Final = 0.25  # A relative error of the scale; with a larger one it is left open.
_MORE_DRAWS: Final = 0.1  # Above the share of draws in all games, draws change the scale much.
_UNKNOWN: Final = 1e-6  # Information below this, in games, is none: one game tells 0.01 and more.
_ALIKE: Final = 1e-3  # Engines whose undetermined parts differ by less are bound to each other.
_UNLIKELY: Final = 0.025  # Clopper and Pearson's bound for nothing but wins: one end of 95 %.
_WIDEST: Final = 20.0  # In natural logarithms of odds: no bound is sought beyond.
_NORMAL: Final = NormalDist()


class RatingError(QuintetError):
    """Ratings that cannot be computed as asked; the text says why."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of an engine with its 95 % interval, in Elo.

    `elo` is None if the games give no rating; then at most one of the bounds is known. Ratings of
    engines in different components cannot be compared. An anchored rating has no error.
    """

    name: str
    elo: float | None
    low: float | None
    high: float | None
    error: float | None
    games: int
    points: float
    component: int
    anchored: bool = False


@dataclass(frozen=True, slots=True)
class Advantage:
    """The advantage of the first move in Elo, and half the width of its 95 % interval."""

    elo: float
    error: float


@dataclass(frozen=True)
class RatingList:
    """Ratings in the order of the names that they were asked for.

    `covariance` is that of the ratings in Elo, each measured from the zero of its component: its
    anchors, or else the mean of its engines that have a rating; NaN for engines without a rating.
    `advantage` is None if it was not estimated; `drawn` is the share of draws between equals.
    `notes` say what the games could not determine.
    """

    ratings: tuple[Rating, ...]
    covariance: Floats
    advantage: Advantage | None
    drawn: float
    components: int
    games: int
    pairs: int
    prior: float
    notes: tuple[str, ...]
    _solution: "_Solution" = field(repr=False)

    def superiority(self, one: int, other: int) -> float | None:
        """Return the likelihood that one engine is stronger; None if nothing connects the two."""
        if one == other or self.ratings[one].component != self.ratings[other].component:
            return None
        return self._solution.superiority(one, other)

    def difference(self, one: int, other: int) -> tuple[float, float] | None:
        """Return the difference in Elo and its standard error; None if it is not bounded."""
        if not self._solution.bound_together(one, other):
            return None
        natural, deviation = self._solution.difference(one, other)
        return natural * ELO, deviation * ELO

    def ranked(self) -> list[int]:
        """Return the places of all engines, by component, the strongest first."""
        return sorted(range(len(self.ratings)), key=self._rank)

    def _rank(self, place: int) -> tuple[int, float, str]:
        rating = self.ratings[place]
        return rating.component, -self._solution.standing(place), rating.name


def rate(
    names: Sequence[str],
    games: Sequence[RatedGame],
    *,
    anchors: Mapping[str, float] | None = None,
    advantage: bool = True,
    prior: float = 0.0,
) -> RatingList:
    """Rate engines by their games.

    `anchors` fix ratings in Elo; without one, the mean of each component is 0. `prior` counts so
    many additional even games between every two engines that met, half of them with each colour.
    Raises RatingError for an anchor that is not in the list, and for other wrong numbers.
    """
    anchors = anchors or {}
    _check(names, games, anchors, prior)
    solution = _Solution(names, games, anchors, prior)
    solution.solve(advantage=advantage)
    return solution.list_ratings()


def _check(
    names: Sequence[str],
    games: Sequence[RatedGame],
    anchors: Mapping[str, float],
    prior: float,
) -> None:
    if len(set(names)) < len(names):
        raise RatingError("two engines of a rating list have the same name")
    for name, elo in anchors.items():
        if name not in names:
            raise RatingError(f"no engine to anchor: {name!r} (known: {', '.join(names)})")
        if not abs(elo) < 1e5:
            raise RatingError(f"the anchor of {name} is {elo}, which is no rating in Elo")
    if not 0 <= prior < 1e6:
        raise RatingError(f"a prior is a number of games from 0 up, not {prior}")
    for game in games:
        if game.points not in (0, 0.5, 1) or game.first == game.second:
            raise RatingError(f"not a game between two engines: {game}")


class _Solution:
    """The games of a list in arrays, and the ratings that follow from them."""

    def __init__(
        self,
        names: Sequence[str],
        games: Sequence[RatedGame],
        anchors: Mapping[str, float],
        prior: float,
    ) -> None:
        self._names, self._prior, self.notes = names, prior, list[str]()
        self._size = len(names)
        self._games = GameTable(games, self._size)
        self._tally = _with_prior(self._games.tally(), prior)
        self._fixed = np.full(self._size, np.nan)
        for name, elo in anchors.items():
            self._fixed[names.index(name)] = elo / ELO
        self.components = self._find_components()

    def _find_components(self) -> list[int]:
        """Number the groups of engines that games connect, largest number of games first."""
        group = list(range(self._size))

        def root(place: int) -> int:
            while group[place] != place:
                place = group[place]
            return place

        for one, other in zip(self._tally.first, self._tally.second, strict=True):
            group[root(int(other))] = root(int(one))
        anchored = np.flatnonzero(~np.isnan(self._fixed))
        for place in anchored[1:]:  # Anchors connect: their ratings are on one scale.
            group[root(int(place))] = root(int(anchored[0]))
        roots = [root(place) for place in range(self._size)]
        weight = dict.fromkeys(roots, 0)
        for place in self._games.first:
            weight[roots[place]] += 1
        order = sorted(weight, key=lambda each: (-weight[each], each))
        return [order.index(each) for each in roots]

    def solve(self, *, advantage: bool) -> None:
        """Find the ratings; an advantage that the games do not determine is left out."""
        draws = self._draws()
        self._settle(Terms(self._fixed, advantage and bool(len(self._games.first)), draws))
        place = len(self.fit.free)
        if self._terms.advantage and np.abs(self._unknown[place]).max(initial=0.0) > _ALIKE:
            self.notes.append(
                "the games cannot tell the advantage of the first move from the strength of the "
                "engines, so it is taken as 0"
            )
            self._settle(Terms(self._fixed, advantage=False, draws=draws))
        if self._terms.draws != draws:
            self.notes.append(
                "the games do not determine the share of draws between equals, so it is taken as "
                f"that of all games, {100 * self._share_of_draws:.1f} %"
            )
        self._spread()

    def _settle(self, terms: Terms) -> None:
        """Fit the ratings, and fit them again with a share of draws if they leave that open."""
        self._fit(terms)
        if self._leaves_draws_open():
            share = self._share_of_draws
            self._fit(Terms(terms.fixed, terms.advantage, log(2 * share / (1 - share))))

    def _fit(self, terms: Terms) -> None:
        self._terms = terms
        self.fit = maximize(self._tally, terms)
        self._part()

    def _leaves_draws_open(self) -> bool:
        """Whether the games do not determine v, and their likelihood rises with it.

        Without a win against the odds, draws between unequal engines look like draws between
        equals who are far apart: v grows without limit, and 2/(2+v), the scale, shrinks to 0.
        """
        if not self.fit.draws_estimated:
            return False
        deviation = sqrt(max(float(self._inverse[-1, -1]), 0.0))
        return (
            deviation * self.fit.drawn > _OPEN_SCALE
            and self.fit.drawn > self._share_of_draws + _MORE_DRAWS
        )

    @property
    def _share_of_draws(self) -> float:
        return float(self._tally.counts[:, 1].sum() / self._tally.counts.sum())

    def _draws(self) -> float | None:
        counts = self._tally.counts
        if not counts.size or counts[:, [0, 2]].any():
            return None
        self.notes.append("all games were drawn; one decided game is assumed beside them")
        return float(np.log(2 * counts.sum()))

    def _part(self) -> None:
        """Split the parameters into what the games determine and what they do not."""
        values, vectors = np.linalg.eigh(self.fit.information)
        known = values > _UNKNOWN
        self._unknown = vectors[:, ~known]
        self._inverse = (vectors[:, known] / values[known]) @ vectors[:, known].T
        undetermined = np.zeros((self._size, self._unknown.shape[1]))
        undetermined[self.fit.free] = self._unknown[: len(self.fit.free)]
        self._undetermined = undetermined

    def _spread(self) -> None:
        """Compute the covariance of the parameters: the inverse information around the scores."""
        self._covariance = (
            self._inverse @ spread_of_pairs(self._games, self.fit, self._inverse) @ self._inverse
        )

    def bound_together(self, one: int, other: int) -> bool:
        """Whether the games bound the difference of two engines on both sides."""
        apart = self._undetermined[one] - self._undetermined[other]
        return bool(np.abs(apart).max(initial=0.0) < _ALIKE)

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Return the difference of two engines that are bound together, and its deviation."""
        deviation = self._deviation(self._contrast(one, other))
        return self.standing(one) - self.standing(other), deviation

    def _contrast(self, one: int, other: int) -> Floats:
        contrast = np.zeros(self._size)
        contrast[one], contrast[other] = 1.0, -1.0
        return contrast

    def _deviation(self, contrast: Floats) -> float:
        """Return the standard error of a weighted sum of ratings."""
        own = contrast[self.fit.free]
        return sqrt(max(float(own @ self._free_covariance @ own), 0.0))

    @property
    def _free_covariance(self) -> Floats:
        count = len(self.fit.free)
        ratings: Floats = self._covariance[:count, :count]
        return ratings

    def standing(self, place: int) -> float:
        """Return a number that orders the engines of a component, with or without ratings."""
        return float(self.fit.ratings[place])

    def superiority(self, one: int, other: int) -> float:
        """Return the likelihood that one engine is stronger than another of its component."""
        if (results := self._whole_match(one, other)) is not None:
            return score_bounds(results).superiority
        if self.bound_together(one, other):
            difference, deviation = self.difference(one, other)
            if deviation == 0:
                return 0.5 + 0.5 * float(np.sign(difference))
            return _NORMAL.cdf(difference / deviation)
        ahead = self.standing(one) - self.standing(other)
        lost = (self.fit.likelihood - self._held(one, other, 0.0).likelihood) * self._independent
        # As in a match: 1 less the chance of nothing but wins between equals.
        certain = max(1 - exp(-lost), 0.5)
        return certain if ahead > 0 else 1 - certain

    def _whole_match(self, one: int, other: int) -> Results | None:
        """Return the games of two engines if the list compares them by these alone."""
        if (
            not self._meets_only(one, other)
            or self._prior
            or not np.isnan(self._fixed[[one, other]]).any()
        ):
            return None
        results = self._games.results(one, other)
        if results is None or results.games < self._games.between(one, other).sum():
            return None
        return results

    @cached_property
    def _independent(self) -> float:
        """The number of pairs per game."""
        return self._games.pair_count / max(len(self._games.first), 1)

    def _held(self, one: int, other: int, ahead: float) -> Fit:
        """Return the fit in which `one` is ahead of `other` by so much."""
        fixed = self._terms.fixed.copy()
        if np.isnan(fixed[other]):
            fixed[other] = 0.0 if np.isnan(fixed[one]) else fixed[one] - ahead
        fixed[one] = fixed[other] + ahead
        return maximize(self._tally, Terms(fixed, self._terms.advantage, self.fit.draws))

    def list_ratings(self) -> RatingList:
        """Return the whole list."""
        zeros = [self._zero(component) for component in range(max(self.components, default=-1) + 1)]
        transform = np.full((self._size, self._size), np.nan)
        ratings = []
        for place in range(self._size):
            zero = zeros[self.components[place]]
            if self.bound_together(place, zero[0]):
                transform[place] = 0.0
                transform[place, place] = 1.0
                if np.isnan(self._fixed[zero[0]]):
                    transform[place, zero] -= 1 / len(zero)
                ratings.append(self._rated(place, transform[place]))
            else:
                ratings.append(self._unbounded(place, zero))
        for component, zero in enumerate(zeros):
            self._note_zero(component, zero)
        free = self.fit.free
        moved = transform[:, free]
        return RatingList(
            ratings=tuple(ratings),
            covariance=moved @ self._free_covariance @ moved.T * ELO**2,
            advantage=self._advantage(),
            drawn=self.fit.drawn,
            components=len(zeros),
            games=len(self._games.first),
            pairs=self._games.pair_count,
            prior=self._prior,
            notes=tuple(self.notes),
            _solution=self,
        )

    def _note_zero(self, component: int, zero: Sequence[int]) -> None:
        """Note that nothing but the zero of a component has a rating."""
        alone = len(zero) == 1 and np.isnan(self._fixed[zero[0]])
        if alone and self.components.count(component) > 1:
            self.notes.append(
                "no two engines have taken points from each other, directly or through others; "
                f"the bounds are measured from {self._names[zero[0]]}"
            )

    def _advantage(self) -> Advantage | None:
        if not self._terms.advantage:
            return None
        place = len(self.fit.free)
        deviation = sqrt(max(float(self._covariance[place, place]), 0.0))
        return Advantage(self.fit.advantage * ELO, QUANTILE * deviation * ELO)

    def _zero(self, component: int) -> list[int]:
        """Return the engines of a component that its ratings are measured from.

        These are its anchors, or else the largest group, by games, that is bound together.
        """
        members = [place for place in range(self._size) if self.components[place] == component]
        if anchored := [place for place in members if not np.isnan(self._fixed[place])]:
            return anchored
        games = np.bincount(
            np.concatenate([self._games.first, self._games.second]), minlength=self._size
        )
        groups: list[list[int]] = []
        for place in members:
            for group in groups:
                if self.bound_together(place, group[0]):
                    group.append(place)
                    break
            else:
                groups.append([place])
        return max(groups, key=lambda group: (len(group) > 1, sum(games[place] for place in group)))

    def _count(self, place: int) -> tuple[int, float]:
        first, second = self._games.first == place, self._games.second == place
        points = self._games.outcome[first].sum() / 2 + (2 - self._games.outcome[second]).sum() / 2
        return int(first.sum() + second.sum()), float(points)

    def _rated(self, place: int, contrast: Floats) -> Rating:
        natural = float(contrast @ np.where(np.isnan(self.fit.ratings), 0.0, self.fit.ratings))
        elo, error = natural * ELO, QUANTILE * self._deviation(contrast) * ELO
        games, points = self._count(place)
        anchored = not np.isnan(self._fixed[place])
        component = self.components[place]
        name = self._names[place]
        if games == 0 and not anchored:
            return Rating(name, None, None, None, None, games, points, component)
        low, high = self._bounds(place, elo, error)
        return Rating(name, elo, low, high, error, games, points, component, anchored)

    def _bounds(self, place: int, elo: float, error: float) -> tuple[float, float]:
        """Return the ends of an interval, as far from the rating as in a match of two engines."""
        rivals = [each for each in range(self._size) if self._meets_only(place, each)]
        results = self._whole_match(place, rivals[0]) if rivals else None
        match = None if results is None else estimate(results)
        if match is None or match.elo is None or match.elo_low is None or match.elo_high is None:
            return elo - error, elo + error
        below, above = match.elo - match.elo_low, match.elo_high - match.elo
        return elo - 2 * error * below / (below + above), elo + 2 * error * above / (below + above)

    def _meets_only(self, one: int, other: int) -> bool:
        """Whether a component has these two engines and no other."""
        own = self.components[one]
        return one != other and own == self.components[other] and self.components.count(own) == 2

    def _unbounded(self, place: int, zero: Sequence[int]) -> Rating:
        """Return an engine without a rating: with one bound against the zero, or with none."""
        bound = self._find_bound(place, zero)
        above = self.standing(place) > self.standing(zero[0])
        games, points = self._count(place)
        return Rating(
            name=self._names[place],
            elo=None,
            low=bound if above else None,
            high=None if above else bound,
            error=None,
            games=games,
            points=points,
            component=self.components[place],
        )

    def _find_bound(self, place: int, zero: Sequence[int]) -> float | None:
        """Return how near to the zero an engine may be, in Elo; None if arbitrarily far."""
        direction = 1.0 if self.standing(place) > self.standing(zero[0]) else -1.0
        reached = self.fit.likelihood * self._independent + log(_UNLIKELY)

        def holds(ahead: float) -> Fit | None:
            fit = self._held(place, zero[0], direction * ahead)
            return fit if fit.likelihood * self._independent >= reached else None

        low, high = -_WIDEST, _WIDEST
        found = holds(high)
        if found is None or holds(low) is not None:
            return None
        while high - low > 1e-4:
            middle = (low + high) / 2
            fit = holds(middle)
            low, high, found = (middle, high, found) if fit is None else (low, middle, fit)
        ratings = found.ratings
        if np.isnan(self._fixed[zero[0]]):
            return float(ratings[place] - ratings[list(zero)].mean()) * ELO
        return float(ratings[place]) * ELO


def _with_prior(tally: Tally, prior: float) -> Tally:
    """Add even games between every two engines that met."""
    if not prior:
        return tally
    met = {(min(pair), max(pair)) for pair in zip(tally.first, tally.second, strict=True)}
    pairs = np.array([each for pair in sorted(met) for each in (pair, pair[::-1])], dtype=np.intp)
    if not len(pairs):
        return tally
    even = np.tile([prior / 4, 0.0, prior / 4], (len(pairs), 1))
    return Tally(
        np.concatenate([tally.first, pairs[:, 0]]),
        np.concatenate([tally.second, pairs[:, 1]]),
        np.concatenate([tally.counts, even]),
        tally.engines,
    )
