"""What scores mean, for hot and for other code alike."""

from typing import Final

MATE: Final = 32000
SURE: Final = 31000
"""Beyond this a score says that somebody mates, and when."""
INFINITE: Final = 32001
