"""The sample of a match: finished games in complete pairs, until a sequential test is decided."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from engines.core.game import FIRST, SECOND, Side
from tools.statistics.results import Results
from tools.statistics.sprt import Sprt, State, Verdict

MOST_REPEATED: Final = 50  # Samples in a row; if so many are not new, more would hardly be.
_RANKS: Final = {0.0: 0, 0.5: 1, 1.0: 2}


class SampleStatus(StrEnum):
    """Whether the sample counts a game.

    A game waits for the other game of its pair; a late one ended after the test was decided.
    """

    WAITING = "waiting"
    COUNTED = "counted"
    VOID = "void"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of one game for the engine under test.

    `side` is the side that it played; `points` are 1, 0.5 or 0, and have no meaning if the game is
    void. If a game of a pair is void, both games are played again, with the next `attempt`.
    Games with the same `digest` are the same game played twice; an empty one is like no other.
    """

    pair: int
    side: Side
    points: float
    ending: str = ""
    void: bool = False
    attempt: int = 0
    digest: str = ""

    def __post_init__(self) -> None:
        if self.side not in (FIRST, SECOND):
            raise ValueError(f"side must be {FIRST} or {SECOND}, not {self.side}")
        if self.points not in _RANKS:
            raise ValueError(f"points must be 0, 0.5 or 1, not {self.points}")


@dataclass(slots=True)
class Tally:
    """The numbers of lost, drawn and won games: in total, by side and by kind of ending."""

    _counts: Counter[tuple[Side, str, int]] = field(default_factory=Counter)

    def add(self, game: GameResult) -> None:
        """Count a game."""
        self._counts[game.side, game.ending, _RANKS[game.points]] += 1

    @property
    def total(self) -> Results:
        """All games."""
        return self._select((FIRST, SECOND), self.endings)

    @property
    def endings(self) -> list[str]:
        """The kinds of endings, the most frequent first."""
        seen: Counter[str] = Counter()
        for (_, ending, _), number in self._counts.items():
            seen[ending] += number
        return sorted(seen, key=lambda ending: (-seen[ending], ending))

    def by_side(self, side: Side) -> Results:
        """Return the games in which the engine under test played `side`."""
        return self._select((side,), self.endings)

    def by_ending(self, ending: str) -> Results:
        """Return the games that ended in one way."""
        return self._select((FIRST, SECOND), (ending,))

    def _select(self, sides: Iterable[Side], endings: Iterable[str]) -> Results:
        keys = [(side, ending) for side in sides for ending in endings]
        return Results(
            tuple(
                sum(self._counts[side, ending, rank] for side, ending in keys) for rank in range(3)
            )
        )


