"""Measure the levels: `python -m engines.neutron.measure match|ladder ...`.

    match LEVEL LEVEL PAIRS [VARIANT]   games in pairs, seats changed
    ladder PAIRS [VARIANT]              each level against the one below

Level 10 thinks for 300 000 nodes a turn. Each pair has a seed of its own; a game that has not ended
after 200 turns is a draw.
"""

import sys
from itertools import pairwise
from math import sqrt
from typing import Final

from engines.core.game import Game
from engines.core.search import Limits, Searcher
from engines.neutron.levels import NAMES, make_searcher
from engines.neutron.position import Position
from engines.neutron.rules import make_rules

_LONGEST: Final = 200  # Turns of both sides.
_LIMITS: Final = {"10": Limits(nodes=300_000)}
_FREE: Final = Limits(nodes=1_000_000_000)


def play_match(first: str, second: str, pairs: int, variant: str = "") -> tuple[float, float]:
    """Return the first player's share of the points and its standard error, over pairs of games.

    Raises InvalidText for an unknown level or variant.
    """
    points = []
    for seed in range(pairs):
        # New players for each game: a game hangs on the seed, not on what was played before.
        led, replied = _play(first, second, seed, variant), _play(second, first, seed, variant)
        points.append((led + 1 - replied) / 2)
    mean = sum(points) / pairs
    variance = sum((each - mean) ** 2 for each in points) / max(1, pairs - 1)
    return mean, sqrt(variance / pairs)


def _play(white: str, black: str, seed: int, variant: str) -> float:
    """Return White's points."""
    game = Game(make_rules(variant))
    players: list[tuple[Searcher[Position], Limits]] = [
        (make_searcher(level, 1000 * side + seed), _LIMITS.get(level, _FREE))
        for side, level in enumerate((white, black))
    ]
    while (outcome := game.outcome()) is None and len(game.moves) < _LONGEST:
        searcher, limits = players[game.turn]
        move = searcher.search(game, limits, stop=lambda: False, report=lambda report: None)
        game.push(move)
    if outcome is None or outcome.winner is None:
        return 0.5
    return 1.0 - outcome.winner


def _tell(first: str, second: str, pairs: int, variant: str) -> str:
    mean, error = play_match(first, second, pairs, variant)
    told = f"{first} - {second}: {100 * mean:.1f} +- {196 * error:.1f} %, {2 * pairs} games"
    return f"{told}, {variant or 'default rules'}"


def main(words: list[str]) -> None:
    """Measure what the command line says, results on stdout."""
    what, *rest = words or [""]
    if what == "match" and len(rest) in (3, 4):
        print(_tell(rest[0], rest[1], int(rest[2]), "".join(rest[3:])))
    elif what == "ladder" and len(rest) in (1, 2):
        for below, above in pairwise(NAMES[2:]):
            print(_tell(above, below, int(rest[0]), "".join(rest[1:])), flush=True)
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
