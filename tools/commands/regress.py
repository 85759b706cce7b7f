"""The command `quintet regress`, and its subcommands."""

import contextlib
import os
import sys
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from engines.core.errors import QuintetError
from engines.core.game import InvalidText
from protocols.ask.engine import LONGEST
from protocols.errors import EngineError
from tools.commands.completing import complete_engine, files
from tools.commands.errors import CouldNotRun
from tools.commands.options import (
    jobs_option,
    json_option,
    options_as,
    patience_option,
    protocol_option,
    renamed,
)
from tools.commands.sections import SectionedCommand, section
from tools.commands.terminal import write_file
from tools.commands.values import Quantity, Word
from tools.regress.blunders import DROP, propose_problems
from tools.regress.conversion import convert_problems
from tools.regress.examiner import TIMEOUT
from tools.regress.reports.baseline import align, compare
from tools.regress.reports.output import check_place, save
from tools.regress.reports.report import JsonReport, RunReport, TextReport, annotation
from tools.regress.running import RunOptions, run_suites
from tools.regress.suites.suite import write_suite
from tools.regress.tst.pattern import Dialect

_FILE: Final = click.Path(path_type=Path, dir_okay=False)
_FOLDER: Final = click.Path(path_type=Path, exists=True, file_okay=False)


class RegressGroup(click.Group):
    """A group that runs suites if no subcommand is named, and knows the former options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find out which subcommand the arguments mean."""
        begun = (
            bool(args) or not ctx.resilient_parsing
        )  # The Tab key was pressed in the first word.
        return super().parse_args(ctx, name_subcommand(args, self.commands) if begun else args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the first word: a subcommand, a suite, or an option of `run`."""
        if incomplete.startswith("-"):
            run = self.commands["run"]
            below = run.make_context("run", [], parent=ctx, resilient_parsing=True)
            return run.shell_complete(below, incomplete)
        named = [name for name in self.commands if incomplete and name.startswith(incomplete)]
        return [CompletionItem(name) for name in named] or files(incomplete)


def name_subcommand(arguments: Sequence[str], known: Container[str]) -> list[str]:
    """Return arguments that begin with a subcommand; `--diff` and its like once were options."""
    rest = list(arguments)
    if rest[:1] in (["-h"], ["--help"]) or (rest and rest[0] in known):
        return rest
    if "--diff" in rest:
        rest.remove("--diff")
        return ["diff", *rest]
    folder, rest = _take_option("--from-journal", rest)
    target, rest = _take_option("--convert", rest)
    if folder is not None:
        return ["from-journal", folder, *rest, *(["--out", target] if target is not None else [])]
    if target is not None:
        return ["convert", *rest, target]
    return ["run", *rest]


def _take_option(name: str, arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """Take an option with its value out of the arguments."""
    rest = list(arguments)
    for at, word in enumerate(rest):
        if word == name and at + 1 < len(rest):
            return rest[at + 1], rest[:at] + rest[at + 2 :]
        if word.startswith(f"{name}="):
            return word.partition("=")[2], rest[:at] + rest[at + 1 :]
    return None, rest


@click.group(cls=RegressGroup)
def regress() -> None:
    """Test the moves of engines: run suites of questions with known answers.

    Without a subcommand, `quintet regress SUITE...` means `quintet regress run SUITE...`, and
    `quintet regress run --help` lists its options.

    \b
    quintet regress reading.tst --engine "gnugo --mode gtp"
    quintet regress shogi.suite --engine "./mine --usi" --jobs 2
    quintet regress from-journal matches/night --out blunders.suite
    """  # noqa: D301  # Click wants the control character itself.


@regress.command(cls=SectionedCommand)
@click.argument("suites", nargs=-1, type=click.Path(path_type=Path))
@section(
    "Engine",
    click.option(
        "--engine",
        metavar="ENGINE",
        shell_complete=complete_engine,
        help="Engine to ask.  [default: our own, by game]",
    ),
    protocol_option,
    click.option(
        "--before",
        multiple=True,
        metavar="COMMAND",
        help="Command to send first to each fresh engine; may be given several times.  "
        "[default: none]",
    ),
    jobs_option("Number of engines that are asked concurrently."),
)
@section(
    "Clocks",
    renamed(
        "--time",
        "control",
        old=("--limit",),
        metavar="TC",
        help="Time control that replaces the limits named by the suites.  [default: theirs]",
    ),
    click.option(
        "--timeout",
        type=Quantity(min=0, max=LONGEST, min_open=True),
        metavar="SECONDS",
        help="Time for each question whose test sets no timeout.  "
        f"[default: as its clock allows, at least {TIMEOUT:g}]",
    ),
    patience_option,
)
@section(
    "Questions",
    click.option(
        "--dialect",
        type=Word([str(dialect) for dialect in Dialect]),
        help="How to read the patterns of .tst files.  [default: gnugo for the suites of GNU Go, "
        "otherwise strict]",
    ),
    click.option("--ignore-case", is_flag=True, help="Let the patterns of .tst files ignore case."),
    click.option(
        "--shard",
        metavar="K/N",
        help="Run only the Kth of N parts of about equal size.  [default: all]",
    ),
)
@section(
    "Results",
    click.option(
        "--baseline",
        type=_FILE,
        metavar="FILE",
        help="Results of an earlier run: tests that failed there are expected to fail. It is "
        "written if there is no such file.  [default: none]",
    ),
    click.option("--update", is_flag=True, help="Write the results into the --baseline file."),
    click.option(
        "--junit", type=_FILE, metavar="FILE", help="Write the results as JUnit XML.  [default: no]"
    ),
    click.option(
        "--html",
        type=_FILE,
        metavar="FILE",
        help="Write the results as a page with boards.  [default: no]",
    ),
    click.option(
        "--github",
        is_flag=True,
        help="Print annotations for GitHub.  [default: if GITHUB_ACTIONS is true]",
    ),
    click.option("--long", "every", is_flag=True, help="Print a line for every test."),
    json_option,
)
@options_as(RunOptions, "options")
def run(
    suites: Sequence[Path], options: RunOptions, every: bool, github: bool, as_json: bool
) -> None:
    """Ask an engine the tests of some suites.

    Prints the answers that were not expected. A suite is a file of our own format (.suite), a .tst
    file of GNU Go or GoGui, a collection of next-move problems of ShogiHome (.json), or a folder of
    suites. Exit status: 0 all answers were as expected, 1 a test failed unexpectedly, 2 the run was
    not possible or nothing could be asked, 130 interrupted.
    """
    try:
        outcome = run_suites(suites, options, _report(every=every, as_json=as_json))
    except QuintetError as error:
        raise CouldNotRun(str(error)) from error
    annotated = github or os.environ.get("GITHUB_ACTIONS") == "true"
    if annotated and not as_json and not outcome.recorded:
        for result in outcome.results:
            if result.alarming:
                click.echo(annotation(result))
    if outcome.interrupted:
        raise SystemExit(130)
    if outcome.unread:
        raise CouldNotRun(f"{outcome.unread} of {outcome.suites} suites could not be read")
    if outcome.idle:
        raise CouldNotRun(f"nothing could be asked: {outcome.idle}")
    raise SystemExit(1 if outcome.alarms and not outcome.recorded else 0)


@regress.command()
@click.argument("old", type=_FILE)
@click.argument("new", type=_FILE)
def diff(old: Path, new: Path) -> None:
    """Compare two files of results.

    OLD and NEW are baselines, or outputs of `run --json`.

    Exit status: 0 no new failures, 1 new failures, 2 a file could not be read.
    """
    try:
        difference = compare(*align(old, new))
    except InvalidText as error:
        raise CouldNotRun(str(error)) from error
    for line in difference.lines():
        click.echo(line)
    raise SystemExit(1 if difference.failures else 0)


@regress.command(name="from-journal")
@click.argument("folder", type=_FOLDER, metavar="DIR")
@click.option(
    "--drop",
    type=Quantity(0, 1, min_open=True),
    default=DROP,
    show_default=True,
    metavar="SHARE",
    help="Least fall of an engine's expected score (0 to 1) from one of its moves to the next.",
)
@click.option("--untried", is_flag=True, help="Do not ask the engines of the match again.")
@click.option("--out", type=_FILE, metavar="FILE", help="Suite to write.  [default: print it]")
def from_journal(folder: Path, drop: float, untried: bool, out: Path | None) -> None:
    """Propose problems from a match.

    The problems are the positions of the match in DIR where an engine lost its advantage. The move
    that was played there is forbidden. Each problem says whether the engine repeats its mistake
    when it is asked again.
    """
    report = TextReport()
    try:
        if out is not None:
            check_place(out)
        problems = propose_problems(folder, drop, report.note, ask_again=not untried)
        text = write_suite(problems, f"Proposed from {folder}: what was played there is forbidden.")
        if out is not None:
            save(out, text)
        else:
            write_file(text.encode())
    except QuintetError as error:
        raise CouldNotRun(str(error)) from error
    except EngineError as error:
        raise CouldNotRun(f"{error} (--untried asks no engine)") from error
    report.note(f"{len(problems)} {'problem' if len(problems) == 1 else 'problems'}")


@regress.command()
@click.argument("suites", nargs=-1, type=click.Path(path_type=Path))
@click.argument("target", type=_FILE)
def convert(suites: Sequence[Path], target: Path) -> None:
    """Convert problems to another format.

    Writes the problems of SUITES into TARGET, which is a .suite of ours or a .json of ShogiHome.
    """
    try:
        check_place(target)
        written, left = convert_problems(suites, target)
    except InvalidText as error:
        raise CouldNotRun(str(error)) from error
    note = f", {left} left out" if left else ""
    click.echo(f"{target}: {written} problems{note}", err=True)


def _report(*, every: bool, as_json: bool) -> RunReport:
    if as_json:
        return JsonReport()
    if sys.stderr.isatty():
        # The progress bar needs a library, and a terminal that shows it.
        with contextlib.suppress(ImportError):
            from tools.regress.reports.live import LiveReport

            return LiveReport(every=every)
    return TextReport(every=every)
