"""Pairing: the next round of a tournament in any format."""

from collections.abc import Callable, Mapping
from typing import Final

from tools.tournament.formats.adaptive import pair_adaptive
from tools.tournament.formats.knockout import pair_knockout
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.formats.round_robin import pair_gauntlet, pair_round_robin
from tools.tournament.formats.rounds import History, Pairings
from tools.tournament.formats.swiss import pair_swiss

_PAIR: Final[Mapping[Format, Callable[[Plan, History], Pairings | None]]] = {
    Format.ROUND_ROBIN: pair_round_robin,
    Format.GAUNTLET: pair_gauntlet,
    Format.SWISS: pair_swiss,
    Format.KNOCKOUT: pair_knockout,
    Format.ADAPTIVE: pair_adaptive,
}


def next_round(plan: Plan, history: History) -> Pairings | None:
    """Return the next round; None at the end, and where results are missing that decide it.

    If nothing is missing and there is no next round, the tournament is over.
    """
    return _PAIR[plan.format](plan, history)
