"""What C does for the hot modules, where they run interpreted: on one thread, and in numpy."""

from typing import Any


def acquire(gate: object) -> None:
    """Do nothing: nobody else is there."""


def release(gate: object) -> None:
    """Do nothing."""


def give_way() -> None:
    """Do nothing."""


def work_size(width: int, height: int) -> int:
    """Return how many floats of working space a board needs: numpy brings its own."""
    return 1


def best_level() -> int:
    """Return which kernel runs: none of the compiled ones."""
    return -1


def run_net(*arguments: Any) -> None:
    """Evaluate one position in numpy."""
    from engines.go import reference  # Here, for numpy is not for the first reply.

    reference.run_net(*arguments)
