"""Files of tables: each holds one sector, its kind, the fingerprint of its rules and a checksum.

They differ from `core.storage` in that they may be compressed, are checked while they are loaded
in the background, and are solved in place, in a working file that becomes the table.
"""

import hashlib
import json
import lzma
import mmap
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from engines.core import places
from engines.core.storage import TableError, write_whole
from engines.morris.rules.position import Position

KINDS: Final = {"depth": 8, "exact": 2, "safe": 1}
"""Bits per entry. `depth` holds plies to the end, `exact` win, draw or loss, `safe` lost or not."""

_MAGIC: Final = b"quintet morris table 1\n"
_HEADER: Final = 4096  # Bytes: one page, so that the entries after it can be mapped into memory.
_CHUNK: Final = 1 << 22  # Bytes per step of a few milliseconds,
_PIECE: Final = 1 << 18  # and bytes per step where they are decompressed.
# Entries are bytes without the structure of words that LZMA's defaults assume.
_FILTERS: Final = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 0, "pb": 0}]


# Each game loads its tables again, so decompressed files are kept while they do not change.
_unpacked: Final[dict[tuple[Path, int], bytes]] = {}


class OtherRules(TableError):
    """An undamaged table for another variant, or for rules that have changed since."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a table file; `size` and `crc` describe the uncompressed entries.

    `counts` comes from the run that built the table: positions won, drawn and lost, entries won,
    drawn and lost, the longest win, and the number of entries that were checked. `target` is the
    smaller kind that replaces this table when everything is solved; empty if this table stays.
    """

    rules: str
    own: int
    enemy: int
    kind: str
    entries: int
    size: int
    crc: int
    packing: str
    counts: Sequence[int] = ()
    target: str = ""


def fingerprint(*, flying: bool, doubles: bool) -> str:
    """Return a short text that changes whenever the rules that the values depend on change."""
    counts = [
        Position(
            white=white, black=black, hands=(0, 0), flying=flying, doubles=doubles, draws=False
        ).perft(2)
        for white, black in ((0x000007, 0x0E0000), (0x00A0E1, 0x830114), (0x8380A5, 0x3C4002))
    ]
    text = f"nine men's morris; flying {flying}; double removal {doubles}; perft {counts}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def directory(rules: str) -> Path:
    """Return the folder of the user's tables for the rules with this fingerprint."""
    return places.tables() / "morris" / rules


def name(own: int, enemy: int, kind: str) -> str:
    """Return the file name of a sector's table."""
    return f"{own}-{enemy}.{kind}"


