"""Measure what other weights gain: `python -m engines.morris.duel --help`.

The engine plays itself in one process, without a book, each side with a memory of its own and the
same nodes a move, every opening twice with colours swapped. Losses are told apart from draws.
"""

import argparse
import math
import random
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from engines.core.game import Game
from engines.morris import evaluation
from engines.morris.rules import make_rules
from engines.morris.selfplay import FORCED, Player, is_known
from engines.morris.weights import SHIPPED, load

_OPENING: Final = (2, 6)  # Random plies that pairs of games begin with.
_LONG: Final = 160  # Plies after which a game counts as drawn.


class Duel:
    """Plays pairs of games between two sets of weights; a pair depends on its number and seed."""

    def __init__(self, first: "array[int]", second: "array[int]", nodes: int, seed: int) -> None:
        self._weights = (first, second)
        self._players = (Player(), Player())
        self._nodes = nodes
        self._seed = seed

    def play(self, pair: int) -> tuple[int, int]:
        """Play a pair of games; return the first one's results: 1 for a win, -1 for a loss."""
        chance = random.Random(f"duel {self._seed} {pair}")
        game = Game(make_rules(""))
        for _ in range(chance.randint(*_OPENING)):
            game.push(chance.choice(game.position.legal_moves()))
        return self._game(game.moves, 0), -self._game(game.moves, 1)

    def _game(self, opening: Sequence[int], white: int) -> int:
        """Play a game with one side as White; return 1 if White wins, -1 if Black does."""
        game = Game(make_rules(""))
        for move in opening:
            game.push(move)
        for player in self._players:
            player.forget()
        while game.outcome() is None and len(game.moves) < _LONG:
            side = game.turn ^ white
            evaluation.fill(self._weights[side])
            known = is_known(game.position)
            move, score = self._players[side].think(game, self._nodes)
            if abs(score) >= FORCED:
                return (1 if score > 0 else -1) * (1 - 2 * game.turn)
            if known:
                return 0
            game.push(move)
        ended = game.outcome()
        return 0 if ended is None or ended.winner is None else 1 - 2 * ended.winner


def standing(results: Sequence[tuple[int, int]]) -> str:
    """Tell games won, drawn and lost, and Elo with the half width of its 95 %, by pairs."""
    each = [result for pair in results for result in pair]
    # Half a pair of each kind more keeps a sweep from looking certain.
    shares = [(2 + one + other) / 4 for one, other in results] + [0.0, 1.0]
    mean = sum(shares) / len(shares)
    variance = sum((share - mean) ** 2 for share in shares) / len(shares)
    elo = 400 * math.log10(mean / (1 - mean))
    error = 1.96 * math.sqrt(variance / len(shares)) * 400 / math.log(10) / (mean * (1 - mean))
    won, drawn, lost = (each.count(result) for result in (1, 0, -1))
    return f"{len(each)} games: won {won}, drawn {drawn}, lost {lost}; Elo {elo:+.0f} ± {error:.0f}"


def print_standings(play: Callable[[int], tuple[int, int]], pairs: int) -> None:
    """Play so many pairs of games; tell how they stand every ten pairs and at the end."""
    results: list[tuple[int, int]] = []
    for pair in range(pairs):
        results.append(play(pair))
        if pair % 10 == 9 or pair == pairs - 1:
            print(standing(results), flush=True)


def main(words: Sequence[str] | None = None) -> None:
    """Print how the shipped weights stand, or others, against weights of a file."""
    parser = argparse.ArgumentParser(prog="python -m engines.morris.duel", description=__doc__)
    parser.add_argument("opponent", type=Path)
    parser.add_argument("--weights", type=Path, default=SHIPPED, help="of the first side")
    parser.add_argument("--nodes", type=int, default=20_000, help="a move")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(words)
    duel = Duel(load(chosen.weights), load(chosen.opponent), chosen.nodes, chosen.seed)
    print_standings(duel.play, chosen.pairs)


if __name__ == "__main__":
    main()
