"""Pack solved tables into the shipped data: `python -m engines.senet.workshop.ship --help`."""

import hashlib
import json
import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click
import numpy as np

from engines.core import places
from engines.senet.tables.folding import fold
from engines.senet.tables.shipped import FORMAT, MEN, TOP
from engines.senet.tables.storage import fingerprint, load, path_of
from engines.senet.tables.table import SHORT, Class, entries

_FILTERS: Final = [
    {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 3, "lp": 0, "pb": 0}
]


def pack(tables: Path, steps: Mapping[Class, int], target: Path) -> None:
    """Write solved classes into one file, each rounded to a multiple of its step.

    Steps are in units of 1/65535. Raises ValueError for steps that are too small.
    """
    rules = fingerprint(passing=False, over=False)
    blobs, classes = [], []
    for each, step in steps.items():
        stored = load(path_of(tables, False, False, *each), rules, *each, checked=True)
        values = np.asarray(stored.values, dtype=float) * (
            1 if stored.values.format == SHORT else TOP
        )
        levels = (values / step + 0.5).astype(np.int32).reshape(entries(each[0], 0), -1)
        folded, rows, columns = fold(levels, each)
        # Small numbers of either sign become small bytes; nearly all high bytes are then 0.
        crossed = (folded << 1) ^ (folded >> 31)
        if crossed.max() > TOP:
            raise ValueError(
                f"steps of {step} leave numbers of more than 16 bits; use larger steps"
            )
        raw = crossed.astype("<u2").tobytes()
        blobs.append(lzma.compress(raw[0::2] + raw[1::2], filters=_FILTERS))
        classes.append([*each, step, len(blobs[-1]), rows, columns])
    header = {
        "format": FORMAT,
        "rules": rules,
        "classes": classes,
        "sha256": hashlib.sha256(b"".join(blobs)).hexdigest(),
    }
    target.write_bytes(b"".join([json.dumps(header).encode(), b"\n", *blobs]))


@click.command()
@click.argument("step", type=click.IntRange(min=1))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--tables", type=click.Path(path_type=Path), metavar="DIR", help="Default: the user's tables."
)
def main(step: int, file: Path, tables: Path | None) -> None:
    """Pack the classes up to three men a side into FILE, in multiples of STEP units of 1/65535."""
    classes = [(own, enemy) for own in range(1, MEN + 1) for enemy in range(1, MEN + 1)]
    pack(tables or places.tables(), dict.fromkeys(classes, step), file)


if __name__ == "__main__":
    main()
