"""Finished games as events of the journal: written and read."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from engines.core.game import FIRST, SECOND, Outcome
from engines.core.timing import TimeControl
from protocols.ask.score import Evaluation
from tools.journal.journal import Event, JournalError
from tools.records.game import Count, GameRecord, Method, PlayedMove, Player, Verdict


def game_event(record: GameRecord) -> Event:
    """Return a finished game as an event of the journal."""
    event: dict[str, Any] = {"event": "game"}
    event["number"] = record.number
    event["pair"], event["side"], event["attempt"] = record.pair, record.side, record.attempt
    if record.round:
        event["round"], event["engines"] = record.round, list(record.engines)
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
    if record.late:
        event["late"] = record.late
    if record.cpu != (None, None):
        event["cpu"] = list(record.cpu)
    if record.count is not None:
        event["count"] = record.count.to_json()
    event["moves"] = [
        [move.side, move.text, move.seconds, move.left, str(move.evaluation)]
        for move in record.moves
    ]
    return event


_PLAIN = (
    *("game", "variant", "size", "setup", "started", "seed"),
    *("opening", "opening_name", "offence", "code", "stderr"),
)


_NUMBERS = ("number", "pair", "side", "attempt", "size", "seed", "opening")
_TEXTS = (
    *("game", "variant", "setup", "started", "opening_name", "offence", "stderr"),
    *("result", "verdict", "reason"),
)


def _check(event: Event) -> None:
    """Raise KeyError and TypeError if a field is missing, or is no number or text where it must."""
    for keys, kind, expected in ((_NUMBERS, int, "a whole number"), (_TEXTS, str, "a text")):
        for key in keys:
            if not isinstance(event[key], kind):
                raise TypeError(f"`{key}` is {event[key]!r}, where {expected} was expected")
    if event["side"] not in (FIRST, SECOND):
        raise TypeError(f"`side` is {event['side']!r}, where {FIRST} or {SECOND} was expected")
    if event["winner"] not in (FIRST, SECOND, None):
        raise TypeError(f"`winner` is {event['winner']!r}, which is no side")
    for text in event["times"]:
        if not isinstance(text, str):
            raise TypeError(f"`times` has {text!r}, where a text was expected")


def read_game(event: Event) -> GameRecord:
    """Return the game of an event; raises ValueError, KeyError or TypeError for a wrong event."""
    _check(event)
    first, second = (Player(**player) for player in event["players"])
    one, other = (TimeControl.parse(text) for text in event["times"])
    mine, theirs = event["faults"]
    cpu, other_cpu = event.get("cpu", (None, None))
    return GameRecord(
        number=event["number"],
        pair=event["pair"],
        side=event["side"],
        attempt=event["attempt"],
        round=event.get("round", 0),
        engines=_read_engines(event.get("engines", [0, 1])),
        players=(first, second),
        controls=(one, other),
        outcome=Outcome(event["winner"], event["reason"], event["both"]),
        verdict=Verdict(event["verdict"]),
        moves=tuple(_read_move(*move) for move in event["moves"]),
        faults=(mine, theirs),
        late=_read_late(event.get("late", 0.0)),
        cpu=(cpu, other_cpu),
        count=_read_count(event["count"]) if "count" in event else None,
        **{key: event[key] for key in _PLAIN},
    )


def _read_late(late: Any) -> float:
    if not isinstance(late, int | float) or not late >= 0:
        raise TypeError(f"`late` is {late!r}, where a number of seconds was expected")
    return late


def _read_move(
    side: int, text: str, seconds: float, left: float | None, evaluation: str
) -> PlayedMove:
    return PlayedMove(side, text, seconds, left, Evaluation.parse(evaluation))


def _read_engines(numbers: Any) -> tuple[int, int]:
    one, other = numbers
    if (
        not isinstance(one, int)
        or not isinstance(other, int)
        or one == other
        or min(one, other) < 0
    ):
        raise TypeError(f"`engines` is {numbers!r}, where two different numbers were expected")
    return one, other


def _read_count(count: Any) -> Count:
    one, other = count["said"]
    dead = tuple(map(str, count["dead"]))
    return Count(Method(count["method"]), (one, other), dead, count["arbiter"], count["result"])


MATCH: Final = "match"
TOURNAMENT: Final = "tournament"
TUNING: Final = "tuning"
KINDS: Final = (MATCH, TOURNAMENT, TUNING)
"""The kinds of journals; the first event has the name of the kind."""


def kind_of(events: Sequence[Event]) -> str:
    """Return what a journal holds, by its first event; empty if it holds nothing that is known."""
    kind = str(events[0]["event"]) if events else ""
    return kind if kind in KINDS else ""


def last_seal(events: list[Event]) -> Mapping[str, Any]:
    """Return the seal that is valid at the end of a journal; raises JournalError without one."""
    if not events:
        raise JournalError("nothing has been played yet: the journal is empty")
    seals = [event["seal"] for event in events if "seal" in event]
    if not seals or events[0]["event"] not in KINDS:
        raise JournalError(f"the journal does not begin with a {' or a '.join(KINDS)}")
    last = seals[-1]
    if not isinstance(last, dict):
        raise JournalError(f"the seal of the match is {last!r}, where an object was expected")
    texts = ["engine1.label", "engine2.label"]
    for key in texts + (["sprt"] if events[0]["event"] == MATCH else []):
        if not isinstance(last.get(key), str):
            raise JournalError(f"the seal of the match has no text for {key}")
    if not isinstance(last.get("adjudication"), dict):
        raise JournalError("the seal of the match has no object for adjudication")
    return last


def changes_of(event: Event) -> list[str]:
    """Return what was changed before a run, as its event names it; raises JournalError."""
    keys = event.get("changed", [])
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise JournalError(f"`changed` is {keys!r}, where a list of texts was expected")
    return keys


def parse_game(event: Event) -> GameRecord:
    """Return the game of an event; raises JournalError, which names the game."""
    try:
        return read_game(event)
    except (ValueError, KeyError, TypeError) as error:
        which = f"game {event['number']}" if "number" in event else "a game without a number"
        reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise JournalError(f"{which} of the journal cannot be read: {reason}") from error
