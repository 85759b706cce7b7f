"""Constants of the search: special scores, the greatest depth, and the names of its methods."""

from typing import Final

MATE: Final = 32000
SURE: Final = 31000
"""A score beyond this announces a mate, and its distance."""
PERPETUAL: Final = 30000
"""The score of a perpetual check: a lost game, but not a mate."""
INFINITE: Final = 32001
TOP: Final = 120
"""The greatest number of plies from the root."""
MEN: Final = 32 * 81
"""The number of pairs of a man and a square."""
TRY: Final = 1
"""Stands for the points of a declaration under the try rule."""

METHODS: Final = (
    "reverse futility",
    "null move",
    "probcut",
    "no table move",
    "singular extension",
    "late moves",
    "futility",
    "exchanges",
    "bad captures",
    "reductions",
    "mate in one",
    "correction",
    "few captures",
    "history pruning",
    "capture futility",
    "refutations",
    "gains",
    "table in quiescence",
)
"""The methods that shorten or extend the search; each has a bit, in the order of this list."""
ALL_METHODS: Final = (1 << len(METHODS)) - 1
