import re
from importlib.util import find_spec
from xml.etree import ElementTree

import pytest

from engines import registry
from engines.core.game import Game
from tools.boards.gradients import definitions
from tools.boards.picture import clicks, picture
from tools.boards.scene import Scene
from tools.boards.words import ENGLISH

SVG = "{http://www.w3.org/2000/svg}"
SIDES = ("piece black", "piece white", "piece neutron")


def shapes(scene: Scene) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(picture(scene).svg()).iter())


def kinds(scene: Scene, *first: str) -> list[tuple[str, str]]:
    """Return the tags and classes of the shapes whose class begins with one of some words."""
    return [
        (element.tag, str(element.get("class")))
        for element in shapes(scene)
        if str(element.get("class")).split()[0] in first
    ]


def marks(scene: Scene) -> list[tuple[str, str]]:
    return [(tag, kind.removeprefix("mark ")) for tag, kind in kinds(scene, "mark")]


DRAWN = [game for game in sorted(registry.GAMES) if find_spec(f"tools.boards.{game}")]


def test_every_game_has_a_drawing_of_its_own() -> None:
    assert sorted(registry.GAMES) == DRAWN


@pytest.mark.parametrize(
    ("game", "pieces"), [("go", 0), ("morris", 18), ("neutron", 11), ("senet", 10), ("shogi", 40)]
)
def test_every_games_start_is_drawn(game: str, pieces: int) -> None:
    setup = registry.rules(game).setup(registry.rules(game).start())
    for text in (setup, ""):
        elements = [element.get("class") for element in shapes(Scene(game, setup=text))]
        assert len([kind for kind in elements if kind in SIDES]) == pieces


@pytest.mark.parametrize("game", DRAWN)
@pytest.mark.parametrize("flipped", [False, True])
def test_every_piece_stands_on_a_place_of_the_board(game: str, flipped: bool) -> None:
    drawn = picture(Scene(game, flipped=flipped))
    named = re.findall(r'data-place="([^"]+)"', drawn.svg())
    assert set(named) <= set(drawn.places)
    for x, y in drawn.places.values():
        assert 0 < x < drawn.width
        assert 0 < y < drawn.height


def test_a_turned_board_has_the_same_places_elsewhere() -> None:
    for game, low, high in (("shogi", "5i", "5a"), ("neutron", "c1", "c5")):
        usual, turned = (picture(Scene(game, flipped=flipped)).places for flipped in (False, True))
        assert usual[low] == turned[high]
        assert usual[low][1] > usual[high][1]


def test_a_failed_answer_is_drawn_as_wrong_even_if_its_move_is_right() -> None:
    scene = Scene("go", size="5", setup="5/5/5/5/5 b", accept=("C3",), answer="C3")
    assert '"mark right"' in picture(scene).svg()
    assert '"mark right"' not in picture(scene, failed=True).svg()
    assert '"mark wrong"' in picture(scene, failed=True).svg()


@pytest.mark.parametrize("game", DRAWN)
def test_every_legal_move_leads_somewhere(game: str) -> None:
    rules = registry.rules(game)
    setup = {"senet": "2121212121.................... 1 3 first"}.get(game, "")
    position = rules.start(setup)
    for move in position.legal_moves():
        text = rules.format(position, move)
        if text != "pass":
            assert marks(Scene(game, setup=setup, accept=(text,))), text


@pytest.mark.parametrize("game", DRAWN)
def test_every_legal_move_has_clicks_of_its_own(game: str) -> None:
    """The clicks of a move name places of the picture, or the choice to promote."""
    rules = registry.rules(game)
    setup = {
        "senet": "2.............12............1. 1 1",
        "shogi": "4k4/9/P1R6/9/9/9/9/9/4K4 b BPb 1",
        "morris": "WW./.../.../....B./.W./.B./..B w 6 6 0",
    }.get(game, "")
    position = rules.start(setup)
    texts = [rules.format(position, move) for move in position.legal_moves()]
    ways = [clicks(game, text) for text in texts if text != "pass"]
    assert ways
    assert len(set(ways)) == len(ways)
    places = picture(Scene(game, setup=setup)).places
    for way in ways:
        assert way
        assert set(way) - {"+"} <= set(places)
    assert clicks(game, "pass") == ()


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


