"""The command `quintet match`."""

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from engines import registry
from engines.core.game import InvalidText
from protocols.ask.engine import LONGEST
from tools.commands.errors import CouldNotRun
from tools.commands.options import (
    Quantity,
    jobs_option,
    json_option,
    options_as,
    patience_option,
    protocol_option,
)
from tools.journal.state import MatchStatus
from tools.match.options import MatchOptions
from tools.match.report import Every, JsonReport, MatchReport, TextReport, parse_every
from tools.match.session import run_match
from tools.match.workers import cores
from tools.records.filing import SHOGI_FORMATS
from tools.statistics.sprt import State
from tools.terms.openings import BUILTIN, ORDERS
from tools.terms.scoring import SCORINGS
from tools.terms.spec import LAG, MOVE_TIMEOUT, SCORE_TIMEOUT, SET_ASIDE


def _read_every(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> Every | None:
    try:
        return None if value is None else parse_every(value)
    except InvalidText as error:
        raise click.BadParameter(str(error)) from error


class OpeningsPath(click.Path):
    """A path that exists, or the word `builtin`."""

    def __init__(self) -> None:
        super().__init__(exists=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a path."""
        return Path(value) if value == BUILTIN else super().convert(value, param, ctx)


def _options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def decorate(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


_GAME_OPTIONS = _options(
    click.option(
        "--game",
        type=click.Choice(sorted(registry.GAMES)),
        help="Game, if the engines do not determine it.",
    ),
    click.option("--size", type=click.IntRange(min=1), metavar="N", help="Go: size of the board."),
    click.option(
        "--variant",
        "--rules",
        metavar="NAME",
        default="",
        help="Variant of the game; in Go the rule set.",
    ),
    protocol_option,
    click.option(
        "--games",
        type=click.IntRange(min=1),
        metavar="N",
        help="Number of games.  [default: 2; with --sprt as many as it takes]",
    ),
    click.option(
        "--time",
        "times",
        metavar="TC",
        multiple=True,
        help="Time control in seconds: 600, 600+5, 600+5x30, 600+25/300, 1/move or 60h; or limits, "
        "alone or appended: depth=8, nodes=1000, in Go visits=200, as in 3+0.1,depth=2. "
        "If given twice, of the first engine and of the second.  [default: 60+1]",
    ),
    click.option(
        "--openings",
        type=OpeningsPath(),
        metavar="PATH|builtin",
        help="Openings: builtin for balanced ones that come with us (Go on 9x9, 13x13 and 19x19, "
        "shogi, Morris, Neutron), a text file (one per line, moves separated by spaces), an SGF "
        "file, for "
        "shogi also KIF, CSA or lines of USI, or a folder of these.",
    ),
    click.option(
        "--order",
        type=click.Choice(ORDERS),
        help="Order of the openings.  [default: sequential]",
    ),
    click.option(
        "--plies",
        type=click.IntRange(min=0),
        metavar="N",
        help="Use only the first N moves of each opening; 0 uses all.  [default: 0]",
    ),
    click.option(
        "--movetime",
        is_flag=True,
        help="Send a fixed time per move to USI engines as movetime instead of byo-yomi.",
    ),
    click.option(
        "--ponder",
        type=click.Choice(("first", "second", "both")),
        help="Let these engines also think in the opponent's time, if they can.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        help="Seed of the dice, of the order of openings, and of engines that accept one.  "
        "[default: random]",
    ),
)
_GO_OPTIONS = _options(
    click.option(
        "--komi",
        metavar="POINTS",
        help="Go: komi.  [default: that of the rule set; 0.5 with a handicap]",
    ),
    click.option(
        "--handicap",
        metavar="N|free:N",
        help="Go: N handicap stones on the star points, or where Black's engine places them.",
    ),
    click.option(
        "--scoring",
        type=click.Choice(SCORINGS),
        help="Go: agreed takes the score on which both engines agree, otherwise the arbiter's dead "
        "stones, which never overrule a winner that both name; all-alive counts every stone as "
        "alive.  [default: agreed]",
    ),
    click.option(
        "--arbiter",
        metavar="ENGINE",
        help="Go: engine that names the dead stones if the players disagree.  "
        "[default: quintet-go]",
    ),
    click.option(
        "--score-timeout",
        type=Quantity(min=0.001, max=LONGEST),
        metavar="SECONDS",
        help=f"Go: time limit of an engine's final_score.  [default: {SCORE_TIMEOUT:g}]",
    ),
)
_ENDING_OPTIONS = _options(
    click.option(
        "--sprt",
        metavar="elo0=E,elo1=E[,...]",
        default="",
        help="Stop when this sequential test is decided; also alpha=, beta= and model=.",
    ),
    click.option(
        "--resign",
        metavar="SHARE,MOVES[,both]",
        default="",
        help="A side loses when it expects at most SHARE of the points (0 to 0.5) for MOVES moves.",
    ),
    click.option(
        "--draw",
        metavar="SHARE,MOVES[,PLY]",
        default="",
        help="A game is drawn when both sides expect 0.5 of the points, plus or minus SHARE, for "
        "MOVES moves, from PLY on.",
    ),
    click.option(
        "--mate",
        metavar="MOVES[,both]",
        default="",
        help="A side wins when it announces a forced mate for MOVES moves.",
    ),
    click.option(
        "--exact",
        metavar="MOVES[,both]",
        default="",
        help="A game ends when exact scores, as from tables, decide it for MOVES moves.",
    ),
    click.option("--tables", is_flag=True, help="Morris: adjudicate by the bundled tables."),
    click.option(
        "--max-plies",
        type=click.IntRange(min=0),
        metavar="N",
        default=0,
        help="Draw a game at ply N; in Go, count it as it stands.  "
        "[default: none; in Go three moves per point]",
    ),
    click.option(
        "--lag",
        type=Quantity(min=0, max=LONGEST),
        metavar="SECONDS",
        default=LAG,
        show_default=True,
        help="Overrun tolerated per move, and ten times as much per game.",
    ),
    click.option(
        "--move-timeout",
        type=Quantity(min=0.001, max=LONGEST),
        metavar="SECONDS",
        default=MOVE_TIMEOUT,
        show_default=True,
        help="Time limit of a move where there is no clock.",
    ),
    patience_option,
    click.option(
        "--set-aside",
        type=click.IntRange(min=1),
        metavar="N",
        default=SET_ASIDE,
        show_default=True,
        help="Stop the match when an engine has failed N times in a row.",
    ),
)
_RUN_OPTIONS = _options(
    jobs_option("Games that are played concurrently.", old=("--concurrency",)),
    click.option("--force", is_flag=True, help="Accept more jobs than CPU cores."),
    click.option(
        "--no-pin",
        "pin",
        flag_value=False,
        default=True,
        help="Do not pin concurrent games to CPU cores.",
    ),
    click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Folder of the match; if it already holds a match, that one is resumed.  "
        "[default: new in matches/]",
    ),
    click.option(
        "--accept-changes",
        is_flag=True,
        help="Resume although the engines were changed, under the same names.",
    ),
    click.option(
        "--records",
        "shogi_format",
        type=click.Choice(SHOGI_FORMATS),
        help=f"Format of records of shogi.  [default: {SHOGI_FORMATS[0]}]",
    ),
    click.option(
        "--transcript", is_flag=True, help="Write every dialogue with an engine to DIR/transcripts."
    ),
    click.option(
        "--every",
        metavar="N|SECONDSs",
        callback=_read_every,
        help="Instead of a line per game, print the score after every N games, or after a game "
        "when so many seconds have passed: 10, 30s.",
    ),
    click.option(
        "--quiet", is_flag=True, help="Print nothing between the first line and the table."
    ),
    click.option(
        "--strict", is_flag=True, help="Exit with 1 also for faulty lines of play or claims."
    ),
    json_option,
)


@click.command()
@click.argument(
    "engines",
    nargs=-1,
    required=True,
    metavar="GAME|ENGINE [KEY=VALUE ...] [ENGINE [KEY=VALUE ...]]",
)
@_GAME_OPTIONS
@_GO_OPTIONS
@_ENDING_OPTIONS
@_RUN_OPTIONS
@options_as(MatchOptions, "options")
def match(
    options: MatchOptions,
    force: bool,
    every: Every | None,
    quiet: bool,
    strict: bool,
    as_json: bool,
) -> None:
    """Play a match between two engines with alternating colours, and record every game.

    The name of a GAME stands for our own engine of that game; a single engine plays itself. An
    ENGINE is one of our programs (quintet-neutron), a name from your engines.toml, or a command
    line in quotes. To resume a match that was stopped, run the same command again with --out.

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
    if options.jobs > len(cores()) and not force:
        raise CouldNotRun(
            f"--jobs {options.jobs}: there are only {len(cores())} cores "
            "(--force plays as many games all the same)"
        )
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
