"""The figures of `quintet bench neutron`: work per CPU-second of one thread."""

import time
from collections.abc import Iterator

from engines.core.game import Game
from engines.core.rate import rate, repeat
from engines.core.search import Limits, Report
from engines.neutron.play.search import Search
from engines.neutron.rules.text import make_rules

_PERFT = 5


def bench(seconds: float) -> Iterator[tuple[str, float, str]]:
    """Yield the name, the value and the unit of each figure; each takes at least `seconds`."""
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
        # A few million nodes prove that the start is won; more would measure something else.
        if seconds > least or limit > 2_000_000:
            return nodes / seconds
        limit *= 2
