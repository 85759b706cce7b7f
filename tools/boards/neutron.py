"""The board of Neutron: pieces and the neutron on five by five squares."""

import re
from collections.abc import Iterator

from tools.boards.drawing import EDGE, UNIT, Drawing, Place, Step, label, squares, stone, wood
from tools.boards.scene import Scene


def draw(scene: Scene) -> Drawing:
    """Draw the pieces and the neutron on squares."""
    rows = (scene.setup or "BBBBB/...../..N../...../WWWWW w").split()[0].split("/")
    size = 2 * EDGE + 5 * UNIT

    def place(x: int, y: int) -> Place:
        return EDGE + (x + 0.5) * UNIT, EDGE + (y + 0.5) * UNIT

    def square(text: str) -> Place:
        return place("abcde".index(text[0]), 5 - int(text[1]))

    def trace(move: str) -> Iterator[Step]:
        for start, end in re.findall(r"([a-e][1-5])-([a-e][1-5])", move):
            yield square(start), square(end)

    kinds = {"W": "white", "B": "black", "N": "neutron"}
    men = [
        stone(place(x, y), kinds[cell], 0.36)
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if cell in kinds
    ]
    labels = [label(place(x, 0)[0], size - 10, "abcde"[x]) for x in range(5)]
    labels += [label(12, place(0, y)[1] + 3, str(5 - y)) for y in range(5)]
    background = wood(size, size) + squares(5, 5) + "".join(labels)
    return Drawing(size, size, background, men, trace)
