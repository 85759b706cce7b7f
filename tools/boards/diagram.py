"""The board of any game without a drawing of its own: the diagram that its rules print."""

from collections.abc import Iterator
from typing import Final

from engines import registry
from tools.boards.drawing import EDGE, Drawing, Step, diagram_line, wood
from tools.boards.scene import Scene

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
    words = [diagram_line(EDGE, EDGE + _LINE * row, line) for row, line in enumerate(lines, 1)]
    return Drawing(width, height, wood(width, height) + "".join(words), [], _trace)


def _trace(move: str) -> Iterator[Step]:
    return iter(())
