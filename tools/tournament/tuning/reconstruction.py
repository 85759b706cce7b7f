"""A tuning run as it stands, from its journal alone; nothing is changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tools.journal.events import last_seal
from tools.journal.journal import Event, is_in_use, read_journal
from tools.journal.reconstruction import find_phase, take_in
from tools.journal.verification import Finding, verify_contest
from tools.records.game import GameRecord
from tools.terms.spec import GameSpec
from tools.tournament.tuning.plan import turned
from tools.tournament.tuning.state import TuningState, TuningStatus, state_before


@dataclass(frozen=True, slots=True)
class TuningView:
    """A tuning run as it stands at this moment; the phases are those of `MatchView`."""

    folder: Path
    seal: Mapping[str, Any]
    state: TuningState
    status: TuningStatus
    phase: str


def view_tuning(folder: Path) -> TuningView:
    """Return the run in a folder; raises JournalError."""
    running = is_in_use(folder)  # First: one that ends meanwhile must not look incomplete.
    events = read_journal(folder)
    state = reconstruct_tuning(events)
    phase, status = find_phase(folder, events, state, running=running)
    return TuningView(folder, last_seal(events), state, status, phase)


def reconstruct_tuning(events: Sequence[Event]) -> TuningState:
    """Return the state that a journal leads to; raises JournalError."""
    state = state_before(last_seal(list(events)))
    take_in(state, events)
    return state


def with_trial(spec: GameSpec, record: GameRecord, events: Sequence[Event]) -> GameSpec:
    """Return a game as it was played, given it with the engines of the seal: with their values."""
    state = reconstruct_tuning(events)
    trial = state.trials[record.pair]
    values = (trial.plus, trial.minus)
    first, second = (
        turned(engine, state.knobs, values[record.engine(side)])
        for side, engine in enumerate(spec.engines)
    )
    return replace(spec, engines=(first, second))


def verify_tuning(
    folder: Path, events: Sequence[Event], *, ended: bool = True
) -> Iterator[Finding]:
    """Yield what is wrong; raises JournalError if the journal cannot be understood.

    Beyond what is verified of a match, the values of each pair must follow from the results before
    it.
    """
    state = state_before(last_seal(list(events)))
    yield from verify_contest(folder, events, state, ended=ended)
