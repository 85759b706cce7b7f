"""The board of Nine Men's Morris: three squares, one inside the other."""

import re
from collections.abc import Iterator
from typing import Final

from tools.boards.drawing import EDGE, UNIT, Drawing, Place, Step, label, stone, wood
from tools.boards.scene import Scene

_MORRIS: Final = re.findall("..", "a1d1g1b2d2f2c3d3e3a4b4c4e4f4g4c5d5e5b6d6f6a7d7g7")


def draw(scene: Scene) -> Drawing:
    """Draw three squares, one inside the other, with pieces on the corners and midpoints."""
    words = (scene.setup or ".../.../.../....../.../.../... w 9 9 0").split()
    cells = words[0].replace("/", "")
    size = 2 * EDGE + 6 * UNIT

    def place(name: str) -> Place:
        return EDGE + "abcdefg".index(name[0]) * UNIT, EDGE + (int(name[1]) - 1) * UNIT

    def trace(move: str) -> Iterator[Step]:
        points = re.findall(r"[a-g][1-7]", move.lower())
        if not points:
            return
        if "-" in move:
            yield place(points.pop(0)), place(points.pop(0))
        else:
            yield None, place(points.pop(0))
        yield from ((None, place(point)) for point in points)

    lines = []
    for inset in range(3):
        low, length = EDGE + inset * UNIT, (6 - 2 * inset) * UNIT
        lines.append(f"M{low:g} {low:g}h{length:g}v{length:g}h{-length:g}z")
    middle, end = EDGE + 3 * UNIT, EDGE + 6 * UNIT
    lines += [
        f"M{middle:g} {EDGE:g}v{2 * UNIT:g}M{middle:g} {end:g}v{-2 * UNIT:g}",
        f"M{EDGE:g} {middle:g}h{2 * UNIT:g}M{end:g} {middle:g}h{-2 * UNIT:g}",
    ]
    labels = [label(EDGE + x * UNIT, 11, "abcdefg"[x]) for x in range(7)]
    labels += [label(9, EDGE + y * UNIT + 3, str(y + 1)) for y in range(7)]
    hands = f"in hand: white {words[2]}, black {words[3]}" if len(words) > 3 else ""
    labels.append(label(size / 2, size + 4, hands))
    men = [
        stone(place(name), "white" if cell == "W" else "black", 0.34)
        for name, cell in zip(_MORRIS, cells, strict=False)
        if cell in "WB"
    ]
    background = wood(size, size + 12) + f'<path class="line" d="{"".join(lines)}"/>'
    return Drawing(size, size + 12, background + "".join(labels), men, trace)
