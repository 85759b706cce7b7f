import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.game import Game, Outcome, count_leaves
from engines.morris.rules import board
from engines.morris.rules.position import NO_MEN, NO_MOVE, QUIET, Position
from engines.morris.rules.text import REPETITION, VARIANTS, MorrisRules

# Leaves that the interpreted module counts within a second or so.
FEW = 10**9 if board.COMPILED else 200_000

# Own men, enemy men, men in hand, moves, moves with the removal apart, perft of two plies.
VECTORS = {
    "only the men outside the mill may go": (
        "d6 d7 e3 e4 e5", "b4 b6 c4 f2 f4 f6", (0, 0), 7, 5, 44,
    ),
    "two mills at once": ("b2 d1 d3 f2", "a4 c5 d7 e5 g4", (5, 4), 19, 15, 335),
    "all enemies in mills": ("a1 b4 c4 d1", "f2 f4 f6 g1 g4 g7", (5, 3), 19, 14, 311),
    "both fly": ("a1 c3 d1", "d7 e5 g7", (0, 0), 56, 54, 2962),
    "three against nine": ("a1 c3 d1", "b2 b4 b6 d2 d6 f2 f4 f6 g7", (0, 0), 36, 36, 307),
    "blocked": ("a1 a7 g1 g7", "a4 b2 d1 d7 f2 g4", (0, 0), 0, 0, 0),
    "men in hand: no flying": ("a1 c3 d1", "b2 d2 g7", (4, 3), 20, 18, 391),
}  # fmt: skip


def set_up(own: str, enemy: str, hands: tuple[int, int], variant: str = "") -> Position:
    rules = MorrisRules(variant)
    men = [sum(1 << rules.parse_point(name) for name in side.split()) for side in (own, enemy)]
    return Position(
        white=men[0], black=men[1], hands=hands, flying=rules.flying, doubles=rules.doubles
    )


@pytest.mark.parametrize(
    ("depth", "leaves"),
    list(enumerate((24, 552, 12_144, 255_024, 5_140_800, 99_274_176), start=1)),
)
def test_perft_from_the_start(depth: int, leaves: int) -> None:
    if leaves > FEW:
        pytest.skip("interpreted")
    assert Position().perft(depth) == leaves


@pytest.mark.parametrize(
    ("depth", "leaves"),
    list(enumerate((24, 552, 12_144, 255_024, 5_100_480, 96_223_680), start=1)),
)
def test_perft_with_removals_apart(depth: int, leaves: int) -> None:
    if leaves > FEW:
        pytest.skip("interpreted")
    assert Position().perft_apart(depth) == leaves


@pytest.mark.parametrize("name", VECTORS)
def test_vectors(name: str) -> None:
    own, enemy, hands, moves, steps, leaves = VECTORS[name]
    position = set_up(own, enemy, hands)
    assert len(position.legal_moves()) == moves
    assert (position.perft(1), position.perft_apart(1), position.perft(2)) == (moves, steps, leaves)


def test_double_removal_takes_any_two_of_five() -> None:
    own, enemy, hands, *_ = VECTORS["two mills at once"]
    position = set_up(own, enemy, hands, "double-removal")
    assert len(position.legal_moves()) == 14 + 10
    assert position.perft_apart(2) == 14 * 14 + 5
    # The ordered pairs, and the replies to the fourteen placements that close nothing.
    quiet = sum(
        leaves(position, move, 2) for move in position.legal_moves() if move >> 10 & 31 > 24
    )
    assert position.perft_apart(3) == quiet + 5 * 4


def leaves(position: Position, move: int, depth: int) -> int:
    position.play(move)
    counted = position.perft_apart(depth)
    position.undo()
    return counted


