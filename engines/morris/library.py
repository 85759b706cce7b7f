"""Find the tables that fit the rules: those that ship, and those that the user has built."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from engines.morris import store
from engines.morris.tables import Tables

SHIPPED: Final = Path(__file__).parent / "data"

_RATE: Final = 50e6  # Bytes a second that are unpacked and checked on a slow machine.
_CAPTURES: Final = 2  # Of each side. Checking the sums of large files takes seconds.
_SMALL: Final = 10  # Men whose tables are loaded whatever lies between.

Complain = Callable[[str], None]


class Library:
    """Loads sectors when they are first needed; a bad file is reported once and passed over.

    `mark` is the fingerprint of the rules.
    """

    def __init__(
        self, *, flying: bool, doubles: bool, complain: Complain, places: list[Path] | None = None
    ) -> None:
        self.mark = store.fingerprint(flying=flying, doubles=doubles)
        self._places = places or [SHIPPED, store.directory(self.mark)]
        self._complain = complain
        self._tried: set[tuple[int, int]] = set()
        self.tables = Tables()

    def open_small(self) -> None:
        """Load all sectors that are small, as those are that ship."""
        for own in range(3, _SMALL - 2):
            for enemy in range(3, _SMALL + 1 - own):
                self._try(own, enemy, float("inf"))

    def open(self, own: int, enemy: int, seconds: float = float("inf")) -> None:
        """Load the sectors that a position with these men can lead to by a few captures.

        Where it may take more than so many seconds, some are left for the next time.
        """
        for mine in range(3, max(own, enemy) + 1):
            for theirs in range(3, max(own, enemy) + 1):
                if _reaches(own, enemy, mine, theirs) or _reaches(enemy, own, mine, theirs):
                    seconds -= self._try(mine, theirs, seconds)

    def _try(self, own: int, enemy: int, seconds: float) -> float:
        """Load a sector if there is time; return how long it may have taken."""
        if (own, enemy) in self._tried:
            return 0.0
        found = list(store.find(self._places, own, enemy, tuple(store.KINDS)))
        spent = self.tables.index.entries(own, enemy) / _RATE if found else 0.0
        if spent > seconds:
            return 0.0
        self._tried.add((own, enemy))
        self._load(found, own, enemy)
        return spent

    def _load(self, found: Sequence[Path], own: int, enemy: int) -> None:
        for path in found:
            entries = self.tables.index.entries(own, enemy)
            try:
                header, cells = store.load(path, self.mark, own, enemy, entries)
            except store.OtherRules as problem:
                if path.parent != SHIPPED:  # What ships is for the default rules, nobody's fault.
                    self._complain(f"table refused: {problem}")
                continue
            except (store.BadTable, OSError) as problem:
                self._complain(f"table refused: {problem}")
                continue
            self.tables.hold(own, enemy, header.kind, cells)
            return


def _reaches(own: int, enemy: int, mine: int, theirs: int) -> bool:
    """Whether captures lead from one sector to another; large ones only where they are few."""
    lost, taken = own - mine, enemy - theirs
    few = max(lost, taken) <= _CAPTURES or mine + theirs <= _SMALL
    return min(lost, taken) >= 0 and few
