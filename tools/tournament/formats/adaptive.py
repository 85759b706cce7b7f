"""Adaptive: the next games are played where the order of two engines is least certain.

The first round is a ring: each engine meets the next one, so that all can be compared. After that,
each round is one pair of games between the two engines whose order the joint ratings of all games
so far leave least certain; pairs of engines with games under way come last. The tournament ends
after its number of games, or as soon as the order of every two neighbours in the list is certain
to the wanted likelihood.
"""

import itertools
from collections import Counter
from enum import StrEnum

from tools.statistics.pairings import RatedGame
from tools.statistics.ratings import RatingList, rate
from tools.tournament.formats.plan import Plan
from tools.tournament.formats.rounds import History, Pairing, Pairings

PRIOR = 1.0  # Even games between engines that met: without them, a clean sweep would seem certain.


def pair_adaptive(plan: Plan, history: History) -> Pairings | None:
    """Return the next round; None at the end, and while the first one is being played."""
    engines = history.active
    if history.drawn_games >= plan.games or len(engines) < 2:
        return None
    if not history.rounds:
        ring = [*itertools.pairwise(engines), *([(engines[-1], engines[0])] if engines[2:] else [])]
        return Pairings(tuple(ring), 2)
    if history.unfinished(history.rounds[0]):
        return None
    ratings = rate_history(history)
    if least_certainty(ratings, history) >= plan.certainty:
        return None
    pending = Counter(
        frozenset(pair.engines) for each in history.rounds for pair in history.unfinished(each)
    )

    def doubt(pairing: Pairing) -> tuple[int, float]:
        return pending[frozenset(pairing)], certainty(ratings, *pairing)

    one, other = min(itertools.combinations(engines, 2), key=doubt)
    return Pairings(((one, other) if len(history.rounds) % 2 else (other, one),), 2)


def rate_history(history: History) -> RatingList:
    """Return the joint ratings by all finished pairs of games."""
    games = []
    for pair, result in history.results.items():
        one, other = result.engines
        games.append(RatedGame(one, other, result.points[0], pair))
        games.append(RatedGame(other, one, 1 - result.points[1], pair))
    return rate([str(engine) for engine in range(history.engines)], games, prior=PRIOR)


def certainty(ratings: RatingList, one: int, other: int) -> float:
    """Return the likelihood that two engines are in the right order, 0.5 if nothing is known."""
    likelihood = ratings.superiority(one, other)
    return 0.5 if likelihood is None else max(likelihood, 1 - likelihood)


class End(StrEnum):
    """Why no further games are drawn."""

    CERTAINTY = "certainty"
    GAMES = "games"
    ENGINES = "engines"  # Fewer than two are left.


def why_ended(plan: Plan, history: History) -> End | None:
    """Return why an adaptive tournament is over; None while games are missing or to be drawn."""
    if not history.rounds or not history.complete or pair_adaptive(plan, history) is not None:
        return None
    if len(history.active) < 2:
        return End.ENGINES
    certain = least_certainty(rate_history(history), history) >= plan.certainty
    return End.CERTAINTY if certain else End.GAMES


def least_certainty(ratings: RatingList, history: History) -> float:
    """Return the least certainty of the order of two neighbours in the list."""
    ranked = [engine for engine in ratings.ranked() if engine not in history.withdrawn]
    return min(certainty(ratings, *pair) for pair in itertools.pairwise(ranked))
