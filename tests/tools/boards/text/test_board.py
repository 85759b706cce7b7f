import unicodedata

import pytest

from engines import registry
from tools.boards.scene import Scene
from tools.boards.text.board import draw_lines
from tools.boards.text.spans import DEAD, LAST, TAKEN, TARGET, Look, plain_text

ASCII = Look(unicode=False)


def drawn(scene: Scene, look: Look = Look()) -> str:  # noqa: B008  # A frozen value.
    return plain_text(draw_lines(scene, look))


def columns(text: str) -> int:
    """Return the columns of the widest line; kanji have two each."""
    wide = {char for char in text if unicodedata.east_asian_width(char) in "WF"}
    return max(len(line) + sum(char in wide for char in line) for line in text.splitlines())


def start(game: str, size: int = 0) -> str:
    rules = registry.rules(game, "", size)
    return rules.setup(rules.start())


def test_morris_is_drawn_as_its_rules_describe_it() -> None:
    scene = Scene("morris", setup="W../.B./.../....../.../.../..B b 8 8 0")
    assert drawn(scene) == (
        "    A   B   C   D   E   F   G\n"
        "1   ○-----------·-----------·\n"
        "    |           |           |\n"
        "2   |   ·-------●-------·   |\n"
        "    |   |       |       |   |\n"
        "3   |   |   ·---·---·   |   |\n"
        "    |   |   |       |   |   |\n"
        "4   ·---·---·       ·---·---·\n"
        "    |   |   |       |   |   |\n"
        "5   |   |   ·---·---·   |   |\n"
        "    |   |       |       |   |\n"
        "6   |   ·-------·-------·   |\n"
        "    |           |           |\n"
        "7   ·-----------·-----------●\n"
        "    ○ White  ● Black   in hand: White 8, Black 8"
    )


def test_a_last_move_at_the_left_edge_of_morris_leaves_the_number_of_its_row() -> None:
    scene = Scene("morris", setup=start("morris"), last="a4-a1")
    lines = drawn(scene).splitlines()
    assert lines[1].startswith("1  (·)--")
    assert lines[7].startswith("4  (·)--·")


def test_neutron_has_white_at_the_bottom_and_the_last_move_in_brackets() -> None:
    scene = Scene("neutron", setup="BBBBB/.W.../..N../...../W.WWW b", last="b1-b4")
    lines = drawn(scene, ASCII).splitlines()
    assert lines[2] == " 5 | B | B | B | B | B | 5"
    assert lines[4] == " 4 | . |(W)| . | . | . | 4"
    assert lines[6] == " 3 | . | . | N | . | . | 3"
    assert lines[10] == " 1 | W |(.)| W | W | W | 1"


def test_senet_has_three_rows_with_the_landing_on_15_and_the_trap_on_27() -> None:
    lines = drawn(Scene("senet", setup=start("senet"), last="1:10-11")).splitlines()
    squares = [line.replace("│", " ").split() for line in lines if line[1:2].isdigit()]
    assert squares[0] == [str(square) for square in range(1, 11)]
    assert squares[1] == [str(square) for square in range(20, 10, -1)]
    assert squares[2] == [str(square) for square in range(21, 31)]
    under = {
        square: row
        for row, line in zip((1, 2), (lines[6], lines[9]), strict=True)
        for square in ("LANDING", "TRAP")
        if square in line
    }
    assert under == {"LANDING": 1, "TRAP": 2}
    assert lines[6].index("LANDING") == lines[4].index("15")
    assert lines[9].index("TRAP") == lines[7].index("27")
    assert max(map(len, lines)) < 80


