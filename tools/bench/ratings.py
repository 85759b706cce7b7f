"""The time that joint ratings take, by simulated games."""

import random
import time
from collections.abc import Iterator
from typing import Final

from tools.bench.referee import Figure
from tools.statistics.pairings import RatedGame
from tools.statistics.ratings import rate
from tools.statistics.scale import expected_score

ENGINES: Final = 20
GAMES: Final = 10_000
_SPREAD: Final = 200  # The standard deviation of the engines' strengths, in Elo.
_DRAWS: Final = 0.3


def ratings_figures() -> Iterator[Figure]:
    """Yield how long a list of ratings takes, with the likelihoods of superiority of all pairs."""
    games = simulated_games(ENGINES, GAMES)
    names = [f"engine {number}" for number in range(ENGINES)]
    begun = time.process_time()
    ratings = rate(names, games)
    rated = time.process_time()
    for one in range(ENGINES):
        for other in range(ENGINES):
            ratings.superiority(one, other)
    yield f"{ENGINES} engines by {GAMES} games", (rated - begun) * 1000, "ms"
    yield "superiority of each pair of them", (time.process_time() - rated) * 1000, "ms"


def simulated_games(engines: int, games: int) -> list[RatedGame]:
    """Return games in pairs with swapped colours; the same ones each time."""
    source = random.Random(1)
    strengths = [source.gauss(0, _SPREAD) for _ in range(engines)]
    played = []
    for number in range(games):
        pair, swapped = divmod(number, 2)
        if not swapped:
            one, other = source.sample(range(engines), 2)
        first, second = (other, one) if swapped else (one, other)
        score = expected_score(strengths[first] - strengths[second])
        drawn = min(score, 1 - score) * 2 * _DRAWS
        points = 0.5 if source.random() < drawn else float(source.random() < score)
        played.append(RatedGame(first, second, points, pair))
    return played
