"""Showing on a terminal that something is under way, and how far it has come."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

_QUIET: Final = 30.0  # Seconds between lines where there is no terminal.


@contextlib.contextmanager
def under_way(what: str) -> Iterator[None]:
    """Show on a terminal's last line what is under way; print nothing elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(what, spinner="line"):
        yield


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[float, str], None]]:
    """Yield a function that shows the share that is done, and what is being done, on stderr.

    On a terminal it moves a bar; elsewhere it prints a line now and then.
    """
    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield Ticker()
        return
    columns = (
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=console, redirect_stdout=sys.stdout.isatty()) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda share, text: bar.update(task, completed=share, description=text)


def say(text: str, *, err: bool = False) -> None:
    """Print a line, above the progress bar if there is one; `click.echo` would write into it."""
    print(text, file=sys.stderr if err else sys.stdout, flush=True)


def write_file(content: bytes) -> None:
    """Write a file to stdout as it is, whatever the character set of the terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


class Ticker:
    """Prints the progress in plain lines, at most one per interval."""

    def __init__(self, interval: float = _QUIET) -> None:
        self._interval = interval
        self._due = time.monotonic() + interval

    def __call__(self, share: float, text: str) -> None:
        """Print a line, if the last one is long enough ago."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + self._interval
        click.echo(f"{100 * share:5.1f} %  {text}", err=True)
