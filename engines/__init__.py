"""Everything that knows a game: one package each, what they share in `core`."""

from typing import Final

__version__: Final = "0.2.0"
