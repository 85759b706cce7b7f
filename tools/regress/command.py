"""The command `quintet regress`."""

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from protocols.errors import EngineError
from tools.engines import PROTOCOLS, resolve
from tools.failure import CouldNotRun
from tools.interrupt import Interrupts
from tools.journal import JournalError, read_journal
from tools.match import last_seal
from tools.quantity import LONGEST, Quantity
from tools.regress.baseline import Run, as_run, compare, read_run, recall, write_run
from tools.regress.blunders import DROP, Author, find_blunders, propose, tells_scores
from tools.regress.examiner import TIMEOUT
from tools.regress.junit import write_junit
from tools.regress.nextmove import SUFFIX as JSON
from tools.regress.nextmove import read_problems, write_problems
from tools.regress.output import save
from tools.regress.page import write_page
from tools.regress.pattern import Dialect
from tools.regress.report import JsonLines, Lines, Report, annotation
from tools.regress.result import Result, Tally, tallies
from tools.regress.script import Script
from tools.regress.suite import SUFFIX, Fault, Problem, read_suite, write_suite
from tools.regress.tst import SUFFIX as TST
from tools.regress.tst import read_tst
from tools.regress.work import Crew, Piece, Problems, Settings, Station

_SUITES: Final = (SUFFIX, TST)
_SUFFIXES: Final = (*_SUITES, JSON)
_FILE: Final = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("suites", nargs=-1, type=click.Path(path_type=Path))
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
    type=Quantity(min=0, max=LONGEST, min_open=True),
    metavar="SECONDS",
    help=f"For a test that names none; default: what its clock allows, at least {TIMEOUT:g}.",
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
@click.option("--junit", type=_FILE, metavar="FILE", help="Write JUnit's XML.")
@click.option("--html", type=_FILE, metavar="FILE", help="Write a page with boards.")
@click.option(
    "--baseline", type=_FILE, metavar="FILE", help="Earlier results: their failures are known."
)
@click.option("--update", is_flag=True, help="Write the results into --baseline.")
@click.option("--diff", is_flag=True, help="Compare two files of results: OLD NEW.")
@click.option(
    "--convert", type=_FILE, metavar="FILE", help="Ask nothing; write the problems as a file."
)
@click.option(
    "--from-journal",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Propose problems from a match: where an engine lost its advantage.",
)
@click.option(
    "--drop",
    type=Quantity(0, 1, min_open=True),
    default=DROP,
    show_default=True,
    metavar="SHARE",
    help="With --from-journal: how much of the points it must have lost.",
)
@click.option("--untried", is_flag=True, help="With --from-journal: ask the engines nothing.")
@click.option("--github", is_flag=True, help="Annotate for GitHub, as under GITHUB_ACTIONS.")
@click.option("--long", "every", is_flag=True, help="A line for every test.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def regress(suites: Sequence[Path], every: bool, as_json: bool, **given: Any) -> None:
    """Ask an engine the tests of SUITES, and tell what it answers otherwise than expected.

    A suite is a file of our own format (.suite), GNU Go's and GoGui's .tst, ShogiHome's next-move
    problems (.json), or a folder of suites. Exit status: 0 as expected, 1 an unexpected failure,
    2 could not run.

    \b
    quintet regress reading.tst --engine "gnugo --mode gtp"
    quintet regress shogi.suite --engine "./mine --usi" --jobs 2
    """  # noqa: D301  # Click wants the control character itself.
    try:
        if given["diff"]:
            raise SystemExit(_compare(suites))
        _check_places(given)
        if given["from_journal"] is not None:
            _propose(given["from_journal"], given)
            raise SystemExit(0)
        if not suites:
            raise InvalidText("no suite is named")
        if given["convert"] is not None:
            _convert(suites, given["convert"])
            raise SystemExit(0)
        settings = _settings(given)
        pieces = _shard(_pieces(suites, given), given["shard"])
        before = _earlier(given["baseline"], update=given["update"])
        report = _report(every=every, as_json=as_json)
        results: list[Result] = []

        def heard(result: Result) -> None:
            results.append(recall(result, before))
            report.result(results[-1])

        try:
            interrupted = _run(pieces, settings, given["jobs"], report, heard)
            report.summary(tallies(results), total := Tally.of(results))
        finally:
            report.close()
        _tell(results, before, report, given, whole=not (interrupted or given["shard"]))
    except InvalidText as error:
        raise CouldNotRun(str(error)) from error
    if (given["github"] or os.environ.get("GITHUB_ACTIONS") == "true") and not as_json:
        for result in results:
            if result.alarming:
                click.echo(annotation(result))
    if interrupted:
        raise SystemExit(130)
    raise SystemExit(1 if total.alarms and not given["update"] else 0)


def _tell(
    results: Sequence[Result], before: Run, report: Report, given: dict[str, Any], *, whole: bool
) -> None:
    """Write what was asked for; raises InvalidText."""
    engine = given["engine"] or "quintet"
    if given["junit"] is not None:
        write_junit(given["junit"], results, engine)
    if given["html"] is not None:
        write_page(given["html"], results, engine)
    if before:
        asked = {result.suite for result in results}
        known = {key: was for key, was in before.items() if key[0] in asked}
        difference = compare(known, as_run(results))
        if not whole:
            difference = replace(difference, gone=[])
        for line in difference.lines():
            report.note(line)
    if given["update"]:
        write_run(given["baseline"], results, before, whole=whole)


def _earlier(path: Path | None, *, update: bool) -> Run:
    if path is None:
        if update:
            raise InvalidText("--update: it needs --baseline")
        return {}
    return {} if update and not path.exists() else read_run(path)


def _compare(files: Sequence[Path]) -> int:
    """Print how the second run differs from the first; return the exit status."""
    if len(files) != 2:
        raise InvalidText(f"--diff: expected two files of results, not {len(files)}")
    before, now = (read_run(file) for file in files)
    difference = compare(before, now)
    for line in difference.lines():
        click.echo(line)
    return 1 if difference.failures else 0


def _check_places(given: dict[str, Any]) -> None:
    """Raise InvalidText for a file that cannot be written, before hours are spent on it."""
    for name in ("junit", "html", "baseline", "convert"):
        path: Path | None = given[name]
        if path is not None and not path.absolute().parent.is_dir():
            raise InvalidText(f"--{name}: no such folder: {path.parent}")


def _settings(given: dict[str, Any]) -> Settings:
    control = TimeControl.parse(given["limit"]) if given["limit"] else None
    engine = None
    if given["engine"] is not None:
        engine = resolve(given["engine"], given["protocol"])
        engine = replace(engine, commands=(*engine.commands, *given["before"]))
    elif given["before"]:
        raise InvalidText("--before: it needs --engine")
    return Settings(engine, control, given["timeout"], scenes=given["html"] is not None)


def _files(suites: Sequence[Path]) -> Iterator[Path]:
    for path in suites:
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.suffix.lower() in _SUITES)
            if not found:
                raise InvalidText(f"{path}: no suites in it ({', '.join(_SUITES)})")
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
            pieces += Problems(_name(file), _problems(file)).parts()
    return pieces


