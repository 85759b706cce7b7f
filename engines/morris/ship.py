"""Pack the tables that ship: of each pair of sectors the smaller one, in the kind that pays.

Run as `python -m engines.morris.ship TABLES [TARGET]` over what `quintet solve morris --men 10`
has built.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from engines.morris import store
from engines.morris.index import Index
from engines.morris.library import SHIPPED
from engines.morris.solve import pack

# 3-7, 6-4, 3-6 and 5-4 are one move away from these. Distances of 7-3 would take another megabyte;
# a search finds its way there, but not through 6-4's wins in a hundred plies.
KINDS: Final = {
    (3, 3): "depth",
    (4, 3): "depth",
    (3, 4): "depth",
    (5, 3): "depth",
    (3, 5): "depth",
    (4, 4): "depth",
    (6, 3): "depth",
    (4, 5): "depth",
    (7, 3): "exact",
    (4, 6): "depth",
    (5, 5): "depth",
}


def ship(tables: Path, target: Path) -> int:
    """Write the packed tables into a folder; return their bytes."""
    mark = store.fingerprint(flying=True, doubles=False)
    index = Index()
    total = 0
    for (own, enemy), kind in KINDS.items():
        entries = index.entries(own, enemy)
        path = tables / store.name(own, enemy, "depth")
        header, cells = store.load(path, mark, own, enemy, entries)
        if kind != "depth":
            cells = pack(bytes(cells), kind)
        header = replace(
            header, kind=kind, size=len(cells), crc=store.checksum(cells), packing="lzma"
        )
        total += store.save(target, header, cells).stat().st_size
    return total


if __name__ == "__main__":
    print(ship(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else SHIPPED), "bytes")
