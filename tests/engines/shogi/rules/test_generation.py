"""Legal moves: listed, counted and divided into parts."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.rules import position as position_module
from engines.shogi.rules.board import Board
from engines.shogi.rules.notation import format_move, parse_move, promotes, target
from engines.shogi.rules.position import Position
from engines.shogi.rules.sfen import format_sfen, parse_sfen
from tests.engines.shogi.wandering import wander

COMPILED = not str(position_module.__file__).endswith(".py")

LEAVES = 25_000_000 if COMPILED else 200_000

VECTORS = json.loads(
    (Path(__file__).parents[3] / "data" / "shogi-perft.json").read_text(encoding="utf-8")
)


def legal_texts(position: Position) -> list[str]:
    return sorted(format_move(move) for move in position.legal_moves())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_perft_counts_what_is_known(vector: dict[str, Any]) -> None:
    position = parse_sfen(vector["sfen"], tolerate="inventory")
    for depth, count in enumerate(vector["perft"], start=1):
        if count <= LEAVES:
            assert position.perft(depth) == count


@given(st.integers(0, 2**32), st.integers(0, 160))
@settings(deadline=None, max_examples=100 if COMPILED else 15)
def test_counting_listing_and_playing_agree(seed: int, plies: int) -> None:
    position = wander(seed, plies)
    moves = position.legal_moves()
    assert len(set(moves)) == len(moves) == position.perft(1)
    before = format_sfen(position), position.key(), position.is_check()
    total = 0
    for move in moves:
        checks = position.gives_check(move)
        position.play(move)
        assert position.is_check() == checks
        assert not position.can_take_king()
        total += len(position.legal_moves())
        position.undo()
        assert (format_sfen(position), position.key(), position.is_check()) == before
    assert total == position.perft(2)


@given(st.integers(0, 2**32), st.integers(0, 200))
@settings(deadline=None, max_examples=100 if COMPILED else 15)
def test_the_parts_are_all_moves_but_useless_refusals(seed: int, plies: int) -> None:
    position = wander(seed, plies)
    every = set(position.legal_moves())
    tactical, quiet = position.parts(1), position.parts(2)
    if position.is_check():
        assert tactical == quiet
    else:
        assert not set(tactical) & set(quiet)
    assert len(set(tactical)) == len(tactical)
    for move in every - set(tactical) - set(quiet):
        assert not promotes(move)
        assert parse_move(format_move(move) + "+") in every
    if not position.is_check():
        for move in every:
            if position.man_at(target(move)) and move not in tactical:
                assert parse_move(format_move(move) + "+") in tactical
    assert set(tactical) | set(quiet) <= every


@pytest.mark.parametrize(
    ("sfen", "move", "legal"),
    [
        # Mate by a dropped pawn is forbidden; the same pawn on the board may mate.
        ("7sk/7gl/7G1/9/8L/9/9/9/4K4 b P 1", "P*1c", True),
        ("7nk/7gn/9/7N1/8L/9/9/9/4K4 b P 1", "P*1c", True),
        ("8k/7G1/8S/9/9/9/9/9/4K4 b P 1", "P*1b", False),
        ("8k/9/7GP/9/9/9/9/9/4K4 b - 1", "1c1b", True),
        ("7lk/7l1/8S/9/9/9/9/9/4K4 b P 1", "P*1b", False),
        ("7lk/6r2/8S/9/9/9/9/9/4K4 b P 1", "P*1b", True),
        ("7lk/7b1/8S/9/8L/9/9/9/4K4 b P 1", "P*1b", False),
        # The only taker is pinned, so the drop mates after all.
        ("6Rgk/6G2/8S/9/9/9/9/9/4K4 b P 1", "P*1b", False),
    ],
)
def test_a_pawn_drop_must_not_mate(sfen: str, move: str, legal: bool) -> None:
    position = parse_sfen(sfen, tolerate="rule")
    # The truth by brute force: make the drop on a board of one's own and look for replies.
    packed = parse_move(move)
    assert (packed in position.legal_moves()) == legal
    position.play(packed)
    mates = position.is_check() and not position.legal_moves()
    position.undo()
    if move.startswith("P*"):
        assert legal == (not mates)


def test_nifu_is_not_generated_and_promoted_pawns_do_not_count() -> None:
    texts = legal_texts(parse_sfen("4k4/9/9/9/4P4/3+P5/9/9/4K4 b P 1"))
    assert not any(text.startswith("P*5") for text in texts)
    assert "P*6d" in texts


@pytest.mark.parametrize(
    ("sfen", "start", "expected"),
    [
        ("4k4/1P7/9/9/9/9/9/9/4K4 b - 1", "8b", ["8b8a+"]),
        ("4k4/9/1P7/9/9/9/9/9/4K4 b - 1", "8c", ["8c8b", "8c8b+"]),
        ("4k4/9/9/1N7/9/9/9/9/4K4 b - 1", "8d", ["8d7b+", "8d9b+"]),
        ("4k4/9/9/9/1N7/9/9/9/4K4 b - 1", "8e", ["8e7c", "8e7c+", "8e9c", "8e9c+"]),
        ("4k4/1S7/9/9/9/9/9/9/4K4 b - 1", "8b", None),
        ("4k4/9/9/9/9/9/1l7/9/4K4 w - 1", "8g", ["8g8h", "8g8h+", "8g8i+"]),
    ],
)
def test_promotion_is_optional_until_it_is_forced(
    sfen: str, start: str, expected: list[str] | None
) -> None:
    moves = [text for text in legal_texts(parse_sfen(sfen)) if text.startswith(start)]
    if expected is None:
        targets = {text[2:4] for text in moves}
        assert all(start + to in moves and start + to + "+" in moves for to in targets)
    else:
        assert moves == expected


def test_a_double_check_is_answered_by_the_king_alone() -> None:
    position = parse_sfen("4k4/9/4S4/9/4L4/9/9/9/4K4 b G 1")
    position.play(parse_move("5c4b+"))
    assert {text[:2] for text in legal_texts(position)} <= {"5a"}


@given(st.integers(0, 2**32), st.integers(30, 160))
@settings(deadline=None, max_examples=150 if COMPILED else 10)
def test_mate_in_one_is_found_exactly_where_it_is(seed: int, plies: int) -> None:
    position = wander(seed, plies)
    mates = set()
    for move in position.legal_moves():
        position.play(move)
        if position.is_check() and not position.legal_moves():
            mates.add(move)
        position.undo()
    before = format_sfen(position), position.is_check()
    mate = position.find_mate_in_one()
    assert (format_sfen(position), position.is_check()) == before
    assert (mate in mates) if mates else mate == 0


def test_positions_without_kings_or_moves_do_no_harm() -> None:
    empty = parse_sfen("9/9/9/9/9/9/9/9/9 b - 1", tolerate="rule")
    assert empty.legal_moves() == []
    assert empty.outcome() is not None
    attacker = parse_sfen("4k4/9/9/9/9/9/9/9/9 b 2R 1")
    assert attacker.perft(2) > 0
    assert isinstance(attacker, Board)
    takeable = parse_sfen("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", tolerate="rule")
    assert "5b5a+" not in legal_texts(takeable)


def test_men_that_can_never_move_do_no_harm_in_a_problem() -> None:
    for side in "bw":
        text = f"PLN1k4/9/9/9/9/9/9/9/pln1K4 {side} - 1"
        position = parse_sfen(text, tolerate="rule")
        assert {move[:2] for move in legal_texts(position)} == ({"5i"} if side == "b" else {"5a"})
        assert position.perft(1) == len(position.legal_moves())


@given(st.integers(0, 2**32), st.integers(0, 200))
@settings(deadline=None, max_examples=150 if COMPILED else 10)
def test_checking_moves_are_exactly_the_moves_that_give_check(seed: int, plies: int) -> None:
    position = wander(seed, plies)
    checks = position.checking_moves()
    assert len(checks) == len(set(checks))
    assert set(checks) == {move for move in position.legal_moves() if position.gives_check(move)}


@given(st.integers(0, 2**32), st.integers(0, 200), st.integers(0, 2**15 - 1))
@settings(deadline=None, max_examples=100 if COMPILED else 3)
def test_a_move_from_elsewhere_is_allowed_exactly_where_it_is_legal(
    seed: int, plies: int, other: int
) -> None:
    position = wander(seed, plies)
    legal = set(position.legal_moves())
    generator = random.Random(other)
    tried = range(2**15) if COMPILED else [*legal, *generator.sample(range(2**15), 500)]
    assert {move for move in tried if position.allows(move)} == legal
    assert not position.allows(2**15 + other)


@pytest.mark.parametrize(
    "setup", ["4k4/9/9/9/9/9/9/9/9 b RG2SNLP 1", "r8/9/9/4k4/9/9/B8/9/K8 b GS 1"]
)
def test_checks_are_found_without_an_own_king_and_out_of_check(setup: str) -> None:
    for seed in range(20):
        position = wander(seed, seed, setup)
        expected = {move for move in position.legal_moves() if position.gives_check(move)}
        assert set(position.checking_moves()) == expected
