"""Measure by exact tables how often the engine's move gives a win or a draw away.

`python -m engines.morris.workshop.errors SECTOR ... --tables DIR` asks the engine, which uses only
the shipped data, for its move in random positions of each sector. Positions in which every move
keeps the value count as decisions as well. With `--games N` instead of sectors, the positions come
from games that a level plays against itself.
"""

import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from engines.core.errors import QuintetError
from engines.core.game import Game
from engines.core.search import Limits, Searcher
from engines.core.storage import MissingTable
from engines.morris.play.levels import make_searcher
from engines.morris.rules.board import count
from engines.morris.rules.position import Position
from engines.morris.rules.text import make_rules
from engines.morris.tables import store
from engines.morris.tables.book import default_rules
from engines.morris.tables.library import Library
from engines.morris.tables.lookup import UNKNOWN
from engines.morris.tables.oracle import Oracle

_KNOWN: Final = 10  # The shipped tables know all positions with so many men.


@dataclass(slots=True)
class Rate:
    """The decisions examined in one sector, the critical ones, and the errors among them."""

    sector: tuple[int, int]
    decisions: int = 0
    critical: int = 0  # Decisions in which some legal move is worse than another.
    lost_draws: int = 0
    drawn_wins: int = 0
    lost_wins: int = 0

    def note(self, ranks: Mapping[int, int], move: int) -> None:
        """Count a decision; `ranks` holds the value of every legal move."""
        best = max(ranks.values())
        given = (best, ranks[move])
        self.decisions += 1
        self.critical += min(ranks.values()) < best
        self.lost_draws += given == (0, -1)
        self.drawn_wins += given == (1, 0)
        self.lost_wins += given == (1, -1)

    @property
    def errors(self) -> int:
        """The number of moves that gave a win or a draw away."""
        return self.lost_draws + self.drawn_wins + self.lost_wins

    def __str__(self) -> str:
        return (
            f"{self.sector[0]}-{self.sector[1]}: {self.decisions} decisions, "
            f"{self.critical} critical, {self.errors} errors "
            f"({100 * self.errors / max(1, self.decisions):.2f} %): "
            f"{self.drawn_wins} wins drawn, {self.lost_draws} draws lost, "
            f"{self.lost_wins} wins lost"
        )


def truth(place: Path) -> Oracle:
    """Load all tables of a folder; raises MissingTable if it holds none.

    The folder is the one that was given to `quintet solve`, or the subfolder of the rules in it.
    """
    made = place / default_rules()
    place = made if made.is_dir() else place
    if not any(path.suffix.removeprefix(".") in store.KINDS for path in place.glob("*.*")):
        raise MissingTable(f"no tables in {place}")
    library = Library(flying=True, doubles=False, complain=print, places=[place])
    library.open(9, 9)
    library.open_small()
    for path in sorted(place.glob("*.*")):
        if path.suffix.removeprefix(".") in store.KINDS:
            own, enemy = map(int, path.stem.split("-"))
            library.open(own, enemy)
    oracle = Oracle(library.tables, flying=True, doubles=False)
    oracle.refresh()
    return oracle


def rank(value: int) -> int:
    """Return -1, 0 or 1 for a loss, a draw or a win of the mover by a table's value."""
    return 0 if value == 0 else -1 if value & 1 else 1


def rank_moves(oracle: Oracle, position: Position) -> dict[int, int]:
    """Return the rank of every legal move for the mover, or nothing if one of them is unknown.

    A move that ends the game by a draw rule is unknown, because the tables ignore those rules.
    """
    ranks = {}
    for move in position.legal_moves():
        position.play(move)
        ended = position.outcome()
        value = oracle.value(position.own, position.enemy)
        if ended is not None:
            value = UNKNOWN if ended.winner is None else 1
        position.undo()
        if value < 0:
            return {}
        ranks[move] = -rank(value)
    return ranks


