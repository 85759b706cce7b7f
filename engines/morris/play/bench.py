"""The figures of `quintet bench morris`: work per CPU-second of one thread."""

from collections.abc import Callable, Iterable
from typing import Final

from engines.core.game import Game
from engines.core.rate import rate, repeat
from engines.core.search import Limits
from engines.morris.play.levels import BEST, LEVELS, MorrisSearcher
from engines.morris.rules.board import COMPILED
from engines.morris.rules.position import Position
from engines.morris.rules.text import make_rules
from engines.morris.tables.lookup import Tables
from engines.morris.tables.sweep import Sweep

_NODES: Final = 1_000_000 if COMPILED else 500
_MIDDLE: Final = "W.W/.BB/WWB/B..W.B/.W./B.W/WB. w 0 0 0"


def bench(seconds: float) -> Iterable[tuple[str, float, str]]:
    """Yield the name, the value and the unit of each figure; each takes at least `seconds`."""
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
    """Return the work of repeatedly searching a position that no search of this size solves.

    The search forgets everything after each repetition, because a win that it remembers would end
    the next one early. Forgetting takes a fiftieth of the time.
    """
    searcher = MorrisSearcher(LEVELS[BEST], 1, book=None)
    searcher.forget()  # Loads the tables, which takes longer than the search.

    def search() -> int:
        searcher.forget()
        game = Game(make_rules(), setup)
        searcher.search(game, Limits(nodes=_NODES), stop=lambda: False, report=lambda _: None)
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
