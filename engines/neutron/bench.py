"""What Neutron's hot code does in a CPU-second."""

import time
from collections.abc import Iterator

from engines.core.game import Game
from engines.core.search import Limits, Report
from engines.neutron.rules import make_rules
from engines.neutron.search import Search

_LEAST = 0.2  # CPU-seconds a figure is measured for.


def bench() -> Iterator[tuple[str, float, str]]:
    """Measure one after the other: what was measured, the figure, its unit."""
    yield "half-move perft, last plies in bulk", _count_halves(), "half-moves per CPU-second"
    yield "search", _count_nodes(), "nodes per CPU-second"
    yield "random games", _count_games(), "games per CPU-second"


def _count_halves() -> float:
    position = make_rules().start()
    depth = 4
    while True:
        began = time.process_time()
        halves = position.perft(depth)
        seconds = time.process_time() - began
        if seconds > _LEAST:
            return halves / seconds
        depth += 1


def _count_nodes() -> float:
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
        if seconds > _LEAST or limit > 2_000_000:
            return nodes / seconds
        limit *= 2


def _count_games() -> float:
    position = make_rules().start()
    games = 0
    began = time.process_time()
    while (seconds := time.process_time() - began) <= _LEAST:
        for _ in range(10):
            games += 1
            position.play_out(games)
    return games / seconds
