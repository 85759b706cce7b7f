"""Files of exact values: a header that names the game and its rules, the values, a checksum."""

import hashlib
import json
import mmap
import os
import stat
import struct
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from engines.core.solving import Unusable

HEADER: Final = 4096  # Bytes: a page, so that the values behind it can be mapped.
_CHUNK: Final = 1 << 24

Values = Any  # A memoryview of numbers; no static type covers their kinds.


class TableError(Unusable):
    """A file that is no table, is damaged, or was made under other rules."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table file: what its header says, and its values, mapped."""

    path: Path
    header: Mapping[str, Any]
    values: Values

    def figure(self, name: str) -> Any:
        """Return a number that the header tells; raises TableError where it does not."""
        number = self.header.get(name)
        if not isinstance(number, int | float):
            raise TableError(f"{self.path}: damaged, its header tells no {name}")
        return number


def allocate(kind: str, number: int) -> Values:
    """Return zeroed memory for so many values, in huge pages where the system has them."""
    size = max(number, 1) * _size(kind)
    if sys.platform == "linux":  # Random reads of gigabytes otherwise miss the TLB each time.
        # Shared memory, Python's default, is given no huge pages.
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        with suppress(OSError):  # A kernel may be built without huge pages.
            memory.madvise(mmap.MADV_HUGEPAGE)
    else:
        memory = mmap.mmap(-1, size)
    view: Values = memoryview(memory)
    return view.cast(kind)


def save(path: Path, game: str, values: Values, header: Mapping[str, Any]) -> None:
    """Write a file that appears whole or not at all."""
    raw = values.cast("B")
    full = {
        **header,
        "format": _format(game),
        "kind": values.format,
        "entries": len(values),
        "byteorder": sys.byteorder,
        "sha256": _digest(raw),
    }
    text = json.dumps(full).encode()
    if len(text) >= HEADER:
        raise ValueError("the header is too long")
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(text.ljust(HEADER - 1) + b"\n")
            for start in range(0, len(raw), _CHUNK):
                file.write(raw[start : start + _CHUNK])
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def load(path: Path, game: str, rules: str, kinds: str, number: int, *, checked: bool) -> Stored:
    """Map a file of so many values; raises TableError for another game, other rules, or damage.

    `kinds` are those of `array` that the values may have.

    The checksum takes a second a gigabyte, so it is looked at only where `checked` says so.
    """
    if stat.S_ISFIFO(path.stat().st_mode):  # To open it would wait for somebody who writes.
        raise TableError(f"{path}: no table of {game}")
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < HEADER:
            raise TableError(f"{path}: no table of {game}")
        # Compiled code takes writable memory only; what it wrote would not reach the file.
        memory: Values = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    try:
        header = json.loads(bytes(memory[:HEADER]))
    except (ValueError, RecursionError) as error:
        raise TableError(f"{path}: no table of {game}") from error
    if not isinstance(header, dict) or header.get("format") != _format(game):
        raise TableError(f"{path}: no table of {game}")
    told = [header.get(name) for name in ("rules", "byteorder", "kind", "sha256")]
    if not all(isinstance(word, str) for word in told) or header["kind"] not in tuple(kinds):
        raise TableError(f"{path}: damaged, its header does not make sense")
    if header["rules"] != rules:
        raise TableError(f"{path}: made under other rules ({header['rules']}, here {rules})")
    if header["byteorder"] != sys.byteorder:
        raise TableError(f"{path}: made on a {header['byteorder']}-endian machine")
    raw = memory[HEADER:]
    if header.get("entries") != number or len(raw) != number * _size(header["kind"]):
        raise TableError(
            f"{path}: {len(raw)} bytes, expected {number} values of {header['kind']!r}"
        )
    if checked and _digest(raw) != header["sha256"]:
        raise TableError(f"{path}: damaged, its checksum is wrong")
    return Stored(path, header, raw.cast(header["kind"]))


@cache  # A searcher is made anew with each game, and finds the same file.
def complain(program: str, problem: str) -> None:
    """Say on stderr why a table is not used, once for each problem."""
    print(f"{program}: table not used: {problem}", file=sys.stderr)


def _size(kind: str) -> int:
    return struct.calcsize(kind)


def _format(game: str) -> str:
    return f"quintet {game.lower()} table 1"


def _digest(raw: Values) -> str:
    digest = hashlib.sha256()
    for start in range(0, len(raw), _CHUNK):
        digest.update(raw[start : start + _CHUNK])
    return digest.hexdigest()
