"""The command `quintet match`."""

import contextlib
import sys
from pathlib import Path

import click

from engines.core.game import InvalidText
from tools.commands.completing import complete_engines
from tools.commands.errors import CouldNotRun
from tools.commands.options import jobs_option, json_option, options_as
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
from tools.commands.values import Whole, Word
from tools.journal.state import MatchStatus
from tools.match.options import MatchOptions
from tools.match.report import Every, JsonReport, MatchReport, TextReport, parse_every
from tools.match.session import run_match
from tools.statistics.sprt import State
from tools.terms.spec import SET_ASIDE


def _read_every(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> Every | None:
    try:
        return None if value is None else parse_every(value)
    except InvalidText as error:
        raise click.BadParameter(str(error)) from error


_NUMBER_OPTIONS = section(
    "Games",
    click.option(
        "--games",
        type=Whole(min=1),
        metavar="N",
        help="Number of games.  [default: 2; with --sprt as many as it takes]",
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
        "alone or appended: depth=8, nodes=1000, in Go visits=200, as in 3+0.1,depth=2. "
        "If given twice, of the first engine and of the second; see `quintet help time`.  "
        "[default: 60+1]",
    ),
    click.option(
        "--ponder",
        type=Word(("first", "second", "both")),
        help="Let these engines also think in the opponent's time, if they can.  [default: none]",
    ),
)
_STOP_OPTIONS = section(
    "Stopping the match",
    click.option(
        "--sprt",
        metavar="elo0=E,elo1=E[,...]",
        default="",
        help="Stop when this sequential test is decided; also alpha=, beta= and model=.  "
        "[default: play all games]",
    ),
    click.option(
        "--set-aside",
        type=Whole(min=1),
        metavar="N",
        default=SET_ASIDE,
        show_default=True,
        help="Stop the match when an engine has failed N times in a row.",
    ),
)
_JOBS_OPTIONS = section(
    "Running",
    jobs_option("Games that are played concurrently.", old=("--concurrency",)),
)
_OUTPUT_OPTIONS = section(
    "Output",
    click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Folder of the match; if it already holds a match, that one is resumed.  "
        "[default: new in matches/]",
    ),
    RECORD_OPTIONS,
    click.option(
        "--every",
        metavar="N|SECONDSs",
        callback=_read_every,
        help="Instead of a line per game, print the score after every N games, or after a game "
        "when so many seconds have passed: 10, 30s.  [default: a line per game]",
    ),
    click.option(
        "--quiet", is_flag=True, help="Print nothing between the first line and the table."
    ),
    click.option(
        "--strict", is_flag=True, help="Exit with 1 also for faulty lines of play or claims."
    ),
    json_option,
)


@click.command(cls=SectionedCommand)
@click.argument(
    "engines",
    nargs=-1,
    shell_complete=complete_engines,
    metavar="[GAME] [ENGINE [KEY=VALUE ...]] [ENGINE [KEY=VALUE ...]]",
)
@_NUMBER_OPTIONS
@GAME_OPTIONS
@_TIME_OPTIONS
@CLOCK_OPTIONS
@OPENING_OPTIONS
@GO_OPTIONS
@_STOP_OPTIONS
@ADJUDICATION_OPTIONS
@_JOBS_OPTIONS
@RESUMING_OPTIONS
@_OUTPUT_OPTIONS
@options_as(MatchOptions, "options")
def match(
    options: MatchOptions,
    every: Every | None,
    quiet: bool,
    strict: bool,
    as_json: bool,
) -> None:
    """Play a match between two engines with alternating colours, and record every game.

    The name of a GAME before two engines says what they play; before one engine, it stands for our
    own engine of that game, and a single engine plays itself. An ENGINE is one of our programs
    (quintet-neutron), a name from your engines.toml, or a command line in quotes. To resume a match
    that was stopped, run the same command again with --out.

    Settings after an engine are its own: name, time (its time control), lag, and those of
    engines.toml: protocol, game, options.NAME, environment.NAME, commands (once for each command),
    folder, patience, ponder, movetime, scores, restart.

    Engines of Go are told the rules if they know kata-set-rules or kgs-rules. GNU Go knows
    neither: start it with --chinese-rules --positional-superko (its --help lists the others).

    Exit status: 0 the match is clean, 1 it had anomalies or its test did not accept H1, 2 it could
    not be played, 130 it was interrupted.

    \b
    quintet match neutron --games 4 --time 1/move
    quintet match go "gnugo --mode gtp --chinese-rules --positional-superko" --size 9 --komi 7
    quintet match "quintet-neutron --option level=5" "./mine --fast" --time 60+0.5
    quintet match ./mine name=new options.depth=4 ./old/mine name=old time=120+1
    """  # noqa: D301  # Click wants the control character itself.
    if not options.engines:
        raise click.UsageError("expected a game or an engine, as in `quintet match neutron`")
    refuse_too_many(options.jobs, force=options.force)
    status = run_match(options, _report(every, quiet=quiet, as_json=as_json))
    raise SystemExit(_exit_status(status, strict=strict))


def _report(every: Every | None, *, quiet: bool, as_json: bool) -> MatchReport:
    if every is not None and (quiet or as_json):
        other = "--quiet" if quiet else "--json"
        raise CouldNotRun(f"--every and {other} contradict each other: expected one of them")
    if as_json:
        return JsonReport(quiet=quiet)
    if sys.stdout.isatty() and not quiet:
        with contextlib.suppress(ImportError):  # Without the library `rich`, lines must do.
            from tools.match.live import LiveReport

            return LiveReport(every=every)
    return TextReport(every, quiet=quiet)


def _exit_status(status: MatchStatus, *, strict: bool) -> int:
    if status.interrupted and status.missing:
        return 130
    undecided = status.sprt is not None and status.sprt["state"] != State.H1
    faulty = strict and bool(status.faults)
    return 1 if status.status != "clean" or undecided or faulty else 0
