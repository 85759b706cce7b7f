"""Fit the odds that six men beat five: `python -m engines.morris.workshop.sieges DIR`.

DIR holds the exact tables that `quintet solve morris --men 11` has built. Each side to move has its
own weights; a pattern shares its weight with its symmetric images. Needs numpy.
"""

import math
import random
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import numpy as np

from engines.core.errors import QuintetError
from engines.core.fitting import Adam, Array, chances, count_batches, log_loss, shuffled_batches
from engines.core.storage import MissingTable
from engines.morris.play.weights import (
    ROW,
    SIEGE_COMMON,
    SIEGE_SIZE,
    SIEGE_UNIT,
    SIEGES,
    save_sieges,
)
from engines.morris.tables.oracle import Oracle
from engines.morris.workshop import errors
from engines.morris.workshop.fit import find_patterns, fold_patterns, rounded

SECTORS: Final = ((6, 5), (5, 6))  # In the order of their rows in the file.
BATCH: Final = 8192
HELD_OUT: Final = 20  # One position in so many is not learned from; it measures the loss.


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions of a sector as the indices of their weights, and whether the six men win."""

    rows: Array
    won: Array


def sample(oracle: Oracle, sector: tuple[int, int], positions: int, seed: int) -> Samples:
    """Draw random positions of a sector; raises MissingTable where the tables do not reach."""
    chance = random.Random(f"{sector} {seed}")
    index = oracle.tables.index
    entries = index.entries(*sector)
    drawn = [index.position(*sector, chance.randrange(entries)) for _ in range(positions)]
    values = np.array([oracle.value(*men) for men in drawn])
    if values.min() < 0:
        raise MissingTable(f"{sector[0]}-{sector[1]}: the tables do not reach there")
    wanted = 0 if sector[0] > sector[1] else 1
    patterns = find_patterns(np.array([(*men, 0, 0) for men in drawn]))
    return Samples(patterns.astype(np.int32), (values > 0) & (values % 2 == wanted))


def fit(samples: Samples, epochs: int, rate: float, say: Callable[[str], None]) -> Array:
    """Return the weights of a row, and last the one of all positions, in logarithms of odds."""
    alike, parts = fold_patterns()
    rows = np.column_stack([alike[samples.rows], np.full(len(samples.rows), parts)])
    exam = np.arange(len(rows)) % HELD_OUT == 0
    lessons = np.flatnonzero(~exam)
    weights = np.zeros(parts + 1)
    weights[parts] = np.log(samples.won.mean() / (1.0 - samples.won.mean()))
    adam = Adam([weights], count_batches(len(lessons), BATCH, epochs), rate, epsilon=1e-7)
    generator = np.random.default_rng(1)

    def bits() -> float:
        return log_loss(weights[rows[exam]].sum(axis=1), samples.won[exam]) / math.log(2)

    say(f"{len(lessons)} positions, {int(exam.sum())} held out; before: {bits():.4f} bits each")
    for epoch, is_last, chosen in shuffled_batches(lessons, BATCH, epochs, generator):
        indices = rows[chosen]
        slopes = chances(weights[indices].sum(axis=1)) - samples.won[chosen]
        repeated = np.repeat(slopes / len(chosen), indices.shape[1])
        adam.step([np.bincount(indices.ravel(), repeated, minlength=parts + 1)])
        if is_last:
            say(f"epoch {epoch + 1}: {bits():.4f} bits each")
    return np.append(weights[alike], weights[parts])


def pack(fitted: Sequence[Array]) -> "array[int]":
    """Return the weights of both sectors in the order of the file."""
    numbers = np.zeros(SIEGE_SIZE)
    for at, weights in enumerate(fitted):
        numbers[at * ROW : (at + 1) * ROW] = weights[:-1]
        numbers[SIEGE_COMMON + at] = weights[-1]
    return rounded(numbers * SIEGE_UNIT)


@click.command()
@click.argument("tables", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE", default=SIEGES, help="Default: ours."
)
@click.option(
    "--positions", type=int, metavar="N", default=1_500_000, show_default=True, help="Per sector."
)
@click.option("--epochs", type=int, metavar="N", default=6, show_default=True)
@click.option("--rate", type=float, default=0.05, show_default=True)
@click.option("--seed", type=int, metavar="N", default=1, show_default=True)
def main(tables: Path, out: Path, positions: int, epochs: int, rate: float, seed: int) -> None:
    """Fit weights to the exact tables in DIR."""
    fitted = []
    try:
        oracle = errors.truth(tables)
        for sector in SECTORS:
            samples = sample(oracle, sector, positions, seed)
            fitted.append(fit(samples, epochs, rate, lambda text: click.echo(text, err=True)))
    except QuintetError as problem:
        raise click.UsageError(str(problem)) from problem
    save_sieges(out, pack(fitted))


if __name__ == "__main__":
    main()
