"""Sessions under test: waiting for snapshots, and players."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from tests.tools.waiting import Latest
from tools.play.players import Player, PlayTerms, parse_player
from tools.play.session import PlaySession
from tools.play.snapshot import Snapshot

FAKE = Path(__file__).with_name("fake_player.py")


class Watch:
    """Waits for snapshots of a session."""

    def __init__(self, session: PlaySession) -> None:
        self.session = session
        self._latest = Latest(session.snapshot())
        self._end = session.subscribe(self._receive)
        self._receive(session.snapshot())  # One may have been published between both lines.

    def _receive(self, snapshot: Snapshot) -> None:
        self._latest.change(lambda old: snapshot if snapshot.version > old.version else old)

    def until(self, condition: Callable[[Snapshot], bool]) -> Snapshot:
        """Return the first of the latest snapshots that fulfils a condition."""
        return self._latest.until(condition)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
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
