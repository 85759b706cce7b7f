"""A position as a picture: SVG for files and reports, JSON for pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from tools.boards import diagram
from tools.boards.drawing import Drawing
from tools.boards.gradients import DEFINITIONS
from tools.boards.marks import above, below
from tools.boards.scene import Scene
from tools.boards.shapes import Place, Shape, figure, to_json, to_svg

STYLE: Final = Path(__file__).with_name("boards.css").read_text("utf-8")
"""The style of all boards, for the page that holds them."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn position: its board, what changes from move to move, the places to click."""

    label: str
    width: float
    height: float
    board: tuple[Shape, ...]
    pieces: tuple[Shape, ...]
    places: dict[str, Place]
    cell: float

    def svg(self) -> str:
        """Return an element for a page that has STYLE and `gradients.definitions`."""
        return self._element("")

    def file(self) -> str:
        """Return a document that needs nothing else."""
        inside = f"<style>{STYLE}</style>{to_svg(DEFINITIONS)}"
        size = f'width="{figure(self.width)}" height="{figure(self.height)}"'
        return self._element(inside, f' xmlns="http://www.w3.org/2000/svg" {size}') + "\n"

    def json(self) -> dict[str, Any]:
        """Return what a page needs to draw the picture and to understand clicks on it."""
        return {
            "label": self.label,
            "width": self.width,
            "height": self.height,
            "cell": self.cell,
            "board": [to_json(shape) for shape in self.board],
            "pieces": [to_json(shape) for shape in self.pieces],
            "places": {name: [round(x, 1), round(y, 1)] for name, (x, y) in self.places.items()},
        }

    def _element(self, inside: str, attributes: str = "") -> str:
        box = f"0 0 {figure(self.width)} {figure(self.height)}"
        shapes = "".join(map(to_svg, (*self.board, *self.pieces)))
        return (
            f'<svg{attributes} class="board" viewBox="{box}" role="img" '
            f"aria-label={quoteattr(self.label)}>{inside}{shapes}</svg>"
        )


def picture(scene: Scene, *, failed: bool = False) -> Picture:
    """Draw a position with its marks; raises InvalidText.

    An answer that `failed` is never drawn as right: it may have the right move and a wrong score.
    """
    drawing: Drawing = _module(scene.game).draw(scene)
    pieces = (*below(scene, drawing), *drawing.pieces, *above(scene, drawing, failed=failed))
    return Picture(
        scene.game,
        drawing.width,
        drawing.height,
        tuple(drawing.board),
        pieces,
        dict(drawing.places),
        drawing.cell,
    )


def clicks(game: str, move: str) -> tuple[str, ...]:
    """Return the places to click for a move, one after the other; none for a pass or a throw."""
    places: tuple[str, ...] = _module(game).clicks(move)
    return places


def spell(game: str, places: Sequence[str]) -> str:
    """Return the move that clicks on places mean, whether it is legal or not."""
    move: str = _module(game).spell(places)
    return move


def _module(game: str) -> ModuleType:
    """Return the module of this room that has the name of a game, if there is one."""
    name = f"{__package__}.{game}"
    return import_module(name) if find_spec(name) is not None else diagram
