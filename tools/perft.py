"""The command `quintet perft`."""

import json
import time

import click

from engines import registry
from engines.core.game import InvalidText
from tools.failure import CouldNotRun
from tools.waiting import under_way


@click.command()
@click.argument("game", type=click.Choice(sorted(registry.GAMES)))
@click.option("--depth", type=click.IntRange(min=1), metavar="PLIES", required=True)
@click.option("--size", type=click.IntRange(min=1), metavar="N", help="Board size.")
@click.option("--variant", metavar="NAME", default="", help="Variant; in Go the rule set.")
@click.option("--position", metavar="TEXT", default="", help="Set-up text; default: the start.")
@click.option("--turns", is_flag=True, help="Neutron: count whole turns, not half-moves.")
@click.option("--apart", is_flag=True, help="Morris: count a removal as a ply of its own.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
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
    """Count the move sequences of GAME: a line `DEPTH COUNT` for each depth from 1.

    A game that ends exactly at the last ply counts 1, one that ends before counts nothing (in Go
    the second pass in a row is no move to count). From the start, the counts are compared with
    the known ones as far as those reach. Exit status: 0 done, 1 a count is not the known one,
    2 could not run.
    """
    entry = registry.find(game)
    if turns and apart:
        raise CouldNotRun("--turns and --apart exclude each other")
    style = "turns" if turns else "apart" if apart else ""
    if style and style not in entry.perft_styles:
        raise CouldNotRun(f"--{style} means nothing in {game}")
    try:
        rules = entry.load("rules")(variant, size or 0)
        setup = rules.setup(rules.start(position))
    except InvalidText as error:
        raise CouldNotRun(str(error)) from error
    known = () if position else entry.counts.get((rules.variant, size or 0, style), ())
    began = time.process_time()
    total = verified = 0
    wrong = False
    for plies in range(1, depth + 1):
        with under_way(f"{game}: ply {plies} of {depth}"):
            count = entry.load("perft")(rules, setup, plies, style)
        total += count
        expected = known[plies - 1] if plies <= len(known) else None
        verified += expected == count
        event = {"event": "perft", "depth": plies, "count": count, "known": expected}
        click.echo(json.dumps(event) if as_json else f"{plies} {count}")
        if expected not in (None, count):
            wrong = True
            click.echo(f"ply {plies}: {count}, and known is {expected}", err=True)
    seconds = time.process_time() - began
    if as_json:
        summary = {"event": "summary", "game": game, "leaves": total, "verified": verified}
        click.echo(json.dumps(summary | {"cpu_seconds": round(seconds, 6)}))
    else:
        rate = f", {total / seconds:,.0f} leaves a CPU-second" if seconds > 0.05 else ""
        told = f"{verified} of {depth} counts verified" if known else "no counts known beforehand"
        click.echo(f"{told}{rate}", err=True)
    if wrong:
        context.exit(1)
