"""The hot position: perft, undo, keys, parts of the move list, mates, exchanges."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.rules import position as position_module
from engines.shogi.rules.sfen import START, format_sfen, parse_sfen
from tests.engines.shogi.wandering import wander

COMPILED = not str(position_module.__file__).endswith(".py")


@given(st.integers(0, 2**32), st.integers(0, 160))
@settings(deadline=None, max_examples=60 if COMPILED else 10)
def test_the_key_equals_that_of_the_same_position_set_up_again(seed: int, plies: int) -> None:
    position = wander(seed, plies)
    twin = parse_sfen(format_sfen(position))
    assert twin.key() == position.key()
    assert 0 <= position.key() < 2**63
    assert twin.legal_moves() == position.legal_moves()


def test_a_copy_keeps_its_own_history() -> None:
    position = wander(5, 40)
    twin = position.copy()
    key = position.key()
    for _ in range(40):
        position.undo()
    assert format_sfen(position) == START
    assert twin.key() == key
    for _ in range(40):
        twin.undo()
    assert format_sfen(twin) == START
    with pytest.raises(IndexError):
        twin.undo()


def test_hands_and_side_to_move_count_in_the_key() -> None:
    texts = ["4k4/9/9/9/9/9/9/9/4K4 b - 1", "4k4/9/9/9/9/9/9/9/4K4 w - 1"]
    texts += [f"4k4/9/9/9/9/9/9/9/4K4 b {hand} 1" for hand in ("P", "2P", "p", "L", "l")]
    assert len({parse_sfen(text).key() for text in texts}) == len(texts)
