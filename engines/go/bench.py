"""What Go's parts cost on this machine, in CPU time of one thread."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from engines.go.board import BLACK, Board
from engines.go.features import Features
from engines.go.inputs import PLANES
from engines.go.playout import Playout

SIZES: Final = (9, 13, 19)
SECONDS: Final = 0.4  # Per figure.


def bench() -> Iterator[tuple[str, float, str]]:
    """Yield what was measured, the figure and its unit."""
    for size in SIZES:
        board = Board(size, size)
        finish = partial(Playout(board).finish, board, BLACK)
        yield f"random games {size}x{size}", _rate(finish), "games/s"
    for size in SIZES:
        board = Board(size, size)
        _fill(board)
        fill = partial(Features(board).fill, board, BLACK, bytearray(PLANES * board.area), 0)
        yield f"input planes {size}x{size}", _rate(fill), "positions/s"


def _fill(board: Board) -> None:
    """Play a third of the points, the same ones every time."""
    colour = BLACK
    for number in range(board.area // 3):
        point = board.point(number * 7 % board.area)
        if board.is_legal(point, colour):
            board.play(point, colour)
        colour = 3 - colour


def _rate(work: Callable[[], None]) -> float:
    work()
    done = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        for _ in range(10):
            work()
        done += 10
    return done / spent
