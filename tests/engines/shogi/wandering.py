"""Positions that random play reaches."""

import random

from engines.shogi.position import Position
from engines.shogi.sfen import START, parse_sfen


def wander(seed: int, plies: int, setup: str = START) -> Position:
    """Play random legal moves, so many or until there is none."""
    generator = random.Random(seed)
    position = parse_sfen(setup, tolerate="rule")
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        position.play(generator.choice(moves))
    return position
