"""A match between two engines: which games it needs, and what their journal says so far."""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from tools.course import Course
from tools.dispute import DISPUTES, format_disputes
from tools.event import game_event, read_game
from tools.filing import record_name, write_record
from tools.interrupt import uninterrupted
from tools.journal import Event, Journal, JournalError, write_whole
from tools.record import GameRecord
from tools.referee import GameSpec, play_game
from tools.sample import Fate
from tools.seal import Seal, changed, describe, seal, unacceptable
from tools.spec import MatchSpec

BREAKDOWNS: Final = 3  # Worker processes that may be lost in a row.


class Changed(Exception):
    """A match that is not the one in the journal; says which keys differ."""


class Match(Course):
    """A match and its journal: what was played, what it says, what is missing.

    Everything here follows from the journal's events, in their order. Raises Changed for another
    match than the journal's, and JournalError.

    Records of shogi are written in `spec.shogi_format`, whatever they were in before.
    """

    def __init__(self, spec: MatchSpec, journal: Journal, *, accept_changes: bool = False) -> None:
        self.spec = spec
        self.journal = journal
        self.sides = spec.rules().sides
        labels = (spec.engines[0].label, spec.engines[1].label)
        super().__init__(labels, spec.games, spec.sprt, spec.aside)
        self._resume(accept_changes)

    def _resume(self, accept_changes: bool) -> None:
        sealed = json.loads(json.dumps(seal(self.spec)))
        events = self.journal.events
        told = {
            "games": self.spec.games,
            "records": self.spec.shogi_format,
            "at": datetime.now().astimezone().isoformat(),
        }
        if not events:
            self.journal.append({"event": "match", "seal": sealed, **told})
            return
        before = last_seal(events)
        keys = changed(before, sealed)
        if any(event["event"] == "game" for event in events):
            self._refuse(before, sealed, keys, accept_changes=accept_changes)
        for event in events:
            if event["event"] == "game":
                self.count(parse_game(event))
            self.note_changes(event.get("changed", ()))
        self.note_changes(keys)
        self.go_on()
        self.journal.append(
            {"event": "resume", "seal": sealed, "changed": keys, **told}
            if keys
            else {"event": "resume", **told}
        )

    def _refuse(self, before: Seal, sealed: Seal, keys: list[str], *, accept_changes: bool) -> None:
        """Raise Changed for what would count games of another match as this one's."""
        never = unacceptable(keys)
        if not keys or (accept_changes and not never):
            return
        told = describe(before, sealed, never if accept_changes else keys)
        cure = "name another folder, or go on with --accept-changes"
        if never:
            cure = f"name another folder: no game counts for a match with another {never[0]}"
        raise Changed(f"{self.journal.folder} holds another match:\n{told}\n{cure}")

    def add(self, record: GameRecord) -> Fate:
        """Take in a finished game: journal first, then all that follows from it."""
        with uninterrupted():  # Or the status would know less than the journal.
            self.journal.append(game_event(record))
            fate = self.count(record)
        self.write_record(record)
        if record.count is not None and record.count.disputed:
            self.write_disputes()
        return fate

    def write_record(self, record: GameRecord) -> None:
        """Write a game's record; raises JournalError."""
        write_whole(self.record_path(record), self._told(record))

    def _told(self, record: GameRecord) -> bytes:
        return write_record(record, self.sides, self.spec.shogi_format)

    def record_path(self, record: GameRecord) -> Path:
        """Return where a game's record is."""
        return self.journal.folder / record_name(record, self.spec.shogi_format)

    def restore_records(self) -> None:
        """Write the records that are not what the journal says, and sweep up halves of files."""
        for half in self.journal.folder.glob(".*.new"):
            with contextlib.suppress(OSError):
                half.unlink()
        for record in self.records.values():
            path = self.record_path(record)
            if not (path.is_file() and path.read_bytes() == self._told(record)):
                self.write_record(record)
        self.write_disputes()

    def write_disputes(self) -> None:
        """Write what engines and arbiter said of games they disagree about; raises JournalError."""
        if data := format_disputes(self.disputed):
            write_whole(self.journal.folder / DISPUTES, data)

    def write_status(self, *, interrupted: bool = False) -> Mapping[str, Any]:
        """Write `status.json` and return what it says; raises JournalError."""
        status = {
            **self.status(interrupted=interrupted),
            "events": len(self.journal.events),  # By which an older status is known.
        }
        data = json.dumps(status, indent=1, ensure_ascii=False) + "\n"
        write_whole(self.journal.folder / "status.json", data.encode())
        return status


def last_seal(events: list[Event]) -> Mapping[str, Any]:
    """Return the seal that holds at the end of a journal; raises JournalError without one."""
    seals = [event["seal"] for event in events if "seal" in event]
    if not seals or events[0]["event"] != "match":
        raise JournalError("the journal does not begin with a match")
    last: Mapping[str, Any] = seals[-1]
    return last


def parse_game(event: Event) -> GameRecord:
    """Return a journal's game; raises JournalError naming it."""
    try:
        return read_game(event)
    except (ValueError, KeyError, TypeError) as error:
        which = f"game {event['number']}" if "number" in event else "a game without a number"
        told = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise JournalError(f"{which} of the journal cannot be read: {told}") from error


class Hall:
    """Plays what a match is missing, several games at once where the executor can."""

    def __init__(self, match: Match, make: Callable[[], Executor], slots: int) -> None:
        self.match = match
        self.stopping = False  # Set to begin no more games.
        self.started: Callable[[GameSpec], None] = lambda spec: None  # Told of each game.
        self._make = make
        self._slots = slots
        self._running: dict[Future[GameRecord], GameSpec] = {}
        self._breakdowns = 0

    @property
    def running(self) -> list[GameSpec]:
        """The games that are being played."""
        return list(self._running.values())

    def play(self) -> Iterator[tuple[GameRecord, Fate]]:
        """Yield each game once it is in the journal.

        Raises InvalidText for what an engine's protocol cannot say, and JournalError; the games
        that are running then are lost, and played by the next run.
        """
        executor = self._make()
        try:
            while True:
                try:
                    self._fill(executor)  # Handing in fails, too, once a worker is lost.
                    if not self._running:
                        return
                    done, _ = wait(self._running, return_when=FIRST_COMPLETED)
                    for future in sorted(done, key=lambda each: self._running[each].number):
                        record = future.result()
                        del self._running[future]
                        self._breakdowns = 0
                        yield record, self.match.add(record)
                except BrokenProcessPool as error:
                    executor = self._rebuild(executor, error)
        finally:
            executor.shutdown(wait=not self._running, cancel_futures=True)

    def _fill(self, executor: Executor) -> None:
        if self.stopping or self.match.over:
            return
        begun = {(spec.pair, spec.side) for spec in self._running.values()}
        for pair, side, attempt in self.match.missing():
            if len(self._running) >= self._slots:
                return
            if (pair, side) not in begun:
                spec = self.match.spec.game_spec(pair, side, attempt)
                self.started(spec)
                self._running[executor.submit(play_game, spec)] = spec

    def _rebuild(self, executor: Executor, error: BrokenProcessPool) -> Executor:
        """Replace lost workers: their games are played again."""
        lost = sorted(spec.number for spec in self._running.values())
        self._running.clear()
        self._breakdowns += 1
        self.match.journal.append({"event": "breakdown", "games": lost, "reason": str(error)})
        executor.shutdown(wait=False, cancel_futures=True)
        if self._breakdowns >= BREAKDOWNS:
            self.match.failure = f"{BREAKDOWNS} workers were lost in a row"
        return self._make()
