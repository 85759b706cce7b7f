"""Run suites: ask the tests, report each result, and write files at the end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from engines.core.errors import QuintetError
from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from tools.journal.interrupts import Interrupts
from tools.regress.reports.baseline import Baseline, as_run, compare, recall
from tools.regress.reports.junit import write_junit
from tools.regress.reports.output import check_place
from tools.regress.reports.page import write_page
from tools.regress.reports.report import RunReport
from tools.regress.result import Result, ResultCounts, Status, tallies
from tools.regress.selection import choose_dialects, find_suites, read_pieces, take_shard
from tools.regress.tst.pattern import Dialect
from tools.regress.work import Dispatcher, EngineWorker, Piece, QuestionSettings, longest_question
from tools.roster.engines import resolve

_FILES: Final = ("junit", "html", "baseline")


class CannotAsk(QuintetError):
    """No test could be asked; the text says why."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of a run."""

    engine: str | None = None  # None asks our own engine of each game.
    protocol: str | None = None
    before: Sequence[str] = ()  # Commands for each fresh engine.
    dialect: str | None = None  # None: recognized for each suite.
    ignore_case: bool = False
    control: str | None = None  # A time control that replaces the limits of the suites.
    timeout: float | None = None
    patience: float | None = None
    jobs: int = 1
    shard: str | None = None
    junit: Path | None = None
    html: Path | None = None
    baseline: Path | None = None
    update: bool = False


@dataclass(frozen=True, slots=True)
class RunResult:
    """The results of a run."""

    results: Sequence[Result]
    interrupted: bool
    suites: int  # The number of suites.
    empty: bool  # Whether this shard has no tests.
    recorded: bool = False  # Whether the baseline knows the failures of this run from now on.

    @property
    def unread(self) -> int:
        """The number of suites that could not be read."""
        return sum(result.unread for result in self.results)

    @property
    def alarms(self) -> int:
        """The number of unexpected failures."""
        return ResultCounts.of(self.results).alarms

    @property
    def idle(self) -> str:
        """Why no test was asked; empty if one was asked, or if the shard has none."""
        return "" if self.empty else _idle(self.results)


def run_suites(paths: Sequence[Path], options: RunOptions, report: RunReport) -> RunResult:
    """Ask all tests of some suites; raises InvalidText and CannotAsk, and closes the report."""
    fresh = options.baseline is not None and not options.baseline.exists()
    first = fresh and not options.update
    try:
        _check_places(options, first=first)
        settings = _settings(options)
        files = find_suites(paths)
        dialect = Dialect(options.dialect) if options.dialect else None
        dialects, remarks = choose_dialects(files, dialect)
        pieces = read_pieces(files, dialects, ignore_case=options.ignore_case)
        for remark in remarks:
            report.note(remark)
        pieces = take_shard(pieces, options.shard)
        baseline = _baseline(options, files, first=first)
        if fresh:
            report.record()
            report.note(f"{options.baseline} does not exist yet: this run is to write it")
        results: list[Result] = []

        def note(result: Result) -> None:
            results.append(recall(result, baseline.run))
            report.result(results[-1].as_known() if fresh else results[-1])

        interrupted = _run(pieces, settings, options.jobs, report, note)
        outcome = RunResult(results, interrupted, len(files), empty=not pieces)
        recorded = not outcome.idle and (
            options.update or (first and not interrupted and not outcome.unread)
        )
        outcome = replace(outcome, recorded=recorded)
        if fresh and recorded:
            outcome = replace(outcome, results=[result.as_known() for result in results])
        total = ResultCounts.of(outcome.results)
        report.summary(tallies(outcome.results), total, interrupted=interrupted)
    finally:
        report.close()
    if interrupted:
        tests = sum(piece.tests for piece in pieces)
        report.note(f"interrupted after {len(results)} of {tests} tests")
    elif not pieces:
        report.note(f"--shard {options.shard}: this part is empty, all tests are in others")
    _write_files(outcome, baseline, options, report)
    if recorded:
        report.note(f"wrote {options.baseline}: {_count_known(results)}")
    elif first:
        report.note(f"{options.baseline} was not written: not all suites were asked to their end")
    return outcome