class Sample:
    """The counted results of games that finish in any order.

    With `paired`, a pair counts when both of its games have finished and neither is void. Pairs
    whose games are the same, or single games where they are not paired, are one sample: all are
    counted in `results`, and the first of them in `distinct`, which the `test` judges.

    The first decision of `test` closes the sample: games that finish later are recorded but not
    counted. The same games in the same order therefore lead to the same sample, in one run or in
    several. A test is `exhausted` if many samples in a row were not new.
    """

    def __init__(self, test: Sprt | None = None, *, paired: bool = True) -> None:
        if test is not None and test.paired != paired:
            raise ValueError(
                "a test of pairs needs a sample of pairs, a test of games one of games"
            )
        self.test = test
        self.paired = paired
        self.counted = Tally()
        self.recorded = Tally()
        self.void = 0
        self.repeated = 0  # So many samples in a row were not new.
        self._counts = [0] * (5 if paired else 3)
        self._distinct = list(self._counts)
        self._seen: set[tuple[str, ...]] = set()
        self._halves = 0  # Games that wait for the other game of their pair.
        self._games: dict[tuple[int, int], dict[Side, GameResult]] = {}
        self._whole: set[tuple[int, Side]] = set()
        self._last: dict[tuple[int, Side], int] = {}  # The newest attempt.
        self._done = 0  # Before this pair nothing is missing.
        self._begun: set[int] = set()  # The other pairs of which a game has finished.
        self._verdict = None if test is None else test.judge(self.distinct)

    @property
    def results(self) -> Results:
        """The counted samples, repeated or not."""
        return Results(tuple(self._counts))

    @property
    def distinct(self) -> Results:
        """The counted samples without those that repeat an earlier one."""
        return Results(tuple(self._distinct))

    @property
    def waiting(self) -> int:
        """The number of games that wait for the other game of their pair."""
        return 0 if self.closed else self._halves

    @property
    def verdict(self) -> Verdict | None:
        """The verdict of the test; None without a test."""
        return self._verdict

    @property
    def closed(self) -> bool:
        """Whether the test is decided."""
        return self._verdict is not None and self._verdict.state is not State.CONTINUE

    @property
    def exhausted(self) -> bool:
        """Whether the test is undecided, and the games only repeat themselves."""
        return self.test is not None and not self.closed and self.repeated >= MOST_REPEATED

    def missing(self, pairs: int) -> Iterator[tuple[int, Side, int]]:
        """Yield pair, side and attempt of each game that the first `pairs` pairs still need.

        The first is found quickly, however many games have finished.
        """
        for pair in itertools.count(self._done):
            if pair >= pairs:
                return
            needed = list(self._missing_of(pair))
            if not needed and pair == self._done:
                self._done += 1
                self._begun.discard(pair)
            yield from needed

    def count_missing(self, games: int) -> int:
        """Return how many of the first `games` games are missing.

        The number is found quickly, however many they are and whatever pairs have begun.
        """
        next(self.missing((games + 1) // 2), None)  # Leaves the pairs that need nothing behind.
        sides = (FIRST, SECOND)
        begun = sum(2 * pair + side < games for pair in self._begun for side in sides)
        needed = (game for pair in self._begun for game in self._missing_of(pair))
        missing = sum(2 * pair + side < games for pair, side, _ in needed)
        return max(0, games - 2 * self._done - begun) + missing

    def _missing_of(self, pair: int) -> Iterator[tuple[int, Side, int]]:
        for side in (FIRST, SECOND):
            attempt = self._last.get((pair, side), 0)
            games = self._games.get((pair, attempt), {})
            if self._is_void(games, side):
                yield pair, side, attempt + 1
            elif side not in games:
                yield pair, side, attempt

    def add(self, game: GameResult) -> SampleStatus:
        """Add a finished game; raises ValueError for one that was added before."""
        known = self._games.get((game.pair, game.attempt), {})
        games = {**known, game.side: game}
        status = self._status(games, game.side)
        again = status is SampleStatus.COUNTED and (game.pair, game.side) in self._whole
        if game.side in known or again:
            raise ValueError(f"game {game.side} of pair {game.pair} was added before")
        self._games[game.pair, game.attempt] = games
        if game.pair >= self._done:
            self._begun.add(game.pair)
        for side in (FIRST, SECOND) if self.paired else (game.side,):
            self._last[game.pair, side] = max(game.attempt, self._last.get((game.pair, side), 0))
        if game.void:
            self.void += 1
        else:
            self.recorded.add(game)
        if status is SampleStatus.WAITING:
            self._halves += 1
        elif self.paired and len(games) == 2 and not any(other.void for other in known.values()):
            self._halves -= 1
        if status is SampleStatus.COUNTED:
            self._count(list(games.values()) if self.paired else [game])
        return status

    def _status(self, games: Mapping[Side, GameResult], side: Side) -> SampleStatus:
        if self._is_void(games, side):
            return SampleStatus.VOID
        if self.closed:
            return SampleStatus.LATE
        if self.paired and len(games) < 2:
            return SampleStatus.WAITING
        return SampleStatus.COUNTED

    def _is_void(self, games: Mapping[Side, GameResult], side: Side) -> bool:
        """Whether the game of `side` in one attempt is void, or the other game of its pair is."""
        return any(game.void for game in games.values() if self.paired or game.side == side)

    def _count(self, games: list[GameResult]) -> None:
        for game in games:
            self._whole.add((game.pair, game.side))
            self.counted.add(game)
        rank = sum(_RANKS[game.points] for game in games)
        self._counts[rank] += 1
        digests = tuple(game.digest for game in sorted(games, key=lambda game: game.side))
        if all(digests):
            if digests in self._seen:
                self.repeated += 1
                return
            self._seen.add(digests)
        self.repeated = 0
        self._distinct[rank] += 1
        if self.test is not None:
            self._verdict = self.test.judge(self.distinct)
