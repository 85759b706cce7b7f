"""The command `quintet tournament`."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from engines.core.game import InvalidText
from tools.commands.completing import complete_cup
from tools.commands.errors import CouldNotRun
from tools.commands.options import jobs_option, json_option
from tools.commands.sections import SectionedCommand, section
from tools.commands.terms import (
    ADJUDICATION_OPTIONS,
    CLOCK_OPTIONS,
    GAME_OPTIONS,
    GO_OPTIONS,
    OPENING_OPTIONS,
    RECORD_OPTIONS,
    RESUMING_OPTIONS,
    refuse_too_many,
)
from tools.commands.values import Quantity, Whole, Word
from tools.journal.journal import NAME
from tools.terms.spec import SET_ASIDE
from tools.tournament.cluster import ALL_WORKERS
from tools.tournament.cupfile import CupFile, read_cup
from tools.tournament.formats.plan import DEFAULT_CERTAINTY, DEFAULT_EXTRA, FORMATS
from tools.tournament.options import TournamentOptions, folder_of
from tools.tournament.rehearsal import print_schedule
from tools.tournament.report import TournamentJson, TournamentReport, TournamentText
from tools.tournament.requests import parse_settings
from tools.tournament.session import run_tournament, set_numbers
from tools.tournament.state import TournamentStatus

_FORMAT_OPTIONS = section(
    "Format",
    click.option(
        "--format",
        type=Word(FORMATS),
        help="How engines are paired.  [default: round-robin]",
    ),
    click.option(
        "--games",
        type=Whole(min=2),
        metavar="N",
        help="Games of each pairing, an even number; in the adaptive format at most so many "
        "altogether.  [default: 2; adaptive: 20 per engine]",
    ),
    click.option(
        "--rounds",
        type=Whole(min=1),
        metavar="N",
        help="Swiss: number of rounds.  [default: enough for a single unbeaten engine]",
    ),
    click.option(
        "--challengers",
        type=Whole(min=1),
        metavar="N",
        help="Gauntlet: the first N engines meet all others.  [default: 1]",
    ),
    click.option(
        "--extra",
        type=Whole(min=0),
        metavar="N",
        help="Knockout: further pairs of games in a drawn match; if it is still drawn, the engine "
        f"that was named first goes on.  [default: {DEFAULT_EXTRA}]",
    ),
    click.option(
        "--certainty",
        type=Quantity(min=0.5, max=1),
        metavar="SHARE",
        help="Adaptive: stop when the order of all neighbours in the list is so certain.  "
        f"[default: {DEFAULT_CERTAINTY:g}]",
    ),
)
_TIME_OPTIONS = section(
    "Clocks",
    click.option(
        "--time",
        "times",
        metavar="TC",
        multiple=True,
        help="Time control in seconds: 600, 600+5, 600+5x30, 600+25/300, 1/move or 60h; or limits, "
        "alone or appended: depth=8, nodes=1000, in Go visits=200. An engine may have its own, "
        "by the setting time=TC; see `quintet help time`.  [default: 60+1]",
    ),
)
_STOP_OPTIONS = section(
    "Stopping",
    click.option(
        "--set-aside",
        type=Whole(min=1),
        metavar="N",
        default=SET_ASIDE,
        show_default=True,
        help="An engine that has failed N times in a row drops out.",
    ),
)
_RUN_OPTIONS = section(
    "Running",
    click.option(
        "--dry-run",
        is_flag=True,
        help="Start the engines, print the schedule and how long it will take, and play nothing.",
    ),
    click.option(
        "--set",
        "changes",
        multiple=True,
        metavar="KEY=N",
        help="Change jobs, games or rounds of the tournament in FILE or DIR, also while it "
        "runs; may be given several times.  [default: nothing]",
    ),
    jobs_option("Games that are played concurrently."),
    click.option(
        "--dask",
        metavar="ADDRESS",
        default="",
        help="Play on the workers of this Dask scheduler, such as tcp://host:8786: on all of them, "
        "or on at most --jobs N, from 2 on.  [default: play here]",
    ),
)
_OUTPUT_OPTIONS = section(
    "Output",
    click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Folder of the tournament; if it already holds it, it is resumed.  "
        "[default: FILE without .toml; without a FILE new in tournaments/]",
    ),
    RECORD_OPTIONS,
    click.option(
        "--quiet", is_flag=True, help="Print nothing between the first line and the tables."
    ),
    json_option,
)


@click.command(cls=SectionedCommand)
@click.argument(
    "words",
    nargs=-1,
    shell_complete=complete_cup,
    metavar="FILE.toml|[GAME] ENGINE [KEY=VALUE ...] ENGINE ...",
)
@GAME_OPTIONS
@_FORMAT_OPTIONS
@_TIME_OPTIONS
@CLOCK_OPTIONS
@OPENING_OPTIONS
@GO_OPTIONS
@_STOP_OPTIONS
@ADJUDICATION_OPTIONS
@_RUN_OPTIONS
@RESUMING_OPTIONS
@_OUTPUT_OPTIONS
@click.pass_context
def tournament(
    context: click.Context,
    /,
    words: tuple[str, ...],
    dry_run: bool,
    changes: tuple[str, ...],
    quiet: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Play a tournament between any number of engines of one game, and record every game.

    It is described by a FILE in TOML or by the engines on the line, as in quintet match. With a
    FILE, options of the line replace those of the same name in it. A tournament that was stopped or
    killed is resumed: nothing is lost, and no game is played twice. With a FILE, the same command
    resumes it; with the engines on the line, the same command with --out DIR, its folder, which the
    first and the last line name.

    With --set, the command changes the tournament of a FILE or in a folder DIR, which may be
    running: the new numbers of jobs, games or rounds count from the next game on. quintet status,
    verify and replay work on its folder.

    Exit status: 0 the tournament is clean, 1 it had anomalies, 2 it could not be played, 130 it was
    interrupted.

    \b
    quintet tournament cup.toml
    quintet tournament cup.toml --dry-run
    quintet tournament --set jobs=2 --set games=20 cup.toml
    quintet tournament --set games=20 cup
    quintet tournament go quintet-go "gnugo --mode gtp --japanese-rules" --rules japanese --size 9
    """  # noqa: D301  # Click wants the control character itself.
    if not words:
        raise click.UsageError(
            "expected a file, or engines, as in `quintet tournament cup.toml`; `quintet tournament "
            "--help` has examples"
        )
    if as_json and (changes or dry_run):
        raise CouldNotRun(f"{'--set' if changes else '--dry-run'} prints text: leave out --json")
    if changes:
        _set(words, changes, force=given["force"])
        return
    cup, made = _read(context, words, given)
    refuse_too_many(made.jobs, force=made.force or bool(made.dask))
    report = _report(quiet=quiet, as_json=as_json)
    try:
        if dry_run:
            print_schedule(made, click.echo, report.note)
            return
        status = run_tournament(made, report)
    except InvalidText as error:
        raise cup.locate(error) if cup is not None else error from error
    raise SystemExit(_exit_status(status))