def test_the_last_move_is_marked_with_what_it_took() -> None:
    assert kinds(Scene("go", last="D4"), "last") == [("circle", "last ring")]
    assert kinds(Scene("go", last="pass"), "last") == []
    squares = [("rect", "last from"), ("rect", "last to")]
    assert kinds(Scene("shogi", last="7g7f"), "last") == squares
    assert kinds(Scene("shogi", last="P*5e"), "last") == squares[1:]
    assert kinds(Scene("senet", last="10-13"), "last") == squares
    assert kinds(Scene("neutron", last="c3-c2/a5-a2"), "last") == squares * 2
    taking = Scene("morris", last="d6-d5xc3")
    assert kinds(taking, "last") == [("circle", "last from"), ("circle", "last ring")]
    assert kinds(taking, "took") == [("path", "took")]


def test_a_line_of_play_is_numbered_by_the_sides_in_turn() -> None:
    scene = Scene("go", setup="5/5/5/5/5 w", line=("C3", "pass", "D4"))
    assert kinds(scene, "ghost") == [
        ("circle", "ghost white"),
        ("text", "ghost white"),
        ("circle", "ghost white"),
        ("text", "ghost white"),
    ]
    words = [shape.text for shape in shapes(scene) if shape.get("class") == "ghost white"]
    assert words == [None, "1", None, "3"]
    arrows = kinds(Scene("shogi", line=("7g7f", "3c3d")), "mark", "ghost")
    assert arrows[0] == ("path", "mark plan black")
    assert arrows[3] == ("path", "mark plan white")


def test_signs_labels_and_dead_stones_are_drawn_and_unknown_places_are_not() -> None:
    scene = Scene(
        "go",
        size="5",
        marks=(("C3", "triangle"), ("D4", "<b>"), ("Z9", "cross")),
        dead=("A1", "nowhere"),
    )
    assert kinds(scene, "sign") == [("path", "sign"), ("text", "sign")]
    assert "&lt;b&gt;" in picture(scene).svg()
    assert kinds(scene, "dead") == [("path", "dead")]


def test_territory_is_marked_where_no_living_stone_stands() -> None:
    scene = Scene("go", setup="XO/1O b", dead=("A2",), territory="OO.O")
    drawn = picture(scene)
    marked = [shape for shape in drawn.pieces if shape.kind.startswith("territory")]
    assert [shape.kind for shape in marked] == ["territory white"]
    assert dict(marked[0].attributes)["x"] == f"{drawn.places['A2'][0] - 6:g}"


def test_a_check_is_marked_on_the_king_of_the_side_to_move() -> None:
    for setup, place in (
        ("4k4/9/9/9/4R4/9/9/9/4K4 w - 1", "5a"),
        ("4k4/9/9/9/4r4/9/9/9/4K4 b - 1", "5i"),
    ):
        drawn = picture(Scene("shogi", setup=setup, check=True))
        (alert,) = [shape for shape in drawn.pieces if shape.kind == "alert"]
        x, y = drawn.places[place]
        assert dict(alert.attributes)["x"] == f"{x - 19:g}"
        assert dict(alert.attributes)["y"] == f"{y - 19:g}"


def test_hands_and_throws_are_told() -> None:
    scene = Scene("shogi", setup="4k4/9/9/9/9/9/9/9/4+R4 w GR2b 1")
    drawn = picture(scene)
    held = re.findall(r'class="held (\w+)" data-place="([A-Z]\*)"', drawn.svg())
    assert held == [("black", "R*"), ("black", "G*"), ("white", "B*")]
    assert "B*" in drawn.places  # White is to move.
    assert "R*" not in drawn.places
    assert "龍" in drawn.svg()
    assert ">2</text>" in drawn.svg()
    letters = picture(Scene("shogi", setup=scene.setup, letters=True)).svg()
    assert ">+R</text>" in letters
    assert "龍" not in letters
    senet = picture(Scene("senet", setup="12............................ 1 3")).svg()
    assert "Black has thrown 3" in senet
    assert senet.count('"pip"') == 3
    assert senet.count("4 off") == 2
    morris = picture(Scene("morris", setup=".../.../.../....../.../.../... w 4 5 0")).svg()
    assert "White 4 in hand" in morris
    assert "Black 5 in hand" in morris


