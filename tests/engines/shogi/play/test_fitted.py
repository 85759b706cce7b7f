"""The evaluation: updated sums equal fresh ones, and both sides and mirror images count alike."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.play import fitted as module
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import START, format_sfen, parse_sfen
from tests.engines.shogi.wandering import wander, wander_and_note

COMPILED = not str(module.__file__).endswith(".py")
EXAMPLES = 60 if COMPILED else 5


def value(position: Position) -> int:
    return Worker(position, TranspositionTable(1)).static_value()


def turned(sfen: str) -> str:
    """Turn the board around and swap the sides."""
    board, turn, hands, number = sfen.split()
    return f"{board[::-1].swapcase()} {'bw'[turn == 'b']} {hands.swapcase()} {number}"


def mirrored(sfen: str) -> str:
    board, rest = sfen.split(" ", 1)
    return "/".join(row[::-1] for row in board.split("/")) + " " + rest


def unpromoted(sfen: str) -> bool:
    return "+" not in sfen  # Plain text cannot be reversed where a sign stands before a letter.


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(0, 120))
@settings(deadline=None, max_examples=EXAMPLES)
def test_both_sides_and_the_mirror_image_are_worth_the_same(seed: int, plies: int) -> None:
    sfen = format_sfen(wander(seed, plies))
    if not unpromoted(sfen):
        sfen = format_sfen(wander(seed, 6))
    if not unpromoted(sfen):
        return
    assert value(parse_sfen(sfen)) == value(parse_sfen(turned(sfen)))
    assert value(parse_sfen(sfen)) == value(parse_sfen(mirrored(sfen)))


@pytest.mark.slow
@given(st.integers(0, 2**32), st.integers(1, 120))
@settings(deadline=None, max_examples=EXAMPLES)
def test_sums_that_follow_the_moves_equal_fresh_sums(seed: int, plies: int) -> None:
    position, moves = wander_and_note(seed, plies)
    worker = Worker(parse_sfen(START), TranspositionTable(1))
    for move in moves:
        worker.follow(move)
    assert worker.static_value() == value(position)
    for _ in moves:
        worker.take_back()
    assert worker.static_value() == value(parse_sfen(START))


def test_a_problem_without_a_king_has_a_value() -> None:
    assert value(parse_sfen("4k4/9/9/9/9/9/9/9/9 b 2G 1", tolerate="rule")) > 0


def test_attacks_about_a_king_count_whoever_stands_there() -> None:
    # The same men; a gold guards the silver before the king, or it does not.
    guarded = value(parse_sfen("4k4/4p4/9/9/9/4s4/9/3GS4/4K4 b - 1"))
    bare = value(parse_sfen("4k4/4p4/9/9/9/4s4/9/G3S4/4K4 b - 1"))
    assert guarded != bare


def test_a_file_has_a_place_for_every_square() -> None:
    """Each corner, edge and middle square changes what a man there attacks, and so the value."""
    empty = value(parse_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1"))
    for square in range(81):
        file, rank = divmod(square, 9)
        if file == 4 and rank in (0, 8):
            continue
        rows = [["1"] * 9 for _ in range(9)]
        rows[0][4], rows[8][4], rows[rank][8 - file] = "k", "K", "R"
        sfen = "/".join("".join(row) for row in rows) + " b - 1"
        assert value(parse_sfen(sfen, tolerate="rule")) > empty
