"""What the commands need to know of the conversation that they are held in."""

from collections.abc import Callable, Sequence
from typing import Protocol


class Request(Protocol):
    """One command under way: its words, how to stream, and whether to give way."""

    @property
    def name(self) -> str:
        """The command."""

    @property
    def text(self) -> str:
        """What follows it."""

    @property
    def args(self) -> Sequence[str]:
        """Its words."""

    def urgent(self) -> bool:
        """Tell whether bounded thinking must end."""

    def disturbed(self) -> bool:
        """Tell whether unbounded thinking must end."""

    def stream(self, *lines: str) -> None:
        """Begin the reply at once, and write lines of it."""


Handler = Callable[[Request], str]
"""Answers with the text of a success; raises InvalidText or IllegalMove for a failure."""
