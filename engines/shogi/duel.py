"""Measure what a method, weights or a level gain: `python -m engines.shogi.duel --help`.

The engine plays itself in one process, each side with a memory of its own and the same nodes a
move, every opening twice with colours swapped. So a game costs a fraction of what it does between
two programs; `quintet match` measures programs.
"""

import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

import click

from engines.core.game import Game
from engines.shogi import evaluation
from engines.shogi.position import Position
from engines.shogi.rules import ShogiRules
from engines.shogi.scores import ALL_METHODS, METHODS
from engines.shogi.thinking import BEST_LEVEL, Task, Thinker
from engines.shogi.weights import SHIPPED, load

_PLIES: Final = 8  # Of an opening, drawn by lot,
_EVEN: Final = 150  # and even within so many hundredths of a pawn
_LOOK: Final = 1500  # by a search of so many nodes.
_LOST: Final = -3000  # A side that says so twice in a row has lost.
_LONGEST: Final = 300  # Plies, a draw then.
_BOUND: Final = math.log(19)  # Of the likelihood ratio: 5 % errors of both kinds.


@dataclass(frozen=True, slots=True)
class Contender:
    """One side: the methods it searches with, the weights it values by and its level."""

    methods: int = ALL_METHODS
    weights: Path = SHIPPED
    level: int = BEST_LEVEL


class Duel:
    """Plays pairs of games between two contenders; a pair depends on its number and the seed."""

    def __init__(self, first: Contender, second: Contender, nodes: int, seed: int) -> None:
        sides = (first, second)
        self._judge = Thinker(4)  # Of openings, which no contender's strength may choose.
        self._thinkers = [Thinker(4, level=side.level, methods=side.methods) for side in sides]
        self._weights = [load(side.weights) for side in sides]
        self._same = first.weights == second.weights
        self._nodes = nodes
        self._seed = seed
        evaluation.fill(self._weights[0])

    def opening(self, pair: int) -> list[int]:
        """Return the first moves of a pair of games, drawn until they are even."""
        for attempt in count():
            chance = random.Random(f"{self._seed}/{pair}/{attempt}")
            game = Game(ShogiRules())
            while len(game.moves) < _PLIES and game.outcome() is None:
                game.push(chance.choice(game.position.legal_moves()))
            if game.outcome() is None and abs(self._value(game.position)) <= _EVEN:
                return list(game.moves)
        raise AssertionError  # Never: the count does not end.

    def _value(self, position: Position) -> int:
        self._judge.forget()
        if not self._same:
            evaluation.fill(self._weights[0])
        return self._judge.think(Task(position, lambda: False, nodes=_LOOK))[0].score

    def play(self, pair: int) -> float:
        """Play a pair of games; return the first contender's points."""
        opening = self.opening(pair)
        return self._game(opening, 0) + 1.0 - self._game(opening, 1)

    def _game(self, opening: Sequence[int], black: int) -> float:
        """Play a game with one contender as Black; return Black's points."""
        game = Game(ShogiRules())
        for move in opening:
            game.push(move)
        for thinker in self._thinkers:
            thinker.forget()
        lost = [0, 0]
        while len(game.moves) < _LONGEST:
            if (outcome := game.outcome()) is not None:
                return outcome.points(0)
            side = game.turn ^ black
            if not self._same:
                evaluation.fill(self._weights[side])
            task = Task(game.position, lambda: False, nodes=self._nodes)
            thought = self._thinkers[side].think(task)[0]
            lost[side] = lost[side] + 1 if thought.score < _LOST else 0
            if lost[side] == 2:
                return float(game.turn == 1)
            game.push(thought.line[0])
        return 0.5


@dataclass(frozen=True, slots=True)
class Standing:
    """What pairs of games say: points, Elo with the half width of its 95 %, likelihood ratio."""

    pairs: int
    mean: float
    elo: float
    error: float
    ratio: float

    def __str__(self) -> str:
        score = f"{2 * self.pairs} games, {100 * self.mean:.1f} %"
        return f"{score}, Elo {self.elo:+.0f} ± {self.error:.0f}, LLR {self.ratio:+.2f}"


