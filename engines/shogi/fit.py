"""Fit the evaluation's weights to labelled positions: `python -m engines.shogi.fit --help`.

A weight of a man's place about a king is a sum: of what the man is worth anywhere, on that
square, at that distance from the king, and only there. So places that are rare learn from those
that are alike. Needs numpy.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from engines.shogi import geometry
from engines.shogi.features import ABOUT, COUNT, SLIDE, Samples, men_index, mirror, read
from engines.shogi.weights import HELD, KINGS, MEN_SIZE, RINGS, SHIPPED, SIZE, SLIDERS, load, save

Array = np.ndarray[Any, Any]

UNIT: Final = 8  # Of a hundredth of a pawn, in the file.
BATCH: Final = 4096
HELD_OUT: Final = 20  # One game in so many does not teach.

# Where the fit begins: men by their kind, on the board and in hand, and their attacks by the
# distance from a king, which guard it or press it.
_MEN: Final = (0, 100, 350, 450, 550, 950, 1100, 600, 0, 600, 600, 600, 600, 1150, 1450, 0)
_IN_HAND: Final = (0, 115, 385, 495, 605, 1045, 1210, 660)
_GUARD: Final = (69, 34, 23, 17, 14, 11, 10, 9, 8)
_PRESS: Final = (97, 49, 32, 24, 19, 16, 14, 12, 11)


def begin() -> Array:
    """Return weights in hundredths of a pawn that were not fitted."""
    weights = np.zeros(SIZE)
    guard, press = np.array(_GUARD), np.array(_PRESS)
    for man in range(32):
        kind = man & 15
        if kind in (0, 15):
            continue
        sign = 1 - 2 * (man >> 4)
        power = press if man >> 4 else guard
        for square in range(81):
            reached = [] if kind in SLIDERS else _squares(geometry.step(man, square))
            for king in range(KINGS):
                near = sum(int(power[_distance(king, other)]) for other in reached)
                weights[(man * KINGS + king) * 81 + square] = sign * (_MEN[kind] / 2 + near)
    for kind in range(1, 8):
        weights[COUNT + kind * HELD : COUNT + (kind + 1) * HELD] = _IN_HAND[kind] * np.arange(HELD)
    far = guard[6] + press[6]
    for number in range(len(SLIDERS)):
        at = SLIDE + number * (2 * RINGS + 1)
        weights[at : at + RINGS] = guard[:RINGS] - guard[6]
        weights[at + RINGS : at + 2 * RINGS] = press[:RINGS] - press[6]
        weights[at + 2 * RINGS] = far
    return weights


def _squares(reached: int) -> list[int]:
    return [square for square in range(81) if reached >> square & 1]


def _distance(one: int, other: int) -> int:
    return max(abs(one // 9 - other // 9), abs(one % 9 - other % 9))


class Factors:
    """The parts that weights are sums of, each with its own steps; the last is every weight."""

    def __init__(self) -> None:
        man, king, square = (part.ravel() for part in np.indices((32, KINGS, 81)))
        # Both halves of the board are one where the king stands in the middle.
        self.twin = men_index(man, king, square)
        aside = np.minimum(square, mirror(square))
        far = 17 * abs(square // 9 - king // 9) + square % 9 - king % 9 + 8
        self.parts = (man, man * 81 + aside, man * 160 + far)
        self.sizes = [int(part.max()) + 1 for part in self.parts]

    def gather(self, gradient: Array) -> list[Array]:
        """Turn the slope of each weight into the slopes of all parts."""
        men = gradient[:MEN_SIZE]
        found = [
            np.bincount(part, men, minlength=size)
            for part, size in zip(self.parts, self.sizes, strict=True)
        ]
        return [*found, gradient]

    def spread(self, values: Sequence[Array]) -> Array:
        """Turn the parts into weights."""
        weights: Array = values[-1].copy()
        for part, value in zip(self.parts, values[:-1], strict=True):
            weights[:MEN_SIZE] += value[part]
        weights[:MEN_SIZE] = weights[:MEN_SIZE][self.twin]
        return weights


def _loss(odds: Array, target: Array) -> float:
    return float((np.logaddexp(0.0, odds) - target * odds).mean())


@dataclass(frozen=True, slots=True)
class Course:
    """How to fit."""

    epochs: int = 8
    share: float = 0.5  # Of the game's result in a target.
    scale: float = 600.0  # The value that stands for a chance of 73 %.
    decay: float = 0.02  # Of weights of single places.
    rate: float = 2.0  # The first step, hundredths of a pawn.
    seed: int = 1


def _pitch(values: Array, aims: Array, scale: float) -> float:
    """Return how much the odds that values stand for are to be flattened to meet the aims best."""
    tried = np.linspace(0.3, 1.2, 46)
    return float(min(tried, key=lambda pitch: _loss(pitch * values / scale, aims)))


def fit(samples: Samples, course: Course, base: Array | None = None) -> Array:
    """Return fitted weights in hundredths of a pawn, beginning with a base.

    Games of quick searches are lost from winning positions, so that their results flatten the
    odds: by as much as suits the base, whose hundredths of a pawn stay what they are.
    """
    chance = np.random.default_rng(course.seed)
    held_out = samples.game % HELD_OUT == 0
    exam = samples.take(np.flatnonzero(held_out))
    lessons = samples.take(np.flatnonzero(~held_out))
    share = course.share
    click.echo(f"{len(lessons)} positions, {len(exam)} held out", err=True)

    def targets(chosen: Samples) -> Array:
        told = 1.0 / (1.0 + np.exp(-chosen.value / course.scale))
        found: Array = (1.0 - share) * told + share * (chosen.result + 1) / 2
        return found

    aims, exam_aims = targets(lessons), targets(exam)
    factors = Factors()
    if base is None:
        base = begin()
    scale = course.scale / _pitch(exam.sums(base), exam_aims, course.scale)
    values = [np.zeros(size) for size in (*factors.sizes, SIZE)]
    first = [np.zeros_like(value) for value in values]
    second = [np.zeros_like(value) for value in values]
    weights = base
    steps = 0
    whole = course.epochs * -(-len(lessons) // BATCH)
    for epoch in range(course.epochs):
        order = chance.permutation(len(lessons))
        for begun in range(0, len(order), BATCH):
            rows = order[begun : begun + BATCH]
            batch = lessons.take(rows)
            odds = batch.sums(weights) / scale
            slopes = (1.0 / (1.0 + np.exp(-odds)) - aims[rows]) / len(rows)
            steps += 1
            pace = course.rate * 0.5 * (1.0 + np.cos(np.pi * steps / whole))
            for at, slope in enumerate(factors.gather(batch.gradient(slopes))):
                first[at] += 0.1 * (slope - first[at])
                second[at] += 0.001 * (slope * slope - second[at])
                drift = first[at] / (1.0 - 0.9**steps)
                spread = np.sqrt(second[at] / (1.0 - 0.999**steps))
                values[at] -= pace * drift / (spread + 1e-8)
            values[-1][:ABOUT] *= 1.0 - pace * course.decay
            weights = base + factors.spread(values)
        if epoch % 2 or epoch == course.epochs - 1:
            lost = _loss(exam.sums(weights) / scale, exam_aims)
            taught = _loss(batch.sums(weights) / scale, aims[rows])
            click.echo(f"epoch {epoch + 1}: loss {lost:.5f} held out, {taught:.5f}", err=True)
    click.echo(f"before: loss {_loss(exam.sums(base) / scale, exam_aims):.5f} held out", err=True)
    return weights


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--out", default=SHIPPED, type=click.Path(path_type=Path), help="File of weights.")
@click.option("--start", type=click.Path(path_type=Path, exists=True), help="Weights to improve.")
@click.option("--epochs", default=8, show_default=True, help="Passes through all positions.")
@click.option("--share", default=0.5, show_default=True, help="Of the results in the targets.")
@click.option("--scale", default=600.0, show_default=True, help="Value of a chance of 73 %.")
@click.option("--decay", default=0.02, show_default=True, help="Of weights of single places.")
@click.option("--rate", default=2.0, show_default=True, help="First step, hundredths of a pawn.")
@click.option("--seed", default=1, show_default=True, help="Of the order of positions.")
def main(
    files: tuple[Path, ...],
    out: Path,
    start: Path | None,
    epochs: int,
    share: float,
    scale: float,
    decay: float,
    rate: float,
    seed: int,
) -> None:
    """Fit weights to FILES of labels and write them."""
    base = None if start is None else np.array(load(start), float) / UNIT
    weights = fit(read(files), Course(epochs, share, scale, decay, rate, seed), base)
    limit = 32767
    save(out, array("h", np.clip(np.rint(weights * UNIT), -limit, limit).astype(int).tolist()))


if __name__ == "__main__":
    main()
