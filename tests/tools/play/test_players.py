import pytest

from engines.core.game import InvalidText
from tools.play.players import parse_player


def test_a_person_may_have_a_name() -> None:
    assert parse_player(["person"]).label == "person"
    assert parse_player(["person", "name=Ann Lee"]).label == "Ann Lee"
    assert parse_player(["person"]).is_person


def test_an_engine_is_named_by_its_words_or_its_name() -> None:
    player = parse_player(["neutron", "options.level=3"])
    assert player.label == "neutron options.level=3"
    assert player.engine.options == (("level", "3"),)
    assert parse_player(["neutron", "name=Ned"]).label == "Ned"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "expected a player"),
        (("person", "level=3"), "only setting of a person is name=NAME"),
        (("neutrom",), "no such engine"),
        (("neutron", "colour=white"), "no such setting"),
    ],
)
def test_mistakes_are_explained(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(InvalidText, match=message):
        parse_player(words)
