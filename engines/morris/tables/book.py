"""The book: good moves of the placing phase, and corrections of errors that the search makes.

One entry serves all sixteen symmetric images of a position. The file names the rules that the
book was made for.
"""

import json
import lzma
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines.core.errors import QuintetError
from engines.core.storage import write_whole
from engines.morris.rules.position import Position
from engines.morris.rules.symmetry import Symmetries
from engines.morris.tables import store

SHIPPED: Final = Path(__file__).parents[1] / "data" / "book.bin"

_MAGIC: Final = b"quintet morris book 1\n"
_ENTRY: Final = struct.Struct("<QIhH")
_MOST: Final = 1 << 26  # Bytes to which an undamaged file decompresses at most.


class BookError(QuintetError, ValueError):
    """A file that is not one of our books, or is damaged."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A move with the score of a search, in hundredths of a man, and the depth of that search."""

    move: int
    score: int
    depth: int


class Book:
    """Advice for positions; an entry is stored once for all symmetric images."""

    def __init__(self, rules: str, entries: Mapping[int, Advice]) -> None:
        self.rules = rules
        self.entries = dict(entries)
        self._symmetries = Symmetries()

    def key(self, position: Position) -> int:
        """Return a number that all images of a position share; it includes the men in hand."""
        hands = position.own_hand << 4 | position.enemy_hand
        return hands << 48 | self._symmetries.fold(position.own, position.enemy)

    def note(self, position: Position, advice: Advice) -> None:
        """Store the advice for a position."""
        number = self._symmetries.choose(position.own, position.enemy)
        folded = self._symmetries.move_image(advice.move, number)
        self.entries[self.key(position)] = Advice(folded, advice.score, advice.depth)

    def find(self, position: Position) -> list[Advice]:
        """Return the advised move and its images under the position's own symmetries, if any."""
        advice = self.entries.get(self.key(position))
        if advice is None:
            return []
        symmetries = self._symmetries
        number = symmetries.choose(position.own, position.enemy)
        move = symmetries.move_image(advice.move, symmetries.inverse(number))
        fixing = symmetries.fixing(position.own, position.enemy)
        moves = {_in_order(symmetries.move_image(move, each)) for each in fixing}
        legal = [each for each in position.legal_moves() if each in moves]
        return [Advice(each, advice.score, advice.depth) for each in legal]

    def save(self, path: Path) -> None:
        """Write the book to a file."""
        body = b"".join(
            _ENTRY.pack(key, advice.move, advice.score, advice.depth)
            for key, advice in sorted(self.entries.items())
        )
        head = {"rules": self.rules, "entries": len(self.entries), "crc": zlib.crc32(body)}
        write_whole(path, [_MAGIC, json.dumps(head).encode(), b"\n", lzma.compress(body)])


def _in_order(move: int) -> int:
    """Return a packed move with the lower of two removed points first, as the rules pack it."""
    first, second = move >> 10 & 31, move >> 15 & 31
    return move & 1023 | min(first, second) << 10 | max(first, second) << 15


def load(path: Path) -> Book:
    """Read a book; raises BookError and OSError."""
    data = path.read_bytes()
    if not data.startswith(_MAGIC):
        raise BookError(f"{path}: no book of Nine Men's Morris")
    head, _, packed = data[len(_MAGIC) :].partition(b"\n")
    try:
        header = json.loads(head)
        rules, number, crc = str(header["rules"]), int(header["entries"]), int(header["crc"])
        unpacker = lzma.LZMADecompressor()
        body = unpacker.decompress(packed, max_length=_MOST)
    except (ValueError, TypeError, KeyError, EOFError, lzma.LZMAError):
        raise BookError(f"{path}: it is damaged") from None
    if zlib.crc32(body) != crc or len(body) != number * _ENTRY.size or not unpacker.eof:
        raise BookError(f"{path}: its checksum is wrong")
    return Book(rules, {key: Advice(*rest) for key, *rest in _ENTRY.iter_unpack(body)})


def default_rules() -> str:
    """Return the fingerprint of the default rules, which the shipped book is for."""
    return store.fingerprint(flying=True, doubles=False)
