"""The command `quintet solve`."""

import contextlib
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from engines import registry
from engines.core.game import InvalidText
from engines.core.solving import CheckFailed, Order, Progress, Unusable, Work
from tools.failure import CouldNotRun
from tools.lock import seize

INTERRUPTED: Final = 130
_QUIET: Final = 30.0  # Seconds between lines where there is no terminal.
_SPARE: Final = 1 << 26  # Bytes of disk that are left to others.
_SOLVABLE: Final = sorted(name for name, entry in registry.GAMES.items() if "solve" in entry.tasks)


@click.command()
@click.argument("game", type=click.Choice(_SOLVABLE))
@click.option(
    "--men",
    type=click.IntRange(min=1),
    metavar="N",
    help="How far: morris: men on the board, 6 to 18; senet: men a side.",
)
@click.option("--variant", metavar="NAME", default="", help="Variant; tables know their rules.")
@click.option(
    "--kind",
    metavar="KIND",
    default="",
    help="morris: depth (win and loss with distances), exact (a quarter of the size: win, draw, "
    "loss), safe (an eighth: lost or not), a table that tells more stays; senet: float (32 bits), "
    "short (16 bits).  [default: depth; float up to four men a side, then short]",
)
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where to build; default: where the engine looks for tables.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    default=os.cpu_count() or 1,
    help="Threads.  [default: one a core]",
)
@click.option(
    "--samples",
    type=click.IntRange(min=0),
    metavar="N",
    help="Random positions of each part to check against their successors.  "
    "[default: a million; morris: 1000]",
)
@click.option("--dry-run", is_flag=True, help="Say what would be built, and how large it gets.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_context
def solve(
    context: click.Context,
    game: str,
    men: int | None,
    variant: str,
    kind: str,
    into: Path | None,
    workers: int,
    samples: int | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Build the exact tables of GAME, as far as you like, and check them.

    What is there is kept. Ctrl-C, or a kill at any moment, leaves a state from which the same
    command goes on. A line a finished part tells its counts.
    """
    try:
        order = Order(men, variant, kind, into, workers, samples)
        work: Work = registry.find(game).load("solve")(order)
    except InvalidText as error:
        raise CouldNotRun(str(error)) from error
    began = time.monotonic()
    _announce(work, as_json)
    if dry_run:
        return
    parts = 0
    try:
        # To tell what is there already needs no lock: others may build the rest meanwhile.
        alone = _alone(work.folder) if work.missing else contextlib.nullcontext()
        with alone, _progress() as progress:
            _refuse_small_disk(work)
            for part in work.run(progress):
                parts += 1
                event = {"event": "part", **part.figures}
                click.echo(json.dumps(event) if as_json else part.text)
    except CheckFailed as error:
        click.echo(f"the self-check failed: {error}", err=True)
        context.exit(1)
    except Unusable as error:
        raise CouldNotRun(str(error)) from error
    except OSError as error:
        raise CouldNotRun(f"{error.filename or work.folder}: {error.strerror}") from error
    except KeyboardInterrupt:
        click.echo("interrupted; the same command goes on", err=True)
        context.exit(INTERRUPTED)
    seconds = time.monotonic() - began
    if as_json:
        summary = {"event": "summary", "game": game, "parts": parts, "seconds": round(seconds, 3)}
        click.echo(json.dumps({**summary, "folder": str(work.folder)}))
    else:
        click.echo(f"{parts} parts, checked, in {work.folder} ({seconds:.1f} s)")


def _announce(work: Work, as_json: bool) -> None:
    missing, space, memory = work.missing, work.space, work.memory
    if as_json:
        event = {"event": "plan", "folder": str(work.folder), "missing": list(missing)}
        click.echo(json.dumps({**event, "space": space, "memory": memory}))
    elif missing:
        click.echo(
            f"to solve: {', '.join(missing)}\n"
            f"it needs {_size(space)} of disk in {work.folder}, "
            f"and is quick with {_size(memory)} of memory",
            err=True,
        )
    else:
        click.echo(f"everything is there: {work.folder}", err=True)


def _size(number: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"


def _refuse_small_disk(work: Work) -> None:
    free = shutil.disk_usage(work.folder).free
    if work.missing and work.space + _SPARE > free:
        raise CouldNotRun(
            f"{work.folder}: {_size(work.space)} of disk are needed, {_size(free)} are free"
        )


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep others from building in the same folder meanwhile."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not seize(descriptor):
            raise CouldNotRun(f"{folder}: another process is building there")
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _progress() -> Iterator[Progress]:
    """Yield a bar on stderr where that is a terminal, plain lines now and then where it is not."""
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
    with Bar(*columns, console=console, redirect_stdout=sys.stdout.isatty()) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda share, text: bar.update(task, completed=share, description=text)


class Ticker:
    """Tells the progress in plain lines, a few a minute."""

    def __init__(self, interval: float = _QUIET) -> None:
        self._interval = interval
        self._due = time.monotonic() + interval

    def __call__(self, share: float, text: str) -> None:
        """Write a line if the last one is long enough ago."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + self._interval
        click.echo(f"{100 * share:5.1f} %  {text}", err=True)