def test_the_second_of_two_removals_obeys_the_mills_that_the_first_left() -> None:
    # Black has the mill a1 d1 g1 and the man e5: it goes first, then any man of the mill.
    position = set_up("d3 e3 c4 c5", "a1 d1 g1 e5", (1, 0), "double-removal")
    rules = MorrisRules("double-removal")
    removals = {
        rules.format(position, move)[2:] for move in position.legal_moves() if move & 31 == 16
    }
    assert removals == {"xa1xe5", "xd1xe5", "xg1xe5"}


def test_no_flying_keeps_three_men_on_the_lines() -> None:
    position = set_up("a1 c3 d1", "d7 e5 g7", (0, 0), "no-flying")
    assert len(position.legal_moves()) == 5


def test_a_side_with_two_men_loses_immediately() -> None:
    position = set_up("a1 d1", "d7 e5 g7", (0, 0))
    assert position.outcome() == Outcome(1, NO_MEN)
    assert position.legal_moves() == []


def test_men_in_hand_keep_a_side_in_the_game() -> None:
    assert set_up("a1 d1", "d7 e5 g7", (1, 0)).outcome() is None


def test_a_blocked_side_loses() -> None:
    own, enemy, hands, *_ = VECTORS["blocked"]
    assert set_up(own, enemy, hands).outcome() == Outcome(1, NO_MOVE)


def test_a_hundred_quiet_plies_are_a_draw_unless_draws_are_off() -> None:
    setup = "W../W../W../....../..B/.../B.B w 0 0 98"
    for variant, ended in (("", Outcome(None, QUIET)), ("no-draws", None)):
        game = Game(MorrisRules(variant), setup)
        game.play("a1-d2")
        assert game.outcome() is None
        game.play("a7-d5")
        assert game.outcome() == ended
        assert bool(game.position.legal_moves()) == (ended is None)


def test_a_capture_and_a_placement_restart_the_count_of_quiet_plies() -> None:
    game = Game(MorrisRules(), "WW./.../W../....../..B/.../BB. w 0 0 98")
    game.play("c3-g1xe5")
    assert game.position.quiet_plies() == 0


def test_the_third_time_is_a_draw_and_a_capture_forgets_the_others() -> None:
    game = Game(MorrisRules(), "W../W../W../....../..B/..B/B.. w 0 0 0")
    for _ in range(2):
        for move in ("a1-d1", "a7-d7", "d1-a1", "d7-a7"):
            assert game.outcome() is None
            game.play(move)
    assert game.outcome() == Outcome(None, REPETITION)
    game.undo()
    assert game.outcome() is None
    assert Game(MorrisRules("no-draws")).outcome() is None


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(("", *VARIANTS, ",".join(VARIANTS))))
def test_random_games_keep_the_position_whole(seed: int, variant: str) -> None:
    chance = random.Random(seed)
    rules = MorrisRules(variant)
    position = rules.start()
    past: list[tuple[str, int]] = []
    while (moves := position.legal_moves()) and len(past) < 150:
        assert len(set(moves)) == len(moves) == position.perft(1)
        past.append((rules.setup(position), position.key()))
        move = chance.choice(moves)
        assert rules.parse(position, rules.format(position, move)) == move
        position.play(move)
    if len(past) < 150:
        assert position.outcome() is not None
    twin = position.copy()
    for setup, key in reversed(past):
        position.undo()
        assert (rules.setup(position), position.key()) == (setup, key)
        again = rules.start(setup)
        assert again.key() == key
        assert rules.setup(again) == setup
    assert twin.key() != position.key()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(("", "no-flying", "double-removal")))
def test_counting_agrees_with_playing(seed: int, variant: str) -> None:
    chance = random.Random(seed)
    position = MorrisRules(variant).start()
    for _ in range(chance.randrange(60)):
        moves = position.legal_moves()
        if not moves:
            break
        position.play(chance.choice(moves))
    assert position.perft(2) == count_leaves(position, 2)


def test_random_games_come_to_an_end_and_are_the_same_for_a_seed() -> None:
    plies = Position().random_games(20, 3)
    assert 20 * 10 < plies < 20 * 500
    assert Position().random_games(20, 3) == plies != Position().random_games(20, 4)
