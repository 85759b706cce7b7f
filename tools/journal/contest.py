"""A match or a tournament with its folder: the journal, the records and the status file."""

import contextlib
import json
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from engines.core.errors import QuintetError
from engines.core.game import Side
from tools.journal.disputes import DISPUTES, format_disputes
from tools.journal.events import (
    MATCH,
    TOURNAMENT,
    TUNING,
    changes_of,
    game_event,
    last_seal,
    parse_game,
)
from tools.journal.interrupts import uninterrupted
from tools.journal.journal import Journal, JournalError, damaged, write_whole
from tools.journal.sampling import SampleStatus
from tools.journal.state import GamesState
from tools.records.filing import record_name, write_record
from tools.records.game import GameRecord
from tools.terms.seal import Seal, changed, describe, unacceptable
from tools.terms.spec import GameSpec, MatchSpec

_NAMES: Final = {MATCH: "match", TOURNAMENT: "tournament", TUNING: "tuning run"}
_OTHERS: Final = {
    "pairs": "another number of pairs",
    "values": "other values",
    "openings": "other openings",
    "challengers": "another number of challengers",
    "extra": "another number of extra pairs",
}
"""Names of differences in keys of the seal; those of other keys are `another KEY`."""


class DifferentMatch(QuintetError):
    """The journal holds another match than the one asked for; the text names what differs."""


class Contest(GamesState):
    """Games and their journal: which were played, what they say, and which are missing.

    Everything here follows from the journal's events, in their order. Records of shogi are written
    in the `shogi_format` of `spec`, even if they had another format before.
    """

    spec: MatchSpec
    journal: Journal

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether no more games are to be begun."""

    @abstractmethod
    def missing(self) -> Iterator[tuple[int, Side, int]]:
        """Yield pair, side and attempt of the games to play."""

    @abstractmethod
    def game_spec(self, pair: int, side: Side, attempt: int) -> GameSpec:
        """Return a game that is missing."""

    def resume(
        self, kind: str, sealed: Seal, run: Mapping[str, Any], *, accept_changes: bool
    ) -> None:
        """Begin the journal, or take in its events and note that a new run begins.

        Raises DifferentMatch where the journal was begun under another seal, and JournalError.
        """
        sealed = json.loads(json.dumps(sealed))
        events = self.journal.events
        run = {**run, "at": datetime.now().astimezone().isoformat()}
        if not events:
            self.journal.append({"event": kind, "seal": sealed, **run})
            return
        before = last_seal(events)
        if events[0]["event"] != kind:
            found, wanted = _NAMES[str(events[0]["event"])], _NAMES[kind]
            raise DifferentMatch(f"{self.journal.folder} holds a {found}, not a {wanted}")
        keys = changed(before, sealed)
        if any(event["event"] == "game" for event in events):
            self._refuse(kind, before, sealed, keys, accept_changes=accept_changes)
        for number, event in enumerate(events, 1):
            try:
                if event["event"] == "game":
                    self.count(parse_game(event))
                else:
                    self.follow(event)
                self.note_changes(changes_of(event))
            except (ValueError, JournalError) as error:
                raise damaged(self.journal.path, number, str(error)) from error
        self.note_changes(keys)
        self.clear_failures()
        self.journal.append(
            {"event": "resume", "seal": sealed, "changed": keys, **run}
            if keys
            else {"event": "resume", **run}
        )

    def _refuse(
        self, kind: str, before: Seal, sealed: Seal, keys: list[str], *, accept_changes: bool
    ) -> None:
        """Raise DifferentMatch for changes that would mix the games of two matches."""
        never = unacceptable(keys)
        if not keys or (accept_changes and not never):
            return
        differences = describe(before, sealed, never if accept_changes else keys)
        advice = "name another folder, or resume with --accept-changes"
        if never:
            other = _OTHERS.get(never[0], f"another {never[0]}")
            advice = f"name another folder: its games were played with {other}"
        raise DifferentMatch(
            f"{self.journal.folder} holds another {_NAMES[kind]}:\n{differences}\n{advice}"
        )

    def add(self, record: GameRecord) -> SampleStatus:
        """Take in a finished game: the journal first, then all that follows from it.

        The status is written after every game, so that a match can be watched.
        """
        with uninterrupted():  # Otherwise the status could know less than the journal.
            self.journal.append(game_event(record))
            sample_status = self.count(record)
        self.write_record(record)
        self.write_status(running=True)
        if record.count is not None and record.count.disputed:
            self.write_disputes()
        return sample_status

    def write_record(self, record: GameRecord) -> None:
        """Write a game's record; raises JournalError."""
        write_whole(self.record_path(record), self._format(record))

    def _format(self, record: GameRecord) -> bytes:
        return write_record(record, self.sides, self.spec.shogi_format)

    @property
    def sides(self) -> tuple[str, str]:
        """The names of both sides of the game."""
        return self.spec.rules().sides

    def record_path(self, record: GameRecord) -> Path:
        """Return the path of a game's record."""
        return self.journal.folder / record_name(record, self.spec.shogi_format)

    def restore_records(self) -> None:
        """Rewrite the records that differ from the journal, and delete half-written files."""
        for half in self.journal.folder.glob(".*.new"):
            with contextlib.suppress(OSError):
                half.unlink()
        for record in self.records.values():
            path = self.record_path(record)
            if not (path.is_file() and path.read_bytes() == self._format(record)):
                self.write_record(record)
        self.write_disputes()

    def write_disputes(self) -> None:
        """Write the file of games about whose result engines disagree; raises JournalError."""
        if data := format_disputes(self.disputed):
            write_whole(self.journal.folder / DISPUTES, data)

    def write_status(self, *, interrupted: bool = False, running: bool = False) -> Any:
        """Write `status.json` and return what it says; raises JournalError."""
        status = self.status(interrupted=interrupted, running=running)
        # The number of events shows a later reader whether the status is up to date.
        status = replace(status, events=len(self.journal.events))
        data = json.dumps(asdict(status), indent=1, ensure_ascii=False) + "\n"
        write_whole(self.journal.folder / "status.json", data.encode())
        return status
