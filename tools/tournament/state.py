"""The state of a tournament as it follows from its journal: rounds, results, withdrawals."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from engines.core.game import FIRST, SECOND, Side
from tools.journal.journal import Event, JournalError
from tools.journal.sampling import SampleStatus
from tools.journal.standings import EngineStanding
from tools.journal.state import GamesState
from tools.records.game import GameRecord
from tools.terms.seal import Seal, sealed_labels
from tools.tournament.formats.pairing import next_round, undrawn_games
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.formats.rounds import History, PairOfGames, PairResult, Round
from tools.tournament.formats.standings import Place, rank

SETTINGS: Final = ("games", "rounds", "jobs")
"""The settings that can be changed while a tournament runs."""


@dataclass(frozen=True, slots=True)
class TournamentStatus:
    """How a tournament stands, as `status.json` says it, with the same names in the same order.

    The fields that the status of a match has too mean the same. `missing` are the games that are
    still to be played, unless an engine drops out or a drawn match of a knockout goes on; in an
    adaptive tournament, they are the most. `places` are all engines, the best first, by their
    numbers from 0; `withdrawn` are those that dropped out, with the reasons.
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
    format: str
    round: int
    places: Sequence[Place]
    withdrawn: Mapping[str, str]
    distinct: int = 0
    waiting: int = 0
    standings: Sequence[EngineStanding] = ()
    running: bool = False
    events: int = 0


