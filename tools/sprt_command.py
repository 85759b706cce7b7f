"""The command `quintet sprt`: what a sequential test says about results from anywhere."""

import json

import click

from engines.core.game import InvalidText
from tools.failure import CouldNotRun
from tools.likelihood import Model
from tools.quantity import Quantity
from tools.sprt import Sprt, State, figures
from tools.statistics import Results, estimate, format_counts, parse_counts


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
    metavar="LL,LD,DD,WD,WW",
    callback=_read_counts,
    help="Pairs of games, colours swapped, by points of the engine under test: 0, 1/2, 1, 3/2, 2.",
)
@click.option(
    "--tri",
    metavar="L,D,W",
    callback=_read_counts,
    help="Games lost, drawn and won by the engine under test.",
)
@click.option(
    "--elo0", type=Quantity(), required=True, metavar="ELO", help="The difference under H0."
)
@click.option(
    "--elo1", type=Quantity(), required=True, metavar="ELO", help="The difference under H1."
)
@click.option(
    "--model",
    type=click.Choice([model.value for model in Model]),
    default=Model.NORMALIZED.value,
    show_default=True,
    help="The kind of Elo that --elo0 and --elo1 are.",
)
@click.option(
    "--alpha",
    type=Quantity(),
    default=0.05,
    show_default=True,
    metavar="PROBABILITY",
    help="The risk of accepting H1 where H0 holds.",
)
@click.option(
    "--beta",
    type=Quantity(),
    default=0.05,
    show_default=True,
    metavar="PROBABILITY",
    help="The risk of accepting H0 where H1 holds.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def sprt(
    context: click.Context,
    penta: Results | None,
    tri: Results | None,
    elo0: float,
    elo1: float,
    model: str,
    alpha: float,
    beta: float,
    as_json: bool,
) -> None:
    """Judge results by a sequential test, and say what they tell about strength.

    Exit status: 0 H1 is accepted, 1 it is not (or not yet), 2 the test cannot be run.
    """
    results = penta or tri
    if results is None or (penta is not None and tri is not None):
        raise click.UsageError("give the results either as --penta or as --tri")
    try:
        test = Sprt(elo0, elo1, alpha, beta, Model(model), paired=results.paired)
    except InvalidText as error:
        raise CouldNotRun(str(error)) from error
    if as_json:
        click.echo(json.dumps({"event": "summary", **figures(test, results)}))
    else:
        for name, text in describe(test, results):
            click.echo(f"{name:<10}{text}")
    if test.judge(results).state is not State.H1:
        context.exit(1)


def describe(test: Sprt, results: Results) -> list[tuple[str, str]]:
    """Return what test and results say, as rows of a name and a text."""
    verdict = test.judge(results)
    kind = _kind(test)
    return [
        *_describe_results(results),
        *_describe_strength(test, results),
        (
            "test",
            f"H0 {kind} = {test.elo0:g}, H1 {kind} = {test.elo1:g}, "
            f"alpha {test.alpha:g}, beta {test.beta:g}",
        ),
        ("LLR", f"{verdict.llr:.4f}, bounds {test.lower:.4f} and {test.upper:.4f}"),
        ("verdict", _describe_verdict(test, verdict.state)),
        *_describe_wait(test, results),
    ]


def _kind(test: Sprt) -> str:
    return "nelo" if test.model is Model.NORMALIZED else "elo"


def _describe_results(results: Results) -> list[tuple[str, str]]:
    counts = format_counts(results.counts)
    if results.paired:
        games = f"{results.games} in {results.samples} pairs: {counts}"
    else:
        games = f"{results.games}: {counts}"
    if not results.games:
        return [("games", games)]
    share = results.points / results.games
    return [("games", games), ("score", f"{results.points:g} of {results.games} ({share:.2%})")]


def _describe_strength(test: Sprt, results: Results) -> list[tuple[str, str]]:
    if not results.samples:
        return []
    strength = estimate(results)
    rows = [("elo", f"{strength.elo:.2f} ± {strength.elo_error:.2f}")]
    if results.alike:
        rows.append(("nelo", f"unknown: all {'pairs' if results.paired else 'games'} ended alike"))
    else:
        rows.append(("nelo", f"{strength.nelo:.2f} ± {strength.nelo_error:.2f}"))
    rows.append(("LOS", f"{strength.los:.2%}"))
    if (unbiased := test.unbiased(results)) is not None:
        rows.append(
            (
                "unbiased",
                f"elo {unbiased.elo:.2f}, 95 % from {unbiased.low:.2f} to {unbiased.high:.2f}"
                " (allows for stopping by this test)",
            )
        )
    return rows


def _describe_verdict(test: Sprt, state: State) -> str:
    kind = _kind(test)
    if state is State.H1:
        return f"H1 accepted: {kind} is rather {test.elo1:g} than {test.elo0:g}"
    if state is State.H0:
        return f"H0 accepted: {kind} is rather {test.elo0:g} than {test.elo1:g}"
    return "none yet: no bound is reached"


def _describe_wait(test: Sprt, results: Results) -> list[tuple[str, str]]:
    if test.judge(results).state is not State.CONTINUE:
        return []
    waits = [
        f"{wait:.0f} games if {_kind(test)} is {difference:g}"
        for difference in test.differences().values()
        if (wait := test.expected_games(difference, results)) is not None
    ]
    return [("to go", f"on average {', '.join(waits)}")] if waits else []
