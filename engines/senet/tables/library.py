"""The tables that the user has solved: each class is opened when it is first needed."""

from pathlib import Path

from engines.core.storage import open_if_usable
from engines.senet.rules.track import count
from engines.senet.tables.storage import fingerprint, load, path_of
from engines.senet.tables.table import ChanceTable, Class


class Library:
    """The tables of one variant in one folder; a class without a usable file is unknown."""

    def __init__(self, directory: Path, passing: bool, over: bool) -> None:
        self._directory = directory
        self._passing = passing
        self._over = over
        self._tables: dict[Class, ChanceTable | None] = {}

    def chance(self, own: int, enemy: int) -> float | None:
        """Return the exact chance of the side that throws next, or None if it is unknown."""
        table = self.table((count(own), count(enemy)))
        return None if table is None else table.chance(own, enemy)

    def table(self, each: Class) -> ChanceTable | None:
        """Return the table of a class, or None if there is no usable file."""
        if each not in self._tables:
            self._tables[each] = self._open(each)
        return self._tables[each]

    def _open(self, each: Class) -> ChanceTable | None:
        path = path_of(self._directory, self._passing, self._over, *each)
        rules = fingerprint(self._passing, self._over)
        # Verifying gigabytes would delay the first move; `quintet solve` has verified them.
        stored = open_if_usable(
            "quintet-senet", path, lambda: load(path, rules, *each, checked=False)
        )
        return None if stored is None else ChanceTable([each], stored.header["kind"], stored.values)
