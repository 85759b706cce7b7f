"""Fit how likely six men beat five to exact tables: `python -m engines.morris.sieges DIR`.

DIR is where `quintet solve morris --men 11` built. Either side to move has weights of its own; a
pattern learns together with its images. Needs numpy.
"""

import argparse
import math
import random
import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from engines.morris import errors
from engines.morris.fit import Array, find_patterns, fold_patterns
from engines.morris.oracle import Oracle
from engines.morris.weights import ROW, SIEGE_COMMON, SIEGE_SIZE, SIEGE_UNIT, SIEGES, save_sieges

SECTORS: Final = ((6, 5), (5, 6))  # As their rows stand in the file.
BATCH: Final = 8192
HELD_OUT: Final = 20  # One position in so many does not teach.
_LIMIT: Final = 32767


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions of a sector as the weights that they sum up, and whether the six men win."""

    rows: Array
    won: Array


def sample(oracle: Oracle, sector: tuple[int, int], positions: int, seed: int) -> Samples:
    """Draw positions of a sector by chance; raises ValueError where the tables do not reach."""
    chance = random.Random(f"{sector} {seed}")
    index = oracle.tables.index
    entries = index.entries(*sector)
    drawn = [index.position(*sector, chance.randrange(entries)) for _ in range(positions)]
    values = np.array([oracle.value(*men) for men in drawn])
    if values.min() < 0:
        raise ValueError(f"{sector[0]}-{sector[1]}: the tables do not reach there")
    wanted = 0 if sector[0] > sector[1] else 1
    patterns = find_patterns(np.array([(*men, 0, 0) for men in drawn]))
    return Samples(patterns.astype(np.int32), (values > 0) & (values % 2 == wanted))


def fit(samples: Samples, epochs: int, rate: float, say: Callable[[str], None]) -> Array:
    """Return the weights of a row and what all its positions have in common, in log odds."""
    alike, parts = fold_patterns()
    rows = np.column_stack([alike[samples.rows], np.full(len(samples.rows), parts)])
    chance = np.random.default_rng(1)
    exam = np.arange(len(rows)) % HELD_OUT == 0
    lessons = np.flatnonzero(~exam)
    weights, first, second = (np.zeros(parts + 1) for _ in range(3))
    weights[parts] = np.log(samples.won.mean() / (1.0 - samples.won.mean()))
    steps = 0
    whole = epochs * -(-len(lessons) // BATCH)

    def loss() -> float:
        odds = weights[rows[exam]].sum(axis=1)
        bits: float = (np.logaddexp(0.0, odds) - samples.won[exam] * odds).mean() / math.log(2)
        return bits

    say(f"{len(lessons)} positions, {int(exam.sum())} held out; before: {loss():.4f} bits each")
    for epoch in range(epochs):
        order = chance.permutation(lessons)
        for begun in range(0, len(order), BATCH):
            chosen = rows[order[begun : begun + BATCH]]
            odds = weights[chosen].sum(axis=1)
            slopes = 1.0 / (1.0 + np.exp(-odds)) - samples.won[order[begun : begun + BATCH]]
            repeated = np.repeat(slopes / len(chosen), chosen.shape[1])
            slope = np.bincount(chosen.ravel(), repeated, minlength=parts + 1)
            steps += 1
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            drift = first / (1.0 - 0.9**steps)
            spread = np.sqrt(second / (1.0 - 0.999**steps))
            pace = rate * 0.5 * (1.0 + math.cos(math.pi * steps / whole))
            weights -= pace * drift / (spread + 1e-7)
        say(f"epoch {epoch + 1}: {loss():.4f} bits each")
    return np.append(weights[alike], weights[parts])


def pack(fitted: Sequence[Array]) -> "array[int]":
    """Return the weights of both sectors as the file holds them."""
    numbers = np.zeros(SIEGE_SIZE)
    for at, weights in enumerate(fitted):
        numbers[at * ROW : (at + 1) * ROW] = weights[:-1]
        numbers[SIEGE_COMMON + at] = weights[-1]
    whole: list[int] = np.clip(np.rint(numbers * SIEGE_UNIT), -_LIMIT, _LIMIT).astype(int).tolist()
    return array("h", whole)


def main(words: Sequence[str] | None = None) -> None:
    """Write what is fitted to the tables of a folder."""
    parser = argparse.ArgumentParser(prog="python -m engines.morris.sieges", description=__doc__)
    parser.add_argument("tables", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path, default=SIEGES)
    parser.add_argument("--positions", type=int, default=1_500_000, metavar="N", help="of each")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(words)
    fitted: list[Any] = []
    try:
        oracle = errors.truth(chosen.tables)
        for sector in SECTORS:
            samples = sample(oracle, sector, chosen.positions, chosen.seed)
            fitted.append(
                fit(samples, chosen.epochs, chosen.rate, lambda text: print(text, file=sys.stderr))
            )
    except (FileNotFoundError, ValueError) as problem:
        parser.error(str(problem))
    save_sieges(chosen.out, pack(fitted))


if __name__ == "__main__":
    main()
