"""Table files: one sector each, with its kind, the fingerprint of its rules and a checksum."""

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
from engines.morris.position import Position

KINDS: Final = {"depth": 8, "exact": 2, "safe": 1}
"""Bits an entry: win or loss with its plies, win or draw or loss, lost or not."""

_MAGIC: Final = b"quintet morris table 1\n"
_HEADER: Final = 4096  # A page, so that what follows can be mapped into memory.
_CHUNK: Final = 1 << 22  # Bytes of a step: a few milliseconds.
_PIECE: Final = 1 << 18  # Bytes, likewise, where they are unpacked.
# Neighbouring entries have nothing to do with bits or places of words.
_FILTERS: Final = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 0, "pb": 0}]


# Unpacked once in a process, as long as a file stays the same: every game asks for it.
_unpacked: Final[dict[tuple[Path, int], bytes]] = {}


class BadTable(ValueError):
    """A file that is no table of ours, is damaged, or belongs to other rules."""


class OtherRules(BadTable):
    """A sound table for another variant, or for rules that have changed."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a table file says about itself; `size` and `crc` are those of the unpacked entries.

    `counts` are those of the run that built it: positions won, drawn and lost, entries likewise,
    the longest win, and how many entries were checked. `target` is the smaller kind that replaces
    it when all is solved; empty where it is to stay.
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
    """Return a short text that changes with the rules that a table's values depend on."""
    counts = [
        Position(
            white=white, black=black, hands=(0, 0), flying=flying, doubles=doubles, draws=False
        ).perft(2)
        for white, black in ((0x000007, 0x0E0000), (0x00A0E1, 0x830114), (0x8380A5, 0x3C4002))
    ]
    text = f"nine men's morris; flying {flying}; double removal {doubles}; perft {counts}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def directory(rules: str) -> Path:
    """Return where the user's tables under some rules belong."""
    return places.tables() / "morris" / rules


def name(own: int, enemy: int, kind: str) -> str:
    """Return the file name of a sector."""
    return f"{own}-{enemy}.{kind}"


def find(folders: list[Path], own: int, enemy: int, kinds: tuple[str, ...]) -> Iterator[Path]:
    """List the files that claim to hold a sector, the most telling kind first."""
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
    """Return the CRC of a buffer, without copying it."""
    crc = 0
    with memoryview(cells) as view:
        for start in range(0, len(view), _CHUNK):
            crc = zlib.crc32(view[start : start + _CHUNK], crc)
    return crc


def _head(header: Header) -> bytes:
    text = _MAGIC + json.dumps(asdict(header)).encode() + b"\n"
    return text.ljust(_HEADER, b"\0")


def save(place: Path, header: Header, cells: Any) -> Path:
    """Write a table, packed or not as its header says; it appears under its name when whole."""
    path = place / name(header.own, header.enemy, header.kind)
    partial = path.with_name(f"{path.name}.new")
    with partial.open("wb") as file:
        file.write(_head(header))
        packed = header.packing == "lzma"
        file.write(lzma.compress(bytes(cells), filters=_FILTERS) if packed else cells)
        file.flush()
        os.fsync(file.fileno())  # What it replaces may be deleted next.
    partial.replace(path)
    return path


def seal(partial: Path, header: Header) -> Path:
    """Turn a working file whose entries are complete into a table under its name."""
    with partial.open("r+b") as file:
        file.write(_head(header))
        file.flush()
        os.fsync(file.fileno())
    path = partial.with_name(name(header.own, header.enemy, header.kind))
    partial.replace(path)
    return path


def amend(path: Path, header: Header) -> None:
    """Write another header over that of a table, which says nothing else about its entries."""
    with path.open("r+b") as file:
        file.write(_head(header))


def work_on(partial: Path, entries: int) -> memoryview:
    """Map a working file, created where there is none, for reading and writing."""
    size = _HEADER + entries
    with partial.open("r+b" if partial.exists() else "w+b") as file:
        file.truncate(size)
        if hasattr(os, "posix_fallocate"):
            # A disk that fills up under a mapped file kills the process without a word.
            os.posix_fallocate(file.fileno(), 0, size)
        return memoryview(mmap.mmap(file.fileno(), size))[_HEADER:]


def read_header(path: Path) -> Header:
    """Read what a file says about itself; raises BadTable."""
    with path.open("rb") as file:
        head = file.read(_HEADER)
    if len(head) != _HEADER or not head.startswith(_MAGIC):
        raise BadTable(f"{path}: no table of Nine Men's Morris")
    try:
        header = Header(**json.loads(head[len(_MAGIC) :].partition(b"\n")[0]))
    except (ValueError, TypeError):
        raise BadTable(f"{path}: its header is damaged") from None
    if header.kind not in KINDS or header.packing not in ("raw", "lzma"):
        raise BadTable(f"{path}: unknown kind {header.kind!r} or packing {header.packing!r}")
    if header.target not in ("", *KINDS):
        raise BadTable(f"{path}: unknown kind {header.target!r}")
    return header


class Loading:
    """A table that is read and checked step by step; raises BadTable and OSError.

    `header` is that of a file whose size and rules are right.
    """

    def __init__(self, path: Path, rules: str, own: int, enemy: int, entries: int) -> None:
        header = read_header(path)
        if header.rules != rules:
            raise OtherRules(f"{path}: made under other rules ({header.rules}, not {rules})")
        expected = (own, enemy, entries, (entries * KINDS[header.kind] + 7) // 8)
        if (header.own, header.enemy, header.entries, header.size) != expected:
            raise BadTable(f"{path}: its header belongs to another sector")
        self.header = header
        self._path = path
        with path.open("rb") as file:
            self._mark = (path, os.fstat(file.fileno()).st_mtime_ns)
            self._file = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))[_HEADER:]
        self._packed = header.packing == "lzma"
        if not self._packed and len(self._file) != header.size:
            raise BadTable(f"{path}: {len(self._file)} bytes where {header.size} are due")
        self._unpacker = lzma.LZMADecompressor()
        self._pieces: list[bytes] = []
        self._done = 0
        self._crc = 0

    def finish(self, stop: Callable[[], bool]) -> Any:
        """Return the entries, a large file mapped; None where `stop` ends it, to be gone on with.

        `stop` is asked about every five milliseconds.
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
            raise BadTable(f"{self._path}: its checksum is wrong")
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
            raise BadTable(f"{self._path}: its entries cannot be unpacked") from None
        if not piece:
            raise BadTable(f"{self._path}: {self._done} bytes where {self.header.size} are due")
        self._pieces.append(piece)
        return piece


def load(path: Path, rules: str, own: int, enemy: int, entries: int) -> tuple[Header, Any]:
    """Return a sector's header and entries, a large file mapped; raises BadTable and OSError."""
    loading = Loading(path, rules, own, enemy, entries)
    return loading.header, loading.finish(lambda: False)
