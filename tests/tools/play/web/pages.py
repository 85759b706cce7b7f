"""A page under test without a browser: it sends messages to a conversation and waits for news."""

import base64
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.tools.waiting import Latest
from tools.play.web.conversation import PageConversation
from tools.play.web.desk import Desk

Json = Mapping[str, Any]

QUICK = {"thinking": "nodes=30"}


class FakePage:
    """One page that is connected to a desk."""

    def __init__(self, desk: Desk) -> None:
        self._shown: Latest[Mapping[str, Json]] = Latest({})
        self.games: list[Json] = []
        self.ground: list[Any] = []
        self.watched = ""
        self.conversation = PageConversation(desk, self._receive)

    def _receive(self, message: Json, key: str = "") -> None:
        if "games" in message:
            self.games = message["games"]
        elif "ground" in message:
            self.ground = message["ground"]
        else:
            self._shown.change(lambda before: _newer(before, message["game"], message["shown"]))

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
        name = self.watched
        return self._shown.until(lambda each: name in each and condition(each[name]))[name]

    @property
    def shown(self) -> Any:
        return self.until(lambda shown: True)


def _newer(before: Mapping[str, Json], game: str, shown: Json) -> Mapping[str, Json]:
    """Return the states of the games with a new one, unless it is older than that before."""
    if shown["version"] < before.get(game, {}).get("version", 0):
        return before
    return {**before, game: shown}


@contextmanager
def desk_in(place: Path) -> Iterator[Desk]:
    desk = Desk(place)
    try:
        yield desk
    finally:
        desk.close_all()
