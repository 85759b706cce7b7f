"""Hold search and book against the table: `python -m engines.neutron.audit NUMBER [VARIANT]`.

Positions come from random games. Of each the search alone, without book and table, must prove
nothing that the table denies, and the book must win. From one position in a thousand that is won
the engine, with its table, plays on against itself: it has to win.
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from engines.core import places
from engines.core.game import Game, Move
from engines.core.search import Limits, Report, Score
from engines.neutron.book import look_up
from engines.neutron.library import Library
from engines.neutron.position import Position
from engines.neutron.retrograde import LOST, WON
from engines.neutron.rules import NeutronRules, make_rules
from engines.neutron.search import Search

NODES: Final = 1000  # A position, for the search alone.
_PLAYED: Final = 1000  # Won positions from one to the next that is played on.
_TURN: Final = Limits(nodes=20_000)  # A turn, where it is played on.


class Oracle(Protocol):
    """Tells what a position is worth for its mover, and which turns keep that."""

    def best_turns(self, position: Position) -> tuple[int, list[Move]] | None:
        """Return value and turns; None where it does not know."""


@dataclass(slots=True)
class Findings:
    """How many positions were looked at, how many of them the search decided, and what is wrong."""

    positions: int
    decided: int
    booked: int
    played: int
    wrong: list[str]

    def __str__(self) -> str:
        return (
            f"{self.positions} positions: {self.decided} decided by search, {self.booked} by the "
            f"book, {self.played} played on; {len(self.wrong)} disagreements"
        )


def audit(oracle: Oracle, rules: NeutronRules, number: int, seed: int = 0) -> Findings:
    """Look at so many positions of random games.

    Raises ValueError where the oracle does not know them.
    """
    found = Findings(0, 0, 0, 0, [])
    alone, knowing = Search(knows=False), Search()
    won = 0
    for game in _positions(rules, number, random.Random(seed)):
        position = game.position
        told = oracle.best_turns(position)
        if told is None:
            raise ValueError(f"no table of {rules.variant or 'the default rules'}")
        value, turns = told
        found.positions += 1
        move, score = _search(alone, game)
        booked = look_up(rules, position)
        if score.exact:
            found.decided += 1
            if score.chance != (value + 1) / 2 or (value != LOST and move not in turns):
                found.wrong.append(f"search: {rules.setup(position)} {score}, table {value}")
        if booked is not None:
            found.booked += 1
            if value != WON or booked[0] not in turns:
                found.wrong.append(f"book: {rules.setup(position)} table {value}")
        won += value == WON
        if value == WON and won % _PLAYED == 1:
            found.played += 1
            if not _wins(knowing, game.copy()):
                found.wrong.append(f"play: {rules.setup(position)} was not won")
    return found


def _positions(
    rules: NeutronRules, number: int, generator: random.Random
) -> Iterator[Game[Position]]:
    yielded = 0
    while True:
        game = Game(rules)
        while game.outcome() is None:
            # Without a history: the table knows of no repetition.
            yield Game(rules, rules.setup(game.position))
            yielded += 1
            if yielded == number:
                return
            game.push(generator.choice(game.position.legal_moves()))


def _search(
    search: Search, game: Game[Position], limits: Limits | None = None
) -> tuple[Move, Score]:
    reports: list[Report] = []
    move = search.search(
        game, limits or Limits(nodes=NODES), stop=lambda: False, report=reports.append
    )
    return move, reports[-1].score


def _wins(search: Search, game: Game[Position]) -> bool:
    winner = game.turn
    while (outcome := game.outcome()) is None:
        game.push(_search(search, game, _TURN)[0])
    return outcome.winner == winner


def main(words: list[str]) -> None:
    """Audit as the command line says; exit 1 where there are disagreements."""
    if not words:
        raise SystemExit(__doc__)
    rules = make_rules(words[1] if len(words) > 1 else "")
    library = Library(places.tables(), rules.variant == "kraus")
    found = audit(library, rules, int(words[0]))
    print(*found.wrong, found, sep="\n")
    raise SystemExit(bool(found.wrong))


if __name__ == "__main__":
    main(sys.argv[1:])
