"""Measure how many nodes the search needs to reach a depth.

Usage: `python -m engines.shogi.workshop.depths --help`.

Fewer nodes are better only if the moves are as good: compare matches and tactics as well.
"""

import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from engines.shogi.play.scores import ALL_METHODS, METHODS
from engines.shogi.play.search import Task, Thinker
from engines.shogi.rules.sfen import format_sfen, parse_sfen
from engines.shogi.workshop.label import LAST, RECORD, position_of

_PLIES: Final = range(15, 35)  # Halved, as in records: the middle of a game.
_EVEN: Final = 300
_FLAGS, _VALUE, _PLY = 84, 85, 87  # Fields of a record.
_MOST_NODES: Final = 20_000_000


def middle_games(labels: Path, number: int, seed: int) -> list[str]:
    """Draw even positions in the middle of different games, as SFEN."""
    raw = labels.read_bytes()
    games: list[list[bytes]] = [[]]
    for at in range(0, len(raw) - RECORD.size + 1, RECORD.size):
        record = raw[at : at + RECORD.size]
        fields = RECORD.unpack(record)
        if fields[_PLY] in _PLIES and abs(fields[_VALUE]) <= _EVEN:
            games[-1].append(record)
        if fields[_FLAGS] & LAST:
            games.append([])
    chance = random.Random(seed)
    suitable = [game for game in games if game]
    return [
        format_sfen(position_of(chance.choice(game))) for game in chance.sample(suitable, number)
    ]


def nodes_to(depth: int, positions: Sequence[str], methods: int) -> Iterator[int]:
    """Yield the nodes that a search of each position needs to finish a depth."""
    for sfen in positions:
        thinker = Thinker(256, methods=methods)
        thought = thinker.think(
            Task(parse_sfen(sfen), lambda: False, depth=depth, nodes=_MOST_NODES)
        )[0]
        yield thought.nodes


@click.group()
def main() -> None:
    """Measure how many nodes the search needs to reach a depth."""


@main.command()
@click.argument("labels", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--count", "number", type=click.IntRange(1), default=20, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
def draw(labels: Path, out: Path, number: int, seed: int) -> None:
    """Draw COUNT middle games from LABELS, and write them to OUT, one SFEN per line."""
    lines = middle_games(labels, number, seed)
    out.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


@main.command()
@click.argument("positions", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--depth", type=click.IntRange(1), default=12, show_default=True, metavar="PLIES")
@click.option(
    "--disable",
    "disabled",
    type=click.Choice(METHODS),
    multiple=True,
    help="A method of the search to switch off; may be given several times.",
)
def measure(positions: Path, depth: int, disabled: Sequence[str]) -> None:
    """Print the nodes that each of POSITIONS needs to a depth, and their geometric mean."""
    methods = ALL_METHODS
    for name in disabled:
        methods &= ~(1 << METHODS.index(name))
    counts = []
    for count in nodes_to(depth, positions.read_text(encoding="ascii").splitlines(), methods):
        counts.append(count)
        click.echo(f"{count}")
    mean = math.exp(sum(math.log(count) for count in counts) / len(counts))
    click.echo(f"geometric mean of {len(counts)}: {mean:.0f} nodes to depth {depth}")


if __name__ == "__main__":
    main()
