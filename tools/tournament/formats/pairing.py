"""Pairing: the next round of a tournament in any format."""

from collections.abc import Callable, Mapping
from typing import Final

from tools.tournament.formats.adaptive import pair_adaptive
from tools.tournament.formats.knockout import pair_knockout
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.formats.round_robin import pair_gauntlet, pair_ladder, pair_round_robin
from tools.tournament.formats.rounds import History, Pairings
from tools.tournament.formats.swiss import pair_swiss

_PAIR: Final[Mapping[Format, Callable[[Plan, History], Pairings | None]]] = {
    Format.ROUND_ROBIN: pair_round_robin,
    Format.GAUNTLET: pair_gauntlet,
    Format.SWISS: pair_swiss,
    Format.KNOCKOUT: pair_knockout,
    Format.ADAPTIVE: pair_adaptive,
    Format.LADDER: pair_ladder,
}


def next_round(plan: Plan, history: History) -> Pairings | None:
    """Return the next round; None at the end, and where results are missing that decide it.

    If nothing is missing and there is no next round, the tournament is over.
    """
    return _PAIR[plan.format](plan, history)


def least_numbers(plan: Plan, history: History) -> Mapping[str, int]:
    """Return the least numbers of games and rounds that take back nothing that is drawn."""
    match plan.format:
        case Format.SWISS:
            return {"rounds": len(history.rounds)}
        case Format.KNOCKOUT:
            return {}
        case Format.ADAPTIVE:
            return {"games": history.drawn_games}
        case Format.ROUND_ROBIN | Format.GAUNTLET | Format.LADDER:
            return {"games": 2 * len(history.rounds)}


def undrawn_games(plan: Plan, history: History) -> int:
    """Return the games of the rounds that are still to be drawn, if no other engine drops out.

    Matches of a knockout that are drawn are not foreseen; an adaptive tournament may need fewer.
    """
    engines = len(history.active)
    rounds = max(0, plan.games // 2 - len(history.rounds))
    match plan.format:
        case Format.ROUND_ROBIN:
            return rounds * engines * (engines - 1)
        case Format.GAUNTLET:
            challengers = sum(engine < plan.challengers for engine in history.active)
            return rounds * 2 * challengers * (engines - challengers)
        case Format.SWISS:
            return max(0, plan.rounds - len(history.rounds)) * (engines // 2) * plan.games
        case Format.KNOCKOUT:
            return (_places_after_stage(history) - 1) * plan.games
        case Format.ADAPTIVE:
            return max(0, plan.games - history.drawn_games)
        case Format.LADDER:
            return rounds * 2 * (engines - 1)


def _places_after_stage(history: History) -> int:
    """Return how many engines the current stage of a knockout will leave over."""
    if not history.rounds:
        return history.engines
    stage = history.rounds[-1].stage
    first = next(each for each in history.rounds if each.stage == stage)
    return len(first.pairings) + len(first.byes)
