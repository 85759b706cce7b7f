"""The command `quintet show`."""

from pathlib import Path

import click

from tools.commands.errors import CouldNotRun
from tools.records.diagrams import draw_record
from tools.records.variations import parse_path


@click.command()
@click.argument(
    "file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE"
)
@click.option(
    "--ply",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the position after N moves; Senet's throws are not counted.  [default: the last]",
)
@click.option(
    "--variation",
    metavar="N[.N...]",
    default="",
    help="Show variation N of the main line; 2.1 is the first variation of variation 2.  "
    "[default: the main line]",
)
@click.option("--all", "every", is_flag=True, help="Show every position.")
def show(file: Path, ply: int | None, variation: str, every: bool) -> None:
    """Draw positions of the record in FILE, with the comments on their moves.

    FILE is .sgf of Go, Morris, Neutron or Senet, or .kif, .kifu, .ki2, .ki2u, .csa, .jkf, .usi or
    .sfen of shogi. The variations of a line are numbered in the order in which they begin.
    """
    drawn = draw_record(file, parse_path(variation) if variation else ())
    for notice in drawn.notices:
        click.echo(f"{file}: {notice}", err=True)
    if every:
        click.echo(drawn.heading)
        for _, draw in drawn.drawings:
            click.echo(f"\n{draw()}")
        return
    number, diagram = 0, ""
    for number, draw in drawn.drawings:
        if number == ply:
            diagram = draw()
            break
    if ply is None:
        diagram = draw()
    elif number != ply:
        raise CouldNotRun(f"{file}: it has {number} moves, not {ply}")
    click.echo(f"{drawn.heading}\n\n{diagram}")
