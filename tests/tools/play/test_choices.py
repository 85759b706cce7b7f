import pytest

from engines import registry
from engines.core.game import Game, InvalidText
from tools.play.choices import (
    GAMES,
    LEVELS,
    VARIANTS,
    all_levels,
    make_terms,
    nigiri,
    own_engine,
    throw_in,
)


def test_every_offered_variant_and_level_exists() -> None:
    assert sorted(GAMES) == sorted(registry.GAMES)
    for game in GAMES:
        for variant in VARIANTS[game]:
            registry.rules(game, variant.value)
        for level in LEVELS[game]:
            assert own_engine(game, level.value).engine.game == game
        assert {level.value for level in LEVELS[game]} <= set(all_levels(game))


def test_an_unknown_level_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidText, match=r"no such level of neutron: '11' \(known: random, stub"):
        own_engine("neutron", "11")


@pytest.mark.parametrize(
    ("variant", "komi", "handicap", "expected", "turn"),
    [
        ("", "", "", 7.5, 0),
        ("japanese", "", "", 6.5, 0),
        ("japanese", "5.5", "", 5.5, 0),
        ("", "", "2", 0.5, 1),
        ("", "3.5", "4", 3.5, 1),
    ],
)
def test_go_has_rules_komi_and_handicap(
    variant: str, komi: str, handicap: str, expected: float, turn: int
) -> None:
    terms = make_terms("go", variant=variant, size=9, komi=komi, handicap=handicap)
    game = Game(terms.rules(), terms.setup)
    assert game.position.komi == expected
    assert game.turn == turn
    assert len(game.position.setup_stones()) == int(handicap or 0)


def test_shogi_has_handicaps_by_name() -> None:
    terms = make_terms("shogi", handicap="lance")
    assert Game(terms.rules(), terms.setup).turn == 1


@pytest.mark.parametrize(
    ("game", "options", "message"),
    [
        ("neutron", {"handicap": "2"}, "a handicap is for Go and shogi"),
        ("shogi", {"komi": "6.5"}, "komi is for Go"),
        ("shogi", {"handicap": "queen"}, "no such handicap: 'queen'"),
        ("go", {"handicap": "many"}, "expected a number of stones"),
        ("go", {"handicap": "12"}, "invalid handicap"),
        ("morris", {"variant": "kraus"}, "no such variant"),
    ],
)
def test_what_a_game_does_not_have_is_refused(
    game: str, options: dict[str, str], message: str
) -> None:
    with pytest.raises(InvalidText, match=message):
        make_terms(game, **options)  # type: ignore[arg-type]


def test_a_right_guess_plays_first_and_lots_fall_both_ways() -> None:
    for odd in (False, True):
        lots = [nigiri(odd=odd) for _ in range(100)]
        assert all(lot.mine == ((lot.stones % 2 == 1) == odd) for lot in lots)
        assert all(1 <= lot.stones <= 20 for lot in lots)
        assert {lot.mine for lot in lots} == {False, True}
    assert {throw_in().mine for _ in range(100)} == {False, True}
