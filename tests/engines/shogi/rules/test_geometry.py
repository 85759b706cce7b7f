import pytest

from engines.shogi.rules import geometry
from engines.shogi.rules.geometry import GOLD, KNIGHT, PAWN, square_at
from engines.shogi.rules.notation import format_square, parse_square


def texts(squares: int) -> set[str]:
    return {format_square(square) for square in range(81) if squares >> square & 1}


def test_squares_off_the_board_have_no_number() -> None:
    assert square_at(0, 0) == 0
    assert square_at(8, 8) == 80
    assert {square_at(-1, 0), square_at(9, 0), square_at(0, -1), square_at(0, 9)} == {-1}


@pytest.mark.parametrize(
    ("man", "square", "reached"),
    [
        (PAWN, "7g", {"7f"}),
        (PAWN + 16, "7g", {"7h"}),
        (PAWN, "7a", set()),
        (KNIGHT, "8i", {"7g", "9g"}),
        (KNIGHT, "9i", {"8g"}),
        (KNIGHT + 16, "5c", {"4e", "6e"}),
        (GOLD, "5e", {"4d", "5d", "6d", "4e", "6e", "5f"}),
        (PAWN + 8 + 16, "5e", {"4f", "5f", "6f", "4e", "6e", "5d"}),
    ],
)
def test_single_steps_depend_on_kind_and_side(man: int, square: str, reached: set[str]) -> None:
    assert texts(geometry.step(man, parse_square(square))) == reached


def test_between_and_line_are_empty_off_common_lines() -> None:
    one, other, aside = map(parse_square, ("2b", "6f", "3g"))
    assert texts(geometry.between(one, other)) == {"3c", "4d", "5e"}
    assert geometry.between(one, other) == geometry.between(other, one)
    assert texts(geometry.line(one, other)) == {f"{n}{'abcdefghi'[n - 1]}" for n in range(1, 10)}
    assert geometry.between(one, aside) == geometry.line(one, aside) == 0


def test_a_man_is_dead_where_it_could_never_move_again() -> None:
    assert geometry.dead_squares(PAWN, 0) == geometry.ranks_set(0, 0)
    assert geometry.dead_squares(KNIGHT, 0) == geometry.ranks_set(0, 1)
    assert geometry.dead_squares(KNIGHT, 1) == geometry.ranks_set(7, 8)
    assert geometry.dead_squares(GOLD, 0) == 0


def test_the_keys_for_hashing_are_fixed_distinct_and_below_64_bits() -> None:
    keys = geometry.random_keys(1000)
    assert keys == geometry.random_keys(1000)
    assert len(set(keys)) == 1000
    assert all(0 <= key < 2**63 for key in keys)
