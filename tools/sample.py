"""Finished games gathered into whole pairs, until a sequential test has its answer."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from engines.core.game import FIRST, SECOND, Side
from tools.sprt import Sprt, State, Verdict
from tools.statistics import Results

_RANKS: Final = {0.0: 0, 0.5: 1, 1.0: 2}


class Fate(StrEnum):
    """What became of a game in the sample."""

    WAITING = "waiting"
    COUNTED = "counted"
    VOID = "void"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of one game, seen from the engine under test.

    `side` is the one it played, `points` are 1, 0.5 or 0 and mean nothing if the game is void. A
    pair with a void game is replayed whole: both of its games then carry the next `attempt`.
    """

    pair: int
    side: Side
    points: float
    ending: str = ""
    void: bool = False
    attempt: int = 0

    def __post_init__(self) -> None:
        if self.side not in (FIRST, SECOND):
            raise ValueError(f"side must be {FIRST} or {SECOND}, not {self.side}")
        if self.points not in _RANKS:
            raise ValueError(f"points must be 0, 0.5 or 1, not {self.points}")


@dataclass(slots=True)
class Tally:
    """Games lost, drawn and won: in all, by side and by kind of ending."""

    _counts: Counter[tuple[Side, str, int]] = field(default_factory=Counter)

    def add(self, game: Finish) -> None:
        """Count a game."""
        self._counts[game.side, game.ending, _RANKS[game.points]] += 1

    @property
    def total(self) -> Results:
        """All games."""
        return self._select((FIRST, SECOND), self.endings)

    @property
    def endings(self) -> list[str]:
        """The kinds of ending seen, the most frequent first."""
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
    """What finished games say, in whatever order they finish.

    With `paired` a pair counts when both of its games are in and neither is void. The first
    verdict of `test` closes the sample: what finishes later is recorded and not counted, so the
    same games in the same order lead to the same sample, resumed or not.
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
        self._counts = [0] * (5 if paired else 3)
        self._games: dict[tuple[int, int], dict[Side, Finish]] = {}
        self._whole: set[tuple[int, Side]] = set()
        self._last: dict[tuple[int, Side], int] = {}  # The newest attempt.
        self._done = 0  # Before this pair nothing is missing.
        self._verdict = None if test is None else test.judge(self.results)

    @property
    def results(self) -> Results:
        """The counted samples."""
        return Results(tuple(self._counts))

    @property
    def verdict(self) -> Verdict | None:
        """What the test says; None without a test."""
        return self._verdict

    @property
    def closed(self) -> bool:
        """Whether the test has its answer."""
        return self._verdict is not None and self._verdict.state is not State.CONTINUE

    @property
    def uncounted(self) -> int:
        """How many games with a result stay outside: late, half a pair, or half of a void one."""
        return self.recorded.total.samples - self.counted.total.samples

    def missing(self, pairs: int) -> Iterator[tuple[int, Side, int]]:
        """Yield pair, side and attempt of each game that the first `pairs` pairs still need.

        The first of them comes at once, however many games are in.
        """
        for pair in itertools.count(self._done):
            if pair >= pairs:
                return
            needed = list(self._missing_of(pair))
            if not needed and pair == self._done:
                self._done += 1
            yield from needed

    def _missing_of(self, pair: int) -> Iterator[tuple[int, Side, int]]:
        for side in (FIRST, SECOND):
            attempt = self._last.get((pair, side), 0)
            games = self._games.get((pair, attempt), {})
            if self._is_void(games, side):
                yield pair, side, attempt + 1
            elif side not in games:
                yield pair, side, attempt

    def add(self, game: Finish) -> Fate:
        """Take in a finished game; raises ValueError for one that is already in."""
        known = self._games.get((game.pair, game.attempt), {})
        games = {**known, game.side: game}
        fate = self._fate(games, game.side)
        again = fate is Fate.COUNTED and (game.pair, game.side) in self._whole
        if game.side in known or again:
            raise ValueError(f"game {game.side} of pair {game.pair} is in already")
        self._games[game.pair, game.attempt] = games
        for side in (FIRST, SECOND) if self.paired else (game.side,):
            self._last[game.pair, side] = max(game.attempt, self._last.get((game.pair, side), 0))
        if game.void:
            self.void += 1
        else:
            self.recorded.add(game)
        if fate is Fate.COUNTED:
            self._count(list(games.values()) if self.paired else [game])
        return fate

    def _fate(self, games: Mapping[Side, Finish], side: Side) -> Fate:
        if self._is_void(games, side):
            return Fate.VOID
        if self.closed:
            return Fate.LATE
        if self.paired and len(games) < 2:
            return Fate.WAITING
        return Fate.COUNTED

    def _is_void(self, games: Mapping[Side, Finish], side: Side) -> bool:
        """Whether the game of `side` in one attempt is void, or spoilt by the other's being so."""
        return any(game.void for game in games.values() if self.paired or game.side == side)

    def _count(self, games: list[Finish]) -> None:
        for game in games:
            self._whole.add((game.pair, game.side))
            self.counted.add(game)
        self._counts[sum(_RANKS[game.points] for game in games)] += 1
        if self.test is not None:
            self._verdict = self.test.judge(self.results)
