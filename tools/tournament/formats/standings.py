"""The standings of a tournament: points and tie-breaks, by finished pairs of games.

Ties are broken in this order, as far as a format uses them:

* Buchholz: the points of all opponents, once for each round; for a bye, one's own points;
* Sonneborn-Berger: for each pair of games, one's share of its points times the points of the
  opponent in the whole tournament; for a bye, one's own points;
* direct: the points in the games between those who are equal so far;
* wins: the number of games won, byes and games won by default not included.

Engines that are still equal share their place. If an engine dropped out of a round robin before it
had played half of its games, those games do not count; otherwise they do, and the missing games of
the rounds that were drawn are lost. In every format, engines that dropped out come after all
others.
"""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tools.tournament.formats.adaptive import rate_history
from tools.tournament.formats.knockout import winner
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.formats.rounds import History

TIE_BREAKS: Final[Mapping[Format, tuple[str, ...]]] = {
    Format.ROUND_ROBIN: ("sonneborn-berger", "direct", "wins"),
    Format.SWISS: ("buchholz", "sonneborn-berger", "direct", "wins"),
    Format.GAUNTLET: (),
    Format.KNOCKOUT: (),
    Format.ADAPTIVE: (),
    Format.LADDER: (),
}


@dataclass(frozen=True, slots=True)
class Place:
    """The place of an engine, from 1, with its points of so many games and byes.

    The points include those of `byes`; `share` is the share of the points of its games alone, also
    of those that were decided because an engine dropped out. `reached` is the stage of a knockout
    that it played or would play next; the tie-breaks have the names and the order of `TIE_BREAKS`.
    """

    engine: int
    place: int
    points: float
    games: int
    share: float
    tie_breaks: tuple[float, ...] = ()
    reached: int = 0
    withdrawn: bool = False
    byes: int = 0


def rank(plan: Plan, history: History) -> list[Place]:
    """Return all engines, the best first; those that dropped out come last."""
    ranked = sorted(_ranked(plan, history), key=lambda each: each.withdrawn)
    return _numbered(ranked, [(each.withdrawn, each.place) for each in ranked])


def _ranked(plan: Plan, history: History) -> list[Place]:
    """Return all engines in the order of their format."""
    history = replace(history, annulled=_annulled(plan, history))
    points, games = history.points(), _games(history)
    byes, given = _byes(history)
    places = [
        Place(
            engine,
            0,
            points[engine],
            games[engine],
            (points[engine] - given[engine]) / games[engine] if games[engine] else 0.0,
            withdrawn=engine in history.withdrawn,
            byes=byes[engine],
        )
        for engine in range(history.engines)
    ]
    match plan.format:
        case Format.ROUND_ROBIN | Format.SWISS:
            return _by_points(places, plan, history)
        case Format.KNOCKOUT:
            return _by_stages(places, plan, history)
        case Format.ADAPTIVE | Format.LADDER:
            return _by_ratings(places, history)
        case Format.GAUNTLET:
            return _challengers_first(places, plan)


def _annulled(plan: Plan, history: History) -> frozenset[int]:
    """Return the engines that dropped out of a round robin before they had played half of it."""
    if plan.format is not Format.ROUND_ROBIN:
        return frozenset()
    whole = plan.games // 2 * (history.engines - 1)
    played = Counter(engine for each in history.results.values() for engine in each.engines)
    return frozenset(engine for engine in history.withdrawn if 2 * played[engine] < whole)


def _games(history: History) -> Counter[int]:
    """Return how many games stand behind the points, default wins included and byes not."""
    games = Counter(dict.fromkeys(range(history.engines), 0))
    for _, result in history.counted():
        for engine in result.engines:
            games[engine] += 2
    for _, winner_, loser in history.default_wins():
        games[winner_] += 2
        games[loser] += 2
    return games


def _byes(history: History) -> tuple[Counter[int], Counter[int]]:
    """Return how many byes each engine had, and the points that it got for them."""
    byes, points = Counter[int](), Counter[int]()
    for each in history.rounds:
        for engine in each.byes:
            byes[engine] += 1
            points[engine] += each.games
    return byes, points


