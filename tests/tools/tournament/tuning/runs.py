"""Tuning runs of fake engines, and runs whose games are not played but drawn by lot."""

import random
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from engines.core.game import Outcome
from protocols.ask.engine import EngineSpec
from protocols.ask.score import Evaluation
from tests.tools.fakes import fake
from tests.tools.match.matches import CLOCK, spec
from tools.journal.journal import Journal, read_journal
from tools.journal.verification import Finding
from tools.match.runner import MatchRunner
from tools.match.workers import GameExecutor, InlineExecutor
from tools.records.game import GameRecord, PlayedMove, Player, Verdict
from tools.statistics.scale import expected_score
from tools.statistics.spsa import Parameter
from tools.terms.spec import GameSpec
from tools.tournament.tuning.plan import Knob, TuningSpec, Way
from tools.tournament.tuning.reconstruction import verify_tuning
from tools.tournament.tuning.state import TuningStatus
from tools.tournament.tuning.tuning import Tuning

BEST = (1.6, 90)
KNOBS = (
    Knob(Parameter("exploration", 1.1, 0.2, 3.0, 0.2), Way.OPTION, "exploration"),
    Knob(Parameter("margin", 50, 0, 200, 12, whole=True), Way.ARGUMENT, "--margin={}"),
)
PLAYABLE = (Knob(Parameter("seed", 100, 1, 1000, 50, whole=True), Way.OPTION, "seed"),)
"""A value that the fake engines take: it changes their moves."""
PROOF = {"engine": ["mine"], "settings": [], "terms": ["--time", "60"]}


def run(pairs: int = 4, knobs: tuple[Knob, ...] = KNOBS, **more: Any) -> TuningSpec:
    """Return a run of a fake engine."""
    engine = fake("good", seeded=True)
    both = tuple(replace(engine, label=label) for label in ("mine plus", "mine minus"))
    terms = replace(spec(), engines=both, controls=(CLOCK, CLOCK), games=2 * pairs, **more)
    return TuningSpec(terms, knobs, pairs, "mine", proof=PROOF)


def elo_lost(engine: EngineSpec) -> float:
    """Return how much weaker than at its best a synthetic engine is, by its options."""
    exploration = float(dict(engine.options)["exploration"])
    margin = float(engine.command[-1].removeprefix("--margin="))
    return 100 * ((exploration - BEST[0]) / 0.5) ** 2 + 60 * ((margin - BEST[1]) / 40) ** 2


class LotExecutor(GameExecutor):
    """Ends each game at once: its winner is drawn by lot, by the strength of the engines."""

    def __init__(self, seed: int = 1) -> None:
        self._chance = random.Random(seed)

    @property
    def slots(self) -> int:
        return 1

    def submit(  # type: ignore[override]
        self, fn: Callable[..., Any], /, *args: GameSpec
    ) -> "Future[Any]":
        future: Future[GameRecord] = Future()
        future.set_result(self._draw(args[0]))
        return future

    def _draw(self, game: GameSpec) -> GameRecord:
        first, second = (elo_lost(engine) for engine in game.engines)
        winner = 0 if self._chance.random() < expected_score(second - first) else 1
        return GameRecord(
            game="neutron",
            variant="",
            number=game.number,
            players=tuple(Player(engine.label, "", "") for engine in game.engines),  # type: ignore[arg-type]
            controls=game.controls,
            started="2026-11-18T10:00:00+00:00",
            moves=(PlayedMove(0, "b1-b4", 0.1, 59.9, Evaluation.parse("")),),
            outcome=Outcome(winner, "resign"),
            verdict=Verdict.RESIGN,
            pair=game.pair,
            side=game.side,
            attempt=game.attempt,
            seed=game.seed,
        )


def play(
    folder: Path,
    made: TuningSpec,
    make: Callable[[], GameExecutor] = InlineExecutor,
    games: int | None = None,
) -> TuningStatus:
    """Play a run, or so many games of it, and return its status."""
    with Journal(folder) as journal:
        tuning = Tuning(made, journal)
        tuning.restore_records()
        runner = MatchRunner(tuning, make)
        for number, _ in enumerate(runner.play(), 1):
            runner.stopping = number == games
        status: TuningStatus = tuning.write_status(interrupted=runner.stopping)
        return status


def findings(folder: Path) -> list[Finding]:
    return list(verify_tuning(folder, read_journal(folder)))