def judge(points: Sequence[float], elo0: float, elo1: float) -> Standing:
    """Judge pairs by their points, 0 to 2, in halves; `ratio` is of `elo1` against `elo0`."""
    pairs = len(points)
    # Half a pair of each kind more keeps a sweep from looking certain.
    shares = [point / 2 for point in points] + [0.0, 1.0]
    mean = sum(shares) / len(shares)
    variance = sum((share - mean) ** 2 for share in shares) / len(shares)
    low, high = chance_at(elo0), chance_at(elo1)
    ratio = pairs * (high - low) * (2 * mean - low - high) / (2 * variance)
    spread = 1.96 * math.sqrt(variance / len(shares))
    slope = 400 / math.log(10) / (mean * (1 - mean))
    return Standing(pairs, mean, -400 * math.log10(1 / mean - 1), slope * spread, ratio)


def chance_at(elo: float) -> float:
    """Return the share of points that a difference in Elo stands for."""
    return 1 / (1 + 10 ** (-elo / 400))


def run(duel: Duel, pairs: int, out: Path | None) -> Iterator[list[float]]:
    """Play what a file of results still misses, yielding all points so far after each pair."""
    points: list[float] = []
    if out is not None and out.exists():
        lines = out.read_text(encoding="ascii").splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]
        points = [float(json.loads(line)["points"]) for line in whole]
        out.write_text("".join(whole), encoding="ascii")
        if points:
            yield points
    while len(points) < pairs:
        points.append(duel.play(len(points)))
        if out is not None:
            with out.open("a", encoding="ascii") as file:
                file.write(json.dumps({"pair": len(points), "points": points[-1]}) + "\n")
        yield points


@click.command()
@click.option("--without", type=click.Choice(METHODS), multiple=True, help="Of the second side.")
@click.option("--weights", type=click.Path(path_type=Path, exists=True), help="Of the second side.")
@click.option(
    "--levels",
    type=click.IntRange(0, BEST_LEVEL),
    default=(BEST_LEVEL, BEST_LEVEL),
    nargs=2,
    show_default=True,
    help="Of the first side and of the second.",
)
@click.option(
    "--nodes", default=2000, show_default=True, help="Nodes a move; a level may take less."
)
@click.option("--games", default=4000, show_default=True, help="At most.")
@click.option("--bounds", default=(0.0, 10.0), nargs=2, show_default=True, help="SPRT, in Elo.")
@click.option("--seed", default=1, show_default=True, help="Of the openings.")
@click.option("--out", type=click.Path(path_type=Path), help="File of results, to go on from.")
def main(
    without: tuple[str, ...],
    weights: Path | None,
    levels: tuple[int, int],
    nodes: int,
    games: int,
    bounds: tuple[float, float],
    seed: int,
    out: Path | None,
) -> None:
    """Play the engine as it is against itself without a method, with other weights or by levels.

    Ends once the sequential test has decided, or after so many games.
    """
    methods = ALL_METHODS
    for name in without:
        methods &= ~(1 << METHODS.index(name))
    first = Contender(level=levels[0])
    second = Contender(methods, weights or SHIPPED, levels[1])
    standing = judge([], *bounds)
    for points in run(Duel(first, second, nodes, seed), (games + 1) // 2, out):
        standing = judge(points, *bounds)
        if standing.pairs % 20 == 0:
            click.echo(str(standing), err=True)
        if abs(standing.ratio) >= _BOUND:
            break
    verdict = "accepted" if standing.ratio >= _BOUND else "rejected"
    click.echo(f"{standing}, {verdict if abs(standing.ratio) >= _BOUND else 'undecided'}")


if __name__ == "__main__":
    main()
