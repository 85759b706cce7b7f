"""Boards as pictures, for tests: `X` black, `O` white, `.` empty, any other letter empty too."""

from engines.go.rules.board import BLACK, WHITE, Board


def draw(picture: str) -> tuple[Board, dict[str, int]]:
    """Return the board, and where the lower-case letters and digits stand."""
    rows = [line.split() for line in picture.strip().splitlines()]
    board = Board(len(rows[0]), len(rows))
    names = {}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            point = board.point(y * board.width + x)
            if sign in "XO":
                board.play(point, BLACK if sign == "X" else WHITE)
            elif sign != ".":
                names[sign] = point
    board.lift_ko()
    return board, names
