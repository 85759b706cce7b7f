"""The openings that come with us: there for each game that needs them, distinct and playable."""

import pytest

from engines import registry
from engines.core.game import InvalidText
from tools.terms.openings import builtin_openings, load_openings

LEAST = {"shogi": 500, "go": 120, "morris": 250, "neutron": 150}
COLLECTIONS = [
    ("go", "", 9),
    ("go", "japanese", 13),
    ("go", "", 19),
    ("shogi", "", 0),
    ("shogi", "try", 0),
    ("morris", "", 0),
    ("neutron", "", 0),
    ("neutron", "kraus", 0),
]


@pytest.mark.parametrize(("game", "variant", "size"), COLLECTIONS)
def test_all_can_be_played_and_none_is_reached_twice(game: str, variant: str, size: int) -> None:
    rules = registry.rules(game, variant, size)
    openings, notices = load_openings(builtin_openings(rules), rules)
    assert notices == []
    assert len(openings) >= LEAST[game]


@pytest.mark.parametrize(("game", "variant", "size"), COLLECTIONS)
def test_each_says_how_it_was_made_and_is_balanced(game: str, variant: str, size: int) -> None:
    text = builtin_openings(registry.rules(game, variant, size)).read_text()
    head = [line for line in text.splitlines() if line.startswith("# ")]
    within = next(float(line.split()[-1]) for line in head if line.startswith("# within: "))
    shares = [float(line.split("# ")[1].split(",")[0]) for line in text.splitlines()[len(head) :]]
    assert within <= 0.1
    assert all(abs(share - 0.5) <= within + 0.0005 for share in shares)


def test_a_game_or_a_board_without_openings_is_told() -> None:
    with pytest.raises(InvalidText, match="dice make every game different"):
        builtin_openings(registry.rules("senet"))
    with pytest.raises(InvalidText, match=r"none for 7x7 \(known: 9x9, 13x13, 19x19\)"):
        builtin_openings(registry.rules("go", "", 7))