def find(folders: list[Path], own: int, enemy: int, kinds: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files that may hold a sector, the most informative kind first."""
    for kind in kinds:
        for folder in folders:
            path = folder / name(own, enemy, kind)
            if _is_file(path):
                yield path


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # A folder that cannot be entered, or a name that is too long.
        return False


def checksum(cells: Any) -> int:
    """Return the CRC of a buffer without copying it."""
    crc = 0
    with memoryview(cells) as view:
        for start in range(0, len(view), _CHUNK):
            crc = zlib.crc32(view[start : start + _CHUNK], crc)
    return crc


def _head(header: Header) -> bytes:
    text = _MAGIC + json.dumps(asdict(header)).encode() + b"\n"
    return text.ljust(_HEADER, b"\0")


def save(place: Path, header: Header, cells: Any) -> Path:
    """Write a table, compressed if its header says so, and return its path."""
    path = place / name(header.own, header.enemy, header.kind)
    compressed = header.packing == "lzma"
    body = lzma.compress(bytes(cells), filters=_FILTERS) if compressed else cells
    write_whole(path, [_head(header), body])
    return path


def seal(partial: Path, header: Header) -> Path:
    """Turn a working file with complete entries into a table, and return its path."""
    with partial.open("r+b") as file:
        file.write(_head(header))
        file.flush()
        os.fsync(file.fileno())
    path = partial.with_name(name(header.own, header.enemy, header.kind))
    partial.replace(path)
    return path


def amend(path: Path, header: Header) -> None:
    """Replace the header of a table; the new one must describe the same entries."""
    with path.open("r+b") as file:
        file.write(_head(header))


def work_on(partial: Path, entries: int) -> memoryview:
    """Map a working file for reading and writing; create it if there is none."""
    size = _HEADER + entries
    with partial.open("r+b" if partial.exists() else "w+b") as file:
        file.truncate(size)
        if hasattr(os, "posix_fallocate"):
            # If the disk fills up under a mapped file, the process is killed without a message.
            os.posix_fallocate(file.fileno(), 0, size)
        return memoryview(mmap.mmap(file.fileno(), size))[_HEADER:]


def read_header(path: Path) -> Header:
    """Read the header of a file; raises TableError."""
    with path.open("rb") as file:
        head = file.read(_HEADER)
    if len(head) != _HEADER or not head.startswith(_MAGIC):
        raise TableError(f"{path}: no table of Nine Men's Morris")
    try:
        header = Header(**json.loads(head[len(_MAGIC) :].partition(b"\n")[0]))
    except (ValueError, TypeError):
        raise TableError(f"{path}: its header is damaged") from None
    if header.kind not in KINDS or header.packing not in ("raw", "lzma"):
        raise TableError(f"{path}: unknown kind {header.kind!r} or packing {header.packing!r}")
    if header.target not in ("", *KINDS):
        raise TableError(f"{path}: unknown kind {header.target!r}")
    return header


class Loading:
    """A table that is loaded and verified step by step; raises TableError and OSError.

    The constructor verifies the size and the rules, `finish` verifies the checksum.
    """

    def __init__(self, path: Path, rules: str, own: int, enemy: int, entries: int) -> None:
        header = read_header(path)
        if header.rules != rules:
            raise OtherRules(f"{path}: made under other rules ({header.rules}, not {rules})")
        expected = (own, enemy, entries, (entries * KINDS[header.kind] + 7) // 8)
        if (header.own, header.enemy, header.entries, header.size) != expected:
            raise TableError(f"{path}: its header belongs to another sector")
        self.header = header
        self._path = path
        with path.open("rb") as file:
            self._mark = (path, os.fstat(file.fileno()).st_mtime_ns)
            self._file = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))[_HEADER:]
        self._packed = header.packing == "lzma"
        if not self._packed and len(self._file) != header.size:
            raise TableError(f"{path}: {len(self._file)} bytes, expected {header.size}")
        self._unpacker = lzma.LZMADecompressor()
        self._pieces: list[bytes] = []
        self._done = 0
        self._crc = 0

    def finish(self, stop: Callable[[], bool]) -> Any:
        """Return the entries, or None if `stop` interrupted; the next call continues from there.

        `stop` is called about every five milliseconds. An uncompressed file stays mapped.
        """
        if self._mark in _unpacked:
            return _unpacked[self._mark]
        while self._done < self.header.size:
            if stop():
                return None
            piece = self._unpack() if self._packed else self._file[self._done :][:_CHUNK]
            self._crc = zlib.crc32(piece, self._crc)
            self._done += len(piece)
        if self._crc != self.header.crc or self._done != self.header.size:
            raise TableError(f"{self._path}: its checksum is wrong")
        if not self._packed:
            return self._file
        cells = _unpacked[self._mark] = b"".join(self._pieces)
        self._pieces = []
        return cells

    def _unpack(self) -> bytes:
        packed = b"" if self._pieces else self._file
        try:
            piece = self._unpacker.decompress(packed, max_length=_PIECE)
        except (lzma.LZMAError, EOFError):
            raise TableError(f"{self._path}: its entries cannot be unpacked") from None
        if not piece:
            raise TableError(f"{self._path}: {self._done} bytes, expected {self.header.size}")
        self._pieces.append(piece)
        return piece


def load(path: Path, rules: str, own: int, enemy: int, entries: int) -> tuple[Header, Any]:
    """Load a sector and return its header and its entries; raises TableError and OSError."""
    loading = Loading(path, rules, own, enemy, entries)
    return loading.header, loading.finish(lambda: False)
