"""What Neutron's hot code does in a CPU-second."""

import time
from collections.abc import Iterator

from engines.core.game import Game
from engines.core.rate import rate, repeat
from engines.core.search import Limits, Report
from engines.neutron.rules import make_rules
from engines.neutron.search import Search

_PERFT = 5


def bench(seconds: float) -> Iterator[tuple[str, float, str]]:
    """Yield what was measured, the figure and its unit; each takes at least so long."""
    start = make_rules().start()
    leaves = repeat(lambda: start.perft(_PERFT))
    yield f"perft {_PERFT}", rate(leaves, seconds), "leaves/s"
    yield "random games", rate(_games, seconds), "games/s"
    yield "search", _count_nodes(seconds), "nodes/s"


def _games(size: int) -> int:
    make_rules().start().play_games(size)
    return size


def _count_nodes(least: float) -> float:
    search, game = Search(knows=False), Game(make_rules())
    nodes = 0

    def note(report: Report) -> None:
        nonlocal nodes
        nodes = report.nodes

    limit = 1000
    while True:
        search.forget()
        began = time.process_time()
        search.search(game, Limits(nodes=limit), stop=lambda: False, report=note)
        seconds = time.process_time() - began
        # The start is proved won by a few million nodes: to search on would measure something else.
        if seconds > least or limit > 2_000_000:
            return nodes / seconds
        limit *= 2
