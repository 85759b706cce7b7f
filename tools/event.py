"""A game as an event of the journal, and back."""

from dataclasses import asdict
from typing import Any

from engines.core.game import Outcome
from engines.core.timing import TimeControl
from tools.journal import Event
from tools.record import Count, GameRecord, Method, PlayedMove, Player, Verdict


def game_event(record: GameRecord) -> Event:
    """Return a finished game as an event: the verdict stands beside the winner."""
    event: dict[str, Any] = {"event": "game"}
    event["number"] = record.number
    event["pair"], event["side"], event["attempt"] = record.pair, record.side, record.attempt
    event["players"] = [asdict(player) for player in record.players]
    event["result"] = record.result
    event["winner"] = record.outcome.winner
    event["both"] = record.outcome.both
    event["verdict"] = str(record.verdict)
    event["reason"] = record.outcome.reason
    event["times"] = [str(control) for control in record.controls]
    for key in _PLAIN:
        event[key] = getattr(record, key)
    event["faults"] = list(record.faults)
    if record.count is not None:
        event["count"] = asdict(record.count)
    event["moves"] = [
        [move.side, move.text, move.seconds, move.left, move.evaluation] for move in record.moves
    ]
    return event


_PLAIN = (
    *("game", "variant", "size", "setup", "started", "seed"),
    *("opening", "opening_name", "offence", "code", "stderr"),
)


def read_game(event: Event) -> GameRecord:
    """Return the game that an event tells; raises ValueError, KeyError or TypeError if none."""
    first, second = (Player(**player) for player in event["players"])
    one, other = (TimeControl.parse(text) for text in event["times"])
    mine, theirs = event["faults"]
    return GameRecord(
        number=event["number"],
        pair=event["pair"],
        side=event["side"],
        attempt=event["attempt"],
        players=(first, second),
        controls=(one, other),
        outcome=Outcome(event["winner"], event["reason"], event["both"]),
        verdict=Verdict(event["verdict"]),
        moves=tuple(PlayedMove(*move) for move in event["moves"]),
        faults=(mine, theirs),
        count=_read_count(event["count"]) if "count" in event else None,
        **{key: event[key] for key in _PLAIN},
    )


def _read_count(told: Any) -> Count:
    one, other = told["said"]
    dead = tuple(map(str, told["dead"]))
    return Count(Method(told["method"]), (one, other), dead, told["arbiter"], told["result"])
