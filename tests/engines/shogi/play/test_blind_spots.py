"""Positions in which engines err: many moves, repetitions, entering kings, mates within reach."""

import pytest

from engines.shogi.play import tree
from engines.shogi.play.search import Task, Thinker, Thought
from engines.shogi.rules.notation import format_move, parse_move
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import parse_sfen

COMPILED = not str(tree.__file__).endswith(".py")
NODES = 20_000 if COMPILED else 400


def reach(setup: str, moves: str) -> Position:
    position = parse_sfen(setup)
    for text in moves.split():
        move = parse_move(text)
        assert position.allows(move), text
        position.play(move)
    return position


def think(position: Position) -> Thought:
    return Thinker(4).think(Task(position, lambda: False, nodes=NODES))[0]


def test_the_position_with_the_most_moves_is_searched() -> None:
    position = parse_sfen("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", tolerate="rule")
    assert len(position.legal_moves()) == 593
    thought = think(position)
    assert position.allows(thought.line[0])
    assert thought.score > 500


@pytest.mark.parametrize("hands", ["2R2B4G4S4N4L18P", "18P", "4G4S", "2r2b4g4s4n4l18p", "9P9p"])
def test_positions_with_large_hands_are_searched(hands: str) -> None:
    thought = think(parse_sfen(f"4k4/9/9/9/9/9/9/9/4K4 b {hands} 1"))
    assert (thought.score > 0) == hands.isupper() or hands == "9P9p"


SHUTTLE = "8h7h 1a1b 7h8h 1b1a"


def test_the_side_that_is_ahead_leaves_a_repetition() -> None:
    position = reach("7gk/9/9/9/9/9/9/1R7/K8 b G 1", f"{SHUTTLE} {SHUTTLE} 8h7h 1a1b")
    thought = think(position)
    assert format_move(thought.line[0]) != "7h8h"
    assert thought.score > 300


def test_the_side_that_is_behind_seeks_a_repetition() -> None:
    position = reach("k8/1r7/9/9/9/9/9/9/7GK w g 1", "8b7b 1i1h 7b8b 1h1i 8b7b 1i1h 7b8b")
    thought = think(position)
    # To go back would be a draw for Black, who is a rook behind.
    assert format_move(thought.line[0]) == "1h1i"
    assert thought.score == 0


def test_checks_that_would_lose_as_perpetual_end_in_time() -> None:
    round_ = "2c1c 2h1h 1c2c 1h2h"
    position = reach("9/9/7k1/9/9/9/9/7R1/K8 w - 1", f"{round_} {round_} 2c1c 2h1h 1c2c")
    assert format_move(think(position).line[0]) != "1h2h"


@pytest.mark.compiled("this takes minutes")
def test_a_king_walks_into_the_far_ranks_to_declare() -> None:
    position = parse_sfen("9/+P+P+P+P+P4/+P+P+P+P+P4/9/4K4/9/9/9/k8 b 2R8P 1")
    thought = think(position)
    assert thought.mate is not None
    assert 0 < thought.mate <= 5


@pytest.mark.compiled("this takes minutes")
@pytest.mark.parametrize(
    "problem",
    [
        "9/5+PB1k/6n2/9/6ppG/8P/9/9/9 b LP2rb3g4s3n3l13p 1",
        "7nl/5R1sk/9/6p1p/7N1/9/9/9/9 b 2Sr2b4gs2n3l16p 1",
    ],
)
def test_a_mate_of_fifteen_plies_is_found_in_a_common_search(problem: str) -> None:
    task = Task(parse_sfen(problem, tolerate="rule"), lambda: False, nodes=200_000)
    mate = Thinker(16).think(task)[0].mate
    # A move that gives no check may mate sooner than the composed line of checks.
    assert mate is not None
    assert 0 < mate <= 15
