import pytest

from engines import registry
from tools.boards.picture import picture
from tools.boards.scene import Scene
from tools.report.boards import board_kit


@pytest.mark.parametrize(
    ("game", "size", "kinds"),
    [
        ("go", 9, "O X"),
        ("go", 19, "O X"),
        ("morris", 0, "B W"),
        ("neutron", 0, "B N W"),
        ("senet", 0, "1 2"),
        (
            "shogi",
            0,
            "+B +L +N +P +R +S +b +l +n +p +r +s B G K L N P R S b g k l n p r s",
        ),
    ],
)
def test_a_kit_has_every_kind_of_piece_on_a_place_of_its_board(
    game: str, size: int, kinds: str
) -> None:
    kit = board_kit(game, size)
    assert sorted(kit["kinds"]) == kinds.split()
    for shape, x, y in kit["kinds"].values():
        assert shape[0] == "g"
        assert [x, y] in kit["places"].values()
    drawn = picture(Scene(game, size=str(size or ""))).json()
    assert (kit["width"], kit["height"], kit["cell"]) == (
        drawn["width"],
        drawn["height"],
        drawn["cell"],
    )


def test_every_game_of_the_registry_has_a_kit() -> None:
    assert all(board_kit(game)["kinds"] for game in registry.GAMES)
