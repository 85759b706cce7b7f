"""Positions that random play reaches."""

import random

from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import START, parse_sfen


def wander(seed: int, plies: int, setup: str = START) -> Position:
    """Play random legal moves, so many or until there is none."""
    return wander_and_note(seed, plies, setup)[0]


def wander_and_note(seed: int, plies: int, setup: str = START) -> tuple[Position, list[int]]:
    """Play random legal moves; return the position reached and the moves."""
    generator = random.Random(seed)
    position = parse_sfen(setup, tolerate="rule")
    played: list[int] = []
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        played.append(generator.choice(moves))
        position.play(played[-1])
    return position, played
