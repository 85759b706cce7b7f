"""What ships: the chances of all classes up to three men a side, folded and compressed, and nets.

`python -m engines.senet.shipped STEP FILE [TABLES]` packs them from solved tables.
"""

import hashlib
import json
import lzma
import sys
import threading
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from engines.core import places
from engines.senet.storage import TableError, fingerprint, load, path_of
from engines.senet.table import SHORT, Class, Table, entries

NAME: Final = "chances.bin"
MEN: Final = 3  # A side, at most.
TOP: Final = 65535  # A certain win.
_FORMAT: Final = "quintet senet chances 2"
_FILTERS: Final = [
    {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 3, "lp": 0, "pb": 0}
]
_READING: Final = {men: threading.Lock() for men in range(1, MEN + 1)}
_READ: Final[dict[int, Table]] = {}


def pack(tables: Path, steps: Mapping[Class, int], target: Path) -> None:
    """Write solved classes into one file, each in multiples of so many units of 1/65535.

    Raises ValueError where that is too fine.
    """
    import numpy as np  # Here, as below: a game begins without it.

    from engines.senet.folding import fold

    rules = fingerprint(passing=False, over=False)
    blobs, classes = [], []
    for each, step in steps.items():
        stored = load(path_of(tables, False, False, *each), rules, *each, checked=True)
        values = np.asarray(stored.values, dtype=float) * (
            1 if stored.values.format == SHORT else TOP
        )
        levels = (values / step + 0.5).astype(np.int32).reshape(entries(each[0], 0), -1)
        folded, rows, columns = fold(levels, each)
        # Small numbers of either sign get small bytes; the high ones, nearly all 0, stand apart.
        crossed = (folded << 1) ^ (folded >> 31)
        if crossed.max() > TOP:
            raise ValueError(
                f"steps of {step} leave numbers of more than 16 bits: take larger ones"
            )
        raw = crossed.astype("<u2").tobytes()
        blobs.append(lzma.compress(raw[0::2] + raw[1::2], filters=_FILTERS))
        classes.append([*each, step, len(blobs[-1]), rows, columns])
    header = {
        "format": _FORMAT,
        "rules": rules,
        "classes": classes,
        "sha256": hashlib.sha256(b"".join(blobs)).hexdigest(),
    }
    target.write_bytes(b"".join([json.dumps(header).encode(), b"\n", *blobs]))


def unpack(packed: bytes, men: int = MEN) -> Table:
    """Read what `pack` wrote, as far as so many men a side.

    Raises TableError where it is damaged or was made under other rules.
    """
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
    classes: list[Any] = header["classes"]
    table = Table([(own, enemy) for own, enemy, *_ in classes if max(own, enemy) <= men], SHORT)
    start = 0
    for own, enemy, step, length, rows, columns in classes:
        if table.holds(own, enemy):
            _unpack_class(table, (own, enemy), step, body[start : start + length], rows, columns)
        start += length
    return table


def _unpack_class(
    table: Table,
    each: Class,
    step: int,
    blob: bytes,
    rows: Mapping[str, list[int]],
    columns: Mapping[str, list[int]],
) -> None:
    import numpy as np

    from engines.senet.folding import unfold

    planes = np.frombuffer(lzma.decompress(blob), dtype=np.uint8).reshape(2, -1)
    crossed = planes[0].astype(np.int32) | planes[1].astype(np.int32) << 8
    folded = (crossed >> 1) ^ -(crossed & 1)
    levels = unfold(folded.reshape(-1, entries(each[0], 0)), each, rows, columns)
    shorts: Any = np.minimum(levels * step, TOP).astype(np.uint16).ravel()
    table.part(*each)[:] = memoryview(shorts)


def chances(men: int = MEN) -> Table:
    """Return the shipped table as far as so many men a side, read once.

    Reading takes a second for three men, milliseconds for fewer.
    """
    with _READING[men]:
        if men not in _READ:
            packed = files("engines.senet").joinpath("data", NAME).read_bytes()
            _READ[men] = unpack(packed, men)
        return _READ[men]


def is_read(men: int) -> bool:
    """Return whether `chances` would answer at once."""
    return men in _READ


@cache
def prepare() -> None:
    """Begin to read the whole table, beside what else is to be done; once is enough."""
    threading.Thread(target=chances, daemon=True).start()


@cache
def net_weights() -> bytes:
    """Return the weights of the shipped net."""
    return files("engines.senet").joinpath("data", "net.bin").read_bytes()


def main(words: list[str]) -> None:
    """Pack as the command line says."""
    tables = Path(words[2]) if len(words) > 2 else places.tables()
    classes = [(own, enemy) for own in range(1, MEN + 1) for enemy in range(1, MEN + 1)]
    pack(tables, dict.fromkeys(classes, int(words[0])), Path(words[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
