"""Find the tables that fit the rules: those that ship, and those that the user has built."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from engines.core.search import Stop
from engines.morris import store
from engines.morris.tables import Tables

SHIPPED: Final = Path(__file__).parent / "data"

_CAPTURES: Final = 2  # Of each side. Checking the sums of large files takes seconds.
_SMALL: Final = 10  # Men whose tables are loaded whatever lies between.

Complain = Callable[[str], None]
Sector = tuple[int, int]


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
        self._found: dict[Sector, list[store.Loading]] = {}  # The most telling kind first.
        self.tables = Tables()

    def open_small(self) -> None:
        """Load all sectors that are small, as those are that ship; look at the heads of others."""
        for own in range(3, 10):
            for enemy in range(3, 10):
                self._find(own, enemy)
                if own + enemy <= _SMALL:
                    self._try(own, enemy, lambda: False)

    def open(self, own: int, enemy: int, stop: Stop = lambda: False) -> None:
        """Load the sectors that a position with these men can lead to by a few captures.

        The nearest come first; what `stop` interrupts goes on the next time.
        """
        wanted = [
            (mine, theirs)
            for mine in range(3, max(own, enemy) + 1)
            for theirs in range(3, max(own, enemy) + 1)
            if _reaches(own, enemy, mine, theirs) or _reaches(enemy, own, mine, theirs)
        ]
        for mine, theirs in sorted(wanted, key=sum, reverse=True):
            self._try(mine, theirs, stop)

    def _try(self, own: int, enemy: int, stop: Stop) -> None:
        """Load a sector, unless it is there, or there is none, or it takes too long."""
        found = self._find(own, enemy)
        while found:
            loading = found[0]
            try:
                cells = loading.finish(stop)
            except store.BadTable as problem:
                self._refuse(problem)
                del found[0]
                continue
            if cells is not None:
                self.tables.hold(own, enemy, loading.header.kind, cells)
                found.clear()
            return

    def _find(self, own: int, enemy: int) -> list[store.Loading]:
        """List the files of a sector that may serve, by what their heads say."""
        if (own, enemy) not in self._found:
            listed = self._found[own, enemy] = []
            for path in store.find(self._places, own, enemy, tuple(store.KINDS)):
                entries = self.tables.index.entries(own, enemy)
                try:
                    listed.append(store.Loading(path, self.mark, own, enemy, entries))
                except store.OtherRules as problem:
                    # What ships is for the default rules, nobody's fault.
                    if path.parent != SHIPPED:
                        self._refuse(problem)
                except (store.BadTable, OSError) as problem:
                    self._refuse(problem)
        return self._found[own, enemy]

    def _refuse(self, problem: Exception) -> None:
        self._complain(f"table refused, the game goes on without it: {problem}")


def _reaches(own: int, enemy: int, mine: int, theirs: int) -> bool:
    """Whether captures lead from one sector to another; large ones only where they are few."""
    lost, taken = own - mine, enemy - theirs
    few = max(lost, taken) <= _CAPTURES or mine + theirs <= _SMALL
    return min(lost, taken) >= 0 and few
