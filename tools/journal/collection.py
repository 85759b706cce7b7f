"""The finished games of a match, a tournament or a tuning run, read for statistics and reports."""

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.core.game import CHANCE, FIRST, SECOND, Side
from tools.journal.events import last_seal, parse_game
from tools.journal.journal import NAME, Event, JournalError, damaged, read_journal
from tools.journal.repetition import digest_of
from tools.records.game import GameRecord, Verdict
from tools.terms.seal import build_digest, sealed_labels


@dataclass(frozen=True, slots=True)
class PlayedEngine:
    """An engine of a journal.

    `name` and `version` are what it last said of itself. Engines with the same `digest` are made of
    the same command, options and files; `time` is the time control that it played with.
    """

    label: str
    name: str
    version: str
    digest: str
    time: str


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game that counts; `engines` are the numbers of the first and second mover.

    `repeats` is the number of the earlier game that this one repeats, 0 if there is none.
    """

    record: GameRecord
    engines: tuple[int, int]
    repeats: int

    @property
    def number(self) -> int:
        """The number of the game, from 1."""
        return self.record.number

    @property
    def points(self) -> float:
        """The points of the first mover: 1, 0.5 or 0."""
        return self.record.outcome.points(FIRST)

    @property
    def result(self) -> str:
        """The result as `1-0`, `0-1` or `1/2-1/2`."""
        return self.record.result

    @property
    def ending(self) -> str:
        """The kind of ending."""
        return self.record.ending

    @property
    def opening(self) -> str:
        """The name of the opening; empty without one."""
        return self.record.opening_name

    @property
    def plies(self) -> int:
        """The number of moves, the opening included and throws of dice not."""
        return sum(move.side != CHANCE for move in self.record.moves)

    def moves(self, side: Side) -> int:
        """Return how many moves the engine of a side chose itself."""
        return len(self._seconds(side))

    def seconds(self, side: Side) -> float:
        """Return how many seconds the engine of a side thought."""
        return sum(self._seconds(side))

    def cpu(self, side: Side) -> float | None:
        """Return the CPU seconds of the engine of a side; None if they are not known."""
        return self.record.cpu[side]

    def _seconds(self, side: Side) -> list[float]:
        own = self.record.moves[self.record.opening :]
        return [move.seconds for move in own if move.side == side]


@dataclass(frozen=True, slots=True)
class Played:
    """The games of one folder, in the order of their numbers.

    `kind` is `match`, `tournament` or `tuning`. Void games, and games that were played again after
    a void game of their pair, are left out; `void` counts the void ones. `seal` holds all terms.
    """

    folder: Path
    kind: str
    seal: Mapping[str, Any]
    engines: tuple[PlayedEngine, ...]
    games: tuple[PlayedGame, ...]
    void: int

    @property
    def game(self) -> str:
        """The game that was played."""
        return str(self.seal["game"])

    @property
    def variant(self) -> str:
        """The variant, in Go the rules; empty for the usual one."""
        return str(self.seal["variant"])

    @property
    def size(self) -> int:
        """The size of the board, 0 where a game has only one."""
        return int(self.seal.get("size", 0))

    @property
    def distinct(self) -> int:
        """The number of games that repeat no earlier one."""
        return sum(not game.repeats for game in self.games)


def read_played(folder: Path) -> Played:
    """Return the finished games of a folder, which may be in use; raises JournalError."""
    return collect(folder, read_journal(folder))


def collect(folder: Path, events: list[Event]) -> Played:
    """Return the finished games among the events of a journal; raises JournalError."""
    seal = last_seal(events)
    labels = sealed_labels(seal)
    records: dict[tuple[int, int], GameRecord] = {}
    known: set[tuple[int, int, int]] = set()
    void: Counter[int] = Counter()
    attempts: dict[int, int] = {}
    for line, event in enumerate(events, 1):
        if event["event"] != "game":
            continue
        try:
            record = parse_game(event)
            _check(record, len(labels), known)
        except JournalError as error:
            raise damaged(folder / NAME, line, str(error)) from error
        known.add((record.pair, record.side, record.attempt))
        records[record.pair, record.side] = record
        void[record.pair] += record.verdict == Verdict.VOID
        attempts[record.pair] = max(record.attempt, attempts.get(record.pair, 0))
    # Both games of a pair are played again when one is void: the former attempt does not count.
    counted = [
        record
        for record in records.values()
        if record.attempt == attempts[record.pair] and record.verdict != Verdict.VOID
    ]
    counted.sort(key=lambda record: record.number)
    return Played(
        folder,
        str(events[0]["event"]),
        seal,
        tuple(_engines(seal, counted)),
        tuple(_games(counted)),
        void.total(),
    )


def _check(record: GameRecord, engines: int, known: Set[tuple[int, int, int]]) -> None:
    """Raise JournalError for a game that a journal cannot have."""
    if max(record.engines) >= engines:
        raise JournalError(f"game {record.number}: there is no engine {max(record.engines) + 1}")
    if (record.pair, record.side, record.attempt) in known:
        raise JournalError(
            f"game {record.number}, attempt {record.attempt + 1}: game {record.side} of pair "
            f"{record.pair} was added before"
        )


def _engines(seal: Mapping[str, Any], records: list[GameRecord]) -> list[PlayedEngine]:
    said = {
        record.engine(side): record.players[side] for record in records for side in (FIRST, SECOND)
    }
    made = []
    for number, label in enumerate(sealed_labels(seal)):
        name, version = (said[number].name, said[number].version) if number in said else ("", "")
        time = str(seal.get(f"engine{number + 1}.time", ""))
        made.append(PlayedEngine(label, name, version, build_digest(seal, number + 1), time))
    return made


def _games(records: list[GameRecord]) -> list[PlayedGame]:
    seen: dict[str, int] = {}
    games = []
    for record in records:
        earlier = seen.setdefault(digest_of(record), record.number)
        repeats = 0 if earlier == record.number else earlier
        games.append(PlayedGame(record, (record.engine(FIRST), record.engine(SECOND)), repeats))
    return games
