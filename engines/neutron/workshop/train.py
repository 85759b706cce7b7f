"""Learn the weights of the evaluation from games that the search plays against itself.

`python -m engines.neutron.workshop.train --help`
"""

import math
import random
import sys
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from engines.core.game import Game, Outcome
from engines.core.search import Limits, Report
from engines.core.solving import Progress
from engines.neutron.play.evaluation import LINES, STATES, WEIGHTS
from engines.neutron.play.search import LOGIT, Search
from engines.neutron.rules.board import BOARD
from engines.neutron.rules.position import Position
from engines.neutron.rules.text import make_rules

_ROUNDS: Final = 3  # Each round plays with the weights that the previous one has learned.
_NODES: Final = 800  # Per turn.
_NOISE: Final = 80
_EXPLORE: Final = 0.04  # The share of random turns after the opening.
_OPENINGS: Final = (1, 2, 3, 4, 5, 6, 8, 10, 12)  # Numbers of random turns at the start.
_MOST_TURNS: Final = 150
_EPOCHS: Final = 4
_RATE: Final = 0.1


@dataclass(frozen=True, slots=True)
class Sample:
    """The indices of a position's weights, and the points that the mover got in the end."""

    indices: tuple[int, ...]
    points: float


def train(
    games: int, target: Path, seed: int = 0, nodes: int = _NODES, progress: Progress | None = None
) -> float:
    """Learn weights from `games` games and write them to a file; return the last error.

    The error is the mean logarithmic loss over all samples; it is 0.693 for an evaluation that
    knows nothing.
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
    """Play one game to its end, or until the search proves its result."""
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
    """Choose a random turn; try a few times to find one that does not lose immediately."""
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
    """Return the indices of the ten weights that value a position for its mover."""
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
    """Fit by logistic regression; a weight and its mirror image are learned as one weight."""
    # Both use the lower index, so that the result is exactly symmetrical.
    shared = [min(index, _mirrored(index)) for index in range(WEIGHTS)]
    learned = [0.0] * WEIGHTS
    slopes = [1e-3] * WEIGHTS  # Sums of squares, as in AdaGrad.
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


@click.command()
@click.argument("games", type=click.IntRange(min=1))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--seed", type=int, metavar="N", default=0, show_default=True)
@click.option("--nodes", type=int, metavar="N", default=_NODES, show_default=True, help="Per turn.")
def main(games: int, file: Path, seed: int, nodes: int) -> None:
    """Learn from GAMES games, and write the weights to FILE."""
    error = train(
        games,
        file,
        seed,
        nodes,
        progress=lambda done, text: click.echo(f"{100 * done:5.1f} %  {text}", err=True),
    )
    click.echo(f"mean logarithmic loss {error:.4f}")


if __name__ == "__main__":
    main()
