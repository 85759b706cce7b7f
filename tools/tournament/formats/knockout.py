"""Knockout: the loser of a match leaves the tournament.

The engines are seeded in the order in which they were named. The bracket has as many places as the
next power of two; the first seed can meet the second only in the final, and the empty places are
byes of the first seeds. A drawn match goes on with further pairs of games from other openings, all
drawn matches of a stage with the same ones; if it is still drawn after `extra` of them, the better
seed goes on. If an engine drops out, its opponent goes on.
"""

from collections.abc import Sequence

from tools.tournament.formats.plan import Plan
from tools.tournament.formats.rounds import History, Pairing, Pairings, Round


def bracket(engines: int) -> list[int]:
    """Return the seeds, from 0, in the order of the bracket; neighbours meet.

    Seeds that are no engine's are byes.
    """
    order = [0]
    while len(order) < engines:
        size = 2 * len(order)
        order = [seed for one in order for seed in (one, size - 1 - one)]
    return order


def pair_knockout(plan: Plan, history: History) -> Pairings | None:
    """Return the next round; None at the end, and while games of this round are missing."""
    if not history.complete:
        return None
    if not history.rounds:
        return _stage(plan, bracket(history.engines), history.engines, 1)
    stage = history.rounds[-1].stage
    rounds = [each for each in history.rounds if each.stage == stage]
    drawn = tuple(
        pairing for pairing in rounds[0].pairings if winner(pairing, rounds, plan, history) is None
    )
    if drawn:
        return Pairings(drawn, 2, (), stage)
    places = survivors(plan, history)
    return _stage(plan, places, history.engines, stage + 1) if len(places) > 1 else None


def _stage(plan: Plan, places: Sequence[int], engines: int, stage: int) -> Pairings:
    pairings, byes = [], []
    for one, other in zip(places[::2], places[1::2], strict=True):
        present = [seed for seed in (one, other) if seed < engines]
        if len(present) == 2:
            pairings.append((min(present), max(present)))
        else:
            byes += present
    return Pairings(tuple(pairings), plan.games, tuple(byes), stage)


def winner(pairing: Pairing, rounds: Sequence[Round], plan: Plan, history: History) -> int | None:
    """Return who has won a match in the rounds of its stage; None if further games decide."""
    staying = [engine for engine in pairing if engine not in history.withdrawn]
    pairs = [pair for each in rounds for pair in each.pairs() if pair.engines == pairing]
    if any(pair.pair not in history.results for pair in pairs) and len(staying) < 2:
        return (staying or [min(pairing)])[0]  # If both have dropped out, the better seed goes on.
    lead = sum(history.results[pair.pair].total - 1 for pair in pairs)
    if lead:
        return pairing[0] if lead > 0 else pairing[1]
    if len(rounds) > plan.extra:
        return min(pairing)
    return staying[0] if len(staying) == 1 else None


def survivors(plan: Plan, history: History) -> list[int]:
    """Return the engines that the last stage has left over, in the order of the bracket."""
    places = bracket(history.engines)
    for stage in range(1, history.rounds[-1].stage + 1 if history.rounds else 1):
        rounds = [each for each in history.rounds if each.stage == stage]
        decided = {
            frozenset(pairing): winner(pairing, rounds, plan, history)
            for pairing in rounds[0].pairings
        }
        following = []
        for one, other in zip(places[::2], places[1::2], strict=True):
            won = decided.get(frozenset((one, other)), min(one, other))
            following.append(min(one, other) if won is None else won)
        places = following
    return places
