"""Sessions under test: waiting for snapshots, and players."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from tools.play.players import Player, PlayTerms, parse_player
from tools.play.session import PlaySession
from tools.play.snapshot import Snapshot

TIMEOUT = 60.0  # Seconds; reached only if something is broken.
FAKE = Path(__file__).with_name("fake_player.py")


class Watch:
    """Waits for snapshots of a session."""

    def __init__(self, session: PlaySession) -> None:
        self.session = session
        self._news = threading.Condition()
        self._latest = session.snapshot()
        self._end = session.subscribe(self._receive)

    def _receive(self, snapshot: Snapshot) -> None:
        with self._news:
            if snapshot.version > self._latest.version:
                self._latest = snapshot
            self._news.notify_all()

    def until(self, condition: Callable[[Snapshot], bool]) -> Snapshot:
        """Return the first of the latest snapshots that fulfils a condition."""
        with self._news:
            assert self._news.wait_for(lambda: condition(self._latest), TIMEOUT), self._latest
            return self._latest

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()


@contextmanager
def playing(
    terms: PlayTerms, first: Player, second: Player, *, start: bool = True
) -> Iterator[tuple[PlaySession, Watch]]:
    session = PlaySession(terms, (first, second))
    try:
        with Watch(session) as watch:
            if start:
                session.start()
            yield session, watch
    finally:
        session.close()


def person(name: str = "") -> Player:
    return Player(name)


def engine(*words: str) -> Player:
    return parse_player(words)


def fake(*behaviour: str) -> Player:
    """Return a scripted engine of Neutron; see fake_player.py."""
    command = " ".join((sys.executable, str(FAKE), *behaviour))
    return parse_player((command, "protocol=line", "game=neutron", "name=fake"))
