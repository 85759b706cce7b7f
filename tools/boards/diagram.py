"""The board of any game without a drawing of its own: the diagram that its rules print."""

from collections.abc import Iterator, Sequence
from typing import Final

from engines import registry
from tools.boards.drawing import EDGE, Drawing, Step, wood
from tools.boards.scene import Scene
from tools.boards.shapes import Shape, figure

_LINE: Final = 14.0  # Pixels from one line to the next.
_LETTER: Final = 7.3  # Pixels per letter of the fixed-width font, rounded up.


def draw(scene: Scene) -> Drawing:
    """Draw the lines of the diagram; raises InvalidText for a set-up that is none.

    Moves are not marked: only the game knows where they lead.
    """
    size = int(scene.size) if scene.size.isdecimal() else 0
    rules = registry.rules(scene.game, scene.variant, size)
    lines = rules.diagram(rules.start(scene.setup)).splitlines()
    width = 2 * EDGE + _LETTER * max((len(line) for line in lines), default=0)
    height = 2 * EDGE + _LINE * len(lines)
    words = [_words(EDGE, EDGE + _LINE * row, line) for row, line in enumerate(lines, 1)]
    return Drawing(width, height, [*wood(width, height), *words], [], {}, trace)


def trace(move: str) -> Iterator[Step]:
    """Yield nothing."""
    return iter(())


def clicks(move: str) -> tuple[str, ...]:
    """Return nothing: such a board cannot be clicked."""
    return ()


def spell(places: Sequence[str]) -> str:
    """Return the move that clicks on places mean."""
    return " ".join(places)


def _words(x: float, y: float, line: str) -> Shape:
    """Write a line of a text diagram, which begins at a place and keeps its blanks."""
    where = (("xml:space", "preserve"), ("x", figure(x)), ("y", figure(y)))
    return Shape("text", "diagram", where, line)
