"""Draw random openings for matches: `python -m engines.shogi.workshop.openings --help`.

Matches between versions of the engine need many different openings in which neither side is
ahead: `quintet match --openings` reads the file that this program writes.
"""

import random
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Final

import click

from engines.core.game import Game
from engines.shogi.play.search import Task, Thinker
from engines.shogi.rules.text import ShogiRules

_EVEN: Final = 150  # The largest score of an opening, in hundredths of a pawn,
_NODES: Final = 1500  # by a search of so many nodes.


def openings(plies: int, seed: int) -> Iterator[list[str]]:
    """Yield openings of random moves without end; the same seed gives the same openings."""
    thinker = Thinker(4)
    for number in count():
        chance = random.Random(f"{seed}/{number}")
        game = Game(ShogiRules())
        while len(game.moves) < plies and game.outcome() is None:
            game.push(chance.choice(game.position.legal_moves()))
        if game.outcome() is not None:
            continue
        thinker.forget()
        thought = thinker.think(Task(game.position, lambda: False, nodes=_NODES))[0]
        if abs(thought.score) <= _EVEN:
            yield game.texts()


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--count", "number", default=500, show_default=True, help="Number of openings.")
@click.option("--plies", default=8, show_default=True, help="Moves of each opening.")
@click.option("--seed", default=1, show_default=True, help="Seed of the random moves.")
def main(file: Path, number: int, plies: int, seed: int) -> None:
    """Write openings of random moves, in which neither side is ahead, to FILE."""
    lines = [" ".join(moves) for moves in islice(openings(plies, seed), number)]
    file.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


if __name__ == "__main__":
    main()
