"""Adjudication by the shipped tables, for a referee that ends games early."""

from functools import cache
from typing import Final

from engines.core.game import Outcome
from engines.morris.rules.position import Position
from engines.morris.rules.text import MorrisRules
from engines.morris.tables.library import SHIPPED, Library
from engines.morris.tables.oracle import Oracle

_FAR: Final = 126  # Plies: the tables do not hold distances from here on.


@cache
def _oracle(flying: bool, doubles: bool) -> Oracle:
    library = Library(
        flying=flying, doubles=doubles, complain=lambda problem: None, places=[SHIPPED]
    )
    library.open_small()
    oracle = Oracle(library.tables, flying=flying, doubles=doubles)
    oracle.refresh()
    return oracle


def known(rules: MorrisRules, position: Position) -> Outcome | None:
    """Return the outcome with perfect play, or None if the tables do not know it.

    A win is unknown if the draw by quiet plies may come first.
    """
    if position.hand(0) or position.hand(1) or position.outcome() is not None:
        return None
    value = _oracle(rules.flying, rules.doubles).value(position.own, position.enemy)
    if value < 0:
        return None
    if value == 0:
        return Outcome(None, "a draw")
    plies = value >> 1
    limit = position.quiet_limit()
    if plies >= _FAR or (limit and plies + position.quiet_plies() > limit):
        return None
    return Outcome(1 - position.turn if value & 1 else position.turn, f"a win in {plies} plies")
