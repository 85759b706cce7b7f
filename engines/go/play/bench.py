"""The figures of `quintet bench go`: CPU time of one thread, and delays that a client sees."""

import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from engines.core.rate import rate, repeat
from engines.go.play.network.features import Features
from engines.go.play.network.inputs import PLANES
from engines.go.play.playout import Playout
from engines.go.rules.board import BLACK, Board
from engines.go.rules.text import make_rules, perft

SIZES: Final = (9, 13, 19)
_PERFT: Final = (5, 3)  # Size of the board, plies.
TIMES: Final = 5


def bench(seconds: float) -> Iterator[tuple[str, float, str]]:
    """Yield name, value and unit of each figure, which takes at least so many seconds."""
    rules = make_rules("", _PERFT[0])
    yield (
        f"perft {_PERFT[1]} on {_PERFT[0]}x{_PERFT[0]}",
        rate(repeat(lambda: perft(rules, "", _PERFT[1], "")), seconds),
        "leaves/s",
    )
    for size in SIZES:
        board = Board(size, size)
        finish = partial(Playout(board).finish, board, BLACK)
        yield f"random games {size}x{size}", _times(finish, seconds), "games/s"
    for size in SIZES:
        board = Board(size, size)
        _fill(board)
        fill = partial(Features(board).fill, board, BLACK, bytearray(PLANES * board.area), 0)
        yield f"input planes {size}x{size}", _times(fill, seconds), "positions/s"
    yield from _bench_search(seconds)
    yield from _bench_memory()
    yield from _bench_program()


def _bench_search(seconds: float) -> Iterator[tuple[str, float, str]]:
    from engines.go.play.network.network import (
        Evaluator,  # Here, because it imports numpy.
    )
    from engines.go.play.search import Search

    search = Search()
    began = time.process_time()
    weights = search.weights
    yield "reading the network", 1000.0 * (time.process_time() - began), "ms"
    for size in SIZES:
        evaluator = Evaluator(weights, size, size)
        yield f"evaluations {size}x{size}", _times(evaluator.run, seconds), "evaluations/s"
    for size in SIZES:
        position = make_rules("", size).start()
        search.think(position, stop=bool, visits=2)
        search.forget()
        began = time.process_time()
        findings = search.think(position, stop=bool, seconds=seconds)
        spent = time.process_time() - began
        yield f"search {size}x{size}, {search.threads} threads", findings.visits / spent, "visits/s"


def _bench_memory() -> Iterator[tuple[str, float, str]]:
    from engines.go.play.search import MOST_NODES
    from engines.go.play.tree import Tree

    board = Board(SIZES[-1], SIZES[-1])
    taken = []
    tracemalloc.start()
    for share in (100, 50):
        before = tracemalloc.get_traced_memory()[0]
        tree = Tree(board, MOST_NODES // share)
        taken.append(tracemalloc.get_traced_memory()[0] - before)
        del tree
    tracemalloc.stop()
    # Extrapolated from a hundredth of the nodes: tracing a whole tree would be slow.
    yield f"the largest tree, {MOST_NODES} nodes", 100 * (taken[1] - taken[0]) / 1e6, "MB"


def _bench_program() -> Iterator[tuple[str, float, str]]:
    """Measure the delays of the program that a client sees, in real time."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "engines.go"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as program:
        stdin, stdout = program.stdin, program.stdout
        if stdin is None or stdout is None:
            raise OSError("the program has no pipes")

        def ask(line: str) -> float:
            """Send a line and return the milliseconds until its reply begins."""
            sent = time.perf_counter()
            stdin.write(f"{line}\n")
            while not stdout.readline().startswith("="):
                pass
            return 1000.0 * (time.perf_counter() - sent)

        def hear_info() -> None:
            while not stdout.readline().startswith("info"):
                pass

        ask("name")
        yield "the first reply", 1000.0 * (time.perf_counter() - began), "ms"
        ask("boardsize 19")
        ask("kata-raw-nn 0")
        firsts, ends = [], []
        for _ in range(TIMES):
            ask("clear_cache")
            sent = time.perf_counter()
            ask("lz-analyze b 1")
            hear_info()
            firsts.append(1000.0 * (time.perf_counter() - sent))
            ends.append(ask("name"))
        yield "the first line of an analysis", statistics.median(firsts), "ms"
        yield "from a command to the end of an analysis", statistics.median(ends), "ms"
        stdin.write("quit\n")
        stdout.read()


def _fill(board: Board) -> None:
    """Play random moves on a third of the points, always the same ones."""
    colour = BLACK
    for number in range(board.area // 3):
        point = board.point(number * 7 % board.area)
        if board.is_legal(point, colour):
            board.play(point, colour)
        colour = 3 - colour


def _times(work: Callable[[], None], seconds: float) -> float:
    """Return how often per CPU-second something can be done; the first time is not counted."""
    work()

    def once() -> int:
        work()
        return 1

    return rate(repeat(once), seconds)
