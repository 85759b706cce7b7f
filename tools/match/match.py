"""A match and its folder: the journal, the records, the status file and what they must say."""

import contextlib
import json
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path

from engines.core.errors import QuintetError
from tools.journal.disputes import DISPUTES, format_disputes
from tools.journal.events import changes_of, game_event, last_seal, parse_game
from tools.journal.journal import Journal, JournalError, damaged, write_whole
from tools.journal.sampling import SampleStatus
from tools.journal.state import MatchState, MatchStatus
from tools.match.interrupts import uninterrupted
from tools.records.filing import record_name, write_record
from tools.records.game import GameRecord
from tools.terms.seal import Seal, changed, describe, seal, unacceptable
from tools.terms.spec import MatchSpec


class DifferentMatch(QuintetError):
    """The journal holds another match than the one asked for; the text names what differs."""


class Match(MatchState):
    """A match and its journal: which games were played, what they say, and which are missing.

    Everything here follows from the journal's events, in their order. Raises DifferentMatch where
    the journal holds another match than `spec`, and JournalError.

    Records of shogi are written in `spec.shogi_format`, even if they had another format before.
    """

    def __init__(self, spec: MatchSpec, journal: Journal, *, accept_changes: bool = False) -> None:
        self.spec = spec
        self.journal = journal
        self.sides = spec.rules().sides
        labels = (spec.engines[0].label, spec.engines[1].label)
        super().__init__(labels, spec.games, spec.sprt, spec.set_aside)
        self._resume(accept_changes)

    def _resume(self, accept_changes: bool) -> None:
        sealed = json.loads(json.dumps(seal(self.spec)))
        events = self.journal.events
        run = {
            "games": self.spec.games,
            "records": self.spec.shogi_format,
            "at": datetime.now().astimezone().isoformat(),
        }
        if self.spec.until_decided:
            run["until-decided"] = True
        if not events:
            self.journal.append({"event": "match", "seal": sealed, **run})
            return
        before = last_seal(events)
        keys = changed(before, sealed)
        if any(event["event"] == "game" for event in events):
            self._refuse(before, sealed, keys, accept_changes=accept_changes)
        for number, event in enumerate(events, 1):
            try:
                if event["event"] == "game":
                    self.count(parse_game(event))
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

    def _refuse(self, before: Seal, sealed: Seal, keys: list[str], *, accept_changes: bool) -> None:
        """Raise DifferentMatch for changes that would mix the games of two matches."""
        never = unacceptable(keys)
        if not keys or (accept_changes and not never):
            return
        differences = describe(before, sealed, never if accept_changes else keys)
        advice = "name another folder, or resume with --accept-changes"
        if never:
            advice = f"name another folder: its games were played with another {never[0]}"
        raise DifferentMatch(f"{self.journal.folder} holds another match:\n{differences}\n{advice}")

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

    def write_status(self, *, interrupted: bool = False, running: bool = False) -> MatchStatus:
        """Write `status.json` and return what it says; raises JournalError."""
        # The number of events shows a later reader whether the status is up to date.
        status = self.status(interrupted=interrupted, running=running)
        status = replace(status, events=len(self.journal.events))
        data = json.dumps(asdict(status), indent=1, ensure_ascii=False) + "\n"
        write_whole(self.journal.folder / "status.json", data.encode())
        return status
