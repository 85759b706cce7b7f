"""The scales of strength: expected score, Elo and normalized Elo."""

import math
from typing import Final

NELO_PER_T: Final = 800 / math.log(10)
"""Normalized Elo of a t-value of 1 per game: both kinds of Elo agree where half the games win."""

_CERTAIN: Final = 1e-3  # Scores closer to 0 or 1 than this have no meaningful Elo.


def elo(score: float) -> float:
    """Return the logistic Elo difference that an expected score between 0 and 1 stands for."""
    score = min(max(score, _CERTAIN), 1 - _CERTAIN)
    return 400 * math.log10(score / (1 - score))


def expected_score(difference: float) -> float:
    """Return the expected score of a logistic Elo difference."""
    return 1 / (1 + math.pow(10, -difference / 400))


HIGHEST_ELO: Final = elo(1)


def per_game(variance: float, *, paired: bool) -> float:
    """Return the deviation of one game's score, given the variance of a sample's mean score."""
    return math.sqrt(2 * variance if paired else variance)
