"""Matches of Neutron between fake engines, and games as if they had been played."""

from pathlib import Path
from typing import Any

from engines.core.game import Outcome
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from protocols.ask.score import Evaluation
from tests.tools.fakes import fake
from tools.journal.journal import Journal, read_journal
from tools.journal.verification import Finding, verify_match
from tools.match.match import Match
from tools.match.runner import MatchRunner
from tools.match.workers import InlineExecutor
from tools.records.game import GameRecord, PlayedMove, Player, Verdict
from tools.terms.spec import MatchSpec

CLOCK = TimeControl.parse("60")


def spec(
    first: EngineSpec | None = None, second: EngineSpec | None = None, games: int = 4, **more: Any
) -> MatchSpec:
    engines = (first or fake("good", seeded=True), second or fake("better", seeded=True))
    return MatchSpec("neutron", "", 0, engines, games, (CLOCK, CLOCK), **more)


def play(folder: Path, made: MatchSpec, **more: Any) -> list[GameRecord]:
    with Journal(folder) as journal:
        match = Match(made, journal, **more)
        played = [record for record, _ in MatchRunner(match, InlineExecutor).play()]
        match.write_status()
        return played


def verify_all(folder: Path) -> list[Finding]:
    return list(verify_match(folder, read_journal(folder)))


def texts(records: list[GameRecord]) -> list[tuple[int, list[str], Outcome]]:
    ordered = sorted(records, key=lambda record: record.number)
    return [(each.number, [move.text for move in each.moves], each.outcome) for each in ordered]


def finished(
    made: MatchSpec,
    number: int,
    winner: int | None,
    verdict: Verdict = Verdict.NATURAL,
    again: int = 0,
) -> GameRecord:
    """Return a game as if it had been played, with one move to its record."""
    game = made.game_spec((number - 1) // 2, (number - 1) % 2, again)
    one, other = game.engines
    return GameRecord(
        game="neutron",
        variant="",
        number=number,
        players=(Player(one.label, "", ""), Player(other.label, "", "")),
        controls=game.controls,
        started="2026-11-18T10:00:00+00:00",
        moves=(PlayedMove(0, "b1-b4", 0.1, None, Evaluation.parse("")),),
        outcome=Outcome(winner, str(verdict)),
        verdict=verdict,
        pair=game.pair,
        side=game.side,
        attempt=again,
        seed=game.seed,
    )
