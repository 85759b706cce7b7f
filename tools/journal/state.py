"""The state of a match as it follows from its finished games, in the order of their ends."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engines.core.game import FIRST, SECOND, Side
from tools.journal.journal import JournalError
from tools.journal.repetition import Repetitions, digest_of
from tools.journal.sampling import MOST_REPEATED, GameResult, Sample, SampleStatus
from tools.journal.standings import EngineStanding
from tools.records.game import MISDEEDS, GameRecord, Verdict
from tools.statistics.estimates import estimate, rounded
from tools.statistics.sprt import Sprt, parse_sprt
from tools.terms.seal import is_engine

MOST_VOID_IN_A_ROW: Final = 3
MOST_VOID: Final = 5  # If they are also a hundredth of the games.

_ENDED: Final = {
    Verdict.CRASH: "by a crash",
    Verdict.ILLEGAL: "by an illegal move",
    Verdict.PROTOCOL: "by a breach of the protocol",
    Verdict.STALL: "because an engine did not answer",
    Verdict.SUPERKO: "by a move that repeats the board",
    Verdict.TIME: "on time",
    Verdict.VOID: "without a result",
}
"""What is said of games that a fault ended, after the word `ended`."""


@dataclass(frozen=True, slots=True)
class MatchStatus:
    """How a match stands, as `status.json` says it, with the same names in the same order.

    `status` is `clean`, `anomalies` (games ended by a fault of an engine or of the referee, or on
    time) or `failed` (the match could not go on); `why` says the reasons. `events` is the length of
    the journal that the status describes, 0 if it was not written. `running` says that the run that
    wrote the status went on.

    Of the `games` that are not void, `distinct` differ in their openings, engines, colours or
    moves. `counts` are all pairs, `samples` those that do not repeat an earlier pair, by the points
    of the first engine; `strength` and `sprt` follow from `samples`. So many games are `waiting`
    for the other game of their pair.
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
    counts: Sequence[int]
    sprt: Mapping[str, Any] | None
    distinct: int = 0
    samples: Sequence[int] = ()
    waiting: int = 0
    strength: Mapping[str, Any] | None = None
    standings: Sequence[EngineStanding] = ()
    running: bool = False
    events: int = 0


