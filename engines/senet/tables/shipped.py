"""The shipped data: the chances of all classes up to three men a side, compressed, and the net."""

import hashlib
import json
import lzma
import threading
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from engines.senet.tables.storage import TableError, fingerprint
from engines.senet.tables.table import SHORT, ChanceTable, Class, entries

NAME: Final = "chances.bin"
MEN: Final = 3  # The most men a side.
TOP: Final = 65535  # The stored value of a certain win.
FORMAT: Final = "quintet senet chances 2"
_READING: Final = {men: threading.Lock() for men in range(1, MEN + 1)}
_READ: Final[dict[int, ChanceTable]] = {}


def unpack(packed: bytes, men: int = MEN) -> ChanceTable:
    """Read the classes up to `men` men a side from what `workshop.ship` packed.

    Raises TableError for damaged data, or data that was made under other rules.
    """
    line, _, body = packed.partition(b"\n")
    try:
        header = json.loads(line)
    except ValueError as error:
        raise TableError("the shipped chances are not a table of Senet") from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise TableError("the shipped chances are not a table of Senet")
    if header["rules"] != fingerprint(passing=False, over=False):
        raise TableError("the shipped chances were made under other rules")
    if hashlib.sha256(body).hexdigest() != header["sha256"]:
        raise TableError("the shipped chances are damaged, their checksum is wrong")
    classes: list[Any] = header["classes"]
    table = ChanceTable(
        [(own, enemy) for own, enemy, *_ in classes if max(own, enemy) <= men], SHORT
    )
    start = 0
    for own, enemy, step, length, rows, columns in classes:
        if table.holds(own, enemy):
            _unpack_class(table, (own, enemy), step, body[start : start + length], rows, columns)
        start += length
    return table


def _unpack_class(
    table: ChanceTable,
    each: Class,
    step: int,
    blob: bytes,
    rows: Mapping[str, list[int]],
    columns: Mapping[str, list[int]],
) -> None:
    import numpy as np  # Imported late, so that a game starts without it.

    from engines.senet.tables.folding import unfold

    planes = np.frombuffer(lzma.decompress(blob), dtype=np.uint8).reshape(2, -1)
    crossed = planes[0].astype(np.int32) | planes[1].astype(np.int32) << 8
    folded = (crossed >> 1) ^ -(crossed & 1)
    levels = unfold(folded.reshape(-1, entries(each[0], 0)), each, rows, columns)
    shorts: Any = np.minimum(levels * step, TOP).astype(np.uint16).ravel()
    table.part(*each)[:] = memoryview(shorts)


def chances(men: int = MEN) -> ChanceTable:
    """Return the shipped table of the classes up to `men` men a side; it is read only once.

    Reading takes a second for three men a side, and milliseconds for fewer.
    """
    with _READING[men]:
        if men not in _READ:
            packed = files("engines.senet").joinpath("data", NAME).read_bytes()
            _READ[men] = unpack(packed, men)
        return _READ[men]


def is_read(men: int) -> bool:
    """Return whether `chances` returns immediately."""
    return men in _READ


@cache
def prepare() -> None:
    """Begin to read the whole table in a background thread, once per process."""
    threading.Thread(target=chances, daemon=True).start()


@cache
def net_weights() -> bytes:
    """Return the weights of the shipped net."""
    return files("engines.senet").joinpath("data", "net.bin").read_bytes()
