"""The rounds of a tournament: who meets whom, in which games, and with which results."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Pairing = tuple[int, int]
"""Two engines by their numbers, from 0; the first of them moves first in odd games."""


class Pairings(NamedTuple):
    """The decision of a format: the pairings of the next round, and the games of each."""

    pairings: tuple[Pairing, ...]
    games: int
    byes: tuple[int, ...] = ()
    stage: int = 0  # Knockout: the stage that the round belongs to, from 1.


class PairOfGames(NamedTuple):
    """Two games between the same engines, with both colours, from one opening.

    Pairs of the same `start` have the same opening and the same seed.
    """

    pair: int
    engines: Pairing
    start: int


@dataclass(frozen=True, slots=True)
class Round:
    """A round that has been paired: `first_pair` and `start` are its first pair and opening."""

    number: int
    pairings: tuple[Pairing, ...]
    games: int
    first_pair: int
    start: int
    byes: tuple[int, ...] = ()
    stage: int = 0

    def pairs(self) -> Iterator[PairOfGames]:
        """Yield the pairs of games in the order of playing: opening by opening."""
        for opening in range(self.games // 2):
            for place, engines in enumerate(self.pairings):
                pair = self.first_pair + opening * len(self.pairings) + place
                yield PairOfGames(pair, engines, self.start + opening)

    def as_pairings(self) -> Pairings:
        """Return what the format decided."""
        return Pairings(self.pairings, self.games, self.byes, self.stage)

    @property
    def next_pair(self) -> int:
        """The number of the first pair after this round."""
        return self.first_pair + len(self.pairings) * (self.games // 2)

    @property
    def next_start(self) -> int:
        """The number of the first opening after this round."""
        return self.start + self.games // 2


class PairResult(NamedTuple):
    """A finished pair of games: the points of its first engine, moving first and second."""

    engines: Pairing
    points: tuple[float, float]

    @property
    def total(self) -> float:
        """The points of the first engine, of 2."""
        return sum(self.points)


@dataclass(frozen=True, slots=True)
class History:
    """The engines, the rounds so far and their finished pairs of games: what a format draws from.

    `withdrawn` are the engines that have dropped out; the games of those that are `annulled` too
    do not count.
    """

    engines: int
    rounds: Sequence[Round] = ()
    results: Mapping[int, PairResult] = field(default_factory=dict)
    withdrawn: frozenset[int] = frozenset()
    annulled: frozenset[int] = frozenset()

    @property
    def active(self) -> list[int]:
        """The engines that still take part, in the order in which they were named."""
        return [engine for engine in range(self.engines) if engine not in self.withdrawn]

    @property
    def drawn_games(self) -> int:
        """The number of games in all rounds that are drawn."""
        return sum(len(each.pairings) * each.games for each in self.rounds)

    def unfinished(self, round_: Round) -> list[PairOfGames]:
        """Return the pairs of games of a round that are still to be played."""
        return [
            pair
            for pair in round_.pairs()
            if pair.pair not in self.results and not self.withdrawn.intersection(pair.engines)
        ]

    @property
    def complete(self) -> bool:
        """Whether no drawn pair of games is missing."""
        return not any(self.unfinished(each) for each in self.rounds)

    def make_round(self, drawn: Pairings) -> Round:
        """Return the round after those of the history."""
        last = self.rounds[-1] if self.rounds else None
        return Round(
            len(self.rounds) + 1,
            drawn.pairings,
            drawn.games,
            last.next_pair if last else 0,
            last.next_start if last else 0,
            drawn.byes,
            drawn.stage,
        )

    def counted(self) -> Iterator[tuple[Round, PairResult]]:
        """Yield the finished pairs of games that count, with their rounds."""
        for each in self.rounds:
            for pair in each.pairs():
                result = self.results.get(pair.pair)
                if result is not None and not self.annulled.intersection(pair.engines):
                    yield each, result

    def default_wins(self) -> Iterator[tuple[Round, int, int]]:
        """Yield round, winner and loser of each pair of games lost by dropping out."""
        for each in self.rounds:
            for pair in each.pairs():
                gone = self.withdrawn.intersection(pair.engines)
                lost = pair.pair not in self.results and len(gone) == 1
                if lost and not self.annulled.intersection(pair.engines):
                    loser = next(iter(gone))
                    yield each, sum(pair.engines) - loser, loser

    def points(self) -> dict[int, float]:
        """Return each engine's points: by games, byes and opponents that dropped out."""
        points = dict.fromkeys(range(self.engines), 0.0)
        for _, result in self.counted():
            first, second = result.engines
            points[first] += result.total
            points[second] += 2 - result.total
        for _, winner, _ in self.default_wins():
            points[winner] += 2
        for each in self.rounds:
            for engine in each.byes:
                points[engine] += each.games
        return points
