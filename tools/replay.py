"""The command `quintet replay`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from engines.core.game import CHANCE, InvalidText
from engines.core.timing import TimeControl
from tools.engines import EngineSpec
from tools.failure import CouldNotRun
from tools.journal import JournalError, read_journal
from tools.match import last_seal, parse_game
from tools.record import GameRecord
from tools.referee import Forfeit, GameSpec, Opening, Spoilt, Table
from tools.seat import Crew


@click.command()
@click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR"
)
@click.argument("number", type=click.IntRange(min=1), metavar="GAME")
@click.argument("ply", type=click.IntRange(min=1))
@click.option(
    "--time", "control", metavar="TC", help="Another time control; default: the clock as it was."
)
def replay(folder: Path, number: int, ply: int, control: str | None) -> None:
    """Let the engine that made move PLY of GAME in the match in DIR think about it again.

    It is started as it was, gets the same options, seed and moves, and its clock shows what it
    showed then. The position is drawn, then its move of the game, and its move now.
    """
    crew = Crew()
    try:
        events = read_journal(folder)
        games = [event for event in events if event["event"] == "game"]
        found = [parse_game(event) for event in games if event["number"] == number]
        if not found:
            raise CouldNotRun(f"no game {number} in {folder} (it has {len(games)})")
        record = found[-1]
        if ply > len(record.moves) + 1:
            raise CouldNotRun(f"game {number} has {len(record.moves)} moves, not {ply}")
        spec = _spec(record, last_seal(events), ply, control)
        table = Table(spec, [crew.seat(engine) for engine in spec.engines])
        try:
            _think(table, record, ply, control is None)
        finally:
            table.close()
    except (JournalError, InvalidText, Forfeit, Spoilt) as error:
        raise CouldNotRun(str(error)) from error
    finally:
        crew.close()


def _think(table: Table, record: GameRecord, ply: int, clocks: bool) -> None:
    table.begin()
    if table.game.outcome() is not None or table.game.turn == CHANCE:
        raise CouldNotRun(f"nobody is to move at ply {ply}")
    for side in (0, 1) if clocks else ():
        before = [move.left for move in record.moves[: ply - 1] if move.side == side]
        table.set_clock(side, before[-1] if before else None)
    rules = table.game.rules
    click.echo(rules.diagram(table.game.position))
    side = table.game.turn
    click.echo(f"{rules.sides[side]} to move: {record.players[side].label}")
    if ply <= len(record.moves):
        move = record.moves[ply - 1]
        click.echo(f"then  {move.text}  {move.seconds:.3f} s  {move.evaluation}".rstrip())
    elif record.offence:
        click.echo(f"then  {record.offence}  ({record.outcome.reason})")
    reply = table.think()
    told = f"score {reply.score}" if reply.score else ""
    told += f" pv {reply.pv}" if reply.pv else ""
    click.echo(f"now   {reply.move}  {reply.seconds:.3f} s  {told}".rstrip())


def _spec(record: GameRecord, seal: Mapping[str, Any], ply: int, control: str | None) -> GameSpec:
    first, second = _engine(seal, 1), _engine(seal, 2)
    if record.side:
        first, second = second, first
    controls = record.controls
    if control is not None:
        controls = (TimeControl.parse(control), TimeControl.parse(control))
    moves = tuple(move.text for move in record.moves[: ply - 1])
    return GameSpec(
        record.game,
        record.variant,
        record.size,
        (first, second),
        controls,
        seed=record.seed,
        opening=Opening(f"game {record.number}", moves, record.setup),
    )


def _engine(seal: Mapping[str, Any], number: int) -> EngineSpec:
    """Return an engine as the journal tells it."""

    def told(key: str) -> Any:
        return seal[f"engine{number}.{key}"]

    return EngineSpec(
        told("label"),
        tuple(told("command")),
        told("protocol") or None,
        options=tuple(told("options").items()),
        commands=tuple(told("commands")),
        folder=told("folder") or None,
        environment=tuple(told("environment").items()),
        ponder=seal.get(f"engine{number}.ponder", False),
    )
