"""The state of a match, reconstructed from its journal alone, without changing anything."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tools.journal.events import MATCH, changes_of, last_seal, parse_game
from tools.journal.journal import NAME, Event, JournalError, damaged, is_in_use, read_journal
from tools.journal.state import GamesState, MatchState, MatchStatus
from tools.terms.spec import SET_ASIDE


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match as it stands at this moment, running or not.

    `phase` is `running`, `killed` (its last run was), `failed`, `interrupted`, `stopped` (games are
    missing for another reason) or `finished`, also if its games only repeated themselves.
    `until_decided` says that the match has no number of games of its own, only a sequential test.
    """

    folder: Path
    seal: Mapping[str, Any]
    state: MatchState
    status: MatchStatus
    phase: str
    until_decided: bool


def view_match(folder: Path) -> MatchView:
    """Return the match in a folder; raises JournalError if its journal cannot be understood."""
    running = is_in_use(folder)  # First: a match that ends meanwhile must not look incomplete.
    events = read_journal(folder)
    state = reconstruct(events)
    phase, status = find_phase(folder, events, state, running=running)
    if phase in ("interrupted", "stopped") and state.sample.exhausted:
        phase = "finished"
    runs = [event for event in events if event["event"] in ("match", "resume")]
    until_decided = runs[-1].get("until-decided", False) is True
    return MatchView(folder, last_seal(events), state, status, phase, until_decided)


def find_phase(
    folder: Path, events: Sequence[Event], state: GamesState, *, running: bool
) -> tuple[str, Any]:
    """Return the phase of a match or tournament, as `MatchView` has it, and its status."""
    written = _read_status(folder)
    killed = not running and _is_older(written, events)
    ended = written if written is not None and not running and not killed else {}
    interrupted = ended.get("interrupted") is True
    state.failure = str(ended.get("failure", ""))
    status = replace(state.status(interrupted=interrupted, running=running), events=len(events))
    if running:
        return "running", status
    if killed:
        return "killed", status
    if status.status == "failed":
        return "failed", status
    if status.missing:
        return ("interrupted" if interrupted else "stopped"), status
    return "finished", status


def unfinished(folder: Path, events: Sequence[Event]) -> str:
    """Say why the status does not cover the whole journal; empty if the last run has ended."""
    if is_in_use(folder):
        return "the match is still running"
    return "the last run was killed" if _is_older(_read_status(folder), events) else ""


def _is_older(status: Mapping[str, Any] | None, events: Sequence[Event]) -> bool:
    """Whether a status was written before the end of the run that wrote the last events."""
    if status is None:
        return True
    known = status.get("events")
    # A faulty status is a finding.
    return (isinstance(known, int) and known < len(events)) or status.get("running") is True


def reconstruct(events: Sequence[Event]) -> MatchState:
    """Return the state that a journal leads to; raises JournalError."""
    state = initial_state(last_seal(list(events)), events[0])
    take_in(state, events)
    return state


def take_in(state: GamesState, events: Sequence[Event]) -> None:
    """Let the events of a journal change a state in their order; raises JournalError."""
    for number, event in enumerate(events, 1):
        try:
            follow(state, event)
            if event["event"] == "game":
                state.count(parse_game(event))
        except (ValueError, JournalError) as error:
            raise damaged(Path(NAME), number, str(error)) from error


def initial_state(seal: Mapping[str, Any], first: Event) -> MatchState:
    """Return the state of a match before its first game; raises JournalError."""
    if first["event"] != MATCH:
        raise JournalError(f"the journal is that of a {first['event']}; expected a match")
    try:
        labels = (seal["engine1.label"], seal["engine2.label"])
        return MatchState(labels, first["games"], seal["sprt"], seal.get("set-aside", SET_ASIDE))
    except (KeyError, ValueError) as error:
        raise JournalError(f"the journal's first event cannot be understood: {error!r}") from error


def follow(state: GamesState, event: Event) -> None:
    """Take in an event other than a game, with the changes that it names; raises JournalError."""
    state.follow(event)
    if event["event"] == "resume":
        state.note_changes(changes_of(event))


def _read_status(folder: Path) -> Mapping[str, Any] | None:
    """Return the status that the last run wrote; None without one, empty if it cannot be read."""
    try:
        status = json.loads((folder / "status.json").read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return {}
    return status if isinstance(status, dict) else {}
