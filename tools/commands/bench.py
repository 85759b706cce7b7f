"""The command `quintet bench`."""

import json
from collections.abc import Sequence

import click

from engines import registry
from engines.core.version import version
from tools.bench.programs import OWN_FIGURES, figures
from tools.commands.options import json_option
from tools.commands.terminal import under_way
from tools.commands.values import Quantity, Word


@click.command()
@click.argument(
    "names", nargs=-1, type=Word([*sorted(registry.GAMES), *OWN_FIGURES]), metavar="[NAME]..."
)
@click.option(
    "--seconds",
    type=Quantity(min=0, min_open=True),
    metavar="SECONDS",
    default=0.3,
    show_default=True,
    help="Least CPU time for each figure of a game.",
)
@json_option
def bench(names: Sequence[str], seconds: float, as_json: bool) -> None:
    """Measure games, client, referee or ratings (all by default), and print a line per figure.

    NAME is a game (go, morris, neutron, senet, shogi), or client, referee or ratings. The
    figures of a game are its perft, its random games and its search, and others of this game
    alone. Rates are per CPU-second of one thread. On a machine that others use as well, compare
    only figures of one run.
    """
    count = 0
    for name in names or [*registry.GAMES, *OWN_FIGURES]:
        measured = figures(name, seconds)
        while True:
            with under_way(f"{name}: figure {count + 1}"):
                figure = next(measured, None)
            if figure is None:
                break
            count += 1
            what, value, unit = figure
            event = {"event": "figure", "of": name, "what": what, "figure": value, "unit": unit}
            line = f"{name:8} {what:44} {_rounded(value):>12} {unit}"
            click.echo(json.dumps(event) if as_json else line)
    if as_json:
        click.echo(json.dumps({"event": "summary", "figures": count, "version": version()}))


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
