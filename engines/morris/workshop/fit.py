"""Fit the weights of the evaluation: `python -m engines.morris.workshop.fit --help`.

The fit begins with weights that equal the counts with hand-set weights. A pattern shares its weight
with its symmetric images and, with the opposite sign, with the pattern of exchanged sides. Its
weight is the sum of a part that all phases share and a part for each phase. Needs numpy.
"""

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import numpy as np

from engines.core.fitting import (
    Adam,
    Array,
    chances,
    count_batches,
    log_loss,
    shuffled_batches,
)
from engines.morris.play import evaluation
from engines.morris.play.evaluation import strikes
from engines.morris.play.weights import (
    FACE,
    FACES,
    MATERIAL,
    MEN,
    MIDDLE,
    PHASE,
    PHASES,
    RING,
    ROW,
    SHIPPED,
    SIZE,
    STEPPING,
    STEPS,
    STRIKES,
    STRIKING,
    save,
)
from engines.morris.rules.board import count, neighbours

UNIT: Final = 8  # The file holds eighths of a hundredth of a man.
SCALE: Final = 400 / math.log(10)  # The value that corresponds to a chance of 73 %.
BATCH: Final = 4096
HELD_OUT: Final = 20  # One game in so many is not learned from; it measures the loss.
_LIMIT: Final = 32767  # The largest weight in the file.

_SIDES: Final = ((0, 1, 2), (2, 3, 4), (4, 5, 6), (6, 7, 0))
_MAN, _STEP, _BLOCKED, _MILL, _THREAT, _STRIKE, _FORK = evaluation.HAND_SET


