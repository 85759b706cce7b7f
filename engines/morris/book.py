"""Moves known beforehand: a book for the placing phase, and corrections of the search's errors.

One entry serves all sixteen images of a position. The file knows the rules it was made under.
"""

import json
import lzma
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines.morris import store
from engines.morris.position import Position
from engines.morris.symmetry import Symmetries

SHIPPED: Final = Path(__file__).parent / "data" / "book.bin"

_MAGIC: Final = b"quintet morris book 1\n"
_ENTRY: Final = struct.Struct("<QIhH")
_MOST: Final = 1 << 26  # Bytes that a sound file unpacks to.


class BadBook(ValueError):
    """A file that is no book of ours, or is damaged."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A move, what a search thought of it in hundredths of a man, and how deep that went."""

    move: int
    score: int
    depth: int


class Book:
    """Advice by folded positions."""

    def __init__(self, rules: str, entries: Mapping[int, Advice]) -> None:
        self.rules = rules
        self.entries = dict(entries)
        self._symmetries = Symmetries()

    def key(self, position: Position) -> int:
        """Return one number for all images of a position, men in hand included."""
        hands = position.own_hand << 4 | position.enemy_hand
        return hands << 48 | self._symmetries.fold(position.own, position.enemy)

    def note(self, position: Position, advice: Advice) -> None:
        """Remember what to play in a position."""
        number = self._symmetries.choose(position.own, position.enemy)
        folded = self._symmetries.move_image(advice.move, number)
        self.entries[self.key(position)] = Advice(folded, advice.score, advice.depth)

    def find(self, position: Position) -> list[Advice]:
        """Return the move to play with its like by the position's own symmetries, or nothing."""
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
        """Write the book; it appears when it is whole."""
        body = b"".join(
            _ENTRY.pack(key, advice.move, advice.score, advice.depth)
            for key, advice in sorted(self.entries.items())
        )
        head = {"rules": self.rules, "entries": len(self.entries), "crc": zlib.crc32(body)}
        draft = path.with_name(f"{path.name}.new")
        draft.write_bytes(_MAGIC + json.dumps(head).encode() + b"\n" + lzma.compress(body))
        draft.replace(path)


def _in_order(move: int) -> int:
    """Return a packed move with the lower of two removals first, as the rules write it."""
    first, second = move >> 10 & 31, move >> 15 & 31
    return move & 1023 | min(first, second) << 10 | max(first, second) << 15


def load(path: Path) -> Book:
    """Read a book; raises BadBook and OSError."""
    data = path.read_bytes()
    if not data.startswith(_MAGIC):
        raise BadBook(f"{path}: no book of Nine Men's Morris")
    head, _, packed = data[len(_MAGIC) :].partition(b"\n")
    try:
        told = json.loads(head)
        rules, number, crc = str(told["rules"]), int(told["entries"]), int(told["crc"])
        unpacker = lzma.LZMADecompressor()
        body = unpacker.decompress(packed, max_length=_MOST)
    except (ValueError, TypeError, KeyError, EOFError, lzma.LZMAError):
        raise BadBook(f"{path}: it is damaged") from None
    if zlib.crc32(body) != crc or len(body) != number * _ENTRY.size or not unpacker.eof:
        raise BadBook(f"{path}: its checksum is wrong")
    return Book(rules, {key: Advice(*rest) for key, *rest in _ENTRY.iter_unpack(body)})


def default_rules() -> str:
    """Return the fingerprint of the rules that the shipped book is for."""
    return store.fingerprint(flying=True, doubles=False)
