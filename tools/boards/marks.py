"""The marks on a board: moves, the last move, a line of play, dead stones, a check."""

from collections.abc import Iterator
from typing import Final

from tools.boards.drawing import UNIT, Drawing, Step
from tools.boards.scene import Scene
from tools.boards.shapes import Place, Shape, circle, path, polygon, rect, text

_MOST: Final = 12  # Moves of one kind that are drawn.
_LONGEST: Final = 9  # Moves of a line that are drawn; more would hide the board.
LABEL: Final = 3
"""The letters of a label that fit on a piece."""
_OWNERS: Final = {"X": "black", "O": "white"}

SIGNS: Final = {
    "triangle": "M{0:g} {1:g}m0 -8l7 12h-14z",
    "square": "M{0:g} {1:g}m-6 -6h12v12h-12z",
    "circle": "M{0:g} {1:g}m-6.5 0a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0 -13 0",
    "cross": "M{0:g} {1:g}m-6 -6l12 12m0 -12l-12 12",
}
"""The signs of marks, as paths that begin at their centre."""


def below(scene: Scene, drawing: Drawing) -> Iterator[Shape]:
    """Yield what lies under the pieces: the squares of the last move and of a check."""
    if not drawing.cell:
        return
    for step in drawing.trace(scene.last):
        for kind, name in (("last from", step.start), ("last to", step.end)):
            if name in drawing.places:
                yield _square(kind, drawing.places[name], drawing.cell)
    for name in drawing.alerts:
        yield _square("alert", drawing.places[name], drawing.cell)


def above(scene: Scene, drawing: Drawing, *, failed: bool) -> Iterator[Shape]:
    """Yield what lies on the pieces; an answer that `failed` is never drawn as right."""
    if not drawing.cell:
        yield from _last(scene, drawing)
    for kind, move in _judged(scene, failed=failed):
        for step in drawing.trace(move):
            yield from _mark(kind, step, drawing)
    yield from _line(scene, drawing)
    yield from _signs(scene, drawing)
    yield from _score(scene, drawing)


def _score(scene: Scene, drawing: Drawing) -> Iterator[Shape]:
    """Yield crosses on dead stones, and squares on the points that count beside living ones."""
    alive = {dict(stone.attributes).get("data-place") for stone in drawing.pieces}
    alive -= set(scene.dead)
    for owner, name in zip(scene.territory, drawing.places, strict=False):
        x, y = drawing.places[name]
        if owner in _OWNERS and name not in alive:
            yield rect(f"territory {_OWNERS[owner]}", (x - 6, y - 6), (12, 12), 2)
    for name in scene.dead:
        if name in drawing.places:
            x, y = drawing.places[name]
            yield path("dead", f"M{x - 9:g} {y - 9:g}l18 18m0 -18l-18 18")


def _signs(scene: Scene, drawing: Drawing) -> Iterator[Shape]:
    """Yield the signs and labels, each on a light disc so that it shows on any piece."""
    for name, sign in scene.marks:
        if name not in drawing.places:
            continue
        x, y = drawing.places[name]
        yield circle("plate", (x, y), 0.3 * UNIT)
        if sign in SIGNS:
            yield path("sign", SIGNS[sign].format(x, y))
        else:
            yield text("sign", (x, y + 5), sign[:LABEL])


def _square(kind: str, place: Place, size: float) -> Shape:
    x, y = place
    return rect(kind, (x - size / 2 + 1, y - size / 2 + 1), (size - 2, size - 2), 3)


def _last(scene: Scene, drawing: Drawing) -> Iterator[Shape]:
    """Mark the last move where pieces stand on crossings."""
    for step in drawing.trace(scene.last):
        if step.end not in drawing.places:
            continue
        place = drawing.places[step.end]
        if step.start in drawing.places:
            yield circle("last from", drawing.places[step.start], 0.2 * UNIT)
        if step.takes:
            x, y = place
            yield path("took", f"M{x - 8:g} {y - 8:g}l16 16m0 -16l-16 16")
        else:
            yield circle("last ring", place, 0.24 * UNIT)


def _judged(scene: Scene, *, failed: bool) -> Iterator[tuple[str, str]]:
    right = scene.answer in scene.accept
    yield from (("yes", move) for move in scene.accept[:_MOST] if move != scene.answer)
    yield from (("no", move) for move in scene.forbid[:_MOST] if move != scene.answer)
    if scene.answer:
        wrong = failed or scene.answer in scene.forbid or (bool(scene.accept) and not right)
        yield "wrong" if wrong else "right", scene.answer


def _mark(kind: str, step: Step, drawing: Drawing) -> Iterator[Shape]:
    """Yield a ring where a piece is put or removed, and an arrow where a piece moves."""
    end = drawing.places.get(step.end)
    start = drawing.places.get(step.start)
    if end is None:
        return
    if start is None:
        yield circle(f"mark {kind}", end, 0.36 * UNIT)
    else:
        yield from _arrow(kind, start, end)


def _arrow(kind: str, start: Place, end: Place) -> Iterator[Shape]:
    left, top = start
    x, y = end
    length = max(((x - left) ** 2 + (y - top) ** 2) ** 0.5, 1.0)
    along, across = (x - left) / length, (y - top) / length
    tip = 0.3 * UNIT
    bx, by = x - tip * along, y - tip * across
    yield path(f"mark {kind}", f"M{left:g} {top:g}L{bx:.1f} {by:.1f}")
    side = 0.55 * tip
    corners = (
        (x, y),
        (bx - side * across, by + side * along),
        (bx + side * across, by - side * along),
    )
    yield polygon(f"head {kind}", corners)


def _line(scene: Scene, drawing: Drawing) -> Iterator[Shape]:
    """Yield a line of play: stones with numbers, or arrows with numbers where pieces move."""
    turn = _turn(scene)
    for number, move in enumerate(scene.line[:_LONGEST], 1):
        kind = ("black", "white")[(turn + number - 1) % 2]
        for step in drawing.trace(move):
            end, start = drawing.places.get(step.end), drawing.places.get(step.start)
            if end is None:
                continue
            if start is not None:
                yield from _arrow(f"plan {kind}", start, end)
            x, y = end
            at = end if start is None else ((start[0] + 2 * x) / 3, (start[1] + 2 * y) / 3)
            yield circle(f"ghost {kind}", at, (0.42 if start is None else 0.26) * UNIT)
            yield text(f"ghost {kind}", (at[0], at[1] + 5), str(number))


def _turn(scene: Scene) -> int:
    """Return 0 if Black is to move, 1 for White; sides of other names count as they are drawn."""
    words = [*scene.setup.split()[1:2], scene.turn]
    return 1 if any(word.startswith(("w", "2")) for word in words) else 0
