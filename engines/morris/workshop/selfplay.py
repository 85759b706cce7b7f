"""Collect labelled positions from quick games: `python -m engines.morris.workshop.selfplay --help`.

Each line describes a position: the men of the mover and of the opponent, their men in hand, the
score of a search in hundredths of a man, the result of the game for the mover (1, 0 or -1), and
the number of the game.
"""

import random
from pathlib import Path
from typing import Final

import click

from engines.core.game import Game
from engines.core.search import Limits, Report
from engines.morris.play.levels import BEST, LEVELS, MorrisSearcher
from engines.morris.rules.board import count
from engines.morris.rules.position import Position
from engines.morris.rules.text import make_rules
from engines.morris.workshop.author import hundredths

_OPENING: Final = (1, 8)  # The least and the greatest number of random plies at the start.
_ASTRAY: Final = 0.08  # How often a later move is random.
_LONG: Final = 90  # Plies after which a game is a draw.
FORCED: Final = 10_000
"""Scores, in hundredths of a man, beyond which a game is decided."""

_KNOWN: Final = 10  # The shipped tables know the result with so many men.


class BooklessPlayer:
    """The engine without its book; it may play several games, one after the other."""

    def __init__(self) -> None:
        self._searcher = MorrisSearcher(LEVELS[BEST], 1, book=None)

    def forget(self) -> None:
        """Forget the previous game."""
        self._searcher.forget()

    def think(self, game: Game[Position], nodes: int) -> tuple[int, int]:
        """Return a move and its score for the mover, in hundredths of a man."""
        reports: list[Report] = []
        limits = Limits(nodes=nodes)
        move = self._searcher.search(game, limits, stop=lambda: False, report=reports.append)
        return move, hundredths(reports[-1].score) if reports else 0


def is_known(position: Position) -> bool:
    """Return whether the shipped tables know the position."""
    moving = position.own_hand == position.enemy_hand == 0
    return moving and count(position.own | position.enemy) <= _KNOWN


def play(player: BooklessPlayer, seed: int, nodes: int) -> list[tuple[int, ...]]:
    """Play a game and return its labelled positions."""
    chance = random.Random(f"selfplay {seed}")
    game = Game(make_rules(""))
    for _ in range(chance.randint(*_OPENING)):
        game.push(chance.choice(game.position.legal_moves()))
    player.forget()
    seen: list[tuple[int, tuple[int, ...]]] = []
    winner: int | None = None
    while game.outcome() is None and len(game.moves) < _LONG:
        position = game.position
        move, score = player.think(game, nodes)
        if abs(score) >= FORCED or is_known(position):
            winner = position.turn if score > 0 else 1 - position.turn if score < 0 else None
            break
        state = (position.own, position.enemy, position.own_hand, position.enemy_hand, score)
        seen.append((position.turn, state))
        if chance.random() < _ASTRAY:
            move = chance.choice(position.legal_moves())
        game.push(move)
    ended = game.outcome()
    if ended is not None:
        winner = ended.winner
    return [
        (*state, 0 if winner is None else 1 if turn == winner else -1, seed) for turn, state in seen
    ]


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--games", type=int, metavar="N", default=6000, show_default=True)
@click.option("--nodes", type=int, metavar="N", default=8000, show_default=True, help="Per move.")
@click.option(
    "--seed", type=int, metavar="N", default=1, show_default=True, help="Seed of the first game."
)
def main(file: Path, games: int, nodes: int, seed: int) -> None:
    """Append the labelled positions of quick games to FILE."""
    player = BooklessPlayer()
    with file.open("a") as labels:
        for number in range(seed, seed + games):
            for row in play(player, number, nodes):
                labels.write(" ".join(map(str, row)) + "\n")


if __name__ == "__main__":
    main()
