"""Letting an engine think again about a move of a recorded match, as nearly as it did then."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engines.core.errors import QuintetError
from engines.core.game import CHANCE, FIRST, SECOND, Side
from engines.core.timing import TimeControl
from protocols.ask.contract import Reply
from protocols.ask.rehearsal import Rehearsal, rehearse
from tools.journal.events import last_seal, parse_game
from tools.journal.journal import read_journal
from tools.match.referee import RefereedGame
from tools.records.game import GameRecord
from tools.roster.seats import EnginePool, reply_deadline
from tools.roster.transcripts import read_transcript, transcript_path
from tools.terms.openings import Opening, play_opening
from tools.terms.seal import sealed_engine
from tools.terms.spec import GameSpec


class CannotReplay(QuintetError):
    """A move that a match does not have; the text says what it has instead."""


@dataclass(frozen=True, slots=True)
class ReplayPoint:
    """The position before ply `ply` of a recorded game, and who moved there.

    `scene` holds the recorded commands that lead there; None if the moves must be sent instead.
    """

    record: GameRecord
    spec: GameSpec
    ply: int
    side: Side
    diagram: str
    scene: Rehearsal | None
    keeps_clock: bool  # False with a time control other than the match's.

    @property
    def side_name(self) -> str:
        """The colour of the engine that moved."""
        return self.spec.rules().sides[self.side]

    @property
    def move_then(self) -> str:
        """The move played there, with its time and evaluation; empty at the end of the game."""
        record = self.record
        if self.ply <= len(record.moves):
            move = record.moves[self.ply - 1]
            return f"{move.text}  {move.seconds:.3f} s  {move.evaluation}".rstrip()
        return f"{record.offence}  ({record.outcome.reason})" if record.offence else ""


def find_point(
    folder: Path, number: int, ply: int, control: TimeControl | None = None
) -> ReplayPoint:
    """Return the point before ply `ply`, from 1, of a game of the match in a folder.

    `control` replaces the time control of the engine. Plies count moves and throws. Raises
    CannotReplay, JournalError and InvalidText.
    """
    events = read_journal(folder)
    games = [event for event in events if event["event"] == "game"]
    attempts = [parse_game(event) for event in games if event["number"] == number]
    if not attempts:
        raise CannotReplay(f"no game {number} in {folder} (it has {len(games)})")
    record = attempts[-1]
    if ply > len(record.moves) + 1:
        raise CannotReplay(f"game {number} has {len(record.moves)} moves, not {ply}")
    spec = _game_spec(record, last_seal(events), ply)
    game = play_opening(spec.opening, spec.rules())
    if game.turn == CHANCE:
        raise CannotReplay(_describe_throw(record, ply))
    side = game.turn
    if control is not None:  # Of this engine alone: its opponent may not know this kind of limit.
        first, second = spec.controls
        spec = replace(spec, controls=(first, control) if side else (control, second))
    return ReplayPoint(
        record=record,
        spec=spec,
        ply=ply,
        side=side,
        diagram=game.rules.diagram(game.position),
        scene=_scene(folder, record, ply, side) if control is None else None,
        keeps_clock=control is None,
    )


def think_again(point: ReplayPoint, pool: EnginePool) -> Reply:
    """Start the engine as it was started, put it back and ask it for its move.

    Raises EngineError and EngineRefused as a client does, and Forfeit and VoidGame.
    """
    if point.scene is None:
        return _play_again(point, pool)
    seat = pool.seat(point.spec.engines[point.side])
    seat.set_seeds(point.spec.named_seed, point.spec.engine_seed(point.side))
    moves = point.record.moves
    then = moves[point.ply - 1].seconds if point.ply <= len(moves) else 0.0
    deadline = reply_deadline() + 2 * then  # It may need more time than it took then.
    return seat.client().repeat(point.scene.preparation, point.scene.asked, deadline)


def _play_again(point: ReplayPoint, pool: EnginePool) -> Reply:
    """Tell both engines the moves, let their clocks run as they did, and ask for a move."""
    spec, record = point.spec, point.record
    game = RefereedGame(spec, [pool.seat(engine) for engine in spec.engines])
    game.begin()
    if point.keeps_clock:
        for move in record.moves[record.opening : point.ply - 1]:
            if move.side != CHANCE:
                game.spend(move.side, move.seconds)
    return game.think()


def _describe_throw(record: GameRecord, ply: int) -> str:
    message = f"ply {ply} is a throw (plies count throws and moves)"
    later = [at for at, move in enumerate(record.moves, 1) if at > ply and move.side != CHANCE]
    return f"{message}; the next move is ply {later[0]}" if later else message


def _scene(folder: Path, record: GameRecord, ply: int, side: Side) -> Rehearsal | None:
    """Return the recorded commands up to a move; None if no transcript has them."""
    path = transcript_path(
        folder / "transcripts", record.game, record.number, record.attempt, side + 1
    )
    asked = [move.side for move in record.moves[record.opening : ply - 1]].count(side)
    try:
        return rehearse(read_transcript(path), asked + 1)
    except OSError:
        return None


def _game_spec(record: GameRecord, seal: Mapping[str, Any], ply: int) -> GameSpec:
    """Return a game whose opening is all that was played before a ply."""
    first, second = (sealed_engine(seal, record.engine(side) + 1) for side in (FIRST, SECOND))
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
