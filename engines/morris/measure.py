"""Let two levels play each other: `python -m engines.morris.measure --help`.

In one process, every opening of random plies twice with colours swapped; the same seed and nodes
give the same games.
"""

import argparse
import random
from collections.abc import Sequence
from typing import Final

from engines.core.game import Game, InvalidText
from engines.core.search import Limits
from engines.morris.duel import print_standings
from engines.morris.levels import make_searcher
from engines.morris.rules import make_rules

_LONG: Final = 400  # Plies after which a game counts as drawn; no draw rule may be in force.


class Match:
    """Pairs of games between two levels; a pair depends on its number and the seed."""

    def __init__(
        self, levels: tuple[str, str], *, variant: str, nodes: int, plies: int, seed: int
    ) -> None:
        self._levels = levels
        self._rules = make_rules(variant)
        self._limits = Limits(nodes=nodes)
        self._plies = plies
        self._seed = seed
        for level in levels:
            make_searcher(level)  # Raises InvalidText for one that is not known.

    def play(self, pair: int) -> tuple[int, int]:
        """Play a pair of games; return the first level's results: 1 for a win, -1 for a loss."""
        chance = random.Random(f"levels {self._seed} {pair}")
        opening = Game(self._rules)
        for _ in range(self._plies):
            opening.push(chance.choice(opening.position.legal_moves()))
        return self._game(opening.moves, pair, 0), -self._game(opening.moves, pair, 1)

    def _game(self, opening: Sequence[int], pair: int, white: int) -> int:
        """Play a game with one level as White; return 1 if White wins, -1 if Black does."""
        searchers = [
            make_searcher(level, 1000 * self._seed + 2 * pair + side)
            for side, level in enumerate(self._levels)
        ]
        game = Game(self._rules)
        for move in opening:
            game.push(move)
        while game.outcome() is None and len(game.moves) < _LONG:
            searcher = searchers[game.turn ^ white]
            move = searcher.search(game, self._limits, stop=lambda: False, report=lambda told: None)
            game.push(move)
        ended = game.outcome()
        return 0 if ended is None or ended.winner is None else 1 - 2 * ended.winner


def main(words: Sequence[str] | None = None) -> None:
    """Print how the first level stands against the second, every ten pairs and at the end."""
    parser = argparse.ArgumentParser(prog="python -m engines.morris.measure", description=__doc__)
    parser.add_argument("levels", nargs=2, metavar="LEVEL")
    parser.add_argument("--variant", default="", metavar="NAME")
    parser.add_argument("--pairs", type=int, default=50, metavar="N")
    parser.add_argument("--nodes", type=int, default=300_000, metavar="N", help="a move, at most")
    parser.add_argument("--plies", type=int, default=4, metavar="N", help="random, of an opening")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    chosen = parser.parse_args(words)
    try:
        match = Match(
            (chosen.levels[0], chosen.levels[1]),
            variant=chosen.variant,
            nodes=chosen.nodes,
            plies=chosen.plies,
            seed=chosen.seed,
        )
    except InvalidText as problem:
        parser.error(str(problem))
    print_standings(match.play, chosen.pairs)


if __name__ == "__main__":
    main()
