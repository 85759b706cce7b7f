"""What `quintet bench morris` measures: work per CPU-second of one thread."""

import time
from collections.abc import Callable, Iterable
from typing import Final

from engines.core.game import Game
from engines.core.search import Limits, Report
from engines.morris.board import COMPILED
from engines.morris.levels import BEST, LEVELS, MorrisSearcher
from engines.morris.position import Position
from engines.morris.rules import make_rules
from engines.morris.sweep import Sweep
from engines.morris.tables import Tables

_SECONDS: Final = 0.25  # That each figure takes at least.
_MIDDLE: Final = "W.W/.BB/WWB/B..W.B/.W./B.W/WB. w 0 0 0"


def bench() -> Iterable[tuple[str, float, str]]:
    """Yield what was measured, the figure and its unit."""
    depth = 6 if COMPILED else 4
    perft = Position().perft
    yield (
        f"perft {depth}",
        perft(depth) * _rate(lambda size: _repeat(perft, depth, size)),
        "leaves/s",
    )
    yield "random games", _rate(lambda size: _games(size)), "games/s"
    yield "search, placing", _rate(_search("")), "nodes/s"
    yield "search, moving", _rate(_search(_MIDDLE)), "nodes/s"
    yield "captures of 3-3", _rate(_captures), "entries/s"


def _rate(work: Callable[[int], int]) -> float:
    """Return how much of some work a CPU-second does; it is doubled until it takes long enough."""
    size = 1
    while True:
        began = time.process_time()
        done = work(size)
        spent = time.process_time() - began
        if spent >= _SECONDS:
            return done / spent
        size *= 2


def _repeat(work: Callable[[int], int], depth: int, size: int) -> int:
    for _ in range(size):
        work(depth)
    return size


def _games(size: int) -> int:
    Position().random_games(size, 1)
    return size


def _search(setup: str) -> Callable[[int], int]:
    """Return the work of searching a position, by a searcher that has its tables already."""
    searcher = MorrisSearcher(LEVELS[BEST], 1, book=None)
    searcher.forget()

    def search(size: int) -> int:
        game = Game(make_rules(), setup)
        told: list[Report] = []
        limits = Limits(nodes=size * (20_000 if COMPILED else 200))
        searcher.search(game, limits, stop=lambda: False, report=told.append)
        return max(limits.nodes or 0, told[-1].nodes)

    return search


def _captures(size: int) -> int:
    tables = Tables()
    cells = bytearray(tables.index.entries(3, 3))
    tables.hold(3, 3, "depth", cells)
    sweep = Sweep(tables, (3, 3), cells, cells, flying=True, doubles=False)
    classes = min(size, sweep.classes)
    for _ in range(max(1, size // sweep.classes)):
        sweep.begin(0, classes)
    return len(cells) * classes // sweep.classes * max(1, size // sweep.classes)
