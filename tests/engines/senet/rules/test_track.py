import pytest

from engines.senet.rules.track import (
    STANDING,
    count,
    foremost,
    movable,
    moved,
    rearmost,
    square_of,
    steps_of,
    throws_again,
)


def mask(*squares: int) -> int:
    return sum(1 << (square - 1) for square in squares)


def test_a_five_moves_six_squares() -> None:
    assert [steps_of(throw) for throw in (1, 2, 3, 4, 5)] == [1, 2, 3, 4, 6]


def test_two_and_three_end_the_turn() -> None:
    assert [throws_again(throw) for throw in (1, 2, 3, 4, 5)] == [1, 0, 0, 1, 1]


def test_no_man_stands_in_the_trap_or_beyond_the_end() -> None:
    assert mask(*range(1, 27), 28, 29) == STANDING


def test_landing_on_a_single_enemy_changes_places() -> None:
    own, enemy = mask(3, 5), mask(7, 20)
    assert movable(own, enemy, 4, 0) == mask(3, 5)
    after = moved(own, enemy, mask(3), 4)
    assert after & 0xFFFFFFFF == mask(5, 7)
    assert after >> 32 == mask(3, 20)


@pytest.mark.parametrize("pair", [(10, 11), (11, 12), (20, 21), (21, 22)])
def test_neighbours_protect_each_other_round_the_bends(pair: tuple[int, int]) -> None:
    for square in pair:
        assert movable(mask(square - 4), mask(*pair), 4, 0) == 0


def test_the_squares_beside_the_trap_are_not_neighbours() -> None:
    assert movable(mask(24), mask(26, 28), 2, 0) == mask(24)
    assert movable(mask(24), mask(26, 28), 4, 0) == mask(24)


@pytest.mark.parametrize(
    ("own", "enemy", "house"),
    [
        ((26,), (1,), 15),
        ((26, 15), (16,), 17),
        ((26, 15, 16, 17), (18, 19, 20, 21, 22), 23),
        ((26, 16), (15, 17), 18),
    ],
)
def test_the_trap_sends_back_to_the_next_free_square(
    own: tuple[int, ...], enemy: tuple[int, ...], house: int
) -> None:
    after = moved(mask(*own), mask(*enemy), mask(26), 1)
    assert after & 0xFFFFFFFF == mask(*own[1:], house)
    assert after >> 32 == mask(*enemy)


def test_the_trapped_mans_own_square_counts_as_taken() -> None:
    # From 21 with 15 to 20 taken the next free square is 22, not 21.
    after = moved(mask(15, 16, 17, 21), mask(18, 19, 20), mask(21), 6)
    assert after & 0xFFFFFFFF == mask(15, 16, 17, 22)


def test_men_leave_by_the_exact_throw_unless_over_is_played() -> None:
    own = mask(24, 26, 28, 29)
    assert movable(own, mask(1), 6, 0) == mask(24)
    assert movable(own, mask(1), 6, 1) == mask(24, 26, 28, 29)
    assert moved(own, mask(1), mask(29), 6) == mask(24, 26, 28) | mask(1) << 32
    assert moved(own, mask(1), mask(24), 6) == mask(26, 28, 29) | mask(1) << 32


def test_men_are_counted_and_found_by_rank() -> None:
    men = mask(3, 9, 14, 29)
    assert count(men) == 4
    assert [square_of(rearmost(men, rank)) for rank in range(4)] == [3, 9, 14, 29]
    assert foremost(men) == mask(29)
    assert foremost(mask(4)) == mask(4)
