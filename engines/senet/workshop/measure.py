"""Measure decisions and tables of Senet: `python -m engines.senet.workshop.measure --help`.

Matches between levels are played by `quintet match`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import click

from engines.core import places
from engines.core.game import Game, Move
from engines.core.search import Limits, Searcher
from engines.core.splitmix import pair_seed
from engines.core.storage import MissingTable
from engines.senet.play.levels import make_searcher
from engines.senet.play.lookahead import Lookahead
from engines.senet.play.net import Net
from engines.senet.play.search import Search
from engines.senet.rules.dice import Dice
from engines.senet.rules.position import SenetPosition
from engines.senet.rules.text import MEN, make_rules
from engines.senet.rules.track import square_of, throws_again
from engines.senet.tables import shipped
from engines.senet.tables.library import Library
from engines.senet.tables.storage import fingerprint, load, path_of
from engines.senet.tables.table import SHORT, ChanceTable, Class
from engines.senet.workshop.distil import choices, scatter

Player = Callable[[Game[SenetPosition]], Move]
_PIECE: Final = 1 << 22  # Values that are compared in one step.
_THINKING: Final = 3  # Throws that a level looks ahead at most.


@dataclass(frozen=True, slots=True)
class Loss:
    """The cost of decisions in chances of winning; 0.01 is called a point."""

    number: int
    mean: float
    centile: float  # One decision in a hundred costs more.
    worst: float

    @classmethod
    def of(cls, losses: Sequence[float]) -> "Loss":
        """Summarize the costs of single decisions; there must be at least one."""
        ordered = sorted(losses)
        number = len(ordered)
        return cls(number, sum(ordered) / number, ordered[number * 99 // 100], ordered[-1])

    def __str__(self) -> str:
        return (
            f"mean {100 * self.mean:.4f}, 99th percentile {100 * self.centile:.3f}, "
            f"worst {100 * self.worst:.4f} points, {self.number} decisions"
        )


def measure_loss(
    lookahead: Lookahead, library: Library, each: Class, depth: int, number: int, seed: int = 0
) -> Loss:
    """Compare the decisions of a lookahead in random positions of a class with exact chances.

    Positions with only one legal move are skipped. Raises ValueError for a class with one own man,
    and MissingTable if the library does not know a successor.
    """
    if each[0] < 2:
        raise ValueError("one man alone has no choice")
    generator = Random(seed)
    lookahead.arm(None, 0.0, -1)
    losses: list[float] = []
    while len(losses) < number:
        own, enemy = scatter(generator, each)
        thrown = generator.randint(1, 5)
        moves = choices(own, enemy, thrown)
        if len(moves) < 2:
            continue
        seen = [lookahead.after(own, enemy, man, thrown, depth - 1) for man, _, _ in moves]
        exact = [_exact(library, mine, theirs, thrown) for _, mine, theirs in moves]
        losses.append(max(exact) - exact[seen.index(max(seen))])
    return Loss.of(losses)


def measure_play(
    player: Player, library: Library, games: int, seed: int = 7
) -> dict[Class, list[float]]:
    """Compare a player's decisions in games against itself with exact chances.

    Returns the costs of the decisions by class. Positions with only one legal move, or with a
    successor that the library does not know, are skipped.
    """
    losses: dict[Class, list[float]] = {}
    for number in range(1, games + 1):
        game = Game(make_rules())
        dice = Dice(pair_seed(seed, number))
        while game.outcome() is None:
            position = game.position
            if position.throw == 0:
                game.push(dice.throw())
                continue
            men = [
                sum(1 << (square - 1) for square in position.men(side))
                for side in (position.thrower, 1 - position.thrower)
            ]
            thrown, legal = position.throw, position.legal_moves()
            move = player(game)
            game.push(move)
            chances = {
                square_of(man): _known(library, mine, theirs, thrown)
                for man, mine, theirs in choices(men[0], men[1], thrown)
            }
            values = [chances[other] for other in legal]
            known = [value for value in values if value is not None]
            mine = chances[move]
            if len(known) == len(values) > 1 and mine is not None:
                each = men[0].bit_count(), men[1].bit_count()
                losses.setdefault(each, []).append(max(known) - mine)
    return losses


def _exact(library: Library, own: int, enemy: int, thrown: int) -> float:
    chance = _known(library, own, enemy, thrown)
    if chance is None:
        raise MissingTable("the tables do not hold what the moves lead to")
    return chance


def _known(library: Library, own: int, enemy: int, thrown: int) -> float | None:
    if own == 0:
        return 1.0
    if throws_again(thrown):
        return library.chance(own, enemy)
    chance = library.chance(enemy, own)
    return None if chance is None else 1.0 - chance


def measure_error(each: Class, floats: Path, shorts: Path) -> tuple[float, float]:
    """Return the mean and the largest error of a 16-bit table, in units of 1/65535.

    It is compared with the table of the same class in floats. Raises TableError for unusable files.
    """
    import numpy as np

    rules = fingerprint(passing=False, over=False)
    values = [
        np.asarray(load(path_of(folder, False, False, *each), rules, *each, checked=True).values)
        for folder in (floats, shorts)
    ]
    total, worst = 0.0, 0.0
    for start in range(0, len(values[0]), _PIECE):
        exact, rough = (part[start : start + _PIECE].astype(float) for part in values)
        distances = np.abs(exact * shipped.TOP - rough)
        total += float(distances.sum())
        worst = max(worst, float(distances.max()))
    return total / len(values[0]), worst


def make_player(name: str, seed: int) -> Player:
    """Return a player by its level or by `plies=N`; raises InvalidText for an unknown level."""
    searcher: Searcher[SenetPosition]
    if name.startswith("plies="):
        depth = int(name.removeprefix("plies="))
        searcher, limits = Search(depth, 0.0, seed), Limits(depth=depth)
    else:
        searcher, limits = make_searcher(name, seed), Limits(depth=_THINKING)
    return lambda game: searcher.search(
        game, limits, stop=lambda: False, report=lambda report: None
    )


@click.group()
def main() -> None:
    """Measure Senet's decisions and tables; --tables is where `quintet solve senet` has built."""


