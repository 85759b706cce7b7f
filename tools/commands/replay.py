"""The command `quintet replay`."""

from dataclasses import replace
from pathlib import Path

import click

from engines.core.timing import TimeControl
from tools.commands.values import Whole
from tools.journal.events import TUNING, kind_of
from tools.journal.journal import read_journal
from tools.match.replaying import find_point, think_again
from tools.roster.seats import EnginePool
from tools.tournament.tuning.reconstruction import with_trial


@click.command()
@click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR"
)
@click.argument("number", type=Whole(min=1), metavar="GAME")
@click.argument("ply", type=Whole(min=1))
@click.option(
    "--time",
    "control",
    metavar="TC",
    help="Time control for thinking again.  [default: the clock as it was then]",
)
def replay(folder: Path, number: int, ply: int, control: str | None) -> None:
    """Let the engine that made move PLY of GAME, in the match in DIR, think about it again.

    PLY counts moves and throws. The engine is started as in the match, with the same options and
    seed. If the match wrote transcripts, it receives the recorded commands again; otherwise, and
    with --time, it receives the moves, and its clock shows what it showed then. The command prints
    the position, the move in the game and the move now.
    """
    pool = EnginePool()
    try:
        point = find_point(
            folder, number, ply, None if control is None else TimeControl.parse(control)
        )
        events = read_journal(folder)
        if kind_of(events) == TUNING:
            point = replace(point, spec=with_trial(point.spec, point.record, events))
        click.echo(point.diagram)
        click.echo(f"{point.side_name} to move: {point.record.players[point.side].label}")
        if point.move_then:
            click.echo(f"then  {point.move_then}")
        if point.scene is not None:
            commands = len(point.scene.preparation) + len(point.scene.asked)
            click.echo(f"its {commands} recorded commands are sent again")
        reply = think_again(point, pool)
        click.echo(f"now   {reply.move}  {reply.seconds:.3f} s  {reply.evaluation}".rstrip())
    finally:
        pool.close()
