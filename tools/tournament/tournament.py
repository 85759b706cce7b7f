"""A tournament and its folder."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from engines.core.game import Side
from tools.journal.contest import Contest
from tools.journal.events import TOURNAMENT, last_seal
from tools.journal.interrupts import uninterrupted
from tools.journal.journal import Event, Journal
from tools.terms.seal import Seal, changed, seal
from tools.terms.spec import GameSpec, MatchSpec
from tools.tournament.formats.plan import Plan
from tools.tournament.formats.rounds import Round
from tools.tournament.state import TournamentState, plan_fields, round_event


@dataclass(frozen=True, slots=True)
class TournamentSpec:
    """A tournament: the terms of its games, with all engines, and its plan."""

    terms: MatchSpec
    plan: Plan
    jobs: int = 1


def tournament_seal(spec: TournamentSpec) -> Seal:
    """Return the settings that must stay the same while a tournament is played."""
    return {**seal(spec.terms), **plan_fields(spec.plan)}


class Tournament(TournamentState, Contest):
    """A tournament and its journal.

    Raises DifferentMatch where the journal holds something else than `spec`, and JournalError.
    """

    def __init__(
        self, spec: TournamentSpec, journal: Journal, *, accept_changes: bool = False
    ) -> None:
        self.spec = spec.terms
        self.journal = journal
        labels = [engine.label for engine in spec.terms.engines]
        super().__init__(labels, spec.plan, spec.terms.set_aside)
        run = {"games": spec.plan.games, "rounds": spec.plan.rounds, "jobs": spec.jobs}
        sealed = tournament_seal(spec)
        _discard_other_rounds(journal, sealed)
        self.resume(
            TOURNAMENT,
            sealed,
            {**run, "records": spec.terms.shogi_format},
            accept_changes=accept_changes,
        )
        self.follow(journal.events[-1])

    def missing(self) -> Iterator[tuple[int, Side, int]]:
        """Yield pair, side and attempt of the games to play; draw further rounds where needed."""
        yield from super().missing()
        while not self.over and (drawn := self.draw()) is not None:
            self._begin(drawn)
            for pair in drawn.pairs():
                yield pair.pair, 0, 0
                yield pair.pair, 1, 0

    def _begin(self, drawn: Round) -> None:
        with uninterrupted():
            self.journal.append(round_event(drawn))
            self.add_round(drawn)

    def game_spec(self, pair: int, side: Side, attempt: int) -> GameSpec:
        """Return a game that is missing."""
        drawn, round_ = self.pair(pair)
        return self.spec.game_spec(
            pair,
            side,
            attempt,
            opponents=drawn.engines,
            start=drawn.start,
            round_number=round_.number,
        )

    def set(self, settings: Event) -> None:
        """Change numbers of the tournament: the journal first, then what follows from it."""
        with uninterrupted():
            self.journal.append(settings)
            self.change(settings)


def _discard_other_rounds(journal: Journal, sealed: Seal) -> None:
    """Empty a journal without games whose rounds were drawn for another tournament."""
    if any(event["event"] == "game" for event in journal.events) or not journal.events:
        return
    if changed(last_seal(journal.events), json.loads(json.dumps(sealed))):
        journal.clear()
