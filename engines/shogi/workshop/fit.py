"""Fit the evaluation's weights to labelled positions.

Usage: `python -m engines.shogi.workshop.fit --help`.

The weight of a man on a square, given where a king stands, is a sum of four parts: the value of
the man anywhere, on that square, at that distance from the king, and in exactly this case. In this
way rare cases learn from similar ones. Needs numpy.
"""

from array import array
from collections.abc import Sequence
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
from engines.shogi.play.weights import (
    HELD,
    KINGS,
    MEN_SIZE,
    RINGS,
    SHIPPED,
    SIZE,
    SLIDERS,
    load,
    save,
)
from engines.shogi.rules import geometry
from engines.shogi.workshop.features import ABOUT, COUNT, SLIDE, Samples, men_index, mirror, read

UNIT: Final = 8  # The file counts eighths of a hundredth of a pawn.
BATCH: Final = 4096
HELD_OUT: Final = 20  # One game in 20 is held out to measure the loss.

# The weights that a fit starts from: the value of each kind of man on the board and in hand, and
# of each attacked square by its distance from the own king (guard) or the enemy king (press).
_MEN: Final = (0, 100, 350, 450, 550, 950, 1100, 600, 0, 600, 600, 600, 600, 1150, 1450, 0)
_IN_HAND: Final = (0, 115, 385, 495, 605, 1045, 1210, 660)
_GUARD: Final = (69, 34, 23, 17, 14, 11, 10, 9, 8)
_PRESS: Final = (97, 49, 32, 24, 19, 16, 14, 12, 11)


def initial_weights() -> Array:
    """Return the weights, in hundredths of a pawn, that a fit without a base starts from."""
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
    """The parts whose sums are the weights; each part is fitted on its own.

    The last part has one number per weight.
    """

    def __init__(self) -> None:
        man, king, square = (part.ravel() for part in np.indices((32, KINGS, 81)))
        # If the king stands on the middle file, mirror images share one weight.
        self.twin = men_index(man, king, square)
        aside = np.minimum(square, mirror(square))
        far = 17 * abs(square // 9 - king // 9) + square % 9 - king % 9 + 8
        self.parts = (man, man * 81 + aside, man * 160 + far)
        self.sizes = [int(part.max()) + 1 for part in self.parts]

    def gather(self, gradient: Array) -> list[Array]:
        """Return the slopes of all parts, given the slope of each weight."""
        men = gradient[:MEN_SIZE]
        slopes = [
            np.bincount(part, men, minlength=size)
            for part, size in zip(self.parts, self.sizes, strict=True)
        ]
        return [*slopes, gradient]

    def spread(self, values: Sequence[Array]) -> Array:
        """Return the weights that the parts add up to."""
        weights: Array = values[-1].copy()
        for part, value in zip(self.parts, values[:-1], strict=True):
            weights[:MEN_SIZE] += value[part]
        weights[:MEN_SIZE] = weights[:MEN_SIZE][self.twin]
        return weights


@dataclass(frozen=True, slots=True)
class FitOptions:
    """The options of a fit."""

    epochs: int = 8
    share: float = 0.5  # Share of the game's result in a target; the rest is the search's score.
    scale: float = 600.0  # The score that means a chance of 73 % to win.
    decay: float = 0.02  # Decay of the weights that stand for exactly one case.
    rate: float = 2.0  # The first step, in hundredths of a pawn.
    seed: int = 1


def _flattening(values: Array, targets: Array, scale: float) -> float:
    """Return the factor for the odds of values that brings them nearest to the targets."""
    tried = np.linspace(0.3, 1.2, 46)
    return float(min(tried, key=lambda factor: log_loss(factor * values / scale, targets)))


def fit(samples: Samples, options: FitOptions, base: Array | None = None) -> Array:
    """Return fitted weights in hundredths of a pawn, starting from `base`.

    Quick searches sometimes lose won positions, so that the results of their games say less than
    the scores do. The scale is chosen to fit this for the base: its weights keep their unit.
    """
    generator = np.random.default_rng(options.seed)
    is_held_out = samples.game % HELD_OUT == 0
    held_out = samples.take(np.flatnonzero(is_held_out))
    lessons = samples.take(np.flatnonzero(~is_held_out))
    share = options.share
    click.echo(f"{len(lessons)} positions, {len(held_out)} held out", err=True)

    def targets_of(chosen: Samples) -> Array:
        scored = chances(chosen.value / options.scale)
        mixed: Array = (1.0 - share) * scored + share * (chosen.result + 1) / 2
        return mixed

    targets, held_out_targets = targets_of(lessons), targets_of(held_out)
    factors = Factors()
    if base is None:
        base = initial_weights()
    scale = options.scale / _flattening(held_out.sums(base), held_out_targets, options.scale)
    values = [np.zeros(size) for size in (*factors.sizes, SIZE)]
    weights = base
    steps = count_batches(len(lessons), BATCH, options.epochs)
    adam = Adam(values, steps, options.rate)
    indices = np.arange(len(lessons))
    for epoch, last, rows in shuffled_batches(indices, BATCH, options.epochs, generator):
        batch = lessons.take(rows)
        errors = chances(batch.sums(weights) / scale) - targets[rows]
        rate = adam.step(factors.gather(batch.gradient(errors / len(rows))))
        values[-1][:ABOUT] *= 1.0 - rate * options.decay
        weights = base + factors.spread(values)
        if last and (epoch % 2 or epoch == options.epochs - 1):
            outside = log_loss(held_out.sums(weights) / scale, held_out_targets)
            inside = log_loss(batch.sums(weights) / scale, targets[rows])
            click.echo(f"epoch {epoch + 1}: loss {outside:.5f} held out, {inside:.5f}", err=True)
    before = log_loss(held_out.sums(base) / scale, held_out_targets)
    click.echo(f"before: loss {before:.5f} held out", err=True)
    return weights


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--out", default=SHIPPED, type=click.Path(path_type=Path), help="File to write.")
@click.option(
    "--start", type=click.Path(path_type=Path, exists=True), help="Weights to start from."
)
@click.option("--epochs", default=8, show_default=True, help="Passes through all positions.")
@click.option(
    "--share", default=0.5, show_default=True, help="Share of the game results in the targets."
)
@click.option(
    "--scale", default=600.0, show_default=True, help="Score that means a chance of 73 %."
)
@click.option(
    "--decay",
    default=0.02,
    show_default=True,
    help="Decay of weights that stand for exactly one case.",
)
@click.option("--rate", default=2.0, show_default=True, help="First step, hundredths of a pawn.")
@click.option("--seed", default=1, show_default=True, help="Seed for the order of the positions.")
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
    """Fit weights to the labelled positions in FILES and write them."""
    base = None if start is None else np.array(load(start), float) / UNIT
    weights = fit(read(files), FitOptions(epochs, share, scale, decay, rate, seed), base)
    limit = 32767
    save(out, array("h", np.clip(np.rint(weights * UNIT), -limit, limit).astype(int).tolist()))


if __name__ == "__main__":
    main()
