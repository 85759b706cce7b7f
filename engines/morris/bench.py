"""What `quintet bench morris` measures: work per CPU-second of one thread."""

from collections.abc import Callable, Iterable
from typing import Final

from engines.core.game import Game
from engines.core.rate import rate, repeat
from engines.core.search import Limits
from engines.morris.board import COMPILED
from engines.morris.levels import BEST, LEVELS, MorrisSearcher
from engines.morris.position import Position
from engines.morris.rules import make_rules
from engines.morris.sweep import Sweep
from engines.morris.tables import Tables

_NODES: Final = 1_000_000 if COMPILED else 500
_MIDDLE: Final = "W.W/.BB/WWB/B..W.B/.W./B.W/WB. w 0 0 0"


def bench(seconds: float) -> Iterable[tuple[str, float, str]]:
    """Yield what was measured, the figure and its unit; each takes at least so long."""
    depth = 6 if COMPILED else 4
    leaves = repeat(lambda: Position().perft(depth))
    yield f"perft {depth}", rate(leaves, seconds), "leaves/s"
    yield "random games", rate(_games, seconds), "games/s"
    yield "search, placing", rate(_search(""), seconds), "nodes/s"
    yield "search, moving", rate(_search(_MIDDLE), seconds), "nodes/s"
    yield "captures of 3-3", rate(_captures, seconds), "entries/s"


def _games(size: int) -> int:
    Position().random_games(size, 1)
    return size


def _search(setup: str) -> Callable[[int], int]:
    """Return the work of searching a position that no search of this size solves, again and again.

    Forgetting between takes a fiftieth of it; remembered, a win that was found would end the next.
    """
    searcher = MorrisSearcher(LEVELS[BEST], 1, book=None)
    searcher.forget()  # Loads the tables, which takes longer than a search.

    def search() -> int:
        searcher.forget()
        game = Game(make_rules(), setup)
        searcher.search(game, Limits(nodes=_NODES), stop=lambda: False, report=lambda told: None)
        return _NODES

    return repeat(search)


def _captures(size: int) -> int:
    tables = Tables()
    cells = bytearray(tables.index.entries(3, 3))
    tables.hold(3, 3, "depth", cells)
    sweep = Sweep(tables, (3, 3), cells, cells, flying=True, doubles=False)
    classes = min(size, sweep.classes)
    for _ in range(max(1, size // sweep.classes)):
        sweep.begin(0, classes)
    return len(cells) * classes // sweep.classes * max(1, size // sweep.classes)
