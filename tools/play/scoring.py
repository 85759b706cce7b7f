"""Go: the dead stones of a finished game, as an engine finds them and persons change them."""

from collections.abc import Iterable
from typing import Any, Final

from engines.core.game import Game, InvalidText, Move, Outcome
from engines.go.rules.history import Position, outcome_of
from engines.go.rules.scoring import Score, chains
from tools.play.texts import say
from tools.records.go import go_rules

_OWNERS: Final = ".XO"


class Scoring:
    """The discussion of which stones are dead; `ready` once the engine has found them."""

    def __init__(self, game: Game[Any]) -> None:
        self._position: Position = game.position.copy()
        self._rules = go_rules(game.rules)
        self._dead: set[Move] = set()
        self.begun = False
        self.ready = not self._position.rules.judged

    def find(self) -> set[Move]:
        """Return the dead stones that our judge finds; this may take a second."""
        finder = self._position.find_dead
        return finder(self._position.copy()) if finder else set()

    def settle(self, dead: set[Move]) -> None:
        """Begin the discussion with these dead stones."""
        self._dead, self.ready = set(dead), True

    def settle_at(self, points: Iterable[str]) -> None:
        """Begin the discussion with the stones on these points; raises InvalidText."""
        self.begun = True
        self.settle({self._rules.parse_vertex(point) for point in points})

    def toggle(self, point: str) -> None:
        """Change the status of the chain on a point; raises InvalidText if there is none."""
        move = self._rules.parse_vertex(point)
        for chain in chains(self._position.board):
            if move in chain:
                self._dead ^= set(chain)
                return
        raise InvalidText(say("no.stone", point=self._rules.format_vertex(move)))

    def count(self) -> Score:
        """Count the game with the present dead stones."""
        return self._position.count(self._dead)

    def outcome(self) -> Outcome:
        """Return the outcome with the present dead stones."""
        return outcome_of(self.count().margin)

    def dead(self) -> tuple[str, ...]:
        """Return the names of the dead stones' points."""
        return tuple(self._rules.format_vertex(move) for move in sorted(self._dead))

    def owners(self) -> str:
        """Return a character for each point in reading order: `X`, `O`, or `.` for neither."""
        return "".join(_OWNERS[owner] for owner in self.count().owners)
