"""A page under test without a browser: it sends messages to a conversation and waits for news."""

import base64
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.play.web.conversation import PageConversation
from tools.play.web.desk import Desk

TIMEOUT = 60.0  # Seconds; reached only if something is broken.
Json = Mapping[str, Any]

QUICK = {"thinking": "nodes=30"}


class FakePage:
    """One page that is connected to a desk."""

    def __init__(self, desk: Desk) -> None:
        self._news = threading.Condition()
        self._shown: dict[str, Json] = {}
        self.games: list[Json] = []
        self.ground: list[Any] = []
        self.watched = ""
        self.conversation = PageConversation(desk, self._receive)

    def _receive(self, message: Json, key: str = "") -> None:
        with self._news:
            if "games" in message:
                self.games = message["games"]
            elif "ground" in message:
                self.ground = message["ground"]
            elif message["shown"]["version"] >= self._shown.get(message["game"], {}).get(
                "version", 0
            ):
                self._shown[message["game"]] = message["shown"]
            self._news.notify_all()

    def ask(self, command: str, **values: Any) -> Any:
        return self.conversation.receive({"do": command, **values})

    def enter(self, command: str, **values: Any) -> str:
        """Open a game and watch it."""
        self.watched = self.ask(command, **values)["game"]
        self.ask("watch", game=self.watched)
        return self.watched

    def new(self, game: str, *players: Json, **values: Any) -> str:
        given = list(players) or [{}, {}]
        return self.enter("new", game=game, players=given, **{**QUICK, **values})

    def load(self, name: str, data: bytes, **values: Any) -> str:
        coded = base64.b64encode(data).decode()
        return self.enter("load", name=name, data=coded, players=[{}, {}], **values)

    def until(self, condition: Callable[[Any], bool]) -> Any:
        """Return the first of the latest states of the watched game that fulfils a condition."""
        with self._news:
            assert self._news.wait_for(
                lambda: self.watched in self._shown and condition(self._shown[self.watched]),
                TIMEOUT,
            ), self._shown.get(self.watched, {}).get("phase")
            return self._shown[self.watched]

    @property
    def shown(self) -> Any:
        return self.until(lambda shown: True)


@contextmanager
def desk_in(place: Path) -> Iterator[Desk]:
    desk = Desk(place)
    try:
        yield desk
    finally:
        desk.close_all()
