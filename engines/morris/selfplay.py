"""Collect labelled positions from quick games: `python -m engines.morris.selfplay --help`.

Each line has the men of the mover and of the opponent, their men in hand, what a search thinks of
the position in hundredths of a man, the game's result for the mover (1, 0, -1), and the game.
"""

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engines.core.game import Game
from engines.core.search import Limits, Report
from engines.morris.author import hundredths
from engines.morris.board import count
from engines.morris.levels import BEST, LEVELS, MorrisSearcher
from engines.morris.position import Position
from engines.morris.rules import make_rules

_OPENING: Final = (1, 8)  # Random plies that games begin with,
_ASTRAY: Final = 0.08  # and how often a later move is random.
_LONG: Final = 90  # Plies after which a game counts as drawn.
FORCED: Final = 10_000
"""Scores in hundredths beyond which a game is decided."""

_KNOWN: Final = 10  # Men with which the tables know the result.


class Player:
    """The engine without its book, one game after another."""

    def __init__(self) -> None:
        self._searcher = MorrisSearcher(LEVELS[BEST], 1, book=None)

    def forget(self) -> None:
        """Begin a game."""
        self._searcher.forget()

    def think(self, game: Game[Position], nodes: int) -> tuple[int, int]:
        """Return a move and what it is worth to the mover."""
        told: list[Report] = []
        limits = Limits(nodes=nodes)
        move = self._searcher.search(game, limits, stop=lambda: False, report=told.append)
        return move, hundredths(told[-1].score) if told else 0


def is_known(position: Position) -> bool:
    """Whether the tables that ship know the position."""
    moving = position.own_hand == position.enemy_hand == 0
    return moving and count(position.own | position.enemy) <= _KNOWN


def play(player: Player, seed: int, nodes: int) -> list[tuple[int, ...]]:
    """Play a game; return its labelled positions."""
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


def main(words: Sequence[str] | None = None) -> None:
    """Append the positions of games to a file, which says how many there were."""
    parser = argparse.ArgumentParser(prog="python -m engines.morris.selfplay", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=6000)
    parser.add_argument("--nodes", type=int, default=8000, help="a move")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    chosen = parser.parse_args(words)
    player = Player()
    with chosen.file.open("a") as file:
        for seed in range(chosen.seed, chosen.seed + chosen.games):
            for row in play(player, seed, chosen.nodes):
                file.write(" ".join(map(str, row)) + "\n")


if __name__ == "__main__":
    main()
