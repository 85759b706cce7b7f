"""The Swiss system: in each round engines with equal points meet, and no two meet twice.

1. The engines are ranked by their points, and then in the order in which they were named.
2. If their number is odd, the lowest-ranked of those with the fewest byes has a bye, which counts
   as a win in all games of the round, provided that the others can then be paired by rule 3.
3. From the top, each engine meets one that it has not met yet. In its group of equal points, this
   is the one half a group below it (of eight, the first meets the fifth); if they have met, the
   nearest one to that; and if there is none in the group, the nearest one of the groups below. A
   choice after which the rest could not be paired without a second meeting is left out.
4. Only if no pairing of all engines is possible without a second meeting, some meet again: those
   that have met least often.

An engine that drops out is not paired any more; its opponent wins the games that were not played.
"""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

from tools.tournament.formats.matching import has_perfect_matching
from tools.tournament.formats.plan import Plan
from tools.tournament.formats.rounds import History, Pairing, Pairings


def pair_swiss(plan: Plan, history: History) -> Pairings | None:
    """Return the next round; None at the end, and while games of this round are missing."""
    if len(history.rounds) >= plan.rounds or len(history.active) < 2 or not history.complete:
        return None
    points = history.points()
    ranking = sorted(history.active, key=lambda engine: (-points[engine], engine))
    met = Counter(frozenset(pairing) for each in history.rounds for pairing in each.pairings)
    byes = Counter(engine for each in history.rounds for engine in each.byes)
    for most in itertools.count():
        allowed = _Allowed(met, most)
        for left_out in _candidates_for_bye(ranking, byes):
            rest = [engine for engine in ranking if engine not in left_out]
            if allowed.suffices(rest):
                return Pairings(_pair(rest, points, allowed), plan.games, left_out)
    raise AssertionError("unreachable: if all may meet, everybody can be paired")


def _candidates_for_bye(ranking: Sequence[int], byes: Mapping[int, int]) -> list[tuple[int, ...]]:
    if len(ranking) % 2 == 0:
        return [()]
    places = range(len(ranking))
    lowest_first = sorted(places, key=lambda place: (byes.get(ranking[place], 0), -place))
    return [(ranking[place],) for place in lowest_first]


class _Allowed:
    """The pairs of engines that may meet: those that have met at most `most` times."""

    def __init__(self, met: Mapping[frozenset[int], int], most: int) -> None:
        self._met = met
        self._most = most

    def may_meet(self, one: int, other: int) -> bool:
        """Whether two engines may meet."""
        return one != other and self._met.get(frozenset((one, other)), 0) <= self._most

    def suffices(self, engines: Sequence[int]) -> bool:
        """Whether some engines can all be paired."""
        return has_perfect_matching(
            [
                [place for place, other in enumerate(engines) if self.may_meet(one, other)]
                for one in engines
            ]
        )


def _pair(
    ranking: Sequence[int], points: Mapping[int, float], allowed: _Allowed
) -> tuple[Pairing, ...]:
    pairings: list[Pairing] = []
    rest = list(ranking)
    while rest:
        one = rest.pop(0)
        for other in _preferred(one, rest, points):
            others = [engine for engine in rest if engine != other]
            if allowed.may_meet(one, other) and allowed.suffices(others):
                # The first engine of a pair moves first in odd games: not always the better one.
                pairings.append((other, one) if len(pairings) % 2 else (one, other))
                rest = others
                break
    return tuple(pairings)


def _preferred(one: int, rest: Sequence[int], points: Mapping[int, float]) -> list[int]:
    """Return possible opponents, the best one first."""
    group = sum(points[other] == points[one] for other in rest)
    ideal = (group - 1) // 2  # `rest` begins with the group, without `one` itself.

    def distance(place: int) -> tuple[float, int, int]:
        in_group = place < group
        away = abs(place - ideal) if in_group else place
        return points[one] - points[rest[place]], away, place

    return [rest[place] for place in sorted(range(len(rest)), key=distance)]
