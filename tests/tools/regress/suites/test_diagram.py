import random

import pytest

from engines import registry
from engines.core.game import InvalidText
from tools.regress.suites.diagram import go_size, setup_from

GO = """
   A B C D
 3 . . X . 3
 2 . +(O). 2
 1 X . . O 1
   A B C D
white to move, komi 7.5, captured: 0 black, 0 white
"""


# Move numbers, quiet plies, the first turn's privileges and the score are not drawn.
PARTS = {"go": 2, "morris": 4, "neutron": 2, "senet": 3, "shogi": 3}


@pytest.mark.parametrize("name", PARTS)
def test_what_an_engine_draws_is_read_back(name: str) -> None:
    rules = registry.rules(name)
    chance = random.Random(5)
    position = rules.start()
    for _ in range(60):
        moves = list(position.legal_moves())
        if position.outcome() is not None or not moves:
            break
        lines = rules.diagram(position).splitlines()
        if name in ("neutron", "morris"):  # `showboard` names the side to move below the diagram.
            lines.append(rules.sides[position.turn])
        setup = setup_from(name, lines)
        again, before = rules.start(setup), rules.setup(position).split()
        assert rules.setup(again).split()[: PARTS[name]] == before[: PARTS[name]]
        position.play(chance.choice(moves))


def test_a_go_board_may_be_any_size_and_have_marks() -> None:
    assert setup_from("go", GO.splitlines()) == "2X1/2O1/X2O w"
    assert setup_from("go", GO.splitlines(), "black") == "2X1/2O1/X2O b"
    assert go_size(GO.splitlines()) == "4x3"
    assert go_size([". .", ". ."]) == "2"


def test_bare_rows_will_do() -> None:
    assert setup_from("neutron", ["BBBBB", ".....", "..N..", ".....", "WWWWW"]) == (
        "BBBBB/...../..N../...../WWWWW w"
    )
    rows = [". . . . k . . . .", *[". . . . . . . . ."] * 7, ". . . . K . . . ."]
    lines = [*rows, "black in hand: R P2", "white in hand: b1"]
    assert setup_from("shogi", lines, "white") == ("4k4/9/9/9/9/9/9/9/4K4 w R2Pb 1")


@pytest.mark.parametrize(
    ("game", "lines", "expected"),
    [
        ("go", ["X . .", "X ."], "all of one length"),
        ("go", [], "expected rows"),
        ("neutron", ["....."], "five rows"),
        ("morris", [".---.---."], "24 points"),
        ("shogi", [". . ."], "nine rows"),
        ("senet", ["X O X"], "three rows of ten"),
        ("chess", ["."], "diagrams cannot be read for 'chess'"),
        (
            "shogi",
            [*[". . . . . . . . ."] * 9, "black in hand: two pawns"],
            "pieces in hand such as P2 R1",
        ),
    ],
)
def test_what_is_no_board_is_refused(game: str, lines: list[str], expected: str) -> None:
    with pytest.raises(InvalidText, match=expected):
        setup_from(game, lines)


def test_a_side_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidText, match="turn: expected black or white, not 'red'"):
        setup_from("neutron", [], "red")
