"""What a terminal shows while something takes its time."""

import contextlib
from collections.abc import Iterator

from rich.console import Console


@contextlib.contextmanager
def under_way(what: str) -> Iterator[None]:
    """Name on a terminal's last line what is under way; elsewhere say nothing."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(what, spinner="line"):
        yield
