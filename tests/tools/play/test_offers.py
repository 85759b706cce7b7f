from pathlib import Path

import pytest

from engines import registry
from engines.core.game import InvalidText
from tools.play.offers import (
    MOST_STONES,
    draw_lot,
    make_terms,
    named_engine,
    named_engines,
    nigiri,
    offer_of,
    offers,
    own_engine,
    player_of,
)


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_everything_that_is_offered_can_be_played(game: str) -> None:
    offer = offer_of(game)
    for size in offer.sizes or (0,):
        for handicap in ("", *offer.handicaps.get(str(size or ""), ())):
            terms = make_terms(game, size=size, handicap=handicap)
            assert terms.rules().start(terms.setup).legal_moves() or game == "senet"
    for variant, explanation in offer.variants:
        assert explanation
        assert make_terms(game, variant=variant).variant in (variant, "")
    for level in offer.levels:
        player = own_engine(game, level.name)
        assert player.engine.game == game
        assert player.label == f"{offer.title} {level.name}"
    assert offer.default_level in [level.name for level in offer.levels]
    assert ".sgf" in offer.formats


def test_all_games_are_offered() -> None:
    assert [offer.game for offer in offers()] == list(registry.GAMES)


def test_variants_of_morris_and_senet_can_be_combined() -> None:
    for offer in offers():
        if offer.combined:
            names = ",".join(name for name, _ in offer.variants)
            assert make_terms(offer.game, variant=names).variant.split(",")


def test_komi_and_handicap_are_part_of_the_set_up() -> None:
    assert make_terms("go", size=9).setup == ""
    assert make_terms("go", size=9, komi="5.5").setup == "komi=5.5"
    assert make_terms("go", size=9, komi="5,5").setup == "komi=5.5"
    terms = make_terms("go", size=9, handicap="3")
    position = terms.rules().start(terms.setup)
    assert (position.komi, position.handicap, position.turn) == (0.5, 3, 1)
    assert make_terms("shogi", handicap="rook").setup == "rook"


def test_an_unknown_handicap_of_shogi_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvalidText, match=r"no such handicap: queen \(known: .*\brook\b"):
        make_terms("shogi", handicap="queen")
    position = "4k4/9/9/9/9/9/9/9/4K4 b G 1"
    assert make_terms("shogi", handicap=position).setup == position


def test_clocks_and_the_time_for_thinking_are_read() -> None:
    terms = make_terms("morris", time="300+5", thinking="nodes=10")
    assert [str(control) for control in terms.controls] == ["300+5", "300+5"]
    assert str(terms.thinking) == "nodes=10"
    assert not str(make_terms("morris").controls[0])


@pytest.mark.parametrize(
    ("game", "given", "complaint"),
    [
        ("chess", {}, "no such game"),
        ("go", {"variant": "x"}, "no such rule set"),
        ("go", {"size": 26}, "26"),
        ("go", {"size": 9, "handicap": "10"}, "invalid handicap"),
        ("go", {"handicap": "x"}, "no such handicap: x"),
        ("go", {"komi": "x"}, "komi"),
        ("shogi", {"handicap": "eleven"}, "eleven"),
        ("neutron", {"size": 9}, "no such size"),
        ("morris", {"komi": "1"}, "only Go"),
        ("senet", {"time": "soon"}, "time control"),
    ],
)
def test_what_cannot_be_chosen_is_refused(
    game: str, given: dict[str, object], complaint: str
) -> None:
    with pytest.raises(InvalidText, match=complaint):
        make_terms(game, **given)  # type: ignore[arg-type]


def test_engines_of_the_personal_list_are_named_by_it_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))
    assert named_engines("go") == []
    (tmp_path / "engines.toml").write_text(
        '[engine.one]\ncommand = ["true"]\nprotocol = "gtp"\n'
        '[engine.two]\ncommand = ["true"]\ngame = "neutron"\n'
        '[engine.three]\ncommand = ["true"]\n'
    )
    assert named_engines("go") == ["one", "three"]
    assert named_engines("neutron") == ["two", "three"]
    assert named_engine("go", "one").label == "one"
    for name in ("two", "true", "quintet-go", "sh -c true"):
        with pytest.raises(InvalidText, match=r"engines\.toml"):
            named_engine("go", name)
    with pytest.raises(InvalidText, match="no such level: 99"):
        own_engine("go", "99")


@pytest.mark.parametrize("words", [("3",), ("level", "3"), ("level=3",), ("Level", "3")])
def test_a_level_may_be_called_so(words: tuple[str, ...]) -> None:
    assert player_of("neutron", words) == own_engine("neutron", "3")
    with pytest.raises(InvalidText, match="no such level: 99"):
        player_of("neutron", ("level", "99"))


def test_options_of_a_program_need_no_quotes() -> None:
    words = ("quintet-neutron", "--option", "level=2", "name=Zed", "patience=9")
    player = player_of("neutron", words)
    assert player.words == ("quintet-neutron --option level=2", "name=Zed", "patience=9")
    assert player.engine.command[-2:] == ("--option", "level=2")


def test_nigiri_gives_black_to_a_right_guess() -> None:
    seen = set()
    for _ in range(200):
        for guess in ("odd", "even"):
            lot = nigiri(guess)
            assert 1 <= lot.stones <= MOST_STONES
            assert lot.first == ((lot.stones % 2 == 1) == (guess == "odd"))
            seen.add(lot.first)
    assert seen == {True, False}
    with pytest.raises(InvalidText, match="odd or even"):
        nigiri("seven")


def test_a_lot_gives_either_side() -> None:
    assert {draw_lot().first for _ in range(200)} == {True, False}
