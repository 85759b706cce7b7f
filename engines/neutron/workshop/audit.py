"""Compare search and book with the exact table: `python -m engines.neutron.workshop.audit --help`.

The positions come from random games. In each one, the search without book and table must not prove
anything that the table contradicts, and the book must win. From one won position in a thousand,
the engine with its table plays against itself to the end, and must win.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

import click

from engines.core import places
from engines.core.errors import QuintetError
from engines.core.game import Game, Move
from engines.core.search import Limits, Report, Score
from engines.core.storage import MissingTable
from engines.neutron.play.search import Search
from engines.neutron.rules.position import Position
from engines.neutron.rules.text import NeutronRules, make_rules
from engines.neutron.tables.book import look_up
from engines.neutron.tables.library import Library
from engines.neutron.tables.retrograde import LOST, WON

NODES: Final = 1000  # Per position, for the search without book and table.
_PLAYED: Final = 1000  # One won position in so many is played to the end.
_TURN: Final = Limits(nodes=20_000)  # The limits of each turn there.


class TurnValues(Protocol):
    """Knows the value of a position for its mover, and the turns that keep that value."""

    def best_turns(self, position: Position) -> tuple[int, list[Move]] | None:
        """Return the value and the turns, or None if they are unknown."""


@dataclass(slots=True)
class AuditResult:
    """The numbers of positions that were examined, decided, in the book and played; and faults."""

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


def audit(values: TurnValues, rules: NeutronRules, number: int, seed: int = 0) -> AuditResult:
    """Examine `number` positions of random games; raises MissingTable if one is unknown."""
    result = AuditResult(0, 0, 0, 0, [])
    alone, knowing = Search(knows=False), Search()
    won = 0
    for game in _positions(rules, number, random.Random(seed)):
        position = game.position
        known = values.best_turns(position)
        if known is None:
            raise MissingTable(f"no table of {rules.variant or 'the default rules'}")
        value, turns = known
        result.positions += 1
        move, score = _search(alone, game)
        booked = look_up(rules, position)
        if score.exact:
            result.decided += 1
            if score.chance != (value + 1) / 2 or (value != LOST and move not in turns):
                result.wrong.append(f"search: {rules.setup(position)} {score}, table {value}")
        if booked is not None:
            result.booked += 1
            if value != WON or booked[0] not in turns:
                result.wrong.append(f"book: {rules.setup(position)} table {value}")
        won += value == WON
        if value == WON and won % _PLAYED == 1:
            result.played += 1
            if not _wins(knowing, game.copy()):
                result.wrong.append(f"play: {rules.setup(position)} was not won")
    return result


def _positions(
    rules: NeutronRules, number: int, generator: random.Random
) -> Iterator[Game[Position]]:
    yielded = 0
    while True:
        game = Game(rules)
        while game.outcome() is None:
            # A game without a history, because the table ignores repetitions.
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


@click.command()
@click.argument("number", type=click.IntRange(min=1))
@click.argument("variant", default="")
def main(number: int, variant: str) -> None:
    """Examine NUMBER positions of a VARIANT; the exit status is 1 if there are disagreements."""
    try:
        rules = make_rules(variant)
        library = Library(places.tables(), rules.variant == "kraus")
        result = audit(library, rules, number)
    except QuintetError as error:
        raise click.UsageError(str(error)) from error
    for line in (*result.wrong, result):
        click.echo(str(line))
    raise SystemExit(bool(result.wrong))


if __name__ == "__main__":
    main()
