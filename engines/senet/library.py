"""Tables that the user has solved: looked at where they are, class by class, as they are needed."""

from pathlib import Path

from engines.core.storage import complain
from engines.senet.storage import TableError, fingerprint, load, path_of
from engines.senet.table import Class, Table
from engines.senet.track import count


class Library:
    """The files of one variant in one folder; a class without a good file is unknown."""

    def __init__(self, directory: Path, passing: bool, over: bool) -> None:
        self._directory = directory
        self._passing = passing
        self._over = over
        self._tables: dict[Class, Table | None] = {}

    def chance(self, own: int, enemy: int) -> float | None:
        """Return the exact chance of the side that throws next, or None where it is unknown."""
        table = self.table((count(own), count(enemy)))
        return None if table is None else table.chance(own, enemy)

    def table(self, each: Class) -> Table | None:
        """Return the table of a class, or None where there is no good file."""
        if each not in self._tables:
            self._tables[each] = self._open(each)
        return self._tables[each]

    def _open(self, each: Class) -> Table | None:
        path = path_of(self._directory, self._passing, self._over, *each)
        rules = fingerprint(self._passing, self._over)
        try:
            # The checksum of gigabytes would delay the first move; `solve` has looked at it.
            stored = load(path, rules, *each, checked=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except TableError as error:
            complain("quintet-senet", str(error))
            return None
        except OSError as error:
            complain("quintet-senet", f"{path}: {error.strerror}")
            return None
        return Table([each], stored.header["kind"], stored.values)
