"""Counting the move sequences of a game, compared with the known counts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engines import registry
from engines.core.game import InvalidText, Rules


@dataclass(frozen=True, slots=True)
class PerftCount:
    """The number of move sequences of `depth` plies, and the known number if there is one."""

    depth: int
    count: int
    known: int | None

    @property
    def wrong(self) -> bool:
        """Whether the known number is another."""
        return self.known not in (None, self.count)


class Perft:
    """The counts of a game from a position, by the game's own engine.

    `style` is one of the game's styles of counting, or empty. Raises InvalidText for what the game
    does not have.
    """

    def __init__(
        self, game: str, *, size: int = 0, variant: str = "", position: str = "", style: str = ""
    ) -> None:
        self._entry = registry.find(game)
        if style and style not in self._entry.perft_styles:
            raise InvalidText(f"--{style} means nothing in {game}")
        self._rules: Rules[Any] = self._entry.load("rules")(variant, size)
        self._setup = self._rules.setup(self._rules.start(position))
        self._style = style
        known = self._entry.counts.get((self._rules.variant, size, style), ())
        self.known = () if position else known

    def counts(self, depth: int) -> Iterator[PerftCount]:
        """Yield the counts of 1 to `depth` plies."""
        for plies in range(1, depth + 1):
            count = self._entry.load("perft")(self._rules, self._setup, plies, self._style)
            known = self.known[plies - 1] if plies <= len(self.known) else None
            yield PerftCount(plies, count, known)
