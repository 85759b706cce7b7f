"""How a match stands: the projection of its games, in the order in which they ended."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engines.core.game import Side
from tools.record import MISDEEDS, GameRecord, Verdict
from tools.sample import Fate, Finish, Sample
from tools.seal import is_engine
from tools.sprt import parse_sprt
from tools.standing import Standing

VOIDS_IN_A_ROW: Final = 3
VOIDS: Final = 5  # And a hundredth of the games.


class Course:
    """The games of a match between two engines, what they say and which are missing.

    The same games in the same order say the same, whoever counts them. Raises InvalidText for a
    test without sense.
    """

    def __init__(self, labels: tuple[str, str], games: int, sprt: str, aside: int) -> None:
        self.labels = labels
        self.games = games
        self.aside = aside
        self.sample = Sample(parse_sprt(sprt) if sprt else None)
        self.verdicts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.reasons: list[str] = []
        self.failure = ""  # What kept the last run from going on, which no game shows.
        self.records: dict[int, GameRecord] = {}
        self.counts: Counter[str] = Counter()
        self.disputed: list[GameRecord] = []
        self.changes: list[tuple[int, list[str]]] = []  # Games before, and what changed then.
        self._failed_counts = 0
        self._voids = 0
        self._voids_in_a_row = 0
        self._failing = [0, 0]

    def go_on(self) -> None:
        """Forget what stopped the run before: its user asks again."""
        self.reasons.clear()
        self.failure = ""
        self._voids_in_a_row, self._failing = 0, [0, 0]

    def note_changes(self, keys: Sequence[str]) -> None:
        """Note what was accepted as changed: games of the engines before still count."""
        engines = [key for key in keys if is_engine(key)]
        if engines and self.records:
            self.changes.append((len(self.records), engines))

    def missing(self) -> Iterator[tuple[int, Side, int]]:
        """Yield pair, side and attempt of the games to play."""
        for pair, side, attempt in self.sample.missing((self.games + 1) // 2):
            if 2 * pair + side < self.games:
                yield pair, side, attempt

    @property
    def over(self) -> bool:
        """Whether no more games are to be begun."""
        return self.sample.closed or bool(self.reasons or self.failure)

    def count(self, record: GameRecord) -> Fate:
        """Count a game; raises ValueError for one that is in already."""
        void = record.verdict == Verdict.VOID
        fate = self.sample.add(
            Finish(
                record.pair,
                record.side,
                0.0 if void else record.outcome.points(record.side),
                record.ending,
                void,
                record.attempt,
            )
        )
        self.records[record.number] = record
        self.verdicts[str(record.verdict)] += 1
        if record.count is not None:
            self.counts[str(record.count.method)] += 1
            self._failed_counts += record.count.failures
            if record.count.disputed:
                self.disputed.append(record)
        for index, label in enumerate(self.labels):
            self.faults[label] += record.faults[_seat(record, index)]
        self._watch(record, void)
        return fate

    def _watch(self, record: GameRecord, void: bool) -> None:
        self._voids += void
        self._voids_in_a_row = self._voids_in_a_row + 1 if void else 0
        total = self.verdicts.total()
        if self._voids_in_a_row >= VOIDS_IN_A_ROW:
            self.reasons.append(f"{VOIDS_IN_A_ROW} void games in a row: {record.outcome.reason}")
        elif void and self._voids >= VOIDS and self._voids * 100 >= total:
            self.reasons.append(f"{self._voids} of {total} games void: {record.outcome.reason}")
        if void:
            return
        for index, label in enumerate(self.labels):
            failed = record.verdict in MISDEEDS - {Verdict.ILLEGAL, Verdict.SUPERKO}
            mine = record.outcome.winner == 1 - _seat(record, index)
            self._failing[index] = self._failing[index] + 1 if failed and mine else 0
            if self._failing[index] == self.aside:
                reason = record.outcome.reason
                self.reasons.append(
                    f"{label} is set aside: it failed {self.aside} times in a row, "
                    f"the last time by {reason}"
                )

    def table(self) -> list[Standing]:
        """Return how the engines stand, by the valid games."""
        standings = [Standing(label) for label in self.labels]
        for number in sorted(self.records):
            record = self.records[number]
            if record.verdict != Verdict.VOID:
                for index, standing in enumerate(standings):
                    standing.add(record, _seat(record, index))
        return standings

    def status(self, *, interrupted: bool = False) -> Mapping[str, Any]:
        """Return what `status.json` says: clean, anomalies or failed, and why."""
        why = [*([self.failure] if self.failure else []), *self.reasons]
        word = "failed" if why else "clean"
        for verdict in sorted(MISDEEDS | {Verdict.VOID}):
            if number := self.verdicts[verdict]:
                why.append(f"{number} games ended by {verdict}")
                word = "anomalies" if word == "clean" else word
        if self._failed_counts:
            why.append(f"engines failed {self._failed_counts} times when asked for the score")
            word = "anomalies" if word == "clean" else word
        for games, keys in self.changes:
            why.append(f"changed after {games} games, which count too: {', '.join(keys)}")
            word = "anomalies" if word == "clean" else word
        left = 0 if self.sample.closed else sum(1 for _ in self.missing())
        verdict_of_test = self.sample.verdict
        return {
            "status": word,
            "why": why,
            "failure": self.failure,
            "changes": [{"after": games, "keys": keys} for games, keys in self.changes],
            "interrupted": interrupted,
            "games": len(self.records),
            "missing": left,
            "verdicts": dict(sorted(self.verdicts.items())),
            "scored": dict(sorted(self.counts.items())),
            "disputed": len(self.disputed),
            "faults": {label: number for label, number in self.faults.items() if number},
            "counts": list(self.sample.results.counts),
            "sprt": None
            if verdict_of_test is None
            else {"state": str(verdict_of_test.state), "llr": round(verdict_of_test.llr, 6)},
        }


def _seat(record: GameRecord, index: int) -> Side:
    return record.side if index == 0 else 1 - record.side
