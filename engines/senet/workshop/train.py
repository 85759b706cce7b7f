"""Train a new net by self-play: `python -m engines.senet.workshop.train --help`.

The net learns from the shipped tables where they reach, and from its own lookahead elsewhere.
"""

from pathlib import Path
from typing import Final

import click

from engines.core.solving import Progress
from engines.senet.play.lookahead import Lookahead
from engines.senet.play.net import Net
from engines.senet.tables import shipped
from engines.senet.workshop.training import Trainer

_ROUND: Final = 200_000  # Positions from one report of the progress to the next.
_FIRST_RATE: Final = 0.02
_LAST_RATE: Final = 0.0005
_EXPLORE: Final = 0.1  # The share of random moves.


def train(positions: int, target: Path, seed: int = 0, progress: Progress | None = None) -> float:
    """Teach a new net and write it to a file; return its last error.

    The error is the root mean square distance of the net from the exact chances inside the shipped
    tables, and from its own lookahead of one throw outside them.
    """
    net = Net(seed=seed)
    trainer = Trainer(net, Lookahead(net, shipped.chances(), 0, 0), seed)
    done = 0
    error = 0.0
    while done < positions:
        number = min(_ROUND, positions - done)
        rate = _FIRST_RATE + (_LAST_RATE - _FIRST_RATE) * done / positions
        error = float((trainer.run(number, rate, _EXPLORE) / number) ** 0.5)
        done += number
        if progress is not None:
            progress(done / positions, f"error {error:.4f}")
    target.write_bytes(net.weights())
    return error


@click.command()
@click.argument("positions", type=float)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--seed", type=int, metavar="N", default=0, show_default=True)
def main(positions: float, file: Path, seed: int) -> None:
    """Train a new net on POSITIONS positions (2e7, say), and write it to FILE."""
    error = train(
        int(positions),
        file,
        seed,
        progress=lambda done, text: click.echo(f"{100 * done:5.1f} %  {text}", err=True),
    )
    click.echo(f"root mean square error {error:.5f}")


if __name__ == "__main__":
    main()
