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
    yield from _bench_search()


def _bench_search() -> Iterator[tuple[str, float, str]]:
    from engines.go.network import Evaluator  # numpy and the net, which boards do without.
    from engines.go.rules import make_rules
    from engines.go.search import Search

    search = Search()
    began = time.process_time()
    weights = search.weights
    yield "reading the network", 1000.0 * (time.process_time() - began), "ms"
    for size in SIZES:
        evaluator = Evaluator(weights.values, weights.blocks, weights.pooled, size, size)
        yield f"evaluations {size}x{size}", _rate(evaluator.run), "evaluations/s"
    for size in SIZES:
        position = make_rules("", size).start()
        search.think(position, stop=bool, visits=2)
        search.forget()
        began = time.process_time()
        found = search.think(position, stop=bool, seconds=SECONDS)
        spent = time.process_time() - began
        yield f"search {size}x{size}, {search.threads} threads", found.visits / spent, "visits/s"


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
        work()
        done += 1
    return done / spent
