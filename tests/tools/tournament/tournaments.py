"""Tournaments of Neutron between fake engines."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.tools.fakes import fake
from tests.tools.match.matches import CLOCK, spec
from tools.journal.journal import Journal, read_journal
from tools.journal.verification import Finding
from tools.match.runner import MatchRunner
from tools.match.workers import GameExecutor, InlineExecutor
from tools.terms.openings import Opening
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.reconstruction import verify_tournament
from tools.tournament.state import TournamentStatus
from tools.tournament.tournament import Tournament, TournamentSpec

OPENINGS = tuple(Opening(move, (move,)) for move in ("b1-b4", "a1-a4", "d1-d4"))


def cup(
    plan: Plan | None = None, tempers: str = "good good good", once: str = "", **more: Any
) -> TournamentSpec:
    """Return a tournament of engines that misbehave as said; they are called a, b, c and so on.

    If `once` names a file, they misbehave only until that exists.
    """
    engines = tuple(
        replace(
            fake(temper, *([once] if once and temper != "good" else []), seeded=True),
            label=chr(ord("a") + number),
        )
        for number, temper in enumerate(tempers.split())
    )
    fields = {"openings": OPENINGS, **more}
    terms = replace(spec(), engines=engines, controls=(CLOCK,) * len(engines), **fields)
    return TournamentSpec(terms, plan or Plan())


def swiss(rounds: int) -> Plan:
    return Plan(Format.SWISS, rounds=rounds)


def play(
    folder: Path,
    made: TournamentSpec,
    make: Callable[[], GameExecutor] = InlineExecutor,
    games: int | None = None,
) -> TournamentStatus:
    """Play a tournament, or so many games of it, and return its status."""
    with Journal(folder) as journal:
        tournament = Tournament(made, journal)
        tournament.restore_records()
        runner = MatchRunner(tournament, make)
        for number, _ in enumerate(runner.play(), 1):
            runner.stopping = number == games
        status: TournamentStatus = tournament.write_status(interrupted=runner.stopping)
        return status


def findings(folder: Path) -> list[Finding]:
    return list(verify_tournament(folder, read_journal(folder)))
