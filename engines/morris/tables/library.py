"""Find the tables that fit the rules: the shipped ones, and those that the user has built."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from engines.core.search import Stop
from engines.core.storage import TableError
from engines.morris.tables import store
from engines.morris.tables.lookup import Tables

SHIPPED: Final = Path(__file__).parents[1] / "data"

_CAPTURES: Final = 2  # By each side. Verifying the checksums of large files takes seconds.
_SMALL: Final = 10  # Men: tables with so many are loaded however many captures away they are.

Complain = Callable[[str], None]
Sector = tuple[int, int]


class Library:
    """Loads sectors when they are first needed; an unusable file is reported once and ignored.

    `mark` is the fingerprint of the rules.
    """

    def __init__(
        self, *, flying: bool, doubles: bool, complain: Complain, places: list[Path] | None = None
    ) -> None:
        self.mark = store.fingerprint(flying=flying, doubles=doubles)
        self._places = places or [SHIPPED, store.directory(self.mark)]
        self._complain = complain
        self._files: dict[Sector, list[store.Loading]] = {}  # The most informative kind first.
        self.tables = Tables()

    def open_small(self) -> None:
        """Load all small sectors, such as the shipped ones, and read the headers of all others."""
        for own in range(3, 10):
            for enemy in range(3, 10):
                self._find(own, enemy)
                if own + enemy <= _SMALL:
                    self._try(own, enemy, lambda: False)

    def open(self, own: int, enemy: int, stop: Stop = lambda: False) -> None:
        """Load the sectors that a few captures can lead to from a position with these men.

        The nearest sectors come first. If `stop` interrupts, the next call continues.
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
        """Load a sector that is not loaded yet, as far as there is a file and `stop` allows."""
        files = self._find(own, enemy)
        while files:
            loading = files[0]
            try:
                cells = loading.finish(stop)
            except TableError as problem:
                self._refuse(problem)
                del files[0]
                continue
            if cells is not None:
                self.tables.hold(own, enemy, loading.header.kind, cells)
                files.clear()
            return

    def _find(self, own: int, enemy: int) -> list[store.Loading]:
        """List the files of a sector whose headers are right."""
        if (own, enemy) not in self._files:
            listed = self._files[own, enemy] = []
            for path in store.find(self._places, own, enemy, tuple(store.KINDS)):
                entries = self.tables.index.entries(own, enemy)
                try:
                    listed.append(store.Loading(path, self.mark, own, enemy, entries))
                except store.OtherRules as problem:
                    # The shipped tables are for the default rules: under a variant this is normal.
                    if path.parent != SHIPPED:
                        self._refuse(problem)
                except (TableError, OSError) as problem:
                    self._refuse(problem)
        return self._files[own, enemy]

    def _refuse(self, problem: Exception) -> None:
        self._complain(f"table refused, the game goes on without it: {problem}")


def _reaches(own: int, enemy: int, mine: int, theirs: int) -> bool:
    """Return whether captures, to a large sector only a few, lead from one sector to another."""
    lost, taken = own - mine, enemy - theirs
    few = max(lost, taken) <= _CAPTURES or mine + theirs <= _SMALL
    return min(lost, taken) >= 0 and few
