"""What scores mean and how deep a search goes, for hot and for other code alike."""

from typing import Final

MATE: Final = 32000
SURE: Final = 31000
"""Beyond this a score says that somebody mates, and when."""
PERPETUAL: Final = 30000
"""What a perpetual check loses: the game, but not in so many moves."""
INFINITE: Final = 32001
TOP: Final = 120
"""Plies from the root at most."""
MEN: Final = 32 * 81
"""Men on squares, as the table of what follows what counts them."""
TRY: Final = 1
"""What a search is told, in place of the points for a declaration, under the rule of tries."""

METHODS: Final = (
    "reverse futility",
    "singular extension",
    "late moves",
    "futility",
    "exchanges",
    "bad captures",
    "reductions",
    "mate in one",
    "correction",
)
"""What the search leaves out, shortens or lengthens, each a bit in the order of this list."""
ALL_METHODS: Final = (1 << len(METHODS)) - 1
