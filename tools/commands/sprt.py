"""The command `quintet sprt`."""

import json
from pathlib import Path

import click

from engines.core.game import InvalidText
from tools.commands.options import json_option
from tools.commands.values import Quantity, Word
from tools.journal.journal import read_journal
from tools.journal.reconstruction import reconstruct
from tools.journal.strength import format_repetition
from tools.statistics.likelihood import Model
from tools.statistics.results import Results, parse_counts
from tools.statistics.sprt import Sprt, State, figures
from tools.statistics.summary import summarize


def _read_counts(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> Results | None:
    if value is None:
        return None
    try:
        return parse_counts(value, 5 if parameter.name == "penta" else 3)
    except InvalidText as error:
        raise click.BadParameter(str(error)) from error


@click.command()
@click.option(
    "--penta",
    metavar="LL,LD,DD+WL,WD,WW",
    callback=_read_counts,
    help="Number of pairs (colours swapped) in which the engine under test scored 0, 1/2, 1, "
    "3/2 and 2 points.  [default: none]",
)
@click.option(
    "--tri",
    metavar="L,D,W",
    callback=_read_counts,
    help="Number of games that the engine under test has lost, drawn and won.  [default: none]",
)
@click.option(
    "--match",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Folder of a match: its pairs, of which equal ones count once.  [default: none]",
)
@click.option("--elo0", type=Quantity(), required=True, metavar="ELO", help="Difference under H0.")
@click.option("--elo1", type=Quantity(), required=True, metavar="ELO", help="Difference under H1.")
@click.option(
    "--model",
    type=Word([model.value for model in Model]),
    default=Model.NORMALIZED.value,
    show_default=True,
    help="Whether --elo0 and --elo1 are logistic or normalized Elo.",
)
@click.option(
    "--alpha",
    type=Quantity(),
    default=0.05,
    show_default=True,
    metavar="PROBABILITY",
    help="Risk of accepting H1 if H0 holds.",
)
@click.option(
    "--beta",
    type=Quantity(),
    default=0.05,
    show_default=True,
    metavar="PROBABILITY",
    help="Risk of accepting H0 if H1 holds.",
)
@json_option
@click.pass_context
def sprt(
    context: click.Context,
    penta: Results | None,
    tri: Results | None,
    folder: Path | None,
    elo0: float,
    elo1: float,
    model: str,
    alpha: float,
    beta: float,
    as_json: bool,
) -> None:
    """Judge the results of games by a sequential test, and estimate the difference in strength.

    Give the results as --penta, --tri or --match. Each of the counts of --penta and --tri is taken
    as one sample, whether or not games were repeated.

    Exit status: 0 H1 is accepted, 1 it is not (or not yet), 2 the test cannot be run.
    """
    if sum(given is not None for given in (penta, tri, folder)) != 1:
        raise click.UsageError("give the results either as --penta, as --tri or as --match")
    played = None if folder is None else reconstruct(read_journal(folder))
    results = penta or tri
    if played is not None:
        results = played.sample.distinct
    assert results is not None
    test = Sprt(elo0, elo1, alpha, beta, Model(model), paired=results.paired)
    if as_json:
        event: dict[str, object] = {"event": "summary", **figures(test, results)}
        if played is not None:
            event |= {"engine": played.labels[0], "distinct": played.repetitions.distinct}
        click.echo(json.dumps(event))
    else:
        if played is not None:
            click.echo(f"{'engine':<10}{played.labels[0]}, against {played.labels[1]}")
            click.echo(f"{'match':<10}{format_repetition(played)}")
        for name, text in summarize(test, results):
            click.echo(f"{name:<10}{text}")
    if test.judge(results).state is not State.H1:
        context.exit(1)
