"""What `quintet bench shogi` measures: move generation and search, per second of processor time."""

import time
from collections.abc import Iterator
from typing import Final

from engines.shogi.sfen import START, parse_sfen
from engines.shogi.thinking import Task, Thinker

POSITIONS: Final = (
    START,
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
)


def bench(scale: float = 1.0) -> Iterator[tuple[str, float, str]]:
    """Yield what was measured, the figure and its unit; `scale` shortens the search."""
    position = parse_sfen(START)
    depth, leaves = 1, 30
    begun = time.process_time()
    while (spent := time.process_time() - begun) < scale and depth < 6:
        depth += 1
        begun = time.process_time()
        leaves = position.perft(depth)
    yield "perft", leaves / max(spent, 1e-9), "leaves/s"
    nodes = 0
    begun = time.process_time()
    for text in POSITIONS:
        limit = int(200_000 * scale)
        thoughts = Thinker(16).think(Task(parse_sfen(text), lambda: False, nodes=limit))
        nodes += thoughts[0].nodes
    yield "search", nodes / max(time.process_time() - begun, 1e-9), "nodes/s"
    yield "signature", float(nodes), "nodes"
