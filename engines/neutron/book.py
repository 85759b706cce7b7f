"""Turns that are known to win, for the side that moves first: what ships with the engine.

A line of the file names the variant (`-` for the default rules), a position as `rules.fold` writes
it, the turn to play there, and in how many turns of both sides it wins at the latest. The lines
are complete strategies: where the neutron cannot be slid home at once, there is one for every
position that they let arise.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from engines.core.game import Move
from engines.neutron.position import Position
from engines.neutron.rules import NeutronRules, fold

NAME: Final = "book.txt"
_MIRRORED: Final = str.maketrans("abcde", "edcba")

Entry = tuple[str, int]


@cache
def entries() -> Mapping[tuple[str, str], Entry]:
    """Return what ships: by variant and folded position the turn, and how long it takes."""
    found = {}
    for line in files("engines.neutron").joinpath("data", NAME).read_text("ascii").splitlines():
        variant, board, side, *man, turn, turns = line.split()
        found[variant.strip("-"), " ".join((board, side, *man))] = turn, int(turns)
    return found


def look_up(rules: NeutronRules, position: Position) -> tuple[Move, int] | None:
    """Return the turn that wins here, and in how many turns at the latest; None if unknown."""
    folded = fold(rules, position)
    entry = entries().get((rules.variant, folded))
    if entry is None:
        return None
    text, turns = entry
    return rules.parse(position, orient(rules, position, text)), turns


def orient(rules: NeutronRules, position: Position, text: str) -> str:
    """Turn a turn's text from a position to its folded image, or from there back."""
    if fold(rules, position) == rules.setup(position):
        return text
    return text.translate(_MIRRORED)
