"""The command `quintet annotate`."""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from protocols.ask.engine import LONGEST
from tools.annotate.judging import ERRORS, JudgedMove, Mark, format_tallies
from tools.annotate.planning import DEFAULT_TIME, DEFAULT_VARIATIONS, LAST, AnnotateOptions
from tools.annotate.running import RunResult, run_annotation
from tools.commands.completing import complete_engine
from tools.commands.errors import CouldNotRun
from tools.commands.options import (
    jobs_option,
    options_as,
    patience_option,
    protocol_option,
)
from tools.commands.sections import SectionedCommand, section
from tools.commands.terminal import progress_bar, say
from tools.commands.values import Quantity, Whole


@click.command(cls=SectionedCommand)
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@section(
    "Engine",
    click.option(
        "--engine",
        metavar="ENGINE",
        shell_complete=complete_engine,
        help="Engine to ask.  [default: our own, by the game]",
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Setting of the engine, as in `quintet match`; may be given several times.  "
        "[default: none]",
    ),
    protocol_option,
    jobs_option("Number of engines that work concurrently, on one game each."),
)
@section(
    "Clocks",
    click.option(
        "--time",
        "control",
        metavar="TC",
        help="Limit for each position: 1/move, nodes=1000, visits=200 or depth=8.  "
        f"[default: {DEFAULT_TIME}]",
    ),
    click.option(
        "--timeout",
        type=Quantity(min=0, max=LONGEST, min_open=True),
        metavar="SECONDS",
        help="Time for an answer.  [default: 10 more than --time allows, at least 60]",
    ),
    patience_option,
)
@section(
    "Moves",
    click.option(
        "--from",
        "first",
        type=Whole(min=1),
        default=1,
        metavar="N",
        show_default=True,
        help="Annotate from move N on; throws of dice are not counted.",
    ),
    click.option(
        "--to",
        "last",
        type=Whole(min=1),
        default=LAST,
        metavar="N",
        help="Annotate up to move N.  [default: the last]",
    ),
    click.option(
        "--side",
        metavar="SIDE",
        help="Judge only the moves of black, or of white.  [default: both]",
    ),
    click.option(
        "--thresholds",
        default="5,10,20",
        show_default=True,
        metavar="P,P,P",
        help="Least losses, in percent of the points, of doubtful moves, mistakes and blunders.",
    ),
)
@section(
    "Output",
    click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="FOLDER",
        help="Write the records there.  [default: beside each record, as NAME.annotated.SUFFIX]",
    ),
    click.option("--force", is_flag=True, help="Overwrite files."),
    click.option(
        "--variations",
        type=Whole(min=0),
        default=DEFAULT_VARIATIONS,
        show_default=True,
        metavar="N",
        help="Write up to N moves of the engine's line as a variation beside each mistake; 0 for "
        "none.",
    ),
    click.option(
        "--jsonl",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Write one JSON object per move into this file.  [default: none]",
    ),
)
@options_as(AnnotateOptions, "options")
def annotate(paths: Sequence[Path], options: AnnotateOptions) -> None:
    """Value every move of records by an engine, and write the values and mistakes into them.

    FILE is a record of any of the five games in any format that `quintet show` reads, or a folder
    of records. The engine may speak GTP, USI or the line protocol; it must tell what its moves are
    worth. Each position is searched once: a move loses what the position after it is worth less
    than the one before it. The engine's own choice loses nothing.

    SGF gets Black's chance and lead for the graph of Sabaki (SBKV, SBKS), the marks TE, IT, DO and
    BM, and comments; records of shogi get the comments of a research in ShogiHome. Beside doubtful
    moves, mistakes and blunders stands the engine's better line as a variation, except in CSA,
    which has none. Records of Go servers become SGF, and USI becomes KIF. The original is never
    changed.

    Run the same command again to resume, also if it was killed: no position is valued twice, and no
    file is left half written. Until the run is complete, the values are in the folder
    annotate-progress. An engine that fails is started again and asked once more.

    Exit status: 0 done, 1 some moves could not be valued, 2 a record could not be annotated, 130
    interrupted.
    """
    with progress_bar() as show:
        result = run_annotation(paths, options, _Report(show))
    _print_table(result)
    if result.interrupted:
        click.echo("interrupted: run the same command again to resume", err=True)
        raise SystemExit(130)
    if result.failed:
        plural = "s" if result.failed > 1 else ""
        raise CouldNotRun(f"{result.failed} record{plural} not annotated")
    raise SystemExit(1 if result.missing else 0)


class _Report:
    """Prints what happens: results on stdout, the rest on stderr."""

    def __init__(self, show: Callable[[float, str], None]) -> None:
        self.progress = show

    def note(self, text: str) -> None:
        say(text, err=True)

    def done(self, source: Path, target: Path, moves: Sequence[JudgedMove]) -> None:
        counts = [f"{len(moves)} move{'s' * (len(moves) != 1)}"]
        for mark in ERRORS:
            count = sum(move.mark is mark for move in moves)
            plural = "s" if count != 1 and mark is not Mark.DOUBTFUL else ""
            counts.append(f"{count} {mark}{plural}")
        if missing := sum(move.loss is None for move in moves):
            counts.append(f"{missing} not valued")
        say(f"{source}: {', '.join(counts)}; {target}")


def _print_table(result: RunResult) -> None:
    if result.tallies:
        click.echo()
        for line in format_tallies(list(result.tallies.values())):
            click.echo(line)
