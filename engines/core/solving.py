"""The contract between a game that can be solved and the command `quintet solve`."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from engines.core.errors import QuintetError

CHECKPOINT_INTERVAL: Final = 300.0  # Seconds.
_COSTS: Final = 20  # A checkpoint may take a twentieth of the time at most.

Progress = Callable[[float, str], None]
"""Receives the share of the whole work that is done, from 0 to 1, and what is being done."""


class CheckFailed(QuintetError, RuntimeError):
    """The self-check found a value that does not follow from the values of its successors."""


class Unusable(QuintetError, RuntimeError):
    """Something outside the request stops the work, such as a damaged file; the text names it."""


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """A request to `quintet solve`; the game chooses a value that is None, 0 or empty.

    `men` says how far to solve, `workers` is the number of threads, and `samples` is the number of
    random positions that the self-check compares with their successors.
    """

    men: int | None = None
    variant: str = ""
    kind: str = ""
    directory: Path | None = None
    workers: int = 0
    samples: int | None = None


@dataclass(frozen=True, slots=True)
class SolvedPart:
    """One finished part of a solution: a line of text for people, and the same figures as data."""

    text: str
    figures: Mapping[str, object] = field(default_factory=dict)


class SolvePlan(Protocol):
    """The work that a request needs, without the parts whose files exist already."""

    @property
    def folder(self) -> Path:
        """The folder that holds the finished files."""

    @property
    def missing(self) -> Sequence[str]:
        """The names of the parts that are still to be solved, in the order of solving."""

    @property
    def space(self) -> int:
        """The additional bytes of disk that the work needs at its peak."""

    @property
    def memory(self) -> int:
        """The bytes of memory that the work needs to run at full speed."""

    def run(self, progress: Progress) -> Iterator[SolvedPart]:
        """Solve the missing parts, and yield every part, including those that existed before.

        The work may be interrupted at any moment; the next plan for the same request resumes it.
        Raises CheckFailed, Unusable and OSError.
        """


Planner = Callable[[SolveRequest], SolvePlan]
"""The type of a game's `solve` part; it raises InvalidText for a request that it cannot fulfil."""


def share_of(progress: Progress, before: float, share: float) -> Progress:
    """Return the progress of one part: it begins at `before` and takes `share` of the whole."""

    def report(part: float, text: str) -> None:
        progress(before + share * part, text)

    return report


class Checkpoints:
    """Decides when a long computation saves its state: at intervals, and rarely where it is slow.

    The interval grows to twenty times the duration of the last checkpoint.
    """

    def __init__(self, interval: float | None = None) -> None:
        self._interval = CHECKPOINT_INTERVAL if interval is None else interval
        self._cost = 0.0
        self._saved = time.monotonic()

    def save_if_due(self, save: Callable[[], None]) -> None:
        """Call `save` if the last checkpoint is old enough."""
        began = time.monotonic()
        if began - self._saved > max(self._interval, _COSTS * self._cost):
            save()
            self._saved = time.monotonic()
            self._cost = self._saved - began
