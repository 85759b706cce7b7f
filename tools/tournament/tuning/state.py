"""The state of a tuning run as it follows from its journal."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from engines.core.game import FIRST, SECOND, Side
from tools.journal.events import TUNING
from tools.journal.journal import Event, JournalError
from tools.journal.sampling import SampleStatus
from tools.journal.standings import EngineStanding
from tools.journal.state import GamesState
from tools.records.game import GameRecord
from tools.statistics.spsa import Spsa, Trial, Value
from tools.terms.seal import Seal
from tools.tournament.tuning.plan import Knob, sealed_knobs

TRIAL: Final = "trial"
_PRECISION: Final = 1e-6  # Of a value, which another machine may compute differently.


@dataclass(frozen=True, slots=True)
class TuningStatus:
    """How a tuning run stands, as `status.json` says it, with the same names in the same order.

    The fields that the status of a match has too mean the same. Of `pairs` that are planned,
    `learnt` have changed the `values`; `start` are those at the beginning.
    """

    status: str
    why: Sequence[str]
    failure: str
    changes: Sequence[Mapping[str, Any]]
    interrupted: bool
    games: int
    missing: int
    verdicts: Mapping[str, int]
    scored: Mapping[str, int]
    disputed: int
    faults: Mapping[str, int]
    pairs: int
    learnt: int
    start: Mapping[str, Value]
    values: Mapping[str, Value]
    distinct: int = 0
    waiting: int = 0
    standings: Sequence[EngineStanding] = ()
    running: bool = False
    events: int = 0


class TuningState(GamesState):
    """The trials and games of a tuning run, and the values that follow from them.

    `course` are the values before the first pair and after each that was learnt from, `leads` the
    wins of `plus` less its losses in each pair. `proof` are words of the match that will prove the
    values, as the last run described it.
    """

    def __init__(
        self, labels: Sequence[str], knobs: Sequence[Knob], pairs: int, seed: int, set_aside: int
    ) -> None:
        super().__init__(labels, set_aside)
        self.knobs = tuple(knobs)
        self.spsa = Spsa([knob.parameter for knob in self.knobs], pairs, seed)
        self.trials: dict[int, Trial] = {}
        self.course: list[tuple[float, ...]] = [tuple(self.spsa.values)]
        self.leads: dict[int, float] = {}
        self.proof: dict[str, list[str]] = {}

    @property
    def over(self) -> bool:
        """Whether no more games are to be begun, although some may be missing."""
        return bool(self.reasons or self.failure)

    def missing(self) -> Iterator[tuple[int, Side, int]]:
        """Yield pair, side and attempt of the games to play."""
        yield from self.sample.missing(self.spsa.pairs)

    def count(self, record: GameRecord) -> SampleStatus:
        """Count a game; raises ValueError for one counted already or without a trial."""
        if record.pair not in self.trials:
            raise ValueError(f"game {record.number}: no values were chosen for its pair")
        status = super().count(record)
        if status is SampleStatus.COUNTED:
            games = [self.records[2 * record.pair + side + 1] for side in (FIRST, SECOND)]
            lead = sum(2 * game.outcome.points(game.side) - 1 for game in games)
            self.spsa.learn(record.pair, lead)
            self.leads[record.pair] = lead
            self.course.append(tuple(self.spsa.values))
        return status

    def follow(self, event: Event) -> None:
        """Take in an event other than a game; raises JournalError."""
        if event["event"] == TRIAL:
            self.try_out(*read_trial(event, len(self.knobs)))
        elif event["event"] in (TUNING, "resume"):
            self.proof = read_proof(event)
            if event["event"] == "resume":
                self.clear_failures()

    def try_out(self, pair: int, trial: Trial) -> None:
        """Note the values of a pair; raises JournalError for others than the results lead to."""
        if pair in self.trials or not 0 <= pair < self.spsa.pairs:
            raise JournalError(f"values for pair {pair} were not due")
        due = self.spsa.trial(pair)
        for given, expected in ((trial.plus, due.plus), (trial.minus, due.minus)):
            if not all(map(_alike, given, expected)):
                raise JournalError(
                    f"pair {pair} was played with {list(given)}; the results lead to "
                    f"{list(expected)}"
                )
        self.trials[pair] = trial

    def status(self, *, interrupted: bool = False, running: bool = False) -> TuningStatus:
        """Return how the run stands."""
        parameters = self.spsa.parameters
        return TuningStatus(
            **self.common_figures(),
            interrupted=interrupted,
            missing=self.sample.count_missing(2 * self.spsa.pairs),
            pairs=self.spsa.pairs,
            learnt=self.spsa.learnt,
            start={each.name: each.rounded(each.start) for each in parameters},
            values=self.spsa.settled(),
            running=running,
        )


def _alike(one: Value, other: Value) -> bool:
    return math.isclose(one, other, rel_tol=_PRECISION, abs_tol=_PRECISION)


def trial_event(pair: int, trial: Trial) -> Event:
    """Return the values of a pair as an event of the journal."""
    return {"event": TRIAL, "pair": pair, **asdict(trial)}


def read_trial(event: Event, count: int) -> tuple[int, Trial]:
    """Return the pair and the values of an event; raises JournalError."""
    try:
        pair, trial = event["pair"], Trial(tuple(event["plus"]), tuple(event["minus"]))
        values = (*trial.plus, *trial.minus)
        sound = len(trial.plus) == len(trial.minus) == count and isinstance(pair, int)
        if not sound or not all(math.isfinite(value) for value in values):
            raise ValueError(f"{count} numbers for each side were expected")
    except (KeyError, TypeError, ValueError) as error:
        raise JournalError(f"the values of a pair cannot be read: {error!r}") from error
    return pair, trial


def read_proof(event: Event) -> dict[str, list[str]]:
    """Return the words of the match that will prove the values; raises JournalError."""
    proof = event.get("proof")
    if not isinstance(proof, dict) or not all(
        isinstance(proof.get(key), list) and all(isinstance(word, str) for word in proof[key])
        for key in ("engine", "settings", "terms")
    ):
        raise JournalError(f"`proof` is {proof!r}, where words of a command were expected")
    return proof


def state_before(seal: Seal) -> TuningState:
    """Return the state of a run before its first pair; raises JournalError."""
    try:
        labels = (seal["engine1.label"], seal["engine2.label"])
        knobs = sealed_knobs(seal)
        return TuningState(labels, knobs, seal["pairs"], seal["seed"], seal["set-aside"])
    except (KeyError, TypeError, ValueError) as error:
        raise JournalError(f"the seal of the run cannot be understood: {error!r}") from error
