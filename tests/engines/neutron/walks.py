"""Positions that play can reach, by any choices."""

from hypothesis import settings
from hypothesis import strategies as st

from engines.core.game import Game
from engines.neutron.rules import board
from engines.neutron.rules.position import Position
from engines.neutron.rules.text import make_rules

COMPILED = not str(board.__file__).endswith(".py")

# A busy machine is no reason to fail.
unhurried = settings(deadline=None, max_examples=100 if COMPILED else 30)
choices = st.lists(st.integers(0, 400), max_size=14)
variants = st.sampled_from(["", "kraus"])


def walk(variant: str, numbers: list[int]) -> Game[Position]:
    """Play a turn per number, as long as the game goes on."""
    game = Game(make_rules(variant))
    for number in numbers:
        if game.outcome() is not None:
            break
        moves = game.position.legal_moves()
        game.push(moves[number % len(moves)])
    return game
