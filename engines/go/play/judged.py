"""The rules of Go with our judge of dead stones, as the registry offers them."""

import threading

from engines.core.game import Move
from engines.go.rules import text
from engines.go.rules.history import Position

_JUDGING = threading.Lock()  # All games of a process have one judge, and its search one tree.


def make_rules(variant: str = "", size: int = 0) -> text.GoRules:
    """Return the rules of a variant; the network is loaded when a game is first scored."""
    return text.make_rules(variant, size, find_dead=find_dead)


def find_dead(position: Position) -> set[Move]:
    """Return the dead stones of a finished game."""
    from engines.go.play.judge import shared_judge  # Here because it imports numpy.

    with _JUDGING:
        return shared_judge().dead(position)
