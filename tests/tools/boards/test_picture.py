from importlib.util import find_spec
from xml.etree import ElementTree

import pytest

from engines import registry
from tools.boards.picture import draw
from tools.boards.scene import Scene


def shapes(scene: Scene) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(draw(scene)).iter())


def marks(scene: Scene) -> list[tuple[str, str]]:
    return [
        (element.tag, str(element.get("class")).removeprefix("mark "))
        for element in shapes(scene)
        if "mark" in str(element.get("class"))
    ]


@pytest.mark.parametrize(
    ("game", "men"), [("go", 0), ("morris", 0), ("neutron", 11), ("senet", 10), ("shogi", 40)]
)
def test_every_games_start_is_drawn(game: str, men: int) -> None:
    setup = registry.rules(game).setup(registry.rules(game).start())
    for text in (setup, ""):
        elements = [
            element
            for element in shapes(Scene(game, setup=text))
            if str(element.get("class")).split(" ")[0] in ("black", "white", "neutron", "man")
        ]
        assert len(elements) == men


def test_a_failed_answer_is_drawn_as_wrong_even_if_its_move_is_right() -> None:
    scene = Scene("go", size="5", setup="5/5/5/5/5 b", accept=("C3",), answer="C3")
    assert '"mark right"' in draw(scene)
    assert '"mark right"' not in draw(scene, failed=True)
    assert '"mark wrong"' in draw(scene, failed=True)


DRAWN = [game for game in sorted(registry.GAMES) if find_spec(f"tools.boards.{game}")]


@pytest.mark.parametrize("game", DRAWN)
def test_every_legal_move_leads_somewhere(game: str) -> None:
    rules = registry.rules(game)
    setup = {"senet": "2121212121.................... 1 3 first"}.get(game, "")
    position = rules.start(setup)
    for move in position.legal_moves():
        text = rules.format(position, move)
        if text != "pass":
            assert marks(Scene(game, setup=setup, accept=(text,))), text


def test_right_wrong_and_other_moves_look_different() -> None:
    scene = Scene("go", size="9x13", accept=("A1", "B2"), forbid=("C3",), answer="B2")
    assert marks(scene) == [("circle", "yes"), ("circle", "no"), ("circle", "right")]
    assert marks(Scene("go", accept=("A1",), answer="T19"))[-1] == ("circle", "wrong")
    assert marks(Scene("go", forbid=("A1",), answer="A1")) == [("circle", "wrong")]
    assert marks(Scene("go", answer="pass")) == []


def test_moves_of_parts_have_a_mark_for_each() -> None:
    assert marks(Scene("neutron", accept=("c3-c1/b1-b4",))) == [("path", "yes"), ("path", "yes")]
    assert marks(Scene("morris", accept=("d6-d5xc3",))) == [("path", "yes"), ("circle", "yes")]
    assert marks(Scene("morris", accept=("d6",))) == [("circle", "yes")]
    assert marks(Scene("senet", accept=("24-off",))) == [("path", "yes")]
    assert marks(Scene("shogi", accept=("P*5e",), forbid=("8h2b+",))) == [
        ("circle", "yes"),
        ("path", "no"),
    ]


def test_hands_and_throws_are_told() -> None:
    shogi = draw(Scene("shogi", setup="4k4/9/9/9/9/9/9/9/4+R4 w GR2b 1"))
    assert "金 飛" in shogi
    assert "角2" in shogi
    assert "龍" in shogi
    assert "black has thrown 3" in draw(Scene("senet", setup="12............................ 1 3"))
    assert "white 4, black 5" in draw(
        Scene("morris", setup=".../.../.../....../.../.../... w 4 5 0")
    )


def test_a_game_without_a_drawing_shows_its_diagram(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.boards.picture.find_spec", lambda name: None)
    setup = "BBBB./...../..N.B/...../WWWWW w"
    elements = shapes(Scene("neutron", setup=setup, accept=("a1-a4",)))
    lines = [element.text for element in elements if element.get("class") == "diagram"]
    rules = registry.rules("neutron")
    assert lines == rules.diagram(rules.start(setup)).splitlines()