def _digits(states: Array, points: int) -> Array:
    """Return the contents of each point of states: 0 is free, 1 the mover, 2 the opponent."""
    return np.stack([states // 3**point % 3 for point in range(points)], axis=1)


def _number(digits: Array) -> Array:
    numbers: Array = digits @ 3 ** np.arange(digits.shape[1])
    return numbers


def _ring_worth(digits: Array) -> Array:
    """Return what the counts with hand-set weights give for a single square."""
    worth = np.zeros(len(digits))
    for side, sign in ((1, 1), (2, -1)):
        for corner in (0, 2, 4, 6):
            behind, ahead = digits[:, corner - 1], digits[:, corner + 1]
            stuck = (digits[:, corner] == side) & (behind > 0) & (ahead > 0)
            worth -= sign * _BLOCKED * stuck
            around = digits[:, [corner - 1, corner - 2, (corner + 1) % 8, (corner + 2) % 8]]
            fork = (digits[:, corner] == 0) & (around == side).all(axis=1)
            worth += sign * _FORK * fork
        for points in _SIDES:
            worth += sign * _MILL * (digits[:, points] == side).all(axis=1)
    return worth


def _face_worth(digits: Array) -> Array:
    """Return what these counts give for the middle points of three parallel sides."""
    worth = np.zeros(len(digits))
    middles = (1, 4, 7)
    for side, sign in ((1, 1), (2, -1)):
        worth += sign * _MILL * (digits[:, middles] == side).all(axis=1)
        for middle in middles:
            across = [other for other in middles if other != middle]
            beside = [middle - 1, middle + 1, *(at for at in across if abs(at - middle) == 3)]
            stuck = (digits[:, middle] == side) & (digits[:, beside] > 0).all(axis=1)
            worth -= sign * _BLOCKED * stuck
            around = digits[:, [middle - 1, middle + 1, *across]]
            fork = (digits[:, middle] == 0) & (around == side).all(axis=1)
            worth += sign * _FORK * fork
    return worth


def _classes(digits: Array, images: Sequence[Sequence[int]]) -> tuple[Array, Array]:
    """Return for each state the least of its images, sides exchanged or not, and its sign there."""
    turned = np.array([0, 2, 1])[digits]
    same = np.min([_number(digits[:, list(image)]) for image in images], axis=0)
    other = np.min([_number(turned[:, list(image)]) for image in images], axis=0)
    return np.minimum(same, other), np.sign(other - same)


def begin() -> Array:
    """Return the weights, in hundredths of a man, that equal the counts with hand-set weights."""
    weights = np.zeros(SIZE)
    ring = _ring_worth(_digits(np.arange(RING), 8))
    face = _face_worth(_digits(np.arange(FACE), 9))
    own, enemy = np.indices((STRIKES, STRIKES))
    striking = _THREAT * (own - enemy) + _STRIKE * (own > 0)
    stepping = _STEP * np.arange(STEPS)
    row = np.concatenate([ring, ring, face, striking.ravel(), stepping, -stepping])
    weights[:MATERIAL] = np.tile(row, PHASES)
    mine, theirs = np.indices((MEN, MEN))
    weights[MATERIAL:] = np.tile((_MAN * (mine - theirs)).ravel(), len(PHASE))
    return weights


_TURNS: Final = [[(at + turn) % 8 for at in range(8)] for turn in (0, 2, 4, 6)]
_RINGS: Final = _TURNS + [[turn[-at % 8] for at in range(8)] for turn in _TURNS]
_FACES: Final = [
    [3 * row + column for row in rows for column in columns]
    for rows in ((0, 1, 2), (2, 1, 0))
    for columns in ((0, 1, 2), (2, 1, 0))
]


def fold_patterns() -> tuple[Array, int]:
    """Number the patterns of a row, images alike; return the numbers and how many there are."""
    ring, face = (
        np.min([_number(digits[:, list(image)]) for image in images], axis=0)
        for digits, images in (
            (_digits(np.arange(RING), 8), _RINGS),
            (_digits(np.arange(FACE), 9), _FACES),
        )
    )
    least = np.concatenate([ring, MIDDLE + ring, FACES + face, np.arange(STRIKING, ROW)])
    numbers: Array
    distinct, numbers = np.unique(least, return_inverse=True)
    return numbers, len(distinct)


class Factors:
    """The parts of the weights: one that all phases share, and one for each phase."""

    def __init__(self) -> None:
        ring, ring_sign = _classes(_digits(np.arange(RING), 8), _RINGS)
        face, face_sign = _classes(_digits(np.arange(FACE), 9), _FACES)
        rest = np.arange(ROW - STRIKING)
        one = np.concatenate([ring, MIDDLE + ring, FACES + face, STRIKING + rest])
        sign = np.concatenate([ring_sign, ring_sign, face_sign, np.ones(len(rest))])
        mine, theirs = np.indices((MEN, MEN))
        material = ROW + (MEN * mine + theirs).ravel()
        self._shared = np.concatenate([np.tile(one, PHASES), np.tile(material, len(PHASE))])
        alone = [phase * ROW + one for phase in range(PHASES)]
        self._alone = np.concatenate([*alone, np.arange(MATERIAL, SIZE)])
        self._sign = np.concatenate([np.tile(sign, PHASES), np.ones(SIZE - MATERIAL)])
        self.sizes = (ROW + MEN * MEN, SIZE)

    def gather(self, gradient: Array) -> tuple[Array, Array]:
        """Convert the slope of each weight into the slopes of all parts."""
        signed = gradient * self._sign
        return (
            np.bincount(self._shared, signed, minlength=self.sizes[0]),
            np.bincount(self._alone, signed, minlength=self.sizes[1]),
        )

    def spread(self, shared: Array, alone: Array) -> Array:
        """Convert the parts into weights."""
        weights: Array = self._sign * (shared[self._shared] + alone[self._alone])
        return weights


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions as the indices of the weights that they add up, and their labels."""

    rows: Array
    value: Array
    result: Array
    game: Array


def read(paths: Sequence[Path]) -> Samples:
    """Read labelled positions as `selfplay` writes them, except those with few men."""
    lines = np.concatenate([np.loadtxt(path, dtype=np.int64, ndmin=2) for path in paths])
    own, enemy, own_hand, enemy_hand, value, result, game = lines.T
    popcount: Callable[[Array], Array] = np.bitwise_count
    mine, theirs = popcount(own) + own_hand, popcount(enemy) + enemy_hand
    hands = own_hand + enemy_hand
    row = np.array(PHASE)[hands] * ROW
    material = MATERIAL + (hands * MEN + mine) * MEN + theirs
    kept = mine + theirs > 10
    rows = np.column_stack([row[:, None] + find_patterns(lines[:, :4]), material])[kept]
    return Samples(rows.astype(np.int32), value[kept], result[kept], game[kept])


def find_patterns(positions: Array) -> Array:
    """Return the indices of the patterns of positions in a row of weights.

    A position is given by the own men, the enemy men, and the men in hand of both.
    """
    own, enemy = positions[:, 0], positions[:, 1]
    ternary = np.array([int(f"{number:b}", 3) for number in range(512)])

    def state(mine: Array, theirs: Array) -> Array:
        states: Array = ternary[mine] + 2 * ternary[theirs]
        return states

    def face(men: Array, turn: int) -> Array:
        squares = [(men >> 8 * ring & 255) * 257 >> 2 * turn & 7 for ring in range(3)]
        bits: Array = squares[0] | squares[1] << 3 | squares[2] << 6
        return bits

    counts = [
        (
            count(strikes(one, ~(one | other) & 0xFFFFFF, hand, 0)),
            count(strikes(other, ~(one | other) & 0xFFFFFF, other_hand, 0)),
            count(neighbours(one) & ~(one | other) & 0xFFFFFF),
            count(neighbours(other) & ~(one | other) & 0xFFFFFF),
        )
        for one, other, hand, other_hand in positions.tolist()
    ]
    own_strikes, enemy_strikes, own_steps, enemy_steps = np.array(counts).T
    striking = np.minimum(own_strikes, STRIKES - 1) * STRIKES
    striking += np.minimum(enemy_strikes, STRIKES - 1)
    columns = [
        state(own & 255, enemy & 255),
        state(own >> 16, enemy >> 16),
        MIDDLE + state(own >> 8 & 255, enemy >> 8 & 255),
        *(FACES + state(face(own, turn), face(enemy, turn)) for turn in range(4)),
        STRIKING + striking,
        STEPPING + np.minimum(own_steps, STEPS - 1),
        STEPPING + STEPS + np.minimum(enemy_steps, STEPS - 1),
    ]
    return np.stack(columns, axis=1)


@dataclass(frozen=True, slots=True)
class FitOptions:
    """The options of a fit."""

    epochs: int = 12
    share: float = 0.3  # The share of the game's result in a target.
    decay: float = 0.005  # Of the parts for single phases; a third of it for shared parts.
    rate: float = 2.0  # The first step, in hundredths of a man.
    seed: int = 1


def fit(samples: Samples, options: FitOptions, say: Callable[[str], None]) -> Array:
    """Return fitted weights in hundredths of a man."""
    generator = np.random.default_rng(options.seed)
    exam = np.flatnonzero(samples.game % HELD_OUT == 0)
    lessons = np.flatnonzero(samples.game % HELD_OUT)
    say(f"{len(lessons)} positions, {len(exam)} held out")
    searched = chances(np.clip(samples.value, -1500, 1500) / SCALE)
    targets = (1.0 - options.share) * searched + options.share * (samples.result + 1) / 2
    factors = Factors()
    base = weights = begin()
    parts = [np.zeros(size) for size in factors.sizes]
    steps = count_batches(len(lessons), BATCH, options.epochs)
    adam = Adam(parts, steps, options.rate, epsilon=1e-7)

    def loss() -> float:
        return log_loss(weights[samples.rows[exam]].sum(axis=1) / SCALE, targets[exam])

    say(f"before: loss {loss():.5f} held out")
    for epoch, is_last, chosen in shuffled_batches(lessons, BATCH, options.epochs, generator):
        rows = samples.rows[chosen]
        slopes = chances(weights[rows].sum(axis=1) / SCALE) - targets[chosen]
        repeated = np.repeat(slopes / len(chosen), rows.shape[1])
        gradient = np.bincount(rows.ravel(), repeated, minlength=SIZE)
        rate = adam.step(factors.gather(gradient))
        for part, decay in zip(parts, (options.decay / 3, options.decay), strict=True):
            part *= 1.0 - rate * decay
        weights = base + factors.spread(parts[0], parts[1])
        if is_last and (epoch % 3 == 2 or epoch == options.epochs - 1):
            say(f"epoch {epoch + 1}: loss {loss():.5f} held out")
    return weights


def rounded(numbers: Array) -> "array[int]":
    """Return numbers as 16-bit integers."""
    return array("h", np.clip(np.rint(numbers), -_LIMIT, _LIMIT).astype(int).tolist())


@click.command()
@click.argument(
    "files", type=click.Path(path_type=Path, exists=True, dir_okay=False), nargs=-1, required=True
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE", default=SHIPPED, help="Default: ours."
)
@click.option("--epochs", type=int, metavar="N", default=12, show_default=True)
@click.option(
    "--share", type=float, default=0.3, show_default=True, help="Of the results in the targets."
)
@click.option("--decay", type=float, default=0.005, show_default=True)
@click.option("--rate", type=float, default=2.0, show_default=True)
def main(
    files: Sequence[Path], out: Path, epochs: int, share: float, decay: float, rate: float
) -> None:
    """Fit weights to FILES of labelled positions, which `selfplay` writes."""
    options = FitOptions(epochs, share, decay, rate)
    weights = fit(read(files), options, lambda text: click.echo(text, err=True))
    save(out, rounded(weights * UNIT))


if __name__ == "__main__":
    main()
