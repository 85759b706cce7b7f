"""One run of `quintet tune`: from its options to its status, whatever ends it."""

import contextlib
from dataclasses import replace
from functools import partial

from engines.core.errors import QuintetError
from tools.journal.journal import Journal, JournalError
from tools.match.options import with_openings
from tools.match.preflight import ask_game, check_engines
from tools.match.runner import MatchRunner
from tools.match.session import (
    choose_seed,
    make_folder,
    play_missing,
    refuse_foreign_files,
    removed_if_unused,
)
from tools.match.workers import WorkerExecutor
from tools.roster.seats import ENGINE_POOL
from tools.terms.spec import MatchSpec
from tools.tournament.tuning.options import TuningOptions, tuning_spec
from tools.tournament.tuning.plan import TuningSpec, turned
from tools.tournament.tuning.proof import proof_words
from tools.tournament.tuning.report import TuningReport, plot
from tools.tournament.tuning.state import TuningStatus
from tools.tournament.tuning.tuning import Tuning


def run_tuning(options: TuningOptions, report: TuningReport) -> TuningStatus:
    """Tune an engine, or go on with that, and return the status.

    The journal in the folder decides whether a run is begun or resumed. Raises QuintetError for
    whatever keeps it from beginning or from going on.
    """
    try:
        made = tuning_spec(options, partial(ask_game, pool=ENGINE_POOL, notice=report.note))
    except BaseException:
        ENGINE_POOL.close()  # It may have been asked for the game.
        raise
    fresh = options.out is None or not options.out.exists()
    folder = options.out or make_folder(made.terms.game)
    with Journal(folder) as journal, removed_if_unused(journal, fresh=fresh):
        refuse_foreign_files(journal, force=options.force)
        terms, notices = with_openings(made.terms, options, choose_seed(options, journal))
        made = replace(made, terms=terms, proof=proof_words(options, made))
        if not journal.events:
            check_engines(_corners(made), ENGINE_POOL, report.note, movetime=options.movetime)
        if options.transcript:
            made = replace(made, terms=replace(terms, transcripts=str(folder / "transcripts")))
        for notice in notices:
            report.note(notice)
        tuning = Tuning(made, journal, accept_changes=options.accept_changes)
        try:
            return _play(tuning, report, options)
        except QuintetError as error:
            tuning.failure = tuning.failure or str(error)
            with contextlib.suppress(JournalError):  # The disk may be full.
                tuning.write_status()
            raise
        finally:
            report.close()


def _corners(made: TuningSpec) -> MatchSpec:
    """Return the engine with all values at their lowest, and at their highest."""
    one, other = made.terms.engines
    low = turned(one, made.knobs, [knob.bound(high=False) for knob in made.knobs])
    high = turned(other, made.knobs, [knob.bound(high=True) for knob in made.knobs])
    return replace(made.terms, engines=(low, high))


def _play(tuning: Tuning, report: TuningReport, options: TuningOptions) -> TuningStatus:
    report.begin(tuning)
    tuning.restore_records()
    # The games have processes of their own: this one must delay no clock.
    ENGINE_POOL.close()
    ponders = any(engine.ponder for engine in tuning.spec.engines)
    make = partial(WorkerExecutor, options.jobs, pin=options.pin and not ponders)
    status: TuningStatus = play_missing(tuning, report, MatchRunner(tuning, make))
    plot(tuning)
    return status
