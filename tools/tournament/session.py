"""One run of a tournament: from its options to its status, whatever ends it."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from engines.core.errors import QuintetError
from engines.core.game import InvalidText
from tools.journal.events import last_seal
from tools.journal.journal import Journal, JournalError, is_in_use, read_journal
from tools.match.options import with_openings
from tools.match.preflight import ask_game, check_engines, rules_warnings
from tools.match.runner import MatchRunner
from tools.match.session import (
    choose_seed,
    make_folder,
    play_missing,
    refuse_foreign_files,
    removed_if_unused,
)
from tools.match.workers import GameExecutor, WorkerExecutor
from tools.roster.seats import ENGINE_POOL
from tools.tournament.cluster import ClusterExecutor, reach_scheduler
from tools.tournament.options import TournamentOptions, tournament_spec
from tools.tournament.reconstruction import reconstruct_tournament
from tools.tournament.report import TournamentReport
from tools.tournament.requests import (
    delete,
    refuse_less,
    refuse_useless,
    take_requests,
    write_request,
)
from tools.tournament.state import TournamentStatus
from tools.tournament.tournament import Tournament


def run_tournament(options: TournamentOptions, report: TournamentReport) -> TournamentStatus:
    """Play a tournament, or the rest of it, and return its status.

    The journal in the folder decides whether it is begun or resumed. Raises QuintetError for
    whatever keeps the tournament from beginning or from going on.
    """
    try:
        spec = tournament_spec(options, partial(ask_game, pool=ENGINE_POOL, notice=report.note))
        if options.dask:
            reach_scheduler(options.dask)
    except BaseException:
        ENGINE_POOL.close()  # It may have been asked for the game.
        raise
    fresh = options.out is None or not options.out.exists()
    folder = options.out or make_folder(spec.terms.game, Path("tournaments"))
    with Journal(folder) as journal, removed_if_unused(journal, fresh=fresh):
        refuse_foreign_files(journal, force=options.force)
        terms, notices = with_openings(spec.terms, options, choose_seed(options, journal))
        if not journal.events:
            check_engines(terms, ENGINE_POOL, report.note, movetime=options.movetime)
        if options.transcript:
            terms = replace(terms, transcripts=str(folder / "transcripts"))
        for notice in notices:
            report.note(notice)
        tournament = Tournament(
            replace(spec, terms=terms), journal, accept_changes=options.accept_changes
        )
        try:
            return _play(tournament, report, options)
        except QuintetError as error:
            tournament.failure = tournament.failure or str(error)
            with contextlib.suppress(JournalError):  # The disk may be full.
                tournament.write_status()
            raise
        finally:
            report.close()


def _play(
    tournament: Tournament, report: TournamentReport, options: TournamentOptions
) -> TournamentStatus:
    carry_out_requests(tournament, report.note)
    report.begin(tournament)
    tournament.restore_records()
    if not tournament.over and next(tournament.missing(), None) is not None:
        check_engines(tournament.spec, ENGINE_POOL, report.note, movetime=options.movetime)
        for warning in rules_warnings(tournament.spec, ENGINE_POOL):
            report.note(warning)
    # The games have processes of their own: this one pairs and rates, and must delay no clock.
    ENGINE_POOL.close()
    runner = MatchRunner(tournament, partial(_executor, tournament, options, report.note))
    runner.attend = partial(_attend, tournament, report.note)
    status: TournamentStatus = play_missing(tournament, report, runner)
    return status


def _executor(
    tournament: Tournament, options: TournamentOptions, note: Callable[[str], None]
) -> GameExecutor:
    # A pondering engine on its opponent's core would take time from the opponent.
    ponders = any(engine.ponder for engine in tournament.spec.engines)
    if options.dask:
        return ClusterExecutor(options.dask, tournament.spec, tournament.jobs, note)
    return WorkerExecutor(tournament.jobs, pin=options.pin and not ponders)


def _attend(tournament: Tournament, note: Callable[[str], None], executor: GameExecutor) -> None:
    carry_out_requests(tournament, note)
    if executor.slots != tournament.jobs:
        executor.resize(tournament.jobs)


def carry_out_requests(tournament: Tournament, note: Callable[[str], None]) -> None:
    """Change what other processes have asked for; the journal holds it before anything changes."""
    for path, settings in take_requests(tournament.journal.folder):
        try:
            refuse_less(settings, tournament)
        except InvalidText as error:  # Further rounds were drawn since it was asked for.
            delete(path)
            note(str(error))
            continue
        at = datetime.now().astimezone().isoformat()
        tournament.set({"event": "set", **settings, "at": at})
        delete(path)
        note(f"set: {', '.join(f'{key}={value}' for key, value in settings.items())}")


def set_numbers(folder: Path, settings: Mapping[str, int]) -> str:
    """Change the numbers of a tournament that may be running, and say when the change counts.

    Raises InvalidText, and JournalError if there is no tournament in the folder.
    """
    events = read_journal(folder)
    seal = last_seal(events)
    if "format" not in seal:
        raise JournalError(f"{folder} holds no tournament")
    refuse_useless(settings, seal["format"])
    refuse_less(settings, reconstruct_tournament(events))
    write_request(folder, settings)
    words = ", ".join(f"{key}={value}" for key, value in settings.items())
    when = "from the next game on" if is_in_use(folder) else "when it is resumed"
    return f"{folder}: {words} {when}"
