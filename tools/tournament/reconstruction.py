"""A tournament as it stands, from its journal alone; nothing is changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engines.core.splitmix import pair_seed
from tools.journal.events import last_seal, parse_game
from tools.journal.journal import Event, JournalError, is_in_use, read_journal
from tools.journal.reconstruction import find_phase, take_in
from tools.journal.verification import Finding, verify_contest
from tools.records.game import GameRecord
from tools.tournament.formats.adaptive import certainty, rate_history
from tools.tournament.formats.plan import Format
from tools.tournament.formats.rounds import Round
from tools.tournament.state import (
    TournamentState,
    TournamentStatus,
    read_round,
    state_before,
)

_ROUNDING: Final = 1e-3  # Of a likelihood, which another machine may compute differently.


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament as it stands at this moment; the phases are those of `MatchView`."""

    folder: Path
    seal: Mapping[str, Any]
    state: TournamentState
    status: TournamentStatus
    phase: str


def view_tournament(folder: Path) -> TournamentView:
    """Return the tournament in a folder; raises JournalError."""
    running = is_in_use(folder)  # First: one that ends meanwhile must not look incomplete.
    events = read_journal(folder)
    state = reconstruct_tournament(events)
    phase, status = find_phase(folder, events, state, running=running)
    return TournamentView(folder, last_seal(events), state, status, phase)


def reconstruct_tournament(events: Sequence[Event]) -> TournamentState:
    """Return the state that a journal leads to; raises JournalError."""
    state = state_before(last_seal(list(events)), events[0])
    take_in(state, events)
    return state


def verify_tournament(
    folder: Path, events: Sequence[Event], *, ended: bool = True
) -> Iterator[Finding]:
    """Yield what is wrong; raises JournalError if the journal cannot be understood.

    Beyond what is verified of a match, each round must be the one that the format draws from the
    results before it, and all pairings of a round must play the same openings.
    """
    state = state_before(last_seal(list(events)), events[0])
    checker = _Checker(state, last_seal(list(events)))
    yield from verify_contest(folder, events, state, ended=ended, check=checker.check)


class _Checker:
    """Checks the rounds of a tournament and the openings of its games."""

    def __init__(self, state: TournamentState, seal: Mapping[str, Any]) -> None:
        self._state = state
        self._seal = seal
        self._openings: dict[int, tuple[str, tuple[str, ...]]] = {}

    def check(self, event: Event) -> Iterator[Finding]:
        """Yield what is wrong with an event, before the state takes it in."""
        if event["event"] == "round":
            yield from self._check_round(read_round(event))
        elif event["event"] == "game":
            yield from self._check_opening(parse_game(event))

    def _check_round(self, round_: Round) -> Iterator[Finding]:
        where = f"round {round_.number}"
        drawn = self._state.draw()
        if drawn is None:
            yield Finding(where, "is not due: the format draws no round here")
        elif drawn != round_ and not self._is_as_good(drawn, round_):
            yield Finding(where, f"is {round_.as_pairings()}; by the results {drawn.as_pairings()}")

    def _is_as_good(self, drawn: Round, round_: Round) -> bool:
        """Whether an adaptive round is nearly as uncertain as the one that is computed here."""
        history = self._state.history
        single = len(drawn.pairings) == len(round_.pairings) == 1
        if self._state.plan.format is not Format.ADAPTIVE or not single:
            return False
        ratings = rate_history(history)
        doubts = [certainty(ratings, *each.pairings[0]) for each in (drawn, round_)]
        return abs(doubts[0] - doubts[1]) < _ROUNDING

    def _check_opening(self, record: GameRecord) -> Iterator[Finding]:
        try:
            pair, _ = self._state.pair(record.pair)
        except KeyError as error:
            raise JournalError(f"game {record.number} is in no round") from error
        where = f"game {record.number}"
        if record.seed != pair_seed(self._seal["seed"], pair.start):
            yield Finding(where, "its seed is not that of its opening")
        moves = tuple(move.text for move in record.moves[: record.opening])
        setup = "" if self._seal.get("free-handicap") else record.setup  # Engines choose it.
        opening = (setup, moves)
        if self._openings.setdefault(pair.start, opening) != opening:
            yield Finding(where, "its opening is not that of the other games of its round")
