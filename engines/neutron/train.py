"""Learn the evaluation's weights from the results of games that the search plays against itself."""

import math
import random
import sys
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines.core.game import Game, Outcome
from engines.core.search import Limits, Report
from engines.neutron.board import BOARD
from engines.neutron.evaluation import LINES, STATES, WEIGHTS
from engines.neutron.position import Position
from engines.neutron.rules import make_rules
from engines.neutron.search import LOGIT, Search

_ROUNDS: Final = 3  # Each plays with what the ones before have learned.
_NODES: Final = 800  # A turn.
_NOISE: Final = 80
_EXPLORE: Final = 0.04  # The share of random turns after the opening.
_OPENINGS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 12)  # Random turns.
_MOST_TURNS: Final = 150
_EPOCHS: Final = 4
_RATE: Final = 0.1

Progress = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class Sample:
    """A position's weights by index, and what its game was worth to the mover."""

    indices: tuple[int, ...]
    points: float


def train(
    games: int, target: Path, seed: int = 0, nodes: int = _NODES, progress: Progress | None = None
) -> float:
    """Teach new weights from so many games and write them to a file; return the last error.

    The error is the mean logarithmic loss over the samples learned from; 0.693 is to know nothing.
    """
    rng = random.Random(seed)
    learned = [0.0] * WEIGHTS
    samples: list[Sample] = []
    error = math.log(2)
    for turn in range(_ROUNDS):
        search = Search(_NOISE, rng.getrandbits(60), 14, _rounded(learned), knows=False)
        for number in range(turn * games // _ROUNDS, (turn + 1) * games // _ROUNDS):
            search.forget()
            samples.extend(_play(search, rng, nodes))
            if progress is not None and number % 1000 == 0:
                progress(number / games, f"{len(samples)} positions, error {error:.4f}")
        learned, error = _fit(samples, rng)
    weights = _rounded(learned)
    if sys.byteorder == "big":
        weights.byteswap()
    target.write_bytes(weights.tobytes())
    return error


def _play(search: Search, rng: random.Random, nodes: int) -> list[Sample]:
    """Play one game, to the end or until its result is proved."""
    game = Game(make_rules())
    opening = rng.choice(_OPENINGS)
    seen: list[tuple[int, tuple[int, ...]]] = []
    proved: Outcome | None = None
    reports: list[Report] = []
    while (outcome := game.outcome() or proved) is None and len(game.moves) < _MOST_TURNS:
        if len(game.moves) < opening or rng.random() < _EXPLORE:
            game.push(_wander(game.position, rng))
            continue
        if not game.position.only_man:
            seen.append((game.turn, lines(game.position)))
        reports.clear()
        move = search.search(game, Limits(nodes=nodes), stop=lambda: False, report=reports.append)
        if reports and reports[-1].score.exact:
            proved = Outcome(game.turn ^ (reports[-1].score.chance == 0.0), "proved")
        game.push(move)
    outcome = outcome or Outcome(None, "too long")
    return [Sample(indices, outcome.points(side)) for side, indices in seen]


def _wander(position: Position, rng: random.Random) -> int:
    """Choose any turn, one that does not lose at once if a few tries find it."""
    moves = position.legal_moves()
    move = rng.choice(moves)
    for _ in range(12):
        position.play(move)
        men = position.white | position.black
        bad = position.ending() or BOARD.can_win(position.turn, position.neutron, men)
        position.undo()
        if not bad:
            break
        move = rng.choice(moves)
    return move


def lines(position: Position) -> tuple[int, ...]:
    """Return the indices of the ten weights that value a position, as its mover sees it."""
    own, enemy, neutron = position.white, position.black, position.neutron
    order = range(5)
    if position.turn:
        own, enemy = enemy, own
        neutron = neutron % 5 + 5 * (4 - neutron // 5)
        order = range(4, -1, -1)
    rows = [[5 * row + column for column in range(5)] for row in order]
    columns = [list(column) for column in zip(*rows, strict=True)]
    return tuple(
        (neutron * LINES + line) * STATES
        + sum(
            3**place * ((own >> square & 1) + 2 * (enemy >> square & 1))
            for place, square in enumerate(squares)
        )
        for line, squares in enumerate(rows + columns)
    )


def _mirrored(index: int) -> int:
    line, state = divmod(index, STATES)
    neutron, line = divmod(line, LINES)
    neutron += 4 - 2 * (neutron % 5)
    if line < 5:
        state = sum(state // 3**place % 3 * 3 ** (4 - place) for place in range(5))
    else:
        line = 14 - line
    return (neutron * LINES + line) * STATES + state


def _fit(samples: list[Sample], rng: random.Random) -> tuple[list[float], float]:
    """Fit by logistic regression; a weight and its mirror image are learned as one."""
    # Twins share the lower index: the result is exactly symmetrical.
    shared = [min(index, _mirrored(index)) for index in range(WEIGHTS)]
    learned = [0.0] * WEIGHTS
    slopes = [1e-3] * WEIGHTS  # Squares summed, as AdaGrad has it.
    loss = 0.0
    for _ in range(_EPOCHS):
        loss = 0.0
        for sample in rng.sample(samples, len(samples)):
            indices = [shared[index] for index in sample.indices]
            chance = 1 / (1 + math.exp(-sum(learned[index] for index in indices)))
            loss -= math.log(max(1e-9, 1 - abs(sample.points - chance)))
            slope = chance - sample.points
            for index in indices:
                slopes[index] += slope * slope
                learned[index] -= _RATE * slope / math.sqrt(slopes[index])
    return [learned[index] for index in shared], loss / max(1, len(samples))


def _rounded(learned: list[float]) -> "array[int]":
    return array("h", [max(-8000, min(8000, round(weight * LOGIT))) for weight in learned])
