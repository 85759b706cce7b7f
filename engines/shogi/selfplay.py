"""Label positions for the fit of the evaluation: `python -m engines.shogi.selfplay --help`.

The engine plays itself at a fixed number of nodes, from openings with moves drawn by lot; each
position after them is kept with the value that its search told and with how the game ended. A
game depends on the seed and its number alone, so that a run stops and resumes at any time.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from engines.core.game import Game
from engines.shogi.label import LAST, RECORD, Label
from engines.shogi.rules import ShogiRules
from engines.shogi.thinking import Task, Thinker

_DECIDED: Final = 2500  # Hundredths of a pawn: twice in a row, the game is over.
_LONGEST: Final = 300  # Plies, a draw then.


def play(thinker: Thinker, nodes: int, chance: random.Random) -> tuple[list[Label], float]:
    """Play a game against oneself; return its labels and Black's points."""
    thinker.forget()
    game = Game(ShogiRules())
    opening = chance.randrange(4, 15)
    labels: list[Label] = []
    decided = 0
    while len(game.moves) < _LONGEST:
        if (outcome := game.outcome()) is not None:
            return labels, outcome.points(0)
        position = game.position
        if len(game.moves) < opening and chance.random() < 0.5:
            game.push(chance.choice(position.legal_moves()))
            labels.clear()  # The result says nothing of what was before.
            continue
        thought = thinker.think(Task(position, lambda: False, nodes=nodes))[0]
        if abs(thought.score) < _DECIDED:
            decided = 0
            move = thought.line[0]
            labels.append(Label.of(position, move, thought.score, len(game.moves)))
        else:
            decided += 1
            if decided == 2:
                return labels, float((thought.score > 0) != bool(game.turn))
        game.push(thought.line[0])
    return labels, 0.5


def finished(path: Path) -> int:
    """Cut off a game that was written in part, and return how many whole ones there are."""
    if not path.exists():
        return 0
    raw = path.read_bytes()
    flags = raw[RECORD.size - 5 :: RECORD.size][: len(raw) // RECORD.size]
    games = sum(1 for flag in flags if flag & LAST)
    end = max((at + 1 for at, flag in enumerate(flags) if flag & LAST), default=0)
    if end * RECORD.size < len(raw):
        with path.open("r+b") as file:
            file.truncate(end * RECORD.size)
    return games


def fill(path: Path, games: int, nodes: int, seed: int) -> Iterator[int]:
    """Append games until the file has so many, yielding the number of each."""
    thinker = Thinker(4)
    number = finished(path)
    with path.open("ab") as file:
        while number < games:
            # A game that labels nothing is drawn anew under the same number.
            for attempt in range(100):
                labels, points = play(thinker, nodes, random.Random(f"{seed}/{number}/{attempt}"))
                if labels:
                    break
            last = len(labels) - 1
            file.write(b"".join(x.pack(points, last=at == last) for at, x in enumerate(labels)))
            file.flush()
            number += 1
            yield number


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--games", default=1000, show_default=True, help="Games in the file at the end.")
@click.option("--nodes", default=800, show_default=True, help="Nodes a move.")
@click.option("--seed", default=1, show_default=True, help="Of the games; each has its own file.")
def main(folder: Path, games: int, nodes: int, seed: int) -> None:
    """Play games at a fixed number of NODES a move and keep their positions in FOLDER.

    Run again to go on; run with several seeds to use several cores.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{nodes}-{seed}.labels"
    for number in fill(path, games, nodes, seed):
        if number % 20 == 0 or number == games:
            size = path.stat().st_size // RECORD.size
            click.echo(f"{number} games, {size} positions", err=True)


if __name__ == "__main__":
    main()
