"""Round robin, gauntlet and ladder: each round plays one opening, in all pairings.

A round robin pairs everybody with everybody by the circle method: one engine stays, and the others
go round it by one place. With an odd number of engines, each of them in turn has no opponent, which
costs nothing, since all of them meet in the end.
"""

import itertools
from collections.abc import Sequence

from tools.tournament.formats.plan import Plan
from tools.tournament.formats.rounds import History, Pairing, Pairings


def circle(engines: Sequence[int]) -> list[list[Pairing]]:
    """Return everybody's pairings with everybody, in groups that can be played concurrently."""
    ring: list[int | None] = [*engines, *([None] if len(engines) % 2 else [])]
    groups = []
    for turn in range(len(ring) - 1):
        half = len(ring) // 2
        facing = zip(ring[:half], reversed(ring[half:]), strict=True)
        group = [(one, other) for one, other in facing if one is not None and other is not None]
        # Otherwise the engine that stays would move first in every odd game.
        groups.append([pair[::-1] if turn % 2 and pair[0] == ring[0] else pair for pair in group])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return groups


def pair_round_robin(plan: Plan, history: History) -> Pairings | None:
    """Return the next round, None if there is none; it does not wait for results."""
    if len(history.rounds) >= plan.games // 2 or len(history.active) < 2:
        return None
    groups = circle(history.active)
    return Pairings(tuple(pairing for group in groups for pairing in group), 2)


def pair_gauntlet(plan: Plan, history: History) -> Pairings | None:
    """Return the next round, None if there is none; it does not wait for results."""
    challengers = [engine for engine in history.active if engine < plan.challengers]
    others = [engine for engine in history.active if engine >= plan.challengers]
    if len(history.rounds) >= plan.games // 2 or not challengers or not others:
        return None
    return Pairings(tuple((one, other) for other in others for one in challengers), 2)


def pair_ladder(plan: Plan, history: History) -> Pairings | None:
    """Return the next round, None if there is none: everybody meets the engines named beside it."""
    engines = history.active
    if len(history.rounds) >= plan.games // 2 or len(engines) < 2:
        return None
    return Pairings(tuple(itertools.pairwise(engines)), 2)
