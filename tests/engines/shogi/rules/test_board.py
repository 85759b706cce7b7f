"""The board: room for moves, and exchanges."""

import pytest

from engines.shogi.rules.notation import parse_move
from engines.shogi.rules.sfen import START, format_sfen, parse_sfen


def test_a_long_game_is_not_copied_at_every_move() -> None:
    position = parse_sfen(START)
    rooms = set()
    for text in ["2h3h", "8b7b", "3h2h", "7b8b"] * 250:
        position.play(parse_move(text))
        rooms.add(position.capacity)
    assert len(rooms) <= 12
    assert max(rooms) < 4000


def test_a_long_game_needs_no_room_made_before() -> None:
    position = parse_sfen(START)
    shuffle = [parse_move(text) for text in ("2h3h", "8b7b", "3h2h", "7b8b")]
    for _ in range(500):
        for move in shuffle:
            position.play(move)
    assert position.plies() == 2000
    for _ in range(2000):
        position.undo()
    assert format_sfen(position) == START


@pytest.mark.parametrize(
    ("sfen", "move", "worth"),
    [
        ("4k4/9/9/4p4/9/4R4/9/9/4K4 b - 1", "5f5d", 200),
        ("4k4/4l4/9/4p4/9/4R4/9/9/4K4 b - 1", "5f5d", 200 - 2200),
        ("4k4/4l4/9/4p4/9/4R4/4R4/9/4K4 b - 1", "5f5d", 200 - 2200 + 700),
        ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5e", 0),
        ("4k4/9/9/4p4/9/9/9/9/4K4 b G 1", "G*5e", -1200),
        ("4k4/4p4/9/9/9/9/9/9/4RK3 b - 1", "5i5b", 200 - 2200),
        ("4k4/4p4/9/9/9/9/9/4R4/4LK3 b - 1", "5h5b+", 200 + 350),
    ],
)
def test_an_exchange_is_worth_what_it_wins(sfen: str, move: str, worth: int) -> None:
    position = parse_sfen(sfen)
    packed = parse_move(move)
    assert packed in position.legal_moves()
    assert position.wins_exchange(packed, worth)
    assert not position.wins_exchange(packed, worth + 1)
