"""Files of exact values: a header with the game and its rules, the values, and a checksum."""

import hashlib
import json
import mmap
import os
import stat
import struct
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from engines.core.errors import QuintetError
from engines.core.solving import Unusable

HEADER: Final = 4096  # Bytes: one page, so that the values after it can be mapped into memory.
_CHUNK: Final = 1 << 24

Values = Any  # A memoryview of numbers; no static type covers all its formats.


class TableError(Unusable):
    """A file that is not a table, is damaged, or was made under other rules."""


class MissingTable(QuintetError, ValueError):
    """The tables that a program needs do not exist, or do not reach far enough."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table file: its header, and its values mapped into memory."""

    path: Path
    header: Mapping[str, Any]
    values: Values

    def figure(self, name: str) -> Any:
        """Return a number from the header; raises TableError if it is not there."""
        number = self.header.get(name)
        if not isinstance(number, int | float):
            raise TableError(f"{self.path}: damaged, its header has no {name}")
        return number


def allocate(kind: str, number: int) -> Values:
    """Return zeroed memory for `number` values, in huge pages if the system has them."""
    size = max(number, 1) * _size(kind)
    if sys.platform == "linux":
        # Without huge pages, random reads of gigabytes miss the TLB each time, and shared memory,
        # which is Python's default, gets none.
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        with suppress(OSError):  # A kernel may be built without huge pages.
            memory.madvise(mmap.MADV_HUGEPAGE)
    else:
        memory = mmap.mmap(-1, size)
    view: Values = memoryview(memory)
    return view.cast(kind)


def save(path: Path, game: str, values: Values, header: Mapping[str, Any]) -> None:
    """Write a table file; it appears under its name only when it is complete."""
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
    pieces = (raw[start : start + _CHUNK] for start in range(0, len(raw), _CHUNK))
    write_whole(path, [text.ljust(HEADER - 1) + b"\n"], pieces)


def write_whole(path: Path, *parts: Iterable[bytes | Values]) -> None:
    """Write the pieces of all parts to a file that appears under its name when it is complete."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            for piece in chain(*parts):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())  # The caller may delete next what this file replaces.
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def load(path: Path, game: str, rules: str, kinds: str, number: int, *, checked: bool) -> Stored:
    """Map a file of `number` values; raises TableError for another game, other rules, or damage.

    `kinds` are the type codes of `array` that the values may have. Verifying the checksum takes a
    second per gigabyte, so it is done only if `checked` is true.
    """
    if stat.S_ISFIFO(path.stat().st_mode):  # Opening a pipe would wait for a writer.
        raise TableError(f"{path}: no table of {game}")
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < HEADER:
            raise TableError(f"{path}: no table of {game}")
        # Compiled code accepts writable memory only; changes would not reach the file.
        memory: Values = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    try:
        header = json.loads(bytes(memory[:HEADER]))
    except (ValueError, RecursionError) as error:
        raise TableError(f"{path}: no table of {game}") from error
    if not isinstance(header, dict) or header.get("format") != _format(game):
        raise TableError(f"{path}: no table of {game}")
    words = [header.get(name) for name in ("rules", "byteorder", "kind", "sha256")]
    if not all(isinstance(word, str) for word in words) or header["kind"] not in tuple(kinds):
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


def open_if_usable(program: str, path: Path, load: Callable[[], Stored]) -> Stored | None:
    """Return what `load` returns, or None if there is no file at `path`, or only an unusable one.

    An unusable file is reported on stderr, once per process.
    """
    try:
        return load()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except TableError as error:
        _complain(program, str(error))
    except OSError as error:
        _complain(program, f"{path}: {error.strerror}")
    return None


@cache  # Each game has a new searcher, which meets the same file again.
def _complain(program: str, problem: str) -> None:
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
