"""The command `quintet regress`."""

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from tools.engines import PROTOCOLS, resolve
from tools.failure import CouldNotRun
from tools.interrupt import Interrupts
from tools.regress.examiner import TIMEOUT
from tools.regress.pattern import Dialect
from tools.regress.report import JsonLines, Lines, Report, annotation
from tools.regress.result import Result, Tally
from tools.regress.script import Script
from tools.regress.suite import SUFFIX, read_suite
from tools.regress.tst import SUFFIX as TST
from tools.regress.tst import read_tst
from tools.regress.work import Crew, Piece, Problems, Settings, Station

_SUFFIXES: Final = (SUFFIX, TST)


@click.command()
@click.argument("suites", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--engine", metavar="ENGINE", help="Who is asked; default: our own, by game.")
@click.option("--protocol", type=click.Choice(PROTOCOLS), help="Default: found out.")
@click.option(
    "--before",
    multiple=True,
    metavar="COMMAND",
    help="Said to each fresh engine first; again for more commands.",
)
@click.option(
    "--dialect",
    type=click.Choice([str(dialect) for dialect in Dialect]),
    default=str(Dialect.STRICT),
    show_default=True,
    help="Whose reading of .tst files.",
)
@click.option("--ignore-case", is_flag=True, help="Let patterns of .tst files ignore case.")
@click.option("--limit", metavar="TC", help="Instead of the limits that suites name.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=TIMEOUT,
    show_default=True,
    metavar="SECONDS",
    help="For a test that names none itself.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Engines at once.",
)
@click.option("--shard", metavar="K/N", help="Only the Kth of N equal parts.")
@click.option("--github", is_flag=True, help="Annotate for GitHub, as under GITHUB_ACTIONS.")
@click.option("--long", "every", is_flag=True, help="A line for every test.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def regress(suites: Sequence[Path], every: bool, as_json: bool, **given: Any) -> None:
    """Ask an engine the tests of SUITES, and tell what it answers otherwise than expected.

    A suite is a file of our own format (.suite), GNU Go's and GoGui's .tst, or a folder of such
    files. Exit status: 0 as expected, 1 an unexpected failure, 2 could not run.

    \b
    quintet regress reading.tst --engine "gnugo --mode gtp"
    quintet regress shogi.suite --engine "./mine --usi" --jobs 2
    """  # noqa: D301  # Click wants the control character itself.
    try:
        settings = _settings(given)
        pieces = _shard(_pieces(suites, given), given["shard"])
    except InvalidText as error:
        raise CouldNotRun(str(error)) from error
    report = _report(every=every, as_json=as_json)
    github = given["github"] or (os.environ.get("GITHUB_ACTIONS") == "true" and not as_json)
    results: list[Result] = []

    def heard(result: Result) -> None:
        results.append(result)
        report.result(result)

    try:
        interrupted = _run(pieces, settings, given["jobs"], report, heard)
        tallies = {
            suite: Tally.of(result for result in results if result.suite == suite)
            for suite in dict.fromkeys(result.suite for result in results)
        }
        total = Tally.of(results)
        report.summary(tallies, total)
    finally:
        report.close()
    for result in results if github else ():
        if result.alarming:
            click.echo(annotation(result))
    if interrupted:
        raise SystemExit(130)
    raise SystemExit(1 if total.alarms else 0)


def _settings(given: dict[str, Any]) -> Settings:
    control = TimeControl.parse(given["limit"]) if given["limit"] else None
    engine = None
    if given["engine"] is not None:
        engine = resolve(given["engine"], given["protocol"])
        engine = replace(engine, commands=(*engine.commands, *given["before"]))
    elif given["before"]:
        raise InvalidText("--before: it needs --engine")
    return Settings(engine, control, given["timeout"])


def _files(suites: Sequence[Path]) -> Iterator[Path]:
    for path in suites:
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.suffix.lower() in _SUFFIXES)
            if not found:
                raise InvalidText(f"{path}: no suites in it ({', '.join(_SUFFIXES)})")
            yield from found
        elif path.suffix.lower() not in _SUFFIXES:
            raise InvalidText(f"{path}: no suite (expected {', '.join(_SUFFIXES)})")
        else:
            yield path


def _pieces(suites: Sequence[Path], given: dict[str, Any]) -> list[Piece]:
    pieces: list[Piece] = []
    dialect = Dialect(given["dialect"])
    for file in dict.fromkeys(_files(suites)):
        if file.suffix.lower() == TST:
            steps = read_tst(file, dialect)
            pieces.append(Script(_name(file), file, steps, dialect, given["ignore_case"]))
        else:
            pieces += Problems(_name(file), read_suite(file)).parts()
    return pieces


def _name(file: Path) -> str:
    """Return a file's name in reports and baselines: alike wherever the folder lies."""
    with contextlib.suppress(ValueError):
        return file.resolve().relative_to(Path.cwd()).as_posix()
    return file.as_posix()


def _shard(pieces: Sequence[Piece], text: str | None) -> list[Piece]:
    """Return one of several parts of about the same number of tests."""
    if not text:
        return list(pieces)
    which, slash, count = text.partition("/")
    if not (slash and which.isdecimal() and count.isdecimal() and 1 <= int(which) <= int(count)):
        raise InvalidText(f"--shard: expected K/N, such as 1/4, not {text!r}")
    loads = [0] * int(count)
    chosen = []
    order = sorted(range(len(pieces)), key=lambda number: -pieces[number].tests)
    for number in order:
        part = loads.index(min(loads))
        loads[part] += pieces[number].tests
        if part == int(which) - 1:
            chosen.append(number)
    return [pieces[number] for number in sorted(chosen)]


def _report(*, every: bool, as_json: bool) -> Report:
    if as_json:
        return JsonLines()
    if sys.stderr.isatty():
        # A bar is worth a library only where somebody sees it; without it lines will do.
        with contextlib.suppress(ImportError):
            from tools.regress.live import Live

            return Live(every=every)
    return Lines(every=every)


def _run(
    pieces: Sequence[Piece], settings: Settings, jobs: int, report: Report, heard: Any
) -> bool:
    """Run all pieces; return whether the user stopped it. Raises CouldNotRun."""
    stations = [Station(settings) for _ in range(min(jobs, max(len(pieces), 1)))]
    try:
        for game in dict.fromkeys(game for piece in pieces for game in piece.games):
            if fault := stations[0].fault(game):
                raise CouldNotRun(fault)
    except BaseException:
        stations[0].close()
        raise
    report.begin(sum(piece.tests for piece in pieces))
    crew = Crew(stations)
    with Interrupts(partial(setattr, crew, "stopping", True), "tests") as interrupts:
        try:
            crew.run(pieces, heard)
        except KeyboardInterrupt:
            report.note("stopped")
    return interrupts.count > 0
