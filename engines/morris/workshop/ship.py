"""Pack the shipped tables: of each pair of sectors the smaller one, in the most useful kind.

`python -m engines.morris.workshop.ship TABLES [TARGET]` packs the tables that `quintet solve morris
--men 10` has built.
"""

from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from engines.morris.tables import store
from engines.morris.tables.index import Index
from engines.morris.tables.library import SHIPPED
from engines.morris.tables.solve import pack

# 3-7, 6-4, 3-6 and 5-4 are one move away from these. Distances for 7-3 would take another
# megabyte; the search wins there without them, but not in 6-4, where a win takes a hundred plies.
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
    """Write the packed tables into a folder; return their size in bytes."""
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


@click.command()
@click.argument("tables", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("target", type=click.Path(path_type=Path, file_okay=False), default=SHIPPED)
def main(tables: Path, target: Path) -> None:
    """Pack the tables in the folder TABLES into the folder TARGET, or into the shipped data."""
    click.echo(f"{ship(tables, target)} bytes")


if __name__ == "__main__":
    main()