def _read(
    context: click.Context, words: tuple[str, ...], given: dict[str, Any]
) -> tuple[CupFile | None, TournamentOptions]:
    """Return the file, if the tournament is described by one, and all options."""
    if not words[0].endswith(".toml"):
        _refuse_folder(words)
        return None, _for_cluster(TournamentOptions(engines=words, **given))
    if len(words) > 1:
        raise CouldNotRun(f"expected the file alone, or engines; not both: {words[1]}")
    path = Path(words[0])
    cup = read_cup(path)
    merged = {"out": folder_of(path), **cup.options}
    for name, value in given.items():
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            merged[name] = value
    names = {field.name for field in fields(TournamentOptions)}
    assert merged.keys() <= names
    return cup, _for_cluster(replace(TournamentOptions(engines=(), sides=cup.sides), **merged))


def _refuse_folder(words: tuple[str, ...]) -> None:
    """Raise CouldNotRun for a folder of a tournament instead of engines."""
    folder = Path(words[0])
    if len(words) == 1 and (folder / NAME).is_file():
        raise CouldNotRun(
            f"{folder} is the folder of a match or tournament: to resume it, run its command again "
            f"with --out {folder}, or with its FILE.toml"
        )


def _for_cluster(made: TournamentOptions) -> TournamentOptions:
    """Return the options with all workers of a cluster, unless --jobs says how many."""
    return replace(made, jobs=ALL_WORKERS) if made.dask and made.jobs == 1 else made


def _set(words: tuple[str, ...], changes: tuple[str, ...], *, force: bool) -> None:
    if len(words) != 1:
        raise CouldNotRun("--set: expected the tournament's FILE.toml or its folder")
    folder = Path(words[0])
    if words[0].endswith(".toml"):
        folder = read_cup(folder).options.get("out", folder_of(folder))
    settings = parse_settings(changes)
    refuse_too_many(settings.get("jobs", 1), force=force, what="--set jobs=")
    click.echo(set_numbers(folder, settings))


def _report(*, quiet: bool, as_json: bool) -> TournamentReport:
    return TournamentJson(quiet=quiet) if as_json else TournamentText(quiet=quiet)


def _exit_status(status: TournamentStatus) -> int:
    if status.interrupted and status.missing:
        return 130
    return 0 if status.status == "clean" else 1
