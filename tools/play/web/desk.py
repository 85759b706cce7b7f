"""The games that are open: each is a session, which any number of pages look at."""

import itertools
import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engines.core.errors import QuintetError
from engines.core.timing import Clock
from tools.play.autosave import (
    Keeper,
    folder,
    new_keeper,
    read_kept,
    read_state,
    state_of,
    unfinished,
)
from tools.play.history import MovePath
from tools.play.players import Player, PlayTerms, check_players
from tools.play.session import PlaySession
from tools.play.texts import say
from tools.play.view import size_of
from tools.records.recorded import RecordedGame

_MOST_GAMES: Final = 16


class DeskError(QuintetError):
    """A game is not open or cannot be resumed, or too many games are open."""


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game of an earlier run that can be resumed."""

    name: str
    title: str
    players: tuple[str, str]
    moves: int
    started: str


@dataclass(frozen=True, slots=True)
class DamagedGame:
    """A file of an earlier run that can only be deleted, and what is wrong with it."""

    name: str
    fault: str


class Desk:
    """All open games, by names that are drawn at random.

    `place` is the folder for games in progress; None is the usual one. Watchers are called, from
    any thread, when a game is opened or closed.
    """

    def __init__(self, place: Path | None = None) -> None:
        self._place = place or folder()
        self._games: dict[str, PlaySession] = {}
        self._numbers: dict[str, int] = {}  # In the order of opening, to tell games apart.
        self._counter = itertools.count(1)
        self._watchers: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def open(self, terms: PlayTerms, players: tuple[Player, Player]) -> str:
        """Open a new game and begin it; return its name."""
        session = self._begin(terms, players)
        session.start()
        return self._add(session)

    def load(self, recorded: RecordedGame, file: str, players: tuple[Player, Player]) -> str:
        """Open a recorded game, which waits to be looked at; return its name."""
        session = self._begin(PlayTerms(recorded.game, size=recorded.size), players)
        try:
            session.load(recorded, file)
        except QuintetError:
            _discard(session)
            raise
        return self._add(session)

    def branch(
        self, name: str, ply: int, players: tuple[Player, Player], path: MovePath = ()
    ) -> str:
        """Open a game of other players that goes on from a ply of a game; return its name.

        `path` is the line that the ply is in, if it is not the current one.
        """
        before = self.session(name)
        check_players(before.terms, players)
        with before.lock:
            kept = read_state(state_of(before))
        one, other = kept.terms.controls
        fresh = (Clock(one), Clock(other))
        self._refuse_more()
        session = PlaySession.restore(
            replace(kept, players=players, clocks=fresh, ended=None, loaded=before.loaded),
            self._keeper(),
        )
        try:
            session.continue_from(ply, path)
        except QuintetError:
            _discard(session)
            raise
        return self._add(session)

    def resume(self, name: str) -> str:
        """Open a game of an earlier run again; return its new name."""
        path = self._kept_file(name)
        self._refuse_more()
        kept = read_kept(path)
        keeper = _take(path)
        try:
            session = PlaySession.restore(kept, keeper)
        except QuintetError:
            keeper.close(keep=True)
            raise
        opened = self._add(session)
        if session.ended is None:
            session.start()
        return opened

    def forget(self, name: str) -> None:
        """Delete the file of an earlier run, which may be damaged."""
        _take(self._kept_file(name)).close(keep=False)

    def _kept_file(self, name: str) -> Path:
        paths = {path.stem: path for path in unfinished(self._place)}
        if name not in paths:
            raise DeskError(say("no.kept.game"))
        return paths[name]

    def kept(self) -> tuple[list[KeptGame], list[DamagedGame]]:
        """List the games of earlier runs, and the files that cannot be read."""
        found, damaged = [], []
        for path in unfinished(self._place):
            try:
                kept = read_kept(path)
            except QuintetError as error:
                damaged.append(DamagedGame(path.stem, str(error)))
                continue
            labels = (kept.players[0].label, kept.players[1].label)
            moves = sum(move.side != 2 for move in kept.moves)
            found.append(KeptGame(path.stem, kept.terms.game, labels, moves, kept.started))
        return found, damaged

    def session(self, name: str) -> PlaySession:
        """Return an open game; raises DeskError."""
        with self._lock:
            if name not in self._games:
                raise DeskError(say("no.open.game"))
            return self._games[name]

    def close(self, name: str, *, keep: bool) -> None:
        """Close a game and end its engines; an unfinished one is kept for later, or forgotten."""
        session = self.session(name)
        with self._lock:
            del self._games[name]
        if keep:
            session.close()
        else:
            _discard(session)
        self.tell()

    def close_all(self) -> None:
        """Close all games; unfinished ones stay in their files."""
        with self._lock:
            sessions, self._games = list(self._games.values()), {}
        for session in sessions:
            session.close()

    def describe(self) -> list[Mapping[str, Any]]:
        """Return the open games, as values of JSON."""
        with self._lock:
            games = list(self._games.items())
        return [
            {
                "name": name,
                "number": self._numbers[name],
                "game": session.terms.game,
                "size": size_of(session.game),
                "players": [session.name_of(side) for side in (0, 1)],
            }
            for name, session in games
        ]

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call a function when games are opened or closed; return how to end that."""
        with self._lock:
            self._watchers.append(watcher)

        def end() -> None:
            with self._lock:
                if watcher in self._watchers:
                    self._watchers.remove(watcher)

        return end

    def _begin(self, terms: PlayTerms, players: tuple[Player, Player]) -> PlaySession:
        """Return a session with a file of its own, which is not open yet."""
        self._refuse_more()
        keeper = self._keeper()
        try:
            return PlaySession(terms, players, keeper=keeper)
        except QuintetError:
            if keeper is not None:
                keeper.close(keep=False)
            raise

    def _keeper(self) -> Keeper | None:
        """Return a file for a new game; a folder that cannot be written to prevents no game."""
        with suppress(OSError):
            return new_keeper(self._place)
        return None

    def _refuse_more(self) -> None:
        with self._lock:
            if len(self._games) >= _MOST_GAMES:
                raise DeskError(say("too.many.games", most=_MOST_GAMES))

    def _add(self, session: PlaySession) -> str:
        name = secrets.token_hex(4)
        with self._lock:
            self._games[name] = session
            self._numbers[name] = next(self._counter)
        self.tell()
        return name

    def tell(self) -> None:
        """Call the watchers, because the list of games or a name in it has changed."""
        with self._lock:
            watchers = list(self._watchers)
        for watcher in watchers:
            watcher()


def _take(path: Path) -> Keeper:
    """Take the file of a game; raises DeskError if another program was faster."""
    try:
        return Keeper(path)
    except OSError as error:
        raise DeskError(say("no.kept.game")) from error


def _discard(session: PlaySession) -> None:
    """Close a game and delete its file."""
    session.close()
    if session.keeper is not None:
        session.keeper.path.unlink(missing_ok=True)