def _by_points(places: list[Place], plan: Plan, history: History) -> list[Place]:
    points = {each.engine: each.points for each in places}
    values = {
        "buchholz": _buchholz(history, points),
        "sonneborn-berger": _sonneborn_berger(history, points),
        "wins": _wins(history),
    }
    keys: dict[int, tuple[float, ...]] = {each.engine: (each.points,) for each in places}
    for name in TIE_BREAKS[plan.format]:
        figures = _direct(history, keys) if name == "direct" else values[name]
        keys = {engine: (*key, figures[engine]) for engine, key in keys.items()}
    ranked = sorted(places, key=lambda each: [-value for value in keys[each.engine]])
    ranked = [replace(each, tie_breaks=keys[each.engine][1:]) for each in ranked]
    return _numbered(ranked, [keys[each.engine] for each in ranked])


def _buchholz(history: History, points: Mapping[int, float]) -> dict[int, float]:
    sums = dict.fromkeys(points, 0.0)
    for each in history.rounds:
        for one, other in each.pairings:
            sums[one] += points[other]
            sums[other] += points[one]
        for engine in each.byes:
            sums[engine] += points[engine]
    return sums


def _sonneborn_berger(history: History, points: Mapping[int, float]) -> dict[int, float]:
    sums = dict.fromkeys(points, 0.0)
    for _, result in history.counted():
        one, other = result.engines
        sums[one] += result.total / 2 * points[other]
        sums[other] += (1 - result.total / 2) * points[one]
    for _, winner_, loser in history.default_wins():
        sums[winner_] += points[loser]
    for each in history.rounds:
        for engine in each.byes:
            sums[engine] += each.games // 2 * points[engine]
    return sums


def _direct(history: History, keys: Mapping[int, tuple[float, ...]]) -> dict[int, float]:
    """Return the points against those with the same key."""
    sums = dict.fromkeys(keys, 0.0)
    for _, result in history.counted():
        one, other = result.engines
        if keys[one] == keys[other]:
            sums[one] += result.total
            sums[other] += 2 - result.total
    for _, winner_, loser in history.default_wins():
        if keys[winner_] == keys[loser]:
            sums[winner_] += 2
    return sums


def _wins(history: History) -> dict[int, float]:
    wins = dict.fromkeys(range(history.engines), 0.0)
    for _, result in history.counted():
        one, other = result.engines
        wins[one] += result.points.count(1.0)
        wins[other] += result.points.count(0.0)
    return wins


def _by_stages(places: list[Place], plan: Plan, history: History) -> list[Place]:
    """Rank a knockout by the stage that an engine reached; losers of one stage share a place."""
    reached = dict.fromkeys(range(history.engines), 0)
    for each in history.rounds:
        for engine in itertools.chain(*each.pairings, each.byes):
            reached[engine] = each.stage
    for engine in _winners(plan, history):
        reached[engine] = history.rounds[-1].stage + 1
    ranked = sorted(places, key=lambda each: (-reached[each.engine], each.engine))
    ranked = [replace(each, reached=reached[each.engine]) for each in ranked]
    return _numbered(ranked, [reached[each.engine] for each in ranked])


def _winners(plan: Plan, history: History) -> list[int]:
    """Return the engines that have won their match of the last stage."""
    if not history.rounds:
        return []
    stage = [each for each in history.rounds if each.stage == history.rounds[-1].stage]
    if any(history.unfinished(each) for each in stage):
        return []
    won = [winner(pairing, stage, plan, history) for pairing in stage[0].pairings]
    return [engine for engine in [*won, *stage[0].byes] if engine is not None]


def _by_ratings(places: list[Place], history: History) -> list[Place]:
    order = rate_history(history).ranked() if history.results else list(range(history.engines))
    ranked = [places[engine] for engine in order]
    return [replace(each, place=number) for number, each in enumerate(ranked, 1)]


def _challengers_first(places: list[Place], plan: Plan) -> list[Place]:
    """Rank a gauntlet by shares of points: the challengers, and then their opponents."""

    def key(each: Place) -> tuple[bool, float]:
        return each.engine >= plan.challengers, -each.share

    ranked = sorted(places, key=key)
    return _numbered(ranked, [key(each) for each in ranked])


def _numbered(ranked: Sequence[Place], keys: Sequence[Any]) -> list[Place]:
    """Number places from 1; engines with equal keys share one."""
    placed: list[Place] = []
    for number, (each, key) in enumerate(zip(ranked, keys, strict=True), 1):
        shared = placed and keys[number - 2] == key
        placed.append(replace(each, place=placed[-1].place if shared else number))
    return placed