class TournamentState(GamesState):
    """The games and rounds of a tournament, what they say, and which games are missing."""

    def __init__(self, labels: Sequence[str], plan: Plan, set_aside: int) -> None:
        super().__init__(labels, set_aside)
        self.plan = plan
        self.jobs = 1
        self.rounds: list[Round] = []
        self.results: dict[int, PairResult] = {}
        self.withdrawn: dict[int, str] = {}
        self._pairs: dict[int, tuple[PairOfGames, Round]] = {}
        self._asked: dict[str, int] = {}

    @property
    def history(self) -> History:
        """The rounds and results from which the format draws the next round."""
        gone = frozenset(self.withdrawn)
        return History(len(self.labels), self.rounds, self.results, gone)

    @property
    def over(self) -> bool:
        """Whether no more games are to be begun, although some may be missing."""
        return bool(self.reasons or self.failure)

    def missing(self) -> Iterator[tuple[int, Side, int]]:
        """Yield pair, side and attempt of the games to play in the rounds that are drawn."""
        for pair, side, attempt in self.sample.missing(len(self._pairs)):
            if self.withdrawn.keys().isdisjoint(self.pair(pair)[0].engines):
                yield pair, side, attempt

    def pair(self, number: int) -> tuple[PairOfGames, Round]:
        """Return a pair of games that is drawn, and its round; raises KeyError."""
        return self._pairs[number]

    def count(self, record: GameRecord) -> SampleStatus:
        """Count a game; raises ValueError for one that is counted already or was not drawn."""
        if record.pair not in self._pairs:
            raise ValueError(f"game {record.number} is in no round that was drawn")
        pair, round_ = self._pairs[record.pair]
        if (pair.engines, round_.number) != (record.engines, record.round):
            raise ValueError(
                f"game {record.number} is between engines {record.engines} in round "
                f"{record.round}, where {pair.engines} in round {round_.number} were drawn"
            )
        status = super().count(record)
        if status is SampleStatus.COUNTED:
            games = (self.records[2 * pair.pair + side + 1] for side in (FIRST, SECOND))
            first, second = (game.outcome.points(game.side) for game in games)
            self.results[pair.pair] = PairResult(pair.engines, (first, second))
        return status

    def put_aside(self, engine: int, reason: str) -> None:
        """Let an engine that failed too often drop out of the tournament."""
        self.withdrawn.setdefault(engine, reason)

    def follow(self, event: Event) -> None:
        """Take in an event other than a game; raises JournalError."""
        if event["event"] == "round":
            self.add_round(read_round(event))
        elif event["event"] == "set":
            self.change(event)
        elif event["event"] in ("tournament", "resume"):
            self.ask(event)
            if event["event"] == "resume":
                self.clear_failures()

    def add_round(self, round_: Round) -> None:
        """Add a round that was drawn; raises JournalError if it does not follow the last one."""
        after = self.history.make_round(round_.as_pairings())
        if after != round_:
            raise JournalError(f"round {round_.number} does not follow round {len(self.rounds)}")
        engines = {engine for pairing in round_.pairings for engine in pairing}
        if not engines or max(engines) >= len(self.labels):
            raise JournalError(f"round {round_.number} names engines that do not take part")
        self.rounds.append(round_)
        for pair in round_.pairs():
            self._pairs[pair.pair] = (pair, round_)

    def draw(self) -> Round | None:
        """Return the next round; None if there is none, or if results are missing for it."""
        history = self.history
        drawn = next_round(self.plan, history)
        return None if drawn is None else history.make_round(drawn)

    def ask(self, run: Mapping[str, Any]) -> None:
        """Take in the settings that a run was started with.

        A setting that `change` has changed stays, unless the user now asks for another value than
        in the last run.
        """
        asked = {key: run[key] for key in SETTINGS if isinstance(run.get(key), int)}
        new = {key: value for key, value in asked.items() if self._asked.get(key) != value}
        self._asked |= asked
        self.change(new)

    def change(self, settings: Mapping[str, Any]) -> None:
        """Change the number of games, rounds or jobs from now on; others are ignored."""
        given = {key: settings[key] for key in SETTINGS if isinstance(settings.get(key), int)}
        self.jobs = given.pop("jobs", self.jobs)
        self.plan = replace(self.plan, **given)

    def count_missing(self) -> int:
        """Return how many games are still to be played, as far as that is known."""
        history = self.history
        if history.complete and next_round(self.plan, history) is None:
            return 0
        return sum(1 for _ in TournamentState.missing(self)) + undrawn_games(self.plan, history)

    def status(self, *, interrupted: bool = False, running: bool = False) -> TournamentStatus:
        """Return how the tournament stands."""
        figures = self.common_figures()
        if self.withdrawn:
            figures["why"] = [*figures["why"], *self.withdrawn.values()]
            figures["status"] = "failed" if figures["status"] == "failed" else "anomalies"
        return TournamentStatus(
            **figures,
            interrupted=interrupted,
            missing=self.count_missing(),
            format=str(self.plan.format),
            round=len(self.rounds),
            places=rank(self.plan, self.history),
            withdrawn={self.labels[number]: why for number, why in self.withdrawn.items()},
            running=running,
        )


def plan_fields(plan: Plan) -> dict[str, Any]:
    """Return what is sealed of a plan: everything but its numbers of games and rounds."""
    fields = {key: value for key, value in asdict(plan).items() if key not in SETTINGS}
    return {"format": str(fields.pop("format")), **fields}


def state_before(seal: Seal, begin: Event) -> TournamentState:
    """Return the state of a tournament before its first round; raises JournalError."""
    try:
        plan = Plan(
            Format(seal["format"]),
            begin["games"],
            begin["rounds"],
            seal["challengers"],
            seal["extra"],
            seal["certainty"],
        )
        return TournamentState(sealed_labels(seal), plan, seal["set-aside"])
    except (KeyError, ValueError) as error:
        raise JournalError(f"the journal's first event cannot be understood: {error!r}") from error


def round_event(round_: Round) -> Event:
    """Return a round as an event of the journal."""
    return {"event": "round", **asdict(round_)}


def read_round(event: Event) -> Round:
    """Return the round of an event; raises JournalError."""
    try:
        return Round(
            number=event["number"],
            pairings=tuple((one, other) for one, other in event["pairings"]),
            games=event["games"],
            first_pair=event["first_pair"],
            start=event["start"],
            byes=tuple(event["byes"]),
            stage=event["stage"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise JournalError(f"a round of the journal cannot be read: {error!r}") from error