_TABLES = click.option(
    "--tables", type=click.Path(path_type=Path), metavar="DIR", help="Default: the user's tables."
)


@main.command()
@click.argument("own", type=click.IntRange(2, MEN))
@click.argument("enemy", type=click.IntRange(1, MEN))
@click.option("--depth", type=int, metavar="N", default=1, show_default=True, help="Throws ahead.")
@click.option("--positions", type=int, metavar="N", default=10_000, show_default=True)
@_TABLES
@click.option(
    "--net",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Net to measure.  [default: ours]",
)
@click.option("--shipped-tables", is_flag=True, help="Measure the decisions by the shipped tables.")
def loss(
    own: int,
    enemy: int,
    depth: int,
    positions: int,
    tables: Path | None,
    net: Path | None,
    shipped_tables: bool,
) -> None:
    """Measure what decisions cost in random positions with OWN and ENEMY men."""
    weights = shipped.net_weights() if net is None else net.read_bytes()
    # The shipped tables are left out if they would answer, so that the net decides alone.
    seen = shipped_tables or max(own, enemy) > shipped.MEN
    table = shipped.chances() if seen else ChanceTable([], SHORT)
    library = Library(tables or places.tables(), passing=False, over=False)
    measured = measure_loss(
        Lookahead(Net(weights), table, 0, 0), library, (own, enemy), depth, positions
    )
    click.echo(f"{own}-{enemy}, depth {depth}: {measured}")


@main.command()
@click.argument("player")
@click.option("--games", type=int, metavar="N", default=60, show_default=True)
@_TABLES
def play(player: str, games: int, tables: Path | None) -> None:
    """Measure what decisions cost in games of PLAYER against itself.

    PLAYER is a level, or `plies=N` for a search that looks N throws ahead. It must not use the
    tables by which it is measured.
    """
    library = Library(tables or places.tables(), passing=False, over=False)
    losses = measure_play(make_player(player, 1), library, games)
    if not losses:
        raise click.ClickException("no position of these games is in the tables")
    for each in sorted(losses, reverse=True):
        click.echo(f"{player}, {each[0]}-{each[1]}: {Loss.of(losses[each])}")
    click.echo(f"{player}, all: {Loss.of([cost for costs in losses.values() for cost in costs])}")


@main.command()
@click.argument("own", type=click.IntRange(1, MEN))
@click.argument("enemy", type=click.IntRange(1, MEN))
@click.argument("floats", type=click.Path(path_type=Path))
@click.argument("shorts", type=click.Path(path_type=Path))
def error(own: int, enemy: int, floats: Path, shorts: Path) -> None:
    """Measure how far the 16-bit table of a class in SHORTS is from the one in FLOATS."""
    mean, worst = measure_error((own, enemy), floats, shorts)
    click.echo(f"{own}-{enemy}: mean {mean:.3f}, worst {worst:.2f} units of 1/65535")


if __name__ == "__main__":
    main()
