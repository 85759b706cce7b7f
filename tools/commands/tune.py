"""The command `quintet tune`."""

from dataclasses import replace
from pathlib import Path

import click

from engines.core.game import InvalidText
from tools.commands.options import json_option
from tools.commands.terms import force_option, refuse_too_many
from tools.commands.values import Whole
from tools.tournament.tuning.planfile import read_plan
from tools.tournament.tuning.report import TuningJson, TuningText
from tools.tournament.tuning.session import run_tuning


@click.command()
@click.argument(
    "file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE.toml"
)
@click.option(
    "--pairs",
    type=Whole(min=1),
    metavar="N",
    help="Pairs of games.  [default: those of the file]",
)
@click.option(
    "--jobs",
    type=Whole(min=1),
    metavar="N",
    help="Games that are played concurrently.  [default: those of the file, or 1]",
)
@force_option
@click.option(
    "--seed",
    type=Whole(min=0),
    metavar="N",
    help="Seed of the steps, the dice and the order of openings.  [default: random]",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the run; if it already holds it, it is resumed.  [default: FILE without .toml]",
)
@click.option(
    "--accept-changes", is_flag=True, help="Resume although the engine was changed meanwhile."
)
@click.option("--quiet", is_flag=True, help="Print nothing between the first line and the table.")
@json_option
def tune(
    file: Path,
    pairs: int | None,
    jobs: int | None,
    force: bool,
    seed: int | None,
    out: Path | None,
    accept_changes: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Tune values of an engine by games against itself, as FILE.toml describes it (SPSA).

    In each pair of games, both sides have all values moved a little, in opposite directions, and
    then every value moves towards the better side. The run can be stopped at any time and resumed
    by the same command. At the end it prints the values, and the match that tells whether they are
    better; a picture of the values over time is values.svg in its folder. `quintet status` and
    `quintet verify` work on the folder, also while it runs.

    Exit status: 0 all pairs were played, 1 there were anomalies, 2 it could not be played, 130 it
    was interrupted.

    \b
    [tune]                             [engine.mine]
    game = "go"                        command = "quintet-go --option threads=1"
    size = 9                           [value.cpuctExploration]
    time = "visits=100"                start = 1.1
    openings = "builtin"               low = 0.3
    pairs = 300                        high = 3.0
    jobs = 2                           step = 0.2
    """  # noqa: D301  # Click wants the control character itself.
    plan = read_plan(file)
    given = {"pairs": pairs, "jobs": jobs, "seed": seed, "out": out}
    changes = {name: value for name, value in given.items() if value is not None}
    options = replace(plan.options, accept_changes=accept_changes, force=force, **changes)  # type: ignore[arg-type]
    refuse_too_many(options.jobs, force=options.force)
    report = TuningJson(quiet=quiet) if as_json else TuningText(quiet=quiet)
    try:
        status = run_tuning(options, report)
    except InvalidText as error:
        raise plan.locate(error) from error
    if status.interrupted and status.missing:
        raise SystemExit(130)
    raise SystemExit(0 if status.status == "clean" else 1)
