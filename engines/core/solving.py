"""The contract between a game that can be solved and the command that asks for it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

Progress = Callable[[float, str], None]
"""Told the share of the whole work that is done, 0 to 1, and what is being done."""


class CheckFailed(RuntimeError):
    """The self-check found a value that is not the best of what follows it."""


class Unusable(RuntimeError):
    """Something beside the order stops the work, such as a damaged file; says which and why."""


@dataclass(frozen=True, slots=True)
class Order:
    """What the user asks for; None, 0 and empty texts leave it to the game."""

    men: int | None = None
    variant: str = ""
    kind: str = ""
    directory: Path | None = None
    workers: int = 0
    samples: int | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """A part of the solution with its counts and its check: a line of text, and figures."""

    text: str
    figures: Mapping[str, object] = field(default_factory=dict)


class Work(Protocol):
    """A solution that has been planned, its parts that are there already left out."""

    @property
    def folder(self) -> Path:
        """Where the files belong."""

    @property
    def missing(self) -> Sequence[str]:
        """The parts that are not there, in the order of solving."""

    @property
    def space(self) -> int:
        """How many bytes of disk it still needs, at the worst moment."""

    @property
    def memory(self) -> int:
        """With how many bytes of memory it is quick."""

    def run(self, progress: Progress) -> Iterator[Finished]:
        """Do what is missing; yield every part, those that were there included.

        An interruption at any moment leaves a state to go on from. Raises CheckFailed, Unusable
        and OSError.
        """


Planner = Callable[[Order], Work]
"""What a game's `solve` task names; raises InvalidText for an order it cannot fulfil."""
