"""One run of a match: from its options to its status, whatever ends it."""

import contextlib
import itertools
import os
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from engines.core.errors import QuintetError
from tools.journal.contest import Contest
from tools.journal.events import last_seal
from tools.journal.interrupts import Interrupts
from tools.journal.journal import LOCK, Journal, JournalError
from tools.journal.state import MatchStatus
from tools.match.match import Match
from tools.match.options import MatchOptions, match_spec, with_openings
from tools.match.preflight import ask_game, check_engines, rules_warnings
from tools.match.report import MatchReport, Report
from tools.match.runner import MatchRunner
from tools.match.workers import make_executor, stop_workers
from tools.records.filing import find_record
from tools.roster.seats import ENGINE_POOL


def run_match(options: MatchOptions, report: MatchReport) -> MatchStatus:
    """Play a match, or the rest of it, and return its status.

    The journal in the match's folder decides whether a match is begun or resumed. Raises
    QuintetError for whatever keeps the match from beginning or from going on.
    """
    try:
        spec = match_spec(options, partial(ask_game, pool=ENGINE_POOL, notice=report.note))
    except BaseException:
        ENGINE_POOL.close()  # It may have been asked for the game.
        raise
    if options.tables:
        report.note("--tables: the bundled tables are used, not those that you have built")
    fresh = options.out is None or not options.out.exists()
    folder = options.out or make_folder(spec.game)
    with Journal(folder) as journal, removed_if_unused(journal, fresh=fresh):
        refuse_foreign_files(journal, force=options.force)
        spec, notices = with_openings(spec, options, choose_seed(options, journal))
        if not journal.events:
            check_engines(spec, ENGINE_POOL, report.note, movetime=options.movetime)
        if options.transcript:
            spec = replace(spec, transcripts=str(folder / "transcripts"))
        for notice in notices:
            report.note(notice)
        match = Match(spec, journal, accept_changes=options.accept_changes)
        try:
            return _play(match, report, options)
        except QuintetError as error:
            match.failure = match.failure or str(error)
            with contextlib.suppress(JournalError):  # The disk may be full.
                match.write_status()
            raise
        finally:
            report.close()


def make_folder(game: str, parent: Path = Path("matches")) -> Path:
    """Make a folder for a new match that no other match has; raises JournalError.

    Several matches may begin in the same second.
    """
    moment = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    for number in itertools.count(1):
        folder = parent / (f"{game}-{moment}" + (f"-{number}" if number > 1 else ""))
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise JournalError(f"cannot make {folder}: {error.strerror}") from error
        return folder
    raise AssertionError("unreachable")


@contextlib.contextmanager
def removed_if_unused(journal: Journal, *, fresh: bool) -> Iterator[None]:
    """Remove the files of a match that does not begin, and a fresh folder; the lock is held yet."""
    try:
        yield
    finally:
        if not journal.events:
            with contextlib.suppress(OSError):
                journal.path.unlink()
                (journal.folder / LOCK).unlink()
                if fresh:
                    journal.folder.rmdir()


def refuse_foreign_files(journal: Journal, *, force: bool) -> None:
    """Raise JournalError if a folder without a journal already holds something else.

    Hidden files do not count. The user may insist, except if there are records of games, which ours
    could overwrite.
    """
    if journal.events:
        return
    record = find_record(journal.folder)
    if record is not None:
        raise JournalError(
            f"--out: {journal.folder} already holds records ({record.name}); name another"
        )
    own = (journal.path.name, LOCK)
    names = sorted(path.name for path in journal.folder.iterdir() if path.name not in own)
    foreign = [name for name in names if not name.startswith(".")]
    if foreign and not force:
        listed = ", ".join(foreign[:3]) + (", ..." if len(foreign) > 3 else "")
        raise JournalError(
            f"--out: {journal.folder} already holds other files ({listed}); name another folder, "
            "or give --force"
        )


def choose_seed(options: MatchOptions, journal: Journal) -> int:
    """Return the match's seed: as given, as sealed in a journal that is resumed, or drawn."""
    if options.seed is not None:
        return options.seed
    if journal.events:
        seed = last_seal(journal.events).get("seed")
        if isinstance(seed, int):
            return seed
    return random.SystemRandom().randrange(1 << 31)


C = TypeVar("C", bound=Contest)


def _play(match: Match, report: MatchReport, options: MatchOptions) -> MatchStatus:
    report.begin(match)
    match.restore_records()
    if not match.over and next(match.missing(), None) is not None:
        check_engines(match.spec, ENGINE_POOL, report.note, movetime=options.movetime)
        for warning in rules_warnings(match.spec, ENGINE_POOL):
            report.note(warning)
        if options.jobs > 1:
            ENGINE_POOL.close()  # Each worker process starts engines of its own.
    status: MatchStatus = play_missing(match, report, _runner(match, options))
    return status


def play_missing(contest: C, report: Report[C, Any], runner: MatchRunner) -> Any:
    """Play the missing games of a match or tournament that has begun, and return its status.

    The user may end it early; the status says so.
    """
    warned = bool(warning := contest.repetitions.warning())
    if warned:
        report.note(warning)
    runner.started = report.start
    runner.gauges = report.gauges
    interrupts = Interrupts(partial(setattr, runner, "stopping", True))
    reader_gone = False
    with interrupts:
        try:
            for record, sample_status in runner.play():
                report.game(contest, record, sample_status)
                if not warned and (warning := contest.repetitions.warning()):
                    warned = True
                    report.note(warning)
        except KeyboardInterrupt:
            stop_workers()
        except BrokenPipeError:  # Nobody reads our output any more: the same as Ctrl-C.
            reader_gone = True
            stop_workers()
        except BaseException as error:
            if isinstance(error, QuintetError):
                contest.failure = str(error)
            with contextlib.suppress(JournalError):  # The first failure is the one to report.
                contest.write_status(interrupted=interrupts.count > 0)
            raise
        status = contest.write_status(interrupted=reader_gone or interrupts.count > 0)
    if reader_gone:
        _discard_output()
    else:
        report.summary(contest, status)
    return status


def _runner(match: Match, options: MatchOptions) -> MatchRunner:
    # A pondering engine on its opponent's core would take time from the opponent.
    pin = options.pin and not any(engine.ponder for engine in match.spec.engines)
    return MatchRunner(match, partial(make_executor, options.jobs, pin=pin))


def _discard_output() -> None:
    """Send stdout nowhere: its buffer would raise an error again when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
