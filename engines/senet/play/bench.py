"""The figures of `quintet bench senet`: work per CPU-second of one thread."""

from collections.abc import Callable, Iterable

from engines.core.game import Game
from engines.core.rate import rate, repeat
from engines.core.search import Limits, Report
from engines.senet.play.search import Search
from engines.senet.rules.text import make_rules
from engines.senet.tables import shipped
from engines.senet.tables.sweep import Sweep, improve
from engines.senet.tables.table import FLOAT, ChanceTable, entries

_PERFT = 7
_DEPTH = 4
_OPENING = "2121212121.................... 1 5"


def bench(seconds: float) -> Iterable[tuple[str, float, str]]:
    """Yield the name, the value and the unit of each figure; each takes at least `seconds`."""
    start = make_rules().start()
    yield f"perft {_PERFT}", rate(repeat(lambda: start.perft(_PERFT)), seconds), "leaves/s"
    yield "random games", rate(lambda size: _games(start.play_out, size), seconds), "games/s"
    shipped.chances()  # Read before the clock starts.
    yield "search", rate(_search, seconds), "nodes/s"
    yield "value iteration, 2-1 and 1-2", rate(_sweep, seconds), "positions/s"


def _games(play_out: Callable[[int, int], int], size: int) -> int:
    play_out(size, 1)
    return size


def _sweep(size: int) -> int:
    classes = [(2, 1), (1, 2)]
    table = ChanceTable([*classes, (1, 1)], FLOAT)
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
