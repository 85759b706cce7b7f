"""What `quintet bench senet` measures: work per CPU-second of one thread."""

import time
from collections.abc import Callable, Iterable

from engines.core.game import Game
from engines.core.search import Limits, Report
from engines.senet import shipped
from engines.senet.rules import make_rules
from engines.senet.search import Search
from engines.senet.sweep import Sweep, improve
from engines.senet.table import FLOAT, Table, entries

_SECONDS = 0.5  # That each figure takes at least.
_PERFT = 7
_DEPTH = 4
_OPENING = "2121212121.................... 1 5"


def bench() -> Iterable[tuple[str, float, str]]:
    """Yield what was measured, the figure and its unit."""
    start = make_rules().start()
    yield "random games", _rate(lambda size: _games(start.play_out, size)), "games/s"
    yield f"perft {_PERFT}", _rate(lambda size: _leaves(start.perft, size)), "leaves/s"
    yield "value iteration, 2-1 and 1-2", _rate(_sweep), "positions/s"
    shipped.chances()  # Reading the tables is not to be timed.
    yield "search", _rate(_search), "nodes/s"


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


def _games(play_out: Callable[[int, int], int], size: int) -> int:
    play_out(size, 1)
    return size


def _leaves(perft: Callable[[int], int], size: int) -> int:
    return sum(perft(_PERFT) for _ in range(size))


def _sweep(size: int) -> int:
    classes = [(2, 1), (1, 2)]
    table = Table([*classes, (1, 1)], FLOAT)
    sweeps = [Sweep(table, own, enemy, 0, 0, None) for own, enemy in classes]
    for _ in range(size):
        improve(sweeps)
    return size * 2 * entries(2, 1)


def _search(size: int) -> int:
    game = Game(make_rules("free-first"), _OPENING)
    searcher = Search(seed=1)
    nodes = 0
    for _ in range(size):
        reports: list[Report] = []
        searcher.forget()
        searcher.search(game, Limits(depth=_DEPTH), stop=lambda: False, report=reports.append)
        nodes += reports[-1].nodes
    return nodes
