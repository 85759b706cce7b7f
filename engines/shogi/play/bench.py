"""The figures of `quintet bench shogi`: rates per second of processor time."""

import random
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from engines.core.rate import rate, repeat
from engines.shogi.play.evaluating import shipped
from engines.shogi.play.evaluation import Evaluation
from engines.shogi.play.fitted import Fitted
from engines.shogi.play.network import weights as files
from engines.shogi.play.network.network import Network, NetworkEvaluation
from engines.shogi.play.scores import TOP
from engines.shogi.play.search import Task, Thinker
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.sfen import START, parse_sfen

POSITIONS: Final = (
    START,
    "ln1g3nl/1r1s1kg2/pppp2spp/4pp3/7P1/7R1/PP1PPPP1P/1SG3S2/LN2KG1NL b BPbp 25",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "ln4knl/1r2g4/p3s1gpp/1ppppps2/2S4P1/6P2/PP1PPPN1P/2GKG1S2/LN5RL b BPbp 41",
)  # No position has a mate nearby: its proof would end the search too soon to measure its speed.
_PERFT: Final = 3  # Plies.
_LONGEST: Final = 300  # The greatest number of moves in a random game.
# Thousands of nodes per position. The sum of all nodes changes whenever the search changes.
_SIGNATURE: Final = 20

_KERNELS: Final = ("plain C", "SSE4.1", "AVX2", "AVX-512 VNNI")
"""The kernels of the network by level; interpreted, level 0 is numpy."""


def bench(seconds: float) -> Iterator[tuple[str, float, str]]:
    """Yield name, value and unit of each figure, which takes at least so many seconds."""
    start = parse_sfen(START)
    own = rate(repeat(lambda: start.perft(_PERFT)), seconds)
    yield f"perft {_PERFT}", own, "leaves/s"
    yield "random games", rate(_games, seconds), "games/s"
    yield "evaluation", rate(_Replay(shipped().make()).evaluate, seconds), "positions/s"
    yield "evaluation, weights", rate(_Replay(Fitted()).evaluate, seconds), "positions/s"
    if files.SHIPPED.exists():
        layers = files.load()
        for level in range(Network(layers).level + 1):
            replay = _Replay(NetworkEvaluation(Network(layers, level)))
            yield f"evaluation, {_KERNELS[level]}", rate(replay.evaluate, seconds), "positions/s"
    yield "exchanges", rate(_Replay(Fitted()).judge, seconds), "moves/s"
    yield "search", rate(_search, seconds), "nodes/s"
    yield "signature", float(_search(_SIGNATURE)), "nodes"
    if find_spec("cshogi") is not None:
        # cshogi is the fastest library for Python. Machines differ, so one run measures both.
        board = import_module("cshogi").Board(START)
        theirs = rate(repeat(lambda: _count(board, _PERFT)), seconds)
        yield f"perft {_PERFT}, cshogi driven from Python", theirs, "leaves/s"
        yield f"perft {_PERFT}, to cshogi's", own / theirs, "times"


class _Replay:
    """A random game that is played through again and again, to measure parts of the search."""

    def __init__(self, evaluation: Evaluation) -> None:
        chance = random.Random(1)
        self._start = parse_sfen(START)
        position = self._start.copy()
        self._moves: list[int] = []
        while len(self._moves) < min(_LONGEST, TOP) and (moves := position.legal_moves()):
            self._moves.append(chance.choice(moves))
            position.play(self._moves[-1])
        self._worker = Worker(self._start.copy(), TranspositionTable(1))
        self._worker.evaluate_by(evaluation)
        self._worker.begin(self._start.copy())

    def evaluate(self, size: int) -> int:
        """Evaluate every position of the game so many times; return the number of evaluations."""
        for _ in range(size):
            for move in self._moves:
                self._worker.follow(move)
                self._worker.static_value()
            for _ in self._moves:
                self._worker.take_back()
        return size * len(self._moves)

    def judge(self, size: int) -> int:
        """Judge the exchange that each move begins so many times; return the number of moves."""
        for _ in range(size):
            position = self._start.copy()
            for move in self._moves:
                position.wins_exchange(move, 0)
                position.play(move)
        return size * len(self._moves)


def _count(board: Any, depth: int) -> int:
    """Count leaves as cshogi does it fastest: the last moves are counted but not made."""
    if depth == 1:
        return len(board.legal_moves)
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += _count(board, depth - 1)
        board.pop()
    return total


def _games(size: int) -> int:
    """Play so many random games, the same ones every time, and return their number."""
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
    """Search each position with so many thousand nodes, and return the nodes used."""
    nodes = 0
    for text in POSITIONS:
        task = Task(parse_sfen(text), lambda: False, nodes=1000 * size)
        nodes += Thinker(16).think(task)[0].nodes
    return nodes
