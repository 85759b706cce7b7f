"""A file of openings that grows, and that says how it was made."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from engines.core.game import InvalidText
from tools.openings.drawing import Drawn
from tools.terms.openings import Opening

_NOTE: Final = re.compile(r"# [0-9.]+, draw ([0-9]+)$")


class Collection:
    """The openings of a file, which are written one by one.

    The comments at its beginning say how the openings are drawn. A file that was begun goes on
    where it ended, if it was begun in the same way.
    """

    def __init__(self, path: Path, made: Mapping[str, str]) -> None:
        self.path = path
        self.openings: list[Opening] = []
        self.next = 1  # The number of the next draw.
        self._head = [f"# {name}: {value}" for name, value in made.items()]
        self._size = 0  # The bytes that this program has read or written.

    def begin(self) -> None:
        """Read what the file holds, or begin it; raises InvalidText and OSError."""
        if not self.path.exists() or not self.path.stat().st_size:
            self._write("w", self._head)
            return
        raw = self.path.read_text(encoding="utf-8", errors="replace")
        whole = raw[: raw.rfind("\n") + 1]  # A killed program may leave part of a line.
        lines = whole.splitlines()
        self._compare(lines[: len(self._head)])
        for number, line in enumerate(lines[len(self._head) :], len(self._head) + 1):
            moves, note = line.partition("#")[0].split(), _NOTE.search(line)
            if not moves or note is None:
                raise InvalidText(
                    f"{self.path}:{number}: not an opening of this collection: {line[:60]!r}"
                )
            self.openings.append(Opening(f"{self.path.name}:{number}", tuple(moves)))
            self.next = int(note[1]) + 1
        if len(whole) < len(raw):
            self.path.write_text(whole, encoding="utf-8")
        self._size = self.path.stat().st_size

    def _compare(self, found: Sequence[str]) -> None:
        for there, wanted in zip([*found, *self._head[len(found) :]], self._head, strict=False):
            if there != wanted or len(found) < len(self._head):
                raise InvalidText(
                    f"{self.path} holds openings that were drawn in another way: it has "
                    f"{there[2:60]!r}, and this is {wanted[2:]!r}; name another file"
                )

    def add(self, drawn: Drawn) -> None:
        """Write one more opening; raises OSError, and InvalidText if another program wrote one."""
        if self.path.stat().st_size != self._size:
            raise InvalidText(f"{self.path}: another program writes to this file as well")
        line = f"{' '.join(drawn.moves)}  # {drawn.share:.3f}, draw {drawn.number}"
        self._write("a", [line])
        self.openings.append(Opening(f"draw {drawn.number}", drawn.moves))
        self.next = drawn.number + 1

    def _write(self, mode: str, lines: Sequence[str]) -> None:
        with self.path.open(mode, encoding="utf-8", newline="\n") as file:
            file.write("".join(f"{line}\n" for line in lines))
        self._size = self.path.stat().st_size