def _problems(file: Path) -> Sequence[Problem | Fault]:
    return read_problems(file) if file.suffix.lower() == JSON else read_suite(file)


def _propose(folder: Path, given: dict[str, Any]) -> None:
    """Write problems from a match's journal, the worst blunders first; raises InvalidText."""
    report = Lines()
    try:
        found = find_blunders(folder, given["drop"])
        if given["untried"]:
            tried = [(propose(blunder), "") for blunder in found]
        else:
            author = Author(folder, last_seal(read_journal(folder)))
            tried = list(author.tried(found, report.note))
    except JournalError as error:
        raise InvalidText(str(error)) from error
    except EngineError as error:
        raise InvalidText(f"{error} (--untried asks no engine)") from error
    if not found and not tells_scores(folder):
        report.note("no engine of this match told what it expected of its moves")
    problems = [
        replace(problem, title=f"{problem.title}, {told}" if told else problem.title)
        for problem, told in tried
    ]
    text = write_suite(problems, f"Proposed from {folder}: what was played there is forbidden.")
    if given["convert"] is not None:
        save(given["convert"], text)
    else:
        click.echo(text, nl=False)
    report.note(f"{len(problems)} {'problem' if len(problems) == 1 else 'problems'}")


def _convert(suites: Sequence[Path], target: Path) -> None:
    """Write all problems into one file of the other kind; raises InvalidText."""
    if target.suffix.lower() not in (SUFFIX, JSON):
        raise InvalidText(f"--convert: {target} is neither {SUFFIX} nor {JSON}")
    files = [file for file in _files(suites) if file.suffix.lower() != TST]
    found = [each for file in files for each in _problems(file)]
    problems = [each for each in found if isinstance(each, Problem)]
    told = len(found) - len(problems)
    if target.suffix.lower() == JSON:
        written = write_problems(target, problems, target.stem)
    else:
        names = Counter(problem.name for problem in problems)
        if len(names) < len(problems):
            problems = [replace(each, name=str(n)) for n, each in enumerate(problems, 1)]
        save(target, write_suite(problems))
        written = len(problems)
    left = len(problems) - written + told
    click.echo(f"{target}: {written} problems" + (f", {left} left out" if left else ""), err=True)


def _name(file: Path) -> str:
    """Return a file's name in reports and baselines: alike wherever the folder lies."""
    with contextlib.suppress(ValueError):
        file = file.resolve().relative_to(Path.cwd())
    return file.as_posix().encode("utf-8", "replace").decode()


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
