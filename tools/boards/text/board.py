"""The board of any game as text."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tools.boards.scene import Scene
from tools.boards.text import go, morris, neutron, senet, shogi
from tools.boards.text.spans import Line, Look

_BOARDS: Final[Mapping[str, Callable[[Scene, Look], Iterator[Line]]]] = {
    "go": go.draw,
    "morris": morris.draw,
    "neutron": neutron.draw,
    "senet": senet.draw,
    "shogi": shogi.draw,
}


def draw_lines(scene: Scene, look: Look) -> list[Line]:
    """Return the lines of a board; the set-up of the scene must not be empty."""
    return list(_BOARDS[scene.game](scene, look))
