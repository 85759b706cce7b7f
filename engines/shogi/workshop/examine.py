"""Measure how well evaluations foresee the results of games.

Usage: `python -m engines.shogi.workshop.examine --help`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import numpy as np

from engines.core.fitting import Array
from engines.shogi.play import evaluating
from engines.shogi.play.evaluating import Choice
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.position import Position
from engines.shogi.workshop.features import LAYOUT
from engines.shogi.workshop.label import QUIET, RECORD, position_of

SCALES: Final = (300, 400, 500, 600, 800, 1000, 1300, 1700, 2200, 3000)
"""How many hundredths of a pawn change the odds by a factor of e; the best of them is taken."""


@dataclass(frozen=True, slots=True)
class Foresight:
    """How well values foresee results."""

    loss: float  # Mean logarithmic loss at the best scale; 0.693 knows nothing.
    scale: int
    right: float  # The share of decided games whose winner the sign of the value names.

    @classmethod
    def of(cls, values: Array, results: Array) -> "Foresight":
        """Compare values with results (1, 0.5 or 0), both for the side to move."""
        losses = {scale: _log_loss(values / scale, results) for scale in SCALES}
        scale = min(losses, key=lambda each: losses[each])
        decided = results != 0.5
        right = (values[decided] > 0) == (results[decided] > 0.5)
        return cls(losses[scale], scale, float(right.mean()) if decided.any() else math.nan)


def _log_loss(odds: Array, results: Array) -> float:
    return float(np.mean(np.logaddexp(0, odds) - results * odds))


def quiet_records(paths: Sequence[Path]) -> Iterator[bytes]:
    """Yield the labels of quiet positions."""
    for path in paths:
        raw = path.read_bytes()
        for at in range(0, len(raw) - RECORD.size + 1, RECORD.size):
            record = raw[at : at + RECORD.size]
            if RECORD.unpack(record)[84] & QUIET:
                yield record


def values_of(choice: Choice, records: Sequence[bytes]) -> Array:
    """Evaluate the positions of labels."""
    worker = Worker(Position(), TranspositionTable(1))
    worker.evaluate_by(choice.make())
    values = np.empty(len(records))
    for row, record in enumerate(records):
        worker.begin(position_of(record))
        values[row] = worker.static_value()
    return values


@click.command()
@click.argument("labels", type=click.Path(path_type=Path, exists=True), nargs=-1, required=True)
@click.option(
    "--evaluation",
    "files",
    type=click.Path(path_type=Path, exists=True),
    multiple=True,
    help="A network or a file of weights; the shipped one if none is given.",
)
def main(labels: Sequence[Path], files: Sequence[Path]) -> None:
    """Compare evaluations with the results of the games of LABELS, in quiet positions."""
    records = list(quiet_records(labels))
    if not records:
        raise click.ClickException("there are no quiet positions")
    table = np.frombuffer(b"".join(records), LAYOUT)
    results = (table["result"].astype(np.float64) + 1) / 2
    click.echo(f"{len(records)} quiet positions")
    choices = [(str(file), evaluating.load(file)) for file in files]
    for name, choice in choices or [("shipped", evaluating.shipped())]:
        seen = Foresight.of(values_of(choice, records), results)
        click.echo(
            f"{name}: loss {seen.loss:.4f} at a scale of {seen.scale}, "
            f"sign right {100 * seen.right:.1f} %"
        )


if __name__ == "__main__":
    main()