def _count_known(results: Sequence[Result]) -> str:
    """Say how many tests are expected to fail in later runs."""
    tally = ResultCounts.of(result for result in results if not result.unread)
    bad = tally.failed + tally.errors
    if not bad:
        return "no test failed; later runs are compared with this one"
    them = "this is a known failure" if bad == 1 else "these are known failures"
    return f"{bad} of {tally.judged} tests did not pass; {them} from now on"


def _check_places(options: RunOptions, *, first: bool) -> None:
    """Raise InvalidText if a file cannot be written, before hours are spent on the run."""
    if first and options.shard:
        raise InvalidText(
            f"--baseline: no such file: {str(options.baseline)!r} "
            "(write it by a run without --shard, or with --update)"
        )
    for name in _FILES:
        path: Path | None = getattr(options, name)
        if path is None or (name == "baseline" and not (options.update or first)):
            continue
        try:
            check_place(path)
        except InvalidText as error:
            raise InvalidText(f"--{name}: {error}") from error


def _settings(options: RunOptions) -> QuestionSettings:
    engine = None
    if options.engine is not None:
        engine = resolve(options.engine, options.protocol)
        engine = replace(engine, commands=(*engine.commands, *options.before))
    elif options.before:
        raise InvalidText("--before: it needs --engine")
    return QuestionSettings(
        engine,
        TimeControl.parse(options.control) if options.control else None,
        options.timeout,
        scenes=options.html is not None,
        patience=options.patience,
    )


def _baseline(options: RunOptions, files: Mapping[str, Path], *, first: bool) -> Baseline:
    if options.baseline is None:
        if options.update:
            raise InvalidText("--update: it needs --baseline")
        return Baseline()
    if first or (options.update and not options.baseline.exists()):
        return Baseline(options.baseline, files)
    return Baseline.read(options.baseline, files)


def _run(
    pieces: Sequence[Piece],
    settings: QuestionSettings,
    jobs: int,
    report: RunReport,
    note: Callable[[Result], None],
) -> bool:
    """Run all pieces and return whether the user stopped the run; raises CannotAsk."""
    workers = [EngineWorker(settings) for _ in range(min(jobs, max(len(pieces), 1)))]
    try:
        for game in dict.fromkeys(game for piece in pieces for game in piece.games):
            if fault := workers[0].fault(game):
                raise CannotAsk(fault)
    except KeyboardInterrupt:
        workers[0].close()
        return True
    except BaseException:
        workers[0].close()
        raise
    report.begin(sum(piece.tests for piece in pieces))
    dispatcher = Dispatcher(workers)
    longest = longest_question(pieces, settings)
    what = f"tests ({longest:g} s at most for each question)"
    with Interrupts(partial(setattr, dispatcher, "stopping", True), what) as interrupts:
        try:
            dispatcher.run(pieces, note)
        except KeyboardInterrupt:
            report.note("stopped")
    return interrupts.count > 0


def _write_files(
    outcome: RunResult, baseline: Baseline, options: RunOptions, report: RunReport
) -> None:
    """Write the files that were asked for; raises InvalidText."""
    results, interrupted = outcome.results, outcome.interrupted
    engine = options.engine or "quintet"
    whole = not (interrupted or options.shard)
    if options.junit is not None:
        write_junit(options.junit, results, engine, interrupted=interrupted)
    if options.html is not None:
        write_page(options.html, results, engine, interrupted=interrupted)
    if baseline.run:
        asked = {result.suite for result in results if not result.unread}
        known = {key: was for key, was in baseline.run.items() if key[0] in asked}
        difference = compare(known, as_run(results))
        if not whole:
            difference = replace(difference, gone=[])
        for line in difference.lines():
            report.note(line)
    if outcome.recorded:
        baseline.update(results, whole=whole, interrupted=interrupted)


def _idle(results: Sequence[Result]) -> str:
    if not results:
        return "there are no tests"
    if any(result.status is not Status.UNSUPPORTED for result in results):
        return ""
    which = "the only test is" if len(results) == 1 else f"all {len(results)} tests are"
    return f"{which} unsupported ({results[0].message})"
