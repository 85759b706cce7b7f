"""Teach the net exact chances: `python -m engines.senet.workshop.distil --help`."""

from array import array
from pathlib import Path
from random import Random
from typing import Final

import click

from engines.core import places
from engines.core.errors import QuintetError
from engines.core.solving import Progress
from engines.core.storage import MissingTable
from engines.senet.play.lookahead import Lookahead
from engines.senet.play.net import Net
from engines.senet.rules.text import MEN
from engines.senet.rules.track import movable, moved, steps_of
from engines.senet.tables import shipped
from engines.senet.tables.library import Library
from engines.senet.tables.table import SHORT, ChanceTable, Class
from engines.senet.workshop.training import Trainer

SQUARES: Final = [square for square in range(1, 30) if square != 27]
_ROUND: Final = 1_000_000  # Positions from one report of the progress to the next.
_LESSON: Final = 2000  # Positions of one class that are learned together.
_FIRST_RATE: Final = 0.02
_LAST_RATE: Final = 0.0005
_EXPLORE: Final = 0.15  # The share of random moves.


def distil(
    tables: Path, positions: int, target: Path, seed: int = 0, progress: Progress | None = None
) -> float:
    """Teach the shipped net exact chances and write it to a file; return its last error.

    The error is the root mean square over the last round. Classes that the folder `tables` does not
    hold are learned from the net's own lookahead of one throw. Raises MissingTable if the folder
    holds no tables of the default rules.
    """
    library = Library(tables, passing=False, over=False)
    classes = [(own, enemy) for own in range(1, MEN + 1) for enemy in range(1, MEN + 1)]
    known = {each: library.table(each) for each in classes}
    if not any(known.values()):
        raise MissingTable(f"{tables}: no tables of Senet under the default rules")
    net = Net(shipped.net_weights()).specialists()
    trainer = Trainer(net, Lookahead(net, ChanceTable([], SHORT), 0, 0), seed)
    lessons = _Lessons(trainer, classes, Random(seed))
    done = 0
    error = 0.0
    while done < positions:
        number = min(_ROUND, positions - done)
        squares, taught = 0.0, 0
        while taught < number:
            rate = _FIRST_RATE + (_LAST_RATE - _FIRST_RATE) * (done + taught) / positions
            each, owns, enemies = lessons.next(min(_LESSON, number - taught))
            table = known[each]
            if table is None:
                squares += trainer.foresee(owns, enemies, rate)
            else:
                squares += trainer.teach(table, owns, enemies, rate)
            taught += len(owns)
        done += number
        error = float((squares / number) ** 0.5)
        if progress is not None:
            progress(done / positions, f"error {error:.4f}")
    target.write_bytes(net.weights())
    return error


class _Lessons:
    """Yields positions of one class at a time, alternately from games and at random."""

    def __init__(self, trainer: Trainer, classes: list[Class], generator: Random) -> None:
        self._trainer = trainer
        self._classes = classes
        self._generator = generator
        self._played: dict[Class, tuple[array[int], array[int]]] = {}
        self._turn = 0

    def next(self, number: int) -> "tuple[Class, array[int], array[int]]":
        """Return a class, and the own and the enemy men of at most `number` positions."""
        self._turn += 1
        if self._turn & 1:
            each = self._generator.choice(self._classes)
            owns, enemies = _blank(number), _blank(number)
            self._trainer.scatter(*each, owns, enemies)
            return each, owns, enemies
        while True:
            for each, (owns, enemies) in self._played.items():
                if len(owns) >= number:
                    self._played[each] = owns[number:], enemies[number:]
                    return each, owns[:number], enemies[:number]
            self._play(10 * number)

    def _play(self, number: int) -> None:
        owns, enemies = _blank(number), _blank(number)
        self._trainer.wander(owns, enemies, _EXPLORE)
        for own, enemy in zip(owns, enemies, strict=True):
            each = own.bit_count(), enemy.bit_count()
            played = self._played.setdefault(each, (array("q"), array("q")))
            played[0].append(own)
            played[1].append(enemy)


def _blank(number: int) -> "array[int]":
    return array("q", bytes(8 * number))


def scatter(generator: Random, each: Class) -> tuple[int, int]:
    """Return the masks of a random position of a class."""
    squares = generator.sample(SQUARES, sum(each))
    masks = [
        sum(1 << (square - 1) for square in part)
        for part in (squares[: each[0]], squares[each[0] :])
    ]
    return masks[0], masks[1]


def choices(own: int, enemy: int, throw: int) -> list[tuple[int, int, int]]:
    """List each move of a throw: the mask of the man, and both sides' men afterwards, own first."""
    men = movable(own, enemy, steps_of(throw), 0)
    moves = []
    while men:
        man = men & -men
        men ^= man
        after = moved(own, enemy, man, steps_of(throw))
        moves.append((man, after & 0x1FFFFFFF, after >> 32))
    return moves


@click.command()
@click.argument("positions", type=float)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--tables", type=click.Path(path_type=Path), metavar="DIR", help="Default: the user's tables."
)
def main(positions: float, file: Path, tables: Path | None) -> None:
    """Teach the shipped net from POSITIONS positions (2e8, say), and write it to FILE."""
    try:
        error = distil(
            tables or places.tables(),
            int(positions),
            file,
            progress=lambda done, text: click.echo(f"{100 * done:5.1f} %  {text}", err=True),
        )
    except QuintetError as problem:
        raise click.UsageError(str(problem)) from problem
    click.echo(f"root mean square error {error:.5f}")


if __name__ == "__main__":
    main()
