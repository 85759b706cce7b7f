"""What `quintet bench shogi` measures: move generation and search, per second of processor time."""

import random
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from engines.core.rate import rate, repeat
from engines.shogi.sfen import START, parse_sfen
from engines.shogi.thinking import Task, Thinker

POSITIONS: Final = (
    START,
    "ln1g3nl/1r1s1kg2/pppp2spp/4pp3/7P1/7R1/PP1PPPP1P/1SG3S2/LN2KG1NL b BPbp 25",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "ln4knl/1r2g4/p3s1gpp/1ppppps2/2S4P1/6P2/PP1PPPN1P/2GKG1S2/LN5RL b BPbp 41",
)  # None with a mate at hand, whose proof would end a search before its speed shows.
_PERFT: Final = 3  # Plies.
_LONGEST: Final = 300  # Moves of a random game.
_SIGNATURE: Final = 20  # Thousand nodes a position: the sum changes when the search does.


def bench(seconds: float) -> Iterator[tuple[str, float, str]]:
    """Yield what was measured, the figure and its unit; each takes at least so long."""
    start = parse_sfen(START)
    own = rate(repeat(lambda: start.perft(_PERFT)), seconds)
    yield f"perft {_PERFT}", own, "leaves/s"
    yield "random games", rate(_games, seconds), "games/s"
    yield "search", rate(_search, seconds), "nodes/s"
    yield "signature", float(_search(_SIGNATURE)), "nodes"
    if find_spec("cshogi") is not None:
        # The fastest library that Python programs have; both in one run, for machines differ.
        board = import_module("cshogi").Board(START)
        theirs = rate(repeat(lambda: _count(board, _PERFT)), seconds)
        yield f"perft {_PERFT}, cshogi driven from Python", theirs, "leaves/s"
        yield f"perft {_PERFT}, to cshogi's", own / theirs, "times"


def _count(board: Any, depth: int) -> int:
    """Count leaves as cshogi does it fastest: the last moves are counted, not made."""
    if depth == 1:
        return len(board.legal_moves)
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += _count(board, depth - 1)
        board.pop()
    return total


def _games(size: int) -> int:
    """Play random games of at most so many moves, the same ones every time."""
    chance = random.Random(1)
    for _ in range(size):
        position = parse_sfen(START)
        for _ in range(_LONGEST):
            moves = position.legal_moves()
            if not moves:
                break
            position.play(chance.choice(moves))
    return size


def _search(size: int) -> int:
    """Search all positions with so many thousand nodes each, and return how many it took."""
    nodes = 0
    for text in POSITIONS:
        task = Task(parse_sfen(text), lambda: False, nodes=1000 * size)
        nodes += Thinker(16).think(task)[0].nodes
    return nodes
