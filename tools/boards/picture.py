"""A position as SVG, with the moves that matter in it."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from tools.boards import diagram
from tools.boards.drawing import UNIT, Drawing, Place
from tools.boards.scene import Scene

_MOST: Final = 12  # Moves of one kind that are drawn.


def draw(scene: Scene, *, failed: bool = False) -> str:
    """Return a board as an SVG element, with the right, the wrong and the answered moves marked.

    An answer that `failed` is never drawn as right: it may have the right move and a wrong score.
    The page that holds the board needs STYLE.
    """
    drawing = _drawing(scene)
    right = scene.answer in scene.accept
    marks = [("yes", move) for move in scene.accept[:_MOST] if move != scene.answer]
    marks += [("no", move) for move in scene.forbid[:_MOST] if move != scene.answer]
    if scene.answer:
        wrong = failed or scene.answer in scene.forbid or (bool(scene.accept) and not right)
        marks.append(("wrong" if wrong else "right", scene.answer))
    parts = [drawing.background, *drawing.pieces]
    for kind, move in marks:
        parts += _mark(kind, list(drawing.trace(move)))
    width, height = drawing.width, drawing.height
    label = f'role="img" aria-label="{scene.game}"'
    return f'<svg class="board" viewBox="0 0 {width:g} {height:g}" {label}>{"".join(parts)}</svg>'


def _drawing(scene: Scene) -> Drawing:
    """Draw a board by the module of this room that has the name of its game, if there is one."""
    name = f"{__package__}.{scene.game}"
    module = import_module(name) if find_spec(name) is not None else diagram
    drawing: Drawing = module.draw(scene)
    return drawing


def _mark(kind: str, steps: Sequence[tuple[Place | None, Place]]) -> Iterator[str]:
    """Yield a ring where a piece is put, and an arrow where a piece moves."""
    for start, end in steps:
        x, y = end
        if start is None:
            ring = f'<circle class="mark {kind}" cx="{x:g}" cy="{y:g}" r="{0.36 * UNIT:g}"/>'
            yield ring
            continue
        left, top = start
        length = max(((x - left) ** 2 + (y - top) ** 2) ** 0.5, 1.0)
        along, across = (x - left) / length, (y - top) / length
        tip = 0.22 * UNIT
        bx, by = x - tip * along, y - tip * across
        line = f'<path class="mark {kind}" d="M{left:g} {top:g}L{bx:.1f} {by:.1f}"/>'
        side = 0.55 * tip
        corners = (
            f"{x:g},{y:g} {bx - side * across:.1f},{by + side * along:.1f} "
            f"{bx + side * across:.1f},{by - side * along:.1f}"
        )
        yield f'{line}<polygon class="head {kind}" points="{corners}"/>'


STYLE: Final = """
.board { width: 100%; max-width: 26rem; height: auto; display: block; }
.board .wood { fill: #e6c183; }
.board .line { stroke: #4d3917; stroke-width: 1; fill: none; }
.board .dot { fill: #4d3917; }
.board .text { font: 9px sans-serif; fill: #4d3917; text-anchor: middle; }
.board .diagram { font: 12px monospace; fill: #111; }
.board .man { font: 21px serif; fill: #111; text-anchor: middle; }
.board .promoted { fill: #b01020; }
.board .black { fill: #181818; stroke: #000; }
.board .white { fill: #fafafa; stroke: #222; }
.board .neutron { fill: #4a6fd0; stroke: #1c2f66; }
.board .mark { fill: none; stroke-width: 3; stroke-linecap: round; }
.board .yes { stroke: #1d9a3c; stroke-opacity: .75; }
.board .no { stroke: #d33; stroke-dasharray: 3 4; stroke-opacity: .8; }
.board .right { stroke: #0a7a2a; stroke-width: 4.5; }
.board .wrong { stroke: #c00; stroke-width: 4.5; }
.board .head { stroke: none; }
.board .head.yes { fill: #1d9a3c; fill-opacity: .75; }
.board .head.no { fill: #d33; }
.board .head.right { fill: #0a7a2a; }
.board .head.wrong { fill: #c00; }
"""
