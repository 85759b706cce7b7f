"""Average two networks of one shape: `python -m engines.go.workshop.average --help`.

A network that went on from another one can be averaged with it. The mean knows most of what was
learned last, and has forgotten less of what was known before.
"""

from pathlib import Path

import click
import numpy as np

from engines.go.play.network.weights import read, save


def average(old: Path, new: Path, out: Path, share: float) -> None:
    """Write the mean of two networks, in which the new one has a share; raises ValueError."""
    (first, pooled), (second, other) = read(old), read(new)
    shapes = [{name: each.shape for name, each in arrays.items()} for arrays in (first, second)]
    if shapes[0] != shapes[1] or pooled != other:
        raise ValueError("the networks have different shapes")
    mean = {
        name: (1.0 - share) * each.astype(np.float32) + share * second[name].astype(np.float32)
        for name, each in first.items()
    }
    save(out, mean, pooled)


@click.command()
@click.argument("old", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("new", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--share", type=click.FloatRange(0, 1), default=0.7, show_default=True, help="Share of NEW."
)
def main(old: Path, new: Path, out: Path, share: float) -> None:
    """Write the weighted mean of the networks OLD and NEW to OUT."""
    try:
        average(old, new, out, share)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
