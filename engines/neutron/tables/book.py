"""The shipped book: turns that are known to win, for the side that moves first.

A line of the file names the variant (`-` for the default rules), a position as `rules.text.fold`
writes it, the turn to play there, and the most turns of both sides until the win. The lines are
complete strategies: each position that can arise when they are followed has a line, unless the
mover can slide the neutron home directly.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from engines.core.game import Move
from engines.neutron.rules.position import Position
from engines.neutron.rules.text import NeutronRules, fold

SHIPPED: Final = Path(__file__).parents[1] / "data" / "book.txt"
_MIRRORED: Final = str.maketrans("abcde", "edcba")

Entry = tuple[str, int]


@cache
def entries() -> Mapping[tuple[str, str], Entry]:
    """Return the shipped turns, and how long they take to win, by variant and folded position."""
    by_position = {}
    for line in SHIPPED.read_text("ascii").splitlines():
        variant, board, side, *man, turn, turns = line.split()
        by_position[variant.strip("-"), " ".join((board, side, *man))] = turn, int(turns)
    return by_position


def look_up(rules: NeutronRules, position: Position) -> tuple[Move, int] | None:
    """Return the turn that wins, and the most turns that winning takes, or None if unknown."""
    folded = fold(rules, position)
    entry = entries().get((rules.variant, folded))
    if entry is None:
        return None
    text, turns = entry
    return rules.parse(position, orient(rules, position, text)), turns


def orient(rules: NeutronRules, position: Position, text: str) -> str:
    """Translate the text of a turn from a position to its folded image, or back."""
    if fold(rules, position) == rules.setup(position):
        return text
    return text.translate(_MIRRORED)
