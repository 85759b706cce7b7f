from protocols.ask.engine import EngineSpec
from tools.roster.settings import merged, nearest, suggestion


def test_the_nearest_word_is_suggested() -> None:
    known = ("go", "morris", "neutron", "senet", "shogi")
    assert suggestion("nuetron", known) == "; did you mean neutron?"
    assert suggestion("Shogi", known) == "; did you mean shogi?"
    assert (nearest("chess", known), suggestion("chess", known)) == ("", "")


def test_tables_and_lists_are_joined_and_other_settings_replaced() -> None:
    spec = EngineSpec("a", ("x",), options=(("n", "1"),), commands=("c",), patience=5.0)
    given = {"options": (("m", "2"), ("n", "3")), "commands": ("d",), "patience": 6.0}
    assert merged(spec, given) == {
        "options": (("n", "3"), ("m", "2")),
        "commands": ("c", "d"),
        "patience": 6.0,
    }
