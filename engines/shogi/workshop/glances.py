"""Positions near those of games, labelled by an evaluation with a short search or none.

Usage: `python -m engines.shogi.workshop.glances --help`.

A search evaluates many positions that no player would reach. A network that has seen positions of
games only knows nothing about these, so it first learns what another evaluation says of positions
a few random moves away from those of games. Files have the format of `label.py`; the result of the
game is always 0 there, and means nothing.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from engines.shogi.play import evaluating
from engines.shogi.play.evaluating import Choice
from engines.shogi.play.scores import INFINITE, TOP
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.position import Position
from engines.shogi.workshop.label import RECORD, Label, position_of

_MOST: Final = 5000  # Positions with greater values are left out: they teach nothing.
_CAPTURES: Final = 0.5  # The share of moves that are captures, where there are any.


class Glancer:
    """Labels positions by an evaluation, or by searches of a number of nodes."""

    def __init__(self, choice: Choice, nodes: int) -> None:
        self._table = TranspositionTable(1)
        self._worker = Worker(Position(), self._table)
        self._worker.evaluate_by(choice.make())
        self._nodes = nodes

    def label(self, position: Position, ply: int) -> Label | None:
        """Label a position; None if it is a mate, or almost."""
        if not self._nodes:
            self._worker.begin(position)
            value = self._worker.static_value()
            if abs(value) >= _MOST:
                return None
            return replace(Label.of(position, 0, value, ply), quiet=True)
        self._table.grow_older()
        self._table.release()
        worker = self._worker
        worker.begin(position, None, self._nodes)
        worker.set_root(position.legal_moves())
        value = worker.search_root(1, -INFINITE, INFINITE, 0)
        move = worker.root_move(0)
        depth = 2
        while not worker.halted() and depth < TOP:
            score = worker.search_root(depth, -INFINITE, INFINITE, 0)
            if not worker.halted():
                value, move = score, worker.root_move(0)
            depth += 1
        if abs(value) >= _MOST:
            return None
        return Label.of(position, move, value, ply)

    def walk(self, position: Position, moves: int, chance: random.Random) -> Iterator[Label]:
        """Label the positions, but those in check, after each of some random moves."""
        for ply in range(moves):
            legal = position.legal_moves()
            if not legal:
                return
            captures = [move for move in legal if position.man_at(move & 127)]
            move = chance.choice(captures if captures and chance.random() < _CAPTURES else legal)
            position.play(move)
            if position.is_check() or not position.legal_moves():
                continue
            label = self.label(position, ply)
            if label is not None:
                yield label


@click.command()
@click.argument("labels", type=click.Path(path_type=Path, exists=True))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--count", type=click.IntRange(1), default=100000, show_default=True)
@click.option("--moves", type=click.IntRange(1), default=4, show_default=True)
@click.option(
    "--nodes", type=click.IntRange(0), default=0, show_default=True, help="Nodes of each search."
)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--evaluation",
    type=click.Path(path_type=Path, exists=True),
    help="A network or a file of weights; the shipped one if none is given.",
)
def main(
    labels: Path,
    out: Path,
    count: int,
    moves: int,
    nodes: int,
    seed: int,
    evaluation: Path | None,
) -> None:
    """Label COUNT positions near those of LABELS, and write them to OUT."""
    choice = evaluating.load(evaluation) if evaluation else evaluating.shipped()
    glancer = Glancer(choice, nodes)
    chance = random.Random(seed)
    records = labels.stat().st_size // RECORD.size
    if records == 0:
        raise click.ClickException(f"{labels} holds no labels")
    written = 0
    with labels.open("rb") as source, out.open("wb") as target:
        while written < count:
            source.seek(chance.randrange(records) * RECORD.size)
            position = position_of(source.read(RECORD.size))
            for label in glancer.walk(position, moves, chance):
                target.write(label.pack(0.5, last=True))
                written += 1
                if written % 100000 == 0:
                    click.echo(f"{written} positions", err=True)


if __name__ == "__main__":
    main()
