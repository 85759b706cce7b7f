"""A tuning run and its folder."""

from dataclasses import replace

from engines.core.game import Side
from tools.journal.contest import Contest
from tools.journal.events import TUNING
from tools.journal.interrupts import uninterrupted
from tools.journal.journal import Journal
from tools.terms.spec import GameSpec
from tools.tournament.tuning.plan import TuningSpec, tuning_seal, turned
from tools.tournament.tuning.state import TuningState, trial_event


class Tuning(TuningState, Contest):
    """A tuning run and its journal.

    The values of a pair are in the journal before its first game begins. Raises DifferentMatch
    where the journal holds something else than `made`, and JournalError.
    """

    def __init__(self, made: TuningSpec, journal: Journal, *, accept_changes: bool = False) -> None:
        self.made = made
        self.spec = made.terms
        self.journal = journal
        labels = [engine.label for engine in made.terms.engines]
        super().__init__(labels, made.knobs, made.pairs, made.terms.seed, made.terms.set_aside)
        run = {"jobs": made.jobs, "records": made.terms.shogi_format, "proof": dict(made.proof)}
        self.resume(TUNING, tuning_seal(made), run, accept_changes=accept_changes)
        self.follow(journal.events[-1])

    def game_spec(self, pair: int, side: Side, attempt: int) -> GameSpec:
        """Return a game that is missing; both of its pair, and again, have the same values."""
        if pair not in self.trials:
            trial = self.spsa.trial(pair)
            with uninterrupted():
                self.journal.append(trial_event(pair, trial))
                self.try_out(pair, trial)
        trial = self.trials[pair]
        game = self.spec.game_spec(pair, side, attempt)
        one, other = (trial.plus, trial.minus) if side == 0 else (trial.minus, trial.plus)
        first, second = game.engines
        return replace(
            game, engines=(turned(first, self.knobs, one), turned(second, self.knobs, other))
        )
