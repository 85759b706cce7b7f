"""The tables that ship: quantised, folded and compressed chances of the smaller classes."""

import hashlib
import json
import lzma
import sys
from array import array
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from engines.senet.storage import TableError, fingerprint, load, path_of
from engines.senet.table import SHORT, Class, Table, entries

NAME: Final = "chances.bin"
_FORMAT: Final = "quintet senet chances 1"


def pack(tables: Path, bits: Mapping[Class, int], target: Path) -> None:
    """Write solved classes into one file, each quantised to so many bits."""
    rules = fingerprint(passing=False, over=False)
    blobs = []
    for each, width in bits.items():
        stored = load(path_of(tables, False, False, *each), rules, *each, checked=True)
        table = Table([each], stored.header["kind"], stored.values)
        deltas = array("h", table.fold(*each, (1 << width) - 1))
        if sys.byteorder == "big":
            deltas.byteswap()
        raw = deltas.tobytes()
        # High bytes are nearly all 0 or 255: apart from the low ones they compress to nothing.
        blobs.append(lzma.compress(raw[0::2] + raw[1::2], preset=9 | lzma.PRESET_EXTREME))
    header = {
        "format": _FORMAT,
        "rules": rules,
        "classes": [
            [*each, width, len(blob)]
            for (each, width), blob in zip(bits.items(), blobs, strict=True)
        ],
        "sha256": hashlib.sha256(b"".join(blobs)).hexdigest(),
    }
    target.write_bytes(b"".join([json.dumps(header).encode(), b"\n", *blobs]))


def unpack(packed: bytes) -> Table:
    """Read what `pack` wrote; raises TableError where it is damaged or made under other rules."""
    line, _, body = packed.partition(b"\n")
    try:
        header = json.loads(line)
    except ValueError as error:
        raise TableError("the shipped chances are no table of Senet") from error
    if not isinstance(header, dict) or header.get("format") != _FORMAT:
        raise TableError("the shipped chances are no table of Senet")
    if header["rules"] != fingerprint(passing=False, over=False):
        raise TableError("the shipped chances were made under other rules")
    if hashlib.sha256(body).hexdigest() != header["sha256"]:
        raise TableError("the shipped chances are damaged, their checksum is wrong")
    classes: list[list[int]] = header["classes"]
    table = Table([(own, enemy) for own, enemy, _, _ in classes], SHORT)
    start = 0
    for own, enemy, width, length in classes:
        _unpack_class(table, (own, enemy), width, body[start : start + length])
        start += length
    return table


def _unpack_class(table: Table, each: Class, width: int, blob: bytes) -> None:
    planes = lzma.decompress(blob)
    number = entries(*each)
    raw = bytearray(2 * number)
    raw[0::2] = planes[:number]
    raw[1::2] = planes[number:]
    deltas = array("h")
    deltas.frombytes(raw)
    if sys.byteorder == "big":
        deltas.byteswap()
    view: Any = memoryview(deltas)
    table.unfold(*each, view, (1 << width) - 1)


@cache
def chances() -> Table:
    """Return the shipped table, read once; under other rules than the default it holds nothing."""
    return unpack(files("engines.senet").joinpath("data", NAME).read_bytes())


@cache
def net_weights() -> bytes:
    """Return the weights of the shipped net."""
    return files("engines.senet").joinpath("data", "net.bin").read_bytes()
