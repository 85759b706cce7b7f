"""The board of Senet: three rows of ten squares, walked there, back and there again."""

import re
from collections.abc import Iterator

from tools.boards.drawing import EDGE, UNIT, Drawing, Place, Step, label, squares, stone, wood
from tools.boards.scene import Scene


def draw(scene: Scene) -> Drawing:
    """Draw three rows of ten squares; the path changes its direction from row to row."""
    words = (scene.setup or "2121212121.................... 1 -").split()
    width, height = 2 * EDGE + 10 * UNIT, 2 * EDGE + 3 * UNIT

    def place(number: int) -> Place:
        row, column = divmod(number - 1, 10)
        x = 9 - column if row == 1 else column
        return EDGE + (x + 0.5) * UNIT, EDGE + (row + 0.5) * UNIT

    def trace(move: str) -> Iterator[Step]:
        if match := re.fullmatch(r"(\d+)-(\d+|off)", move):
            x, y = place(30)
            yield (
                place(int(match[1])),
                (x + UNIT, y) if match[2] == "off" else place(int(match[2])),
            )

    labels = []
    for number in range(1, 31):
        x, y = place(number)
        labels.append(label(x - 9, y - 7, str(number)))
    men = [
        stone(place(number), "black" if cell == "1" else "white", 0.34)
        for number, cell in enumerate(words[0], 1)
        if cell in "12"
    ]
    if len(words) > 2 and words[2] != "-":
        caption = f"{'black' if words[1] == '1' else 'white'} has thrown {words[2]}"
        labels.append(label(width / 2, height - 8, caption))
    background = wood(width, height) + squares(10, 3) + "".join(labels)
    return Drawing(width, height, background, men, trace)
