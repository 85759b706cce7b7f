"""Train the net that values positions outside the tables: it plays itself and looks ahead."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from engines.senet import shipped
from engines.senet.lookahead import Lookahead
from engines.senet.net import Net
from engines.senet.training import Trainer

_ROUND: Final = 200_000  # Positions between two looks at the progress.
_FIRST_RATE: Final = 0.02
_LAST_RATE: Final = 0.0005
_EXPLORE: Final = 0.1  # The share of random moves.

Progress = Callable[[float, str], None]


def train(positions: int, target: Path, seed: int = 0, progress: Progress | None = None) -> float:
    """Teach a new net from so many positions and write it to a file; return its last error.

    The error is the root mean square of how far the net was from the exact values inside the
    shipped tables, and from its own lookahead of one throw outside.
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
