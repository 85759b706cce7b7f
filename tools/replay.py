"""The command `quintet replay`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from engines.core.game import CHANCE, InvalidText, Side
from engines.core.timing import TimeControl
from protocols.contract import Reply
from protocols.errors import EngineError, EngineRefused
from protocols.rehearsal import Scene, rehearse
from tools.engines import EngineSpec
from tools.failure import CouldNotRun
from tools.journal import JournalError, read_journal
from tools.match import last_seal, parse_game
from tools.opening import play_opening
from tools.record import GameRecord
from tools.referee import Forfeit, GameSpec, Opening, Spoilt, Table
from tools.seat import Crew, soon
from tools.transcript import read_transcript, transcript_path


@click.command()
@click.argument(
    "folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="DIR"
)
@click.argument("number", type=click.IntRange(min=1), metavar="GAME")
@click.argument("ply", type=click.IntRange(min=1))
@click.option(
    "--time", "control", metavar="TC", help="Its time control now; default: the clock as it was."
)
def replay(folder: Path, number: int, ply: int, control: str | None) -> None:
    """Let the engine that made move PLY of GAME in the match in DIR think about it again.

    PLY counts moves and throws. It is started as it was, with the same options and seed. Where
    the match wrote transcripts, it gets the recorded commands again; else, or with --time, the
    moves, and its clock shows what it showed then. The position is drawn, then its move of the
    game, and its move now.
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
        given = None if control is None else TimeControl.parse(control)
        spec = _spec(record, last_seal(events), ply)
        side = _draw(spec, record, ply)
        if given is not None:  # Its opponent may not know such a limit.
            mine, theirs = (given, spec.controls[1 - side])
            spec = replace(spec, controls=(theirs, mine) if side else (mine, theirs))
        scene = _scene(folder, record, ply, side) if control is None else None
        if scene is None:
            reply = _play_again(spec, crew, record, ply, clocks=control is None)
        else:
            seat = crew.seat(spec.engines[side])
            seat.sow(spec.named_seed, spec.engine_seed(side))
            click.echo(f"its {len(scene.told) + len(scene.asked)} recorded commands are sent again")
            reply = seat.client().repeat(scene.told, scene.asked, _deadline(record, ply))
        told = f"score {reply.score}" if reply.score else ""
        told += f" pv {reply.pv}" if reply.pv else ""
        click.echo(f"now   {reply.move}  {reply.seconds:.3f} s  {told}".rstrip())
    except (JournalError, InvalidText, Forfeit, Spoilt, EngineError, EngineRefused) as error:
        raise CouldNotRun(str(error)) from error
    finally:
        crew.close()


def _draw(spec: GameSpec, record: GameRecord, ply: int) -> Side:
    """Draw the position and what was played there; return whose move it is."""
    game = play_opening(spec.opening, spec.rules())
    if game.turn == CHANCE:
        told = f"ply {ply} is a throw (plies count throws and moves)"
        later = [at for at, move in enumerate(record.moves, 1) if at > ply and move.side != CHANCE]
        if later:
            told += f"; the next move is ply {later[0]}"
        raise CouldNotRun(told)
    click.echo(game.rules.diagram(game.position))
    side = game.turn
    click.echo(f"{game.rules.sides[side]} to move: {record.players[side].label}")
    if ply <= len(record.moves):
        move = record.moves[ply - 1]
        click.echo(f"then  {move.text}  {move.seconds:.3f} s  {move.evaluation}".rstrip())
    elif record.offence:
        click.echo(f"then  {record.offence}  ({record.outcome.reason})")
    return side


def _scene(folder: Path, record: GameRecord, ply: int, side: Side) -> Scene | None:
    """Return what the engine was told and asked, None where no transcript says so."""
    path = transcript_path(
        folder / "transcripts", record.game, record.number, record.attempt, side + 1
    )
    asked = [move.side for move in record.moves[record.opening : ply - 1]].count(side)
    try:
        return rehearse(read_transcript(path), asked + 1)
    except OSError:
        return None


def _deadline(record: GameRecord, ply: int) -> float:
    """Return a deadline that leaves an engine more time than it took then."""
    then = record.moves[ply - 1].seconds if ply <= len(record.moves) else 0.0
    return soon() + 2 * then


def _play_again(spec: GameSpec, crew: Crew, record: GameRecord, ply: int, *, clocks: bool) -> Reply:
    table = Table(spec, [crew.seat(engine) for engine in spec.engines])
    try:
        table.begin()
        for move in record.moves[record.opening : ply - 1] if clocks else ():
            if move.side != CHANCE:
                table.spend(move.side, move.seconds)
        return table.think()
    finally:
        table.close()


def _spec(record: GameRecord, seal: Mapping[str, Any], ply: int) -> GameSpec:
    first, second = sealed_engine(seal, 1), sealed_engine(seal, 2)
    if record.side:
        first, second = second, first
    moves = tuple(move.text for move in record.moves[: ply - 1])
    return GameSpec(
        record.game,
        record.variant,
        record.size,
        (first, second),
        record.controls,
        number=record.number,
        attempt=record.attempt,
        seed=record.seed,
        opening=Opening(f"game {record.number}", moves, record.setup),
    )


def sealed_engine(seal: Mapping[str, Any], number: int) -> EngineSpec:
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
        movetime=seal.get(f"engine{number}.movetime", False),
    )
