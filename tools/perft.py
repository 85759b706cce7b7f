"""The command `quintet perft`."""

import json
import time

import click

from engines import registry
from engines.core.game import InvalidText
from tools.failure import CouldNotRun


@click.command()
@click.argument("game", type=click.Choice(sorted(registry.GAMES)))
@click.option("--depth", type=click.IntRange(min=1), metavar="PLIES", required=True)
@click.option("--size", type=click.IntRange(min=1), metavar="N", help="Board size.")
@click.option("--variant", metavar="NAME", default="", help="Variant; in Go the rule set.")
@click.option("--position", metavar="TEXT", default="", help="Set-up text; default: the start.")
@click.option("--turns", is_flag=True, help="Neutron: count whole turns, not half-moves.")
@click.option("--apart", is_flag=True, help="Morris: count a removal as a ply of its own.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def perft(
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

    A game that ends exactly at the last ply counts 1, one that ends before counts nothing.
    """
    entry = registry.find(game)
    style = "turns" if turns else "apart" if apart else ""
    if style and style not in entry.perft_styles:
        raise CouldNotRun(f"--{style} means nothing in {game}")
    began = time.process_time()
    try:
        rules = entry.load("rules")(variant, size or 0)
        setup = rules.setup(rules.start(position))
    except InvalidText as error:
        raise CouldNotRun(str(error)) from error
    total = 0
    for plies in range(1, depth + 1):
        count = entry.load("perft")(rules, setup, plies, style)
        total += count
        event = {"event": "perft", "depth": plies, "count": count}
        click.echo(json.dumps(event) if as_json else f"{plies} {count}")
    if as_json:
        seconds = round(time.process_time() - began, 6)
        summary = {"event": "summary", "game": game, "leaves": total, "cpu_seconds": seconds}
        click.echo(json.dumps(summary))
