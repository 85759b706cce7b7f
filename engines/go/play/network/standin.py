"""Stand-ins for the C functions that hot modules call, when they run interpreted."""

from typing import Any


def acquire(gate: object) -> None:
    """Do nothing: there is only one thread."""


def release(gate: object) -> None:
    """Do nothing."""


def give_way() -> None:
    """Do nothing."""


def work_size(width: int, height: int, channels: int) -> int:
    """Return the floats of working space that an evaluation needs; numpy needs none."""
    return 1


def best_level() -> int:
    """Return the number of the compiled kernel: there is none."""
    return -1


def run_net(*arguments: Any) -> None:
    """Evaluate one position in numpy."""
    from engines.go.play.network import (
        reference,
    )  # Here, because numpy would delay the first reply.

    reference.run_net(*arguments)
