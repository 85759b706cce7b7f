import pytest

from engines.core.game import InvalidText
from engines.shogi.rules.geometry import GOLD, PAWN, square_at
from engines.shogi.rules.notation import (
    DECLARED_DRAW,
    DECLARED_WIN,
    dropped,
    format_man,
    format_move,
    format_square,
    is_declaration,
    make_drop,
    make_move,
    origin,
    parse_move,
    parse_square,
    promotes,
    target,
)


def test_every_square_is_read_as_it_is_written() -> None:
    texts = [format_square(square) for square in range(81)]
    assert texts[:2] == ["1a", "1b"]
    assert texts[-1] == "9i"
    assert [parse_square(text) for text in texts] == list(range(81))


def test_a_move_has_an_origin_a_target_and_perhaps_a_promotion() -> None:
    move = parse_move("8h2b+")
    assert (origin(move), target(move)) == (square_at(7, 7), square_at(1, 1))
    assert promotes(move)
    assert not dropped(move)
    assert format_move(move) == "8h2b+"
    assert make_move(origin(move), target(move), promotion=True) == move
    assert format_move(make_move(origin(move), target(move), promotion=False)) == "8h2b"


def test_a_drop_names_a_kind() -> None:
    move = parse_move("P*5e")
    assert dropped(move) == PAWN
    assert target(move) == square_at(4, 4)
    assert move == make_drop(PAWN, square_at(4, 4))
    assert format_move(make_drop(GOLD, 0)) == "G*1a"


@pytest.mark.parametrize(
    "text", ["", "7g", "7g7", "0a1a", "7g7j", "K*5e", "p*5e", "P*5e+", "7g7f "]
)
def test_other_text_is_not_a_move(text: str) -> None:
    with pytest.raises(InvalidText, match="not a move: "):
        parse_move(text)


def test_declarations_are_moves_with_a_text() -> None:
    assert is_declaration(DECLARED_WIN)
    assert is_declaration(DECLARED_DRAW)
    assert not is_declaration(parse_move("8h2b+"))
    assert format_move(DECLARED_WIN) == format_move(DECLARED_DRAW) == "win"


def test_men_are_written_as_in_sfen() -> None:
    men = (PAWN, PAWN + 8, PAWN + 16, PAWN + 24)
    assert [format_man(man) for man in men] == ["P", "+P", "p", "+p"]