def measure(
    oracle: Oracle, sector: tuple[int, int], positions: int, limits: Limits, seed: int
) -> Iterator[Rate]:
    """Yield the growing rate after each decision in random positions of a sector."""
    rules = make_rules("")
    chance = random.Random(f"{sector} {seed}")
    index = oracle.tables.index
    searcher = make_searcher("10", seed)
    rate = Rate(sector)
    entries = index.entries(*sector)
    while rate.decisions < positions:
        men = index.position(*sector, chance.randrange(entries))
        position = Position(white=men[0], black=men[1], hands=(0, 0))
        ranks = rank_moves(oracle, position) if position.outcome() is None else {}
        if not ranks:
            if oracle.value(*men) == UNKNOWN:
                raise MissingTable(f"{sector[0]}-{sector[1]}: the tables do not reach there")
            continue
        rate.note(ranks, _decide(searcher, Game(rules, rules.setup(position)), ranks, limits))
        yield rate


def watch(
    oracle: Oracle, games: int, limits: Limits, seed: int, level: str
) -> Iterator[Mapping[tuple[int, int], Rate]]:
    """Yield the growing rates by sector after each game of a level against itself.

    The level plays the games, and the engine is asked for its move in their positions. Games begin
    with one to six random plies, and end where the shipped tables know everything.
    """
    rules = make_rules("")
    player, engine = make_searcher(level, seed), make_searcher("10", seed)
    rates: dict[tuple[int, int], Rate] = {}
    for number in range(games):
        chance = random.Random(f"{number} {seed}")
        game = Game(rules)
        for _ in range(chance.randrange(1, 7)):
            game.push(chance.choice(game.position.legal_moves()))
        while game.outcome() is None and _men(game.position) > _KNOWN:
            position = game.position
            moving = position.own_hand == position.enemy_hand == 0
            if ranks := rank_moves(oracle, position) if moving else {}:
                sector = (count(position.own), count(position.enemy))
                rates.setdefault(sector, Rate(sector)).note(
                    ranks, _decide(engine, game, ranks, limits)
                )
            game.push(_ask(player, game, limits))
        yield rates


def _men(position: Position) -> int:
    return count(position.own | position.enemy) + position.own_hand + position.enemy_hand


def _decide(
    engine: Searcher[Position], game: Game[Position], ranks: Mapping[int, int], limits: Limits
) -> int:
    """Return the engine's move, or any move where all have the same rank."""
    if min(ranks.values()) == max(ranks.values()):
        return next(iter(ranks))
    engine.forget()
    return _ask(engine, game, limits)


def _ask(player: Searcher[Position], game: Game[Position], limits: Limits) -> int:
    return player.search(game, limits, stop=lambda: False, report=lambda report: None)


@click.command()
@click.argument("sectors", nargs=-1, metavar="[SECTOR]...")
@click.option(
    "--tables", type=click.Path(path_type=Path), metavar="DIR", required=True, help="Exact tables."
)
@click.option("--games", type=int, metavar="N", default=0, help="Play games instead of sectors.")
@click.option(
    "--level", metavar="N", default="7", show_default=True, help="Level that plays the games."
)
@click.option(
    "--positions", type=int, metavar="N", default=1000, show_default=True, help="Per sector."
)
@click.option("--nodes", type=int, metavar="N", default=0, help="Per move, instead of --seconds.")
@click.option(
    "--seconds", type=float, metavar="S", default=1.0, show_default=True, help="Per move."
)
@click.option("--seed", type=int, metavar="N", default=1, show_default=True)
def main(
    sectors: Sequence[str],
    tables: Path,
    games: int,
    level: str,
    positions: int,
    nodes: int,
    seconds: float,
    seed: int,
) -> None:
    """Measure the engine's errors in random positions of each SECTOR, such as 7-4."""
    # The engine must not use the user's tables: they are what its moves are compared with.
    os.environ["QUINTET_DATA"] = os.devnull
    limits = Limits(nodes=nodes) if nodes else Limits(seconds=seconds)
    try:
        oracle = truth(tables)
    except QuintetError as problem:
        raise click.UsageError(str(problem)) from problem
    rates: Mapping[tuple[int, int], Rate] = {}
    for rates in watch(oracle, games, limits, seed, level):
        total = sum(rate.decisions for rate in rates.values())
        wrong = sum(rate.errors for rate in rates.values())
        click.echo(f"{total} decisions in games, {wrong} errors")
    for rate in sorted(map(str, rates.values())):
        click.echo(rate)
    for text in sectors:
        own, enemy = map(int, text.split("-"))
        try:
            *_, latest = measure(oracle, (own, enemy), positions, limits, seed)
        except QuintetError as problem:
            raise click.UsageError(str(problem)) from problem
        click.echo(str(latest))


if __name__ == "__main__":
    main()
