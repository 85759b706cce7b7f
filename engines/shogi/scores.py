"""What scores mean and how deep a search goes, for hot and for other code alike."""

from typing import Final

MATE: Final = 32000
SURE: Final = 31000
"""Beyond this a score says that somebody mates, and when."""
INFINITE: Final = 32001
TOP: Final = 120
"""Plies from the root at most."""
MEN: Final = 32 * 81
"""Men on squares, as the table of what follows what counts them."""
