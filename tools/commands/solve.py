"""The command `quintet solve`."""

import contextlib
import json
import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Final

import click

from engines import registry
from engines.core.solving import CheckFailed, SolvePlan, SolveRequest
from tools.commands.errors import CouldNotRun
from tools.commands.options import json_option, options_as, renamed, variant_option
from tools.commands.terminal import progress_bar, say
from tools.commands.values import Whole, Word
from tools.journal.lock import locked_folder

INTERRUPTED: Final = 130
_SPARE: Final = 1 << 26  # Bytes of disk that are left to other programs.
_SAVING: Final = (
    "interrupted; saves what is done, so that the same command continues from here "
    "(after another Ctrl-C, from the last checkpoint)"
)
_SOLVABLE: Final = sorted(name for name, entry in registry.GAMES.items() if "solve" in entry.parts)


@click.command()
@click.argument("game", type=Word(_SOLVABLE), metavar="GAME")
@click.option(
    "--men",
    type=Whole(min=1),
    metavar="N",
    help="How far to solve. Morris: men on the board, 6 to 18; Senet: men per side.  "
    "[default: none; Morris and Senet need one]",
)
@variant_option
@click.option(
    "--kind",
    metavar="KIND",
    default="",
    help="Morris: depth (wins and losses with their distances), exact (a quarter of the size: win, "
    "draw or loss) or safe (an eighth: lost or not); existing tables that tell more are kept. "
    "Senet: float (32 bits) or short (16 bits).  [default: depth; float up to four men per side, "
    "then short]",
)
@renamed(
    "--out",
    "directory",
    old=("--into",),
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the tables.  [default: where the engine looks for them]",
)
@renamed(
    "--jobs",
    "workers",
    old=("--workers",),
    type=Whole(min=1),
    metavar="N",
    default=os.cpu_count() or 1,
    help="Number of threads.  [default: one per CPU core]",
)
@click.option(
    "--samples",
    type=Whole(min=0),
    metavar="N",
    help="Random positions of each part to check against their successors.  "
    "[default: 1000000; morris: 1000]",
)
@click.option("--dry-run", is_flag=True, help="Only print what would be built, and its size.")
@json_option
@click.pass_context
@options_as(SolveRequest, "request")
def solve(
    context: click.Context, game: str, request: SolveRequest, dry_run: bool, as_json: bool
) -> None:
    """Build the exact tables of a game, as far as you like, and check them.

    GAME is morris, neutron or senet. Existing tables are kept. After Ctrl-C, or if the process
    is killed, run the same command again to resume. A line is printed for each finished part.

    Exit status: 0 done, 1 the self-check failed, 2 could not run, 130 interrupted.
    """
    plan: SolvePlan = registry.find(game).load("solve")(request)
    began = time.monotonic()
    _print_plan(plan, as_json=as_json)
    if dry_run:
        return
    try:
        parts = _build(plan, as_json=as_json)
    except CheckFailed as error:
        click.echo(f"the self-check failed: {error}", err=True)
        context.exit(1)
    except OSError as error:
        raise CouldNotRun(f"{error.filename or plan.folder}: {error.strerror}") from error
    except KeyboardInterrupt:
        click.echo("interrupted; run the same command again to resume", err=True)
        context.exit(INTERRUPTED)
    seconds = time.monotonic() - began
    if as_json:
        summary = {"event": "summary", "game": game, "parts": parts, "seconds": round(seconds, 3)}
        click.echo(json.dumps({**summary, "folder": str(plan.folder)}))
    else:
        click.echo(f"{parts} parts, checked, in {plan.folder} ({seconds:.1f} s)")


def _build(plan: SolvePlan, *, as_json: bool) -> int:
    """Solve the missing parts, print every part, and return the number of parts."""
    parts = 0
    # Tables that exist already are read without a lock: another process may build the others.
    lock = locked_folder(plan.folder) if plan.missing else contextlib.nullcontext()
    with lock, progress_bar() as progress, _prompt_interrupt():
        _check_disk(plan)
        for part in plan.run(progress):
            parts += 1
            event = {"event": "part", **part.figures}
            click.echo(json.dumps(event) if as_json else part.text)
    return parts


@contextlib.contextmanager
def _prompt_interrupt() -> Iterator[None]:
    """Answer Ctrl-C with a line before anything is saved, which can take many seconds."""

    def notice(number: int, frame: FrameType | None) -> None:
        say(_SAVING, err=True)
        signal.signal(signal.SIGINT, before)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, notice)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _print_plan(plan: SolvePlan, *, as_json: bool) -> None:
    missing, space, memory = plan.missing, plan.space, plan.memory
    if as_json:
        event = {"event": "plan", "folder": str(plan.folder), "missing": list(missing)}
        click.echo(json.dumps({**event, "space": space, "memory": memory}))
    elif missing:
        click.echo(
            f"to solve: {', '.join(missing)}\n"
            f"this needs {_format_size(space)} of disk in {plan.folder}, "
            f"and is fast with {_format_size(memory)} of memory",
            err=True,
        )
    else:
        click.echo(f"all tables exist: {plan.folder}", err=True)


def _format_size(number: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"


def _check_disk(plan: SolvePlan) -> None:
    free = shutil.disk_usage(plan.folder).free
    if plan.missing and plan.space + _SPARE > free:
        raise CouldNotRun(
            f"{plan.folder}: {_format_size(plan.space)} of disk are needed, "
            f"{_format_size(free)} are free"
        )