class GamesState:
    """The results of finished games between any number of engines, in the order of their ends.

    The same games in the same order always lead to the same state.
    """

    def __init__(self, labels: Sequence[str], set_aside: int, test: Sprt | None = None) -> None:
        self.labels = tuple(labels)
        self.set_aside = set_aside
        self.sample = Sample(test)
        self.verdicts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.reasons: list[str] = []
        self.failure = ""  # The reason why the last run stopped, if no game shows it.
        self.records: dict[int, GameRecord] = {}
        self.counts: Counter[str] = Counter()
        self.disputed: list[GameRecord] = []
        self.changes: list[tuple[int, list[str]]] = []  # Games before, and what changed then.
        self.repetitions = Repetitions()
        self._standings = [EngineStanding(label) for label in self.labels]
        self._failed_counts = 0
        self._voids = 0
        self._voids_in_a_row = 0
        self._failing = [0] * len(self.labels)

    def clear_failures(self) -> None:
        """Forget what stopped the run before: the user has asked to resume the match."""
        self.reasons.clear()
        self.failure = ""
        self._voids_in_a_row, self._failing = 0, [0] * len(self.labels)
        self.sample.repeated = 0

    def note_changes(self, keys: Sequence[str]) -> None:
        """Note accepted changes of the engines; the games before them still count."""
        engines = [key for key in keys if is_engine(key)]
        if engines and self.records:
            self.changes.append((len(self.records), engines))

    def count(self, record: GameRecord) -> SampleStatus:
        """Count a game; raises ValueError for one counted already, or of unknown engines."""
        if max(record.engines) >= len(self.labels):
            raise ValueError(f"game {record.number}: there is no engine {max(record.engines) + 1}")
        void = record.verdict == Verdict.VOID
        digest = digest_of(record)
        result = GameResult(
            record.pair,
            record.side,
            0.0 if void else record.outcome.points(record.side),
            record.ending,
            void,
            record.attempt,
            digest,
        )
        try:
            sample_status = self.sample.add(result)
        except ValueError as error:
            which = f"game {record.number}, attempt {record.attempt + 1}"
            raise ValueError(f"{which}: {error}") from error
        self.repetitions.add(record, digest)
        self._tabulate(record)
        self.verdicts[str(record.verdict)] += 1
        if record.count is not None:
            self.counts[str(record.count.method)] += 1
            self._failed_counts += record.count.failures
            if record.count.disputed:
                self.disputed.append(record)
        for side in (FIRST, SECOND):
            self.faults[self.labels[record.engine(side)]] += record.faults[side]
        self._watch_voids(record, void)
        if not void:
            self._watch_failures(record)
        return sample_status

    def _watch_voids(self, record: GameRecord, void: bool) -> None:
        self._voids += void
        self._voids_in_a_row = self._voids_in_a_row + 1 if void else 0
        total = self.verdicts.total()
        if self._voids_in_a_row >= MOST_VOID_IN_A_ROW:
            reason = f"{MOST_VOID_IN_A_ROW} void games in a row: {record.outcome.reason}"
            self.reasons.append(reason)
        elif void and self._voids >= MOST_VOID and self._voids * 100 >= total:
            self.reasons.append(f"{self._voids} of {total} games void: {record.outcome.reason}")

    def _watch_failures(self, record: GameRecord) -> None:
        failed = record.verdict in MISDEEDS - {Verdict.ILLEGAL, Verdict.SUPERKO}
        for engine in record.engines:
            side = record.side_of(engine)
            assert side is not None
            fault = record.outcome.reason if failed and record.outcome.winner == 1 - side else ""
            if record.count is not None and record.count.claims[side].startswith("!"):
                fault = f"final_score: {record.count.claims[side][2:]}"
            self._failing[engine] = self._failing[engine] + 1 if fault else 0
            if self._failing[engine] == self.set_aside:
                self.put_aside(
                    engine,
                    f"{self.labels[engine]} is set aside: it failed {self.set_aside} times in a "
                    f"row, the last time by {fault}",
                )

    @abstractmethod
    def follow(self, event: Mapping[str, Any]) -> None:
        """Take in an event of the journal other than a game; raises JournalError."""

    @abstractmethod
    def status(self, *, interrupted: bool = False, running: bool = False) -> Any:
        """Return how it stands, as a dataclass."""

    def put_aside(self, engine: int, reason: str) -> None:
        """Do without an engine that failed too often: nothing else can be played."""
        self.reasons.append(reason)

    def _tabulate(self, record: GameRecord) -> None:
        """Keep a record, and add it to the table."""
        again = record.number in self.records
        self.records[record.number] = record
        if again:  # Games of a pair with a void game are played again, and replace the former ones.
            self._standings = [EngineStanding(label) for label in self.labels]
        for each in self.records.values() if again else (record,):
            if each.verdict != Verdict.VOID:
                for engine, standing in enumerate(self._standings):
                    if (side := each.side_of(engine)) is not None:
                        standing.add(each, side)

    def table(self) -> list[EngineStanding]:
        """Return the results of all engines, by the games that are not void."""
        return [replace(standing) for standing in self._standings]

    def judge(self) -> tuple[str, list[str]]:
        """Return `clean`, `anomalies` or `failed`, and the reasons."""
        failures = [*([self.failure] if self.failure else []), *self.reasons]
        anomalies = self._anomalies()
        status = "failed" if failures else "anomalies" if anomalies else "clean"
        return status, [*failures, *anomalies]

    def common_figures(self) -> dict[str, Any]:
        """Return the fields that the status of a match and that of a tournament have in common."""
        status, why = self.judge()
        return {
            "status": status,
            "why": why,
            "failure": self.failure,
            "changes": [{"after": games, "keys": keys} for games, keys in self.changes],
            "games": len(self.records),
            "verdicts": dict(sorted(self.verdicts.items())),
            "scored": dict(sorted(self.counts.items())),
            "disputed": len(self.disputed),
            "faults": {label: number for label, number in self.faults.items() if number},
            "distinct": self.repetitions.distinct,
            "waiting": self.sample.waiting,
            "standings": self.table(),
        }

    def _anomalies(self) -> list[str]:
        anomalies = [
            f"{number} {'game' if number == 1 else 'games'} ended {_ENDED[verdict]}"
            for verdict in sorted(MISDEEDS | {Verdict.TIME, Verdict.VOID})
            if (number := self.verdicts[verdict])
        ]
        if self._failed_counts:
            times = "once" if self._failed_counts == 1 else f"{self._failed_counts} times"
            anomalies.append(f"engines failed {times} when asked for the score")
        anomalies += [
            f"changed after {games} games, which count too: {', '.join(keys)}"
            for games, keys in self.changes
        ]
        return anomalies


