"""The interface between the GTP commands and the server that calls them."""

from collections.abc import Callable, Sequence
from typing import Protocol


class Request(Protocol):
    """A command that is being handled."""

    @property
    def name(self) -> str:
        """The name of the command."""

    @property
    def text(self) -> str:
        """The text after the name."""

    @property
    def args(self) -> Sequence[str]:
        """The arguments."""

    def urgent(self) -> bool:
        """Tell whether a search with limits must end."""

    def disturbed(self) -> bool:
        """Tell whether a search without limits must end."""

    def stream(self, *lines: str) -> None:
        """Send the beginning of the reply, if it was not sent yet, and these lines of it."""


Handler = Callable[[Request], str]
"""Handles a command: returns the text of the reply; raises InvalidText or IllegalMove."""
