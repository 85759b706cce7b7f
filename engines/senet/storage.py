"""Files of solved classes: a header that names the rules, the values, a checksum over them."""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from mmap import ACCESS_COPY, mmap
from pathlib import Path
from typing import Any, Final

from engines.senet.position import SenetPosition
from engines.senet.table import ITEM_SIZE, Values, entries

_HEADER: Final = 4096  # Bytes: a page, so that the values behind it can be mapped.
_FORMAT: Final = "quintet senet table 1"
_CHUNK: Final = 1 << 24
_SAMPLES: Final = (
    ((2, 4, 6, 8, 10), (1, 3, 5, 7, 9)),
    ((15, 16, 26), (17, 18, 21, 23)),
    ((25, 28, 29), (20, 22, 24)),
)


class TableError(ValueError):
    """A file that is no table, is damaged, or was made under other rules."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table file: what its header says, and its values, mapped."""

    header: Mapping[str, Any]
    values: Values


def fingerprint(passing: bool, over: bool) -> str:
    """Return a digest of how the rules behave: it changes when a rule does."""
    counts = []
    for own, enemy in _SAMPLES:
        masks = [sum(1 << (square - 1) for square in men) for men in (own, enemy)]
        position = SenetPosition(masks[0], masks[1], 0, 0, 0, int(passing), int(over))
        counts += [position.perft(depth) for depth in range(1, 7)]
    return hashlib.sha256(f"{passing:d}{over:d} {counts}".encode()).hexdigest()[:16]


def path_of(directory: Path, passing: bool, over: bool, own: int, enemy: int) -> Path:
    """Return the file of a class under a variant."""
    variant = "pass-" * passing + "over-" * over
    return directory / f"senet-{variant}{own}-{enemy}.table"


def save(path: Path, values: Values, header: Mapping[str, Any]) -> None:
    """Write a file that appears whole or not at all."""
    raw = values.cast("B")
    full = {
        **header,
        "format": _FORMAT,
        "kind": values.format,
        "entries": len(values),
        "byteorder": sys.byteorder,
        "sha256": _digest(raw),
    }
    text = json.dumps(full).encode()
    if len(text) >= _HEADER:
        raise ValueError("the header is too long")
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            file.write(text.ljust(_HEADER - 1) + b"\n")
            for start in range(0, len(raw), _CHUNK):
                file.write(raw[start : start + _CHUNK])
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def load(path: Path, rules: str, own: int, enemy: int, *, checked: bool) -> Stored:
    """Map the file of a class; raises TableError for another game, other rules, or damage.

    The checksum takes a second a gigabyte, so it is looked at only where `checked` says so.
    """
    return load_values(path, rules, entries(own, enemy), checked=checked)


def load_values(path: Path, rules: str, number: int, *, checked: bool) -> Stored:
    """Map a file of so many values; raises TableError as `load` does."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < _HEADER:
            raise TableError(f"{path}: no table of Senet")
        # Compiled code takes writable memory only; what it wrote would not reach the file.
        memory: Values = memoryview(mmap(file.fileno(), 0, access=ACCESS_COPY))
    try:
        header = json.loads(bytes(memory[:_HEADER]))
    except ValueError as error:
        raise TableError(f"{path}: no table of Senet") from error
    if not isinstance(header, dict) or header.get("format") != _FORMAT:
        raise TableError(f"{path}: no table of Senet")
    if header["rules"] != rules:
        raise TableError(f"{path}: made under other rules ({header['rules']}, here {rules})")
    if header["byteorder"] != sys.byteorder:
        raise TableError(f"{path}: made on a {header['byteorder']}-endian machine")
    raw = memory[_HEADER:]
    kind = header["kind"]
    if header["entries"] != number or len(raw) != number * ITEM_SIZE[kind]:
        raise TableError(f"{path}: {len(raw)} bytes, expected {number} values of {kind!r}")
    if checked and _digest(raw) != header["sha256"]:
        raise TableError(f"{path}: damaged, its checksum is wrong")
    return Stored(header, raw.cast(kind))


def _digest(raw: Values) -> str:
    digest = hashlib.sha256()
    for start in range(0, len(raw), _CHUNK):
        digest.update(raw[start : start + _CHUNK])
    return digest.hexdigest()
