"""The command `quintet perft`."""

import json
import time

import click

from engines import registry
from tools.bench.perft import Perft, PerftCount
from tools.commands.options import json_option, variant_option
from tools.commands.terminal import under_way
from tools.commands.values import Whole, Word


@click.command()
@click.argument("game", type=Word(sorted(registry.GAMES)), metavar="GAME")
@click.option("--depth", type=Whole(min=1), metavar="PLIES", required=True, help="Greatest depth.")
@click.option(
    "--size", type=Whole(2, 25), metavar="N", help="Go: size of the board.  [default: 19]"
)
@variant_option
@click.option(
    "--position", metavar="TEXT", default="", help="Set-up to count from.  [default: the start]"
)
@click.option("--turns", is_flag=True, help="Neutron: count whole turns instead of half-moves.")
@click.option("--apart", is_flag=True, help="Morris: count a removal as a ply of its own.")
@json_option
@click.pass_context
def perft(
    context: click.Context,
    game: str,
    depth: int,
    size: int | None,
    variant: str,
    position: str,
    turns: bool,
    apart: bool,
    as_json: bool,
) -> None:
    """Count the move sequences of a game, and print a line `DEPTH COUNT` for each depth from 1.

    GAME is go, morris, neutron, senet or shogi.

    A game that ends exactly at the last ply counts as 1, one that ends before it does not count
    (in Go, the second of two passes in a row is not counted as a move). Counts from the start
    position are compared with the known ones, as far as these reach.

    Exit status: 0 done, 1 a count differs from the known one, 2 could not run.
    """
    if turns and apart:
        raise click.UsageError("--turns and --apart exclude each other")
    style = "turns" if turns else "apart" if apart else ""
    work = Perft(game, size=size or 0, variant=variant, position=position, style=style)
    counts: list[PerftCount] = []
    began = time.process_time()
    results = work.counts(depth)
    while len(counts) < depth:
        with under_way(f"{game}: ply {len(counts) + 1} of {depth}"):
            counts.append(next(results))
        _print_count(counts[-1], as_json=as_json)
    seconds = time.process_time() - began
    _print_summary(game, counts, seconds, has_known=bool(work.known), as_json=as_json)
    if any(count.wrong for count in counts):
        context.exit(1)


def _print_count(result: PerftCount, *, as_json: bool) -> None:
    event = {
        "event": "perft",
        "depth": result.depth,
        "count": result.count,
        "known": result.known,
    }
    click.echo(json.dumps(event) if as_json else f"{result.depth} {result.count}")
    if result.wrong:
        click.echo(
            f"ply {result.depth}: counted {result.count}, the known count is {result.known}",
            err=True,
        )


def _print_summary(
    game: str, counts: list[PerftCount], seconds: float, *, has_known: bool, as_json: bool
) -> None:
    leaves = sum(count.count for count in counts)
    verified = sum(count.known == count.count for count in counts)
    if as_json:
        summary = {"event": "summary", "game": game, "leaves": leaves, "verified": verified}
        click.echo(json.dumps(summary | {"cpu_seconds": round(seconds, 6)}))
        return
    rate = f", {leaves / seconds:,.0f} leaves per CPU-second" if seconds > 0.05 else ""
    checked = f"{verified} of {len(counts)} counts verified" if has_known else "no known counts"
    click.echo(f"{checked}{rate}", err=True)
