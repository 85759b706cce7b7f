import random

import pytest

from engines.core.game import CHANCE, FIRST, SECOND, count_leaves
from engines.senet.rules import position as module
from engines.senet.rules.position import SenetPosition

COMPILED = not module.__file__.endswith(".py")


def make(
    own: tuple[int, ...] = (2, 4, 6, 8, 10),
    enemy: tuple[int, ...] = (1, 3, 5, 7, 9),
    *,
    side: int = FIRST,
    throw: int = 0,
    forced: bool = False,
    passing: bool = False,
    over: bool = False,
) -> SenetPosition:
    masks = [sum(1 << (square - 1) for square in men) for men in (own, enemy)]
    if side == SECOND:
        masks.reverse()
    return SenetPosition(masks[0], masks[1], side, throw, int(forced), int(passing), int(over))


@pytest.mark.parametrize(
    ("passing", "counts"),
    [
        (False, [5, 5, 25, 87, 435, 1402, 6968, 22436, 111195]),
        (True, [5, 5, 25, 87, 435, 1402, 6974, 22508, 111510]),
    ],
)
def test_perft_counts_throws_as_plies(passing: bool, counts: list[int]) -> None:
    depths = len(counts) if COMPILED else 7
    start = make(forced=True, passing=passing)
    assert [start.perft(depth) for depth in range(1, depths + 1)] == counts[:depths]
    assert [count_leaves(start, depth) for depth in range(1, 7)] == counts[:6]


def test_perft_leaves_the_position_as_it_was() -> None:
    start = make(forced=True)
    key = start.key()
    start.perft(5)
    assert start.key() == key


@pytest.mark.parametrize("side", [FIRST, SECOND])
@pytest.mark.parametrize(
    ("own", "enemy", "forced", "moves"),
    [
        ((2, 4, 6, 8, 10), (1, 3, 5, 7, 9), True, [1, 1, 1, 1, 1]),
        ((2, 4, 6, 8, 10), (1, 3, 5, 7, 9), False, [5, 1, 5, 2, 3]),
        ((10, 11), (12, 13, 15), False, [0, 0, 1, 2, 2]),
        ((18, 19), (20, 22), False, [1, 2, 2, 2, 2]),
        ((24, 25, 26), (1,), False, [1, 2, 3, 3, 1]),
        ((15, 16, 17, 26), (18, 19, 20, 21, 22), False, [1, 1, 1, 1, 1]),
        ((24, 26, 28, 29), (1, 2), False, [3, 1, 1, 1, 1]),
    ],
)
def test_each_throw_allows_so_many_moves(
    own: tuple[int, ...], enemy: tuple[int, ...], forced: bool, moves: list[int], side: int
) -> None:
    for throw, number in enumerate(moves, 1):
        position = make(own, enemy, side=side, forced=forced, throw=throw)
        assert len(position.legal_moves()) == number, throw


def test_the_forced_man_is_the_one_in_front() -> None:
    position = make(forced=True)
    position.play(5)
    assert position.legal_moves() == [10]
    position.play(10)
    assert position.men(FIRST) == [2, 4, 6, 8, 16]
    position.play(1)
    assert position.turn == FIRST
    assert position.legal_moves() == [2, 4, 6, 8, 16]


@pytest.mark.parametrize(
    ("throw", "turn_after"), [(1, FIRST), (2, SECOND), (3, SECOND), (4, FIRST), (5, FIRST)]
)
def test_two_and_three_pass_the_dice(throw: int, turn_after: int) -> None:
    position = make((10,), (1,))
    position.play(throw)
    assert position.turn == FIRST
    position.play(10)
    assert position.turn == CHANCE
    assert position.thrower == turn_after


@pytest.mark.parametrize(
    ("passing", "throw", "side_after"),
    [(False, 1, FIRST), (False, 2, FIRST), (True, 1, FIRST), (True, 2, SECOND)],
)
def test_a_throw_without_a_move_is_thrown_again_or_passes(
    passing: bool, throw: int, side_after: int
) -> None:
    position = make((10, 11), (12, 13, 15), passing=passing)
    position.play(throw)
    assert position.turn == CHANCE
    assert position.thrower == side_after
    position.undo()
    assert position.thrower == FIRST


def test_the_last_man_off_wins_immediately_even_within_a_turn() -> None:
    position = make((29,), (1,))
    position.play(1)
    position.play(29)
    outcome = position.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (FIRST, "all men off")
    assert position.legal_moves() == []
    position.undo()
    assert position.outcome() is None


def test_the_second_side_wins_too() -> None:
    position = make((24,), (1,), side=SECOND)
    for move in (5, 24):
        position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == SECOND


@pytest.mark.parametrize("passing", [False, True])
@pytest.mark.parametrize("over", [False, True])
def test_undo_restores_every_position_of_random_games(passing: bool, over: bool) -> None:
    generator = random.Random(5)
    for _ in range(20):
        position = make(forced=True, passing=passing, over=over)
        keys = []
        while position.outcome() is None:
            keys.append(position.key())
            twin = position.copy()
            move = generator.choice(position.legal_moves())
            position.play(move)
            assert twin.key() == keys[-1]
            assert len(position.men(FIRST)) <= 5
            assert not position.first & position.second
            assert not (position.first | position.second) & ~0x1BFFFFFF
        while keys:
            position.undo()
            assert position.key() == keys.pop()


def test_keys_stay_below_two_to_the_63() -> None:
    position = make((25, 26, 28, 29), (21, 22, 23, 24), side=SECOND, throw=5)
    assert 0 < position.key() < 2**63


def test_random_games_give_the_first_player_the_better_chance() -> None:
    games = 20_000 if COMPILED else 500
    wins = make(forced=True).play_out(games, 1)
    # 0.542 in six million games; the allowance is four standard deviations.
    assert abs(wins / games - 0.542) < 2 / games**0.5


def test_random_games_agree_with_the_slow_way_of_playing_them() -> None:
    generator = random.Random(3)
    games = 1000 if COMPILED else 300
    wins = 0
    for _ in range(games):
        position = make((20, 22), (21, 23), passing=True)
        while position.outcome() is None:
            position.play(generator.choice(position.legal_moves()))
        wins += position.second != 0
    fast = make((20, 22), (21, 23), passing=True).play_out(games, 9)
    assert abs(wins - fast) / games < 3 / games**0.5  # Four standard deviations of a difference.