class MatchState(GamesState):
    """A match between two engines, and which of its games are missing.

    Raises InvalidText for a sequential test that makes no sense.
    """

    def __init__(self, labels: tuple[str, str], games: int, sprt: str, set_aside: int) -> None:
        super().__init__(labels, set_aside, parse_sprt(sprt) if sprt else None)
        self.games = games

    def missing(self) -> Iterator[tuple[int, Side, int]]:
        """Yield pair, side and attempt of the games to play."""
        for pair, side, attempt in self.sample.missing((self.games + 1) // 2):
            if 2 * pair + side < self.games:
                yield pair, side, attempt

    @property
    def over(self) -> bool:
        """Whether no more games are to be begun."""
        return self.sample.closed or self.sample.exhausted or bool(self.reasons or self.failure)

    def status(self, *, interrupted: bool = False, running: bool = False) -> MatchStatus:
        """Return how the match stands."""
        return MatchStatus(
            **self.common_figures(),
            interrupted=interrupted,
            missing=0 if self.sample.closed else self.sample.count_missing(self.games),
            counts=list(self.sample.results.counts),
            sprt=self._test_figures(),
            samples=list(self.sample.distinct.counts),
            strength=self._strength(),
            running=running,
        )

    def follow(self, event: Mapping[str, Any]) -> None:
        """Take in the beginning of a run; raises JournalError."""
        if event["event"] in ("match", "resume"):
            if not isinstance(games := event.get("games"), int):
                raise JournalError(f"`games` is {games!r}, where a number was expected")
            self.games = games
        if event["event"] == "resume":
            self.clear_failures()

    def _strength(self) -> dict[str, Any] | None:
        """Return the strength of the first engine, as far as the distinct samples show it."""
        results, test = self.sample.distinct, self.sample.test
        if not results.samples:
            return None
        unbiased = test.unbiased(results) if test is not None and self.sample.closed else None
        return {
            "engine": self.labels[0],
            "samples": results.samples,
            **estimate(results).figures(),
            "unbiased": None if unbiased is None else unbiased.figures(),
        }

    def _test_figures(self) -> dict[str, Any] | None:
        verdict, test = self.sample.verdict, self.sample.test
        if verdict is None or test is None:
            return None
        return {
            "state": str(verdict.state),
            "llr": rounded(verdict.llr),
            "lower": rounded(test.lower),
            "upper": rounded(test.upper),
            "samples": self.sample.distinct.samples,
            "undecided": self._undecided(),
        }

    def _undecided(self) -> str:
        """Say why the test is undecided although games were played; empty without a reason."""
        pairs, distinct = self.sample.results.samples, self.sample.distinct.samples
        if self.sample.closed or pairs == distinct:
            return ""
        verb = "is" if distinct == 1 else "are"
        reason = f"of {pairs} pairs only {distinct} {verb} distinct, and equal pairs count once"
        if self.sample.exhausted:
            reason += f"; the last {MOST_REPEATED} repeat earlier ones, so more would not decide it"
        return reason
