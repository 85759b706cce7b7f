"""The mate search: against brute force, on problems, under deadlines."""

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.play.mate.search import Solver
from engines.shogi.rules import position as position_module
from engines.shogi.rules.notation import format_move, parse_move
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import parse_sfen, set_up

PROBLEMS = [
    line.split(maxsplit=1)
    for line in (Path(__file__).parents[4] / "data" / "shogi-mates.txt").read_text().splitlines()
    if not line.startswith("#")
]
COMPILED = not str(position_module.__file__).endswith(".py")


@cache
def solver() -> Solver:
    return Solver(4)


def solve(sfen: str) -> tuple[list[str], bool]:
    moves, refuted = solver().solve(parse_sfen(sfen, tolerate="rule"), lambda: False)
    return [format_move(move) for move in moves], refuted


def mates_within(position: Position, plies: int) -> bool:
    """Decide by brute force whether checks alone mate in at most so many plies."""
    if plies <= 0:
        return False
    for move in position.checking_moves():
        position.play(move)
        held = False
        for reply in position.legal_moves():
            position.play(reply)
            held = not mates_within(position, plies - 2)
            position.undo()
            if held:
                break
        position.undo()
        if not held:
            return True
    return False


def problem(seed: int) -> Position:
    """Make a position with few men, as composed problems have."""
    generator = random.Random(seed)
    while True:
        cells = [0] * 81
        king = generator.choice([0, 9, 18, 1, 10, 19, 27])
        cells[king] = 8 | 16
        near = [at for at in range(81) if at // 9 < 5 and at % 9 < 5 and at != king]
        for _ in range(generator.randint(1, 3)):
            cells[generator.choice(near)] = generator.choice([3, 4, 5, 6, 7, 9, 13, 14])
        for _ in range(generator.randint(0, 3)):
            at = generator.choice(near)
            cells[at] = cells[at] or 16 | generator.choice([1, 2, 3, 4, 7])
        cells[king] = 8 | 16
        hands = [[0] * 8, [0] * 8]
        for _ in range(generator.randint(0, 3)):
            hands[0][generator.choice([1, 3, 4, 7])] += 1
        hands[1][generator.choice([1, 7])] += 1
        try:
            return set_up(cells, hands, 0)
        except ValueError:
            continue


def replay(position: Position, moves: list[int], attacker: int) -> None:
    for move in moves:
        assert move in position.legal_moves()
        if position.turn == attacker:
            assert position.gives_check(move)
        position.play(move)
    assert position.turn != attacker
    assert position.is_check()
    assert position.legal_moves() == []


@given(st.integers(0, 2**32))
@settings(deadline=None, max_examples=60 if COMPILED else 3)
def test_mates_and_refutations_agree_with_brute_force_to_five_plies(seed: int) -> None:
    position = problem(seed)
    moves, refuted = solver().solve(position, lambda: False, 20_000)
    assert position.plies() == 0
    short = mates_within(position, 5 if len(position.legal_moves()) < 120 else 3)
    if refuted:
        assert not short
        assert moves == []
    if moves:
        replay(position.copy(), moves, position.turn)
    elif short:
        pytest.fail("a short mate was not found")


@pytest.mark.parametrize(
    ("sfen", "plies"),
    [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1),
        ("7nk/9/8S/9/9/9/9/9/9 b 2G 1", 1),
        ("5n1k1/5G3/9/6+R2/9/9/9/9/9 b 2NPg 1", 3),
        ("8k/5+P2l/9/7N1/6s2/9/9/9/9 b 2Gp 1", 5),
        ("9/8k/4+R4/9/7G1/9/9/9/9 b N2Pg 1", 7),
        # Needed golds, bishops and rooks were once mixed up, and proofs had holes.
        ("4+R3l/4s2k1/9/4+R4/9/9/9/9/9 b 3Sg 1", 5),
        ("4k4/9/4P4/9/9/9/9/9/9 w g 1", None),  # Black has no king: nobody to mate.
        ("8k/9/9/9/9/9/9/9/K8 b P 1", None),
        ("7lk/7l1/8S/9/9/9/9/9/9 b P 1", None),  # Only a pawn's drop would mate.
    ],
)
def test_problems_are_solved_or_refuted(sfen: str, plies: int | None) -> None:
    moves, refuted = solve(sfen)
    if plies is None:
        assert (moves, refuted) == ([], True)
    else:
        assert len(moves) >= plies
        assert not refuted
        position = parse_sfen(sfen)
        replay(position, [parse_move(text) for text in moves], position.turn)


@pytest.mark.parametrize(("plies", "sfen"), PROBLEMS)
def test_composed_problems_are_positions_of_published_length(plies: str, sfen: str) -> None:
    position = parse_sfen(sfen, tolerate="rule")
    assert int(plies) % 2 == 1
    assert position.checking_moves()
    assert not position.is_check()


@pytest.mark.slow
@pytest.mark.compiled("a thousand times as slow")
def test_composed_problems_are_solved_within_few_nodes_and_none_is_denied() -> None:
    solved = 0
    for plies, sfen in PROBLEMS:
        position = parse_sfen(sfen, tolerate="rule")
        moves, refuted = solver().solve(position, lambda: False, 5_000)
        assert not refuted, sfen
        if moves:
            # A shorter line would be a blunder of the defence.
            assert len(moves) >= int(plies)
            replay(position, moves, 0)
            solved += 1
    assert solved >= 55


@pytest.mark.compiled("a thousand times as slow")
def test_what_a_small_table_has_lost_is_proved_again() -> None:
    small = Solver(0)
    whole = 0
    for plies, sfen in PROBLEMS[:30]:
        position = parse_sfen(sfen, tolerate="rule")
        moves, refuted = small.solve(position, lambda: False, 30_000)
        assert not refuted, sfen
        if moves:
            assert len(moves) >= int(plies)
            replay(position, moves, 0)
            whole += 1
    assert whole == 30


def test_a_line_that_comes_back_denies_no_mate_elsewhere() -> None:
    # Disproofs that rested on a repetition once denied this mate of 15 plies.
    moves, refuted = solve("6l2/6p1k/7Rn/6S2/5b3/9/9/9/9 b S2Prb4g2s3n3l15p 1")
    assert not refuted
    assert moves


def test_a_perpetual_check_is_no_mate() -> None:
    assert solve("9/9/8k/9/9/9/9/6R2/K8 b - 1") == ([], True)


def test_an_impatient_caller_gets_neither() -> None:
    position = parse_sfen("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1")
    assert solver().solve(position, lambda: True) == ([], False)
    assert solver().solve(position, lambda: False, 1) == ([], False)


def test_white_may_mate_too() -> None:
    moves, _ = solve("9/9/9/9/9/9/4p4/9/4K4 w 2g 1")
    assert moves[0] == "G*5h"