def test_go_marks_the_last_stone_the_captured_point_and_dead_stones() -> None:
    scene = Scene(
        "go",
        setup="5/1X3/2O2/5/5 b komi=7.5 captured=1,2",
        last="C3",
        dead=("B4",),
        marks=(("A1", "cross"),),
    )
    assert drawn(scene).splitlines() == [
        "   A B C D E",
        " 5 ┌─┬─┬─┬─┐ 5",
        " 4 ├─◆─┼─┼─┤ 4",
        " 3 ├─┼(○)┼─┤ 3",
        " 2 ├─┼─┼─┼─┤ 2",
        " 1 ×─┴─┴─┴─┘ 1",
        "   A B C D E",
        "   captured: 1 black, 2 white",
    ]
    roles = {role for line in draw_lines(scene, Look()) for _, role in line}
    assert {LAST, TAKEN, DEAD} <= roles


@pytest.mark.parametrize(("size", "stars"), [(19, 9), (13, 5), (9, 5), (7, 5), (5, 0)])
def test_go_shows_its_star_points(size: int, stars: int) -> None:
    scene = Scene("go", setup=start("go", size))
    assert drawn(scene).count("╋") == drawn(scene, ASCII).count("+") == stars


def test_shogi_has_kanji_or_letters_and_the_hands() -> None:
    setup = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B2p 4"
    kanji = drawn(Scene("shogi", setup=setup, last="8h2b+")).splitlines()
    assert kanji[0] == "White in hand: 歩2"
    assert "(馬)" in kanji[5]
    assert kanji[3].startswith("│v香 │v桂 │")
    assert kanji[-1] == "Black in hand: 角"
    letters = drawn(Scene("shogi", setup=setup), ASCII)
    assert letters.isascii()
    assert "| +B |" in letters
    assert "|  l |  n |" in letters


def test_targets_are_marked_without_colours() -> None:
    scene = Scene("neutron", setup=start("neutron"), marks=(("b4", "circle"),))
    assert "<.>" in drawn(scene, ASCII)
    assert any(role == TARGET for line in draw_lines(scene, Look()) for _, role in line)


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_every_board_fits_and_has_an_ascii_form(game: str) -> None:
    scene = Scene(game, setup=start(game))
    assert drawn(scene, ASCII).isascii()
    assert max(map(len, drawn(scene).splitlines())) < 80


@pytest.mark.parametrize("width", [40, 47, 50, 60])
@pytest.mark.parametrize(
    ("game", "last"),
    [("go", "T1"), ("shogi", "7g7f"), ("morris", "g1"), ("neutron", "e1-e4"), ("senet", "1:10-11")],
)
def test_every_board_fits_into_a_narrow_terminal(game: str, last: str, width: int) -> None:
    scene = Scene(game, setup=start(game), last=last)
    for unicode in (True, False):
        shown = drawn(scene, Look(unicode=unicode, width=width))
        assert columns(shown) <= width
        assert "(" in shown


def test_senet_is_as_wide_as_the_terminal_allows() -> None:
    scene = Scene("senet", setup=start("senet"), last="1:10-11")
    widths = [columns(drawn(scene, Look(width=width))) for width in (0, 71, 70, 60, 50, 40)]
    assert widths == [71, 71, 61, 51, 41, 32]
    lines = drawn(scene, Look(width=40)).splitlines()
    assert lines[2] == "│ ○  ●  ○  ●  ○  ●  ○  ●  ○ (●)│"
    assert lines[6].index("LANDING") == lines[4].index("15")
    assert lines[9].index("TRAP") == lines[7].index("27")
    assert lines[-2:] == [" ● Black  ○ White", " off: Black 0, White 0"]


def test_shogi_has_no_lines_in_a_narrow_terminal() -> None:
    setup = "9/9/9/9/4k4/9/9/9/4K4 b 2P 1"
    lines = drawn(Scene("shogi", setup=setup), Look(width=40)).splitlines()
    assert lines[1] == "  9   8   7   6   5   4   3   2   1"
    assert lines[6] == "  ·   ·   ·   · v玉   ·   ·   ·   ·  e"
    assert lines[-1] == "Black in hand: 歩2"
