import pytest

from engines import registry
from engines.core.game import Game
from tools.play.effects import find_taken, is_check


@pytest.mark.parametrize(
    ("game", "setup", "moves", "taken"),
    [
        ("go", "", ("A2", "A1", "B1"), ("A1",)),
        ("go", "", ("A2", "pass"), ()),
        ("shogi", "", ("7g7f", "3c3d", "8h2b+"), ("2b",)),
        ("shogi", "", ("7g7f",), ()),
        ("shogi", "4k4/9/9/9/9/9/9/9/4K4 b P 1", ("P*5e",), ()),
        ("morris", "", ("a1", "d1", "a4", "g1", "a7xd1"), ("d1",)),
        ("neutron", "", ("b1-b4",), ()),
        ("senet", "1.2........................... 1 2", ("1-3",), ("1",)),
        ("senet", "1..2.......................... 1 2", ("1-3",), ()),
        ("senet", "1..2.......................... 1 -", ("2",), ()),
    ],
)
def test_what_a_move_took_is_named_by_its_place(
    game: str, setup: str, moves: tuple[str, ...], taken: tuple[str, ...]
) -> None:
    played = Game(registry.rules(game, "", 5 if game == "go" else 0), setup)
    for move in moves:
        played.play(move)
    assert find_taken(played, len(moves)) == taken


def test_check_is_seen_in_shogi_only() -> None:
    rules = registry.rules("shogi")
    assert is_check(Game(rules, "4k4/9/4R4/9/9/9/9/9/4K4 w - 2"))
    assert not is_check(Game(rules))
    assert not is_check(Game(registry.rules("neutron")))