@pytest.mark.parametrize("game", DRAWN)
def test_the_sides_differ_in_more_than_their_colour(game: str) -> None:
    """Go's stones are black and white; the pieces of the other games also differ in shape."""
    if game == "go":
        return
    setup = registry.rules(game)
    drawn = picture(Scene(game, setup=setup.setup(setup.start())))
    outlines: dict[str, list[tuple[str, str, str, int]]] = {}
    for piece in drawn.pieces:
        if piece.kind in SIDES[:2]:
            parts = [
                (part.tag, part.kind, part.words, len(str(part.attributes)))
                for part in piece.children
            ]
            outlines.setdefault(piece.kind, parts)
    assert outlines["piece black"] != outlines["piece white"]


def test_a_file_needs_nothing_else() -> None:
    document = ElementTree.fromstring(picture(Scene("go", size="9")).file())
    assert document.tag == f"{SVG}svg"
    assert document.find(f"{SVG}style") is not None
    text = picture(Scene("shogi")).file()
    used = set(re.findall(r"url\(#([^)]+)\)", text))
    assert used
    assert all(f'id="{name}"' in text for name in used)
    assert all(f'id="{name}"' in definitions() for name in used)
    assert not re.search(r"url\((?!#)|@import|href", text)


def test_json_holds_the_same_shapes_as_the_text() -> None:
    drawn = picture(Scene("neutron", last="b1-b4"))
    made = drawn.json()
    assert len(made["board"]) + len(made["pieces"]) == len(ElementTree.fromstring(drawn.svg()))
    assert made["pieces"][-1][0] == "g"
    assert made["pieces"][-1][1]["data-place"] == "e1"
    assert made["places"]["a5"] == [74.0, 74.0]


def test_a_game_without_a_drawing_shows_its_diagram(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.boards.picture.find_spec", lambda name: None)
    setup = "BBBB./...../..N.B/...../WWWWW w"
    elements = shapes(Scene("neutron", setup=setup, accept=("a1-a4",)))
    lines = [element.text for element in elements if element.get("class") == "diagram"]
    rules = registry.rules("neutron")
    assert lines == rules.diagram(rules.start(setup)).splitlines()
    assert clicks("neutron", "a1-a4") == ()


@pytest.mark.parametrize("game", DRAWN)
def test_every_position_of_a_game_is_well_formed(game: str) -> None:
    played = Game(registry.rules(game, "", 9 if game == "go" else 0))
    for _ in range(12):
        moves = played.position.legal_moves()
        if played.outcome() is not None or not moves:
            break
        text = played.rules.format(played.position, moves[len(moves) // 2])
        played.push(moves[len(moves) // 2])
        setup = played.rules.setup(played.position)
        assert shapes(Scene(game, setup=setup, last=text))


@pytest.mark.parametrize("game", DRAWN)
def test_the_grain_of_the_wood_stays_on_the_board(game: str) -> None:
    drawn = picture(Scene(game))
    (grain,) = [shape for shape in drawn.board if shape.kind == "grain"]
    figures = [float(each) for each in re.findall(r"-?[0-9.]+", dict(grain.attributes)["d"])]
    curves = [figures[at : at + 8] for at in range(0, len(figures), 8)]
    assert len(curves) > 5
    for curve in curves:
        _, y, _, bend, _, middle, _, end = curve
        assert all(0 < each < drawn.height for each in (y, bend, middle, 2 * middle - bend, end))


def test_a_board_has_no_words_of_its_own() -> None:
    drawn = picture(Scene("senet", setup="2121212121.................... 1 5")).svg()
    assert "Black has thrown 5 and moves six squares" in drawn
    for key in ("board.landing", "board.trap", "board.tray"):
        assert ENGLISH[key] in drawn
