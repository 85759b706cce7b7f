"""Messages of a page and their answers. No text of a page becomes a command line or a path."""

import base64
import binascii
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cache
from typing import Any, Final

from engines import __version__, registry
from engines.core.errors import QuintetError
from engines.core.game import InvalidText
from tools.boards.gradients import DEFINITIONS
from tools.boards.picture import picture, spell
from tools.boards.scene import Scene
from tools.boards.shapes import to_json
from tools.play.offers import (
    draw_lot,
    make_terms,
    named_engine,
    named_engines,
    nigiri,
    offers,
    own_engine,
)
from tools.play.players import Player, parse_player
from tools.play.session import CannotPlay, PlaySession
from tools.play.snapshot import Snapshot
from tools.play.texts import rules_of, say
from tools.play.view import Look, look_along, look_at
from tools.play.web.desk import Desk
from tools.play.web.face import Wishes, present, wishes_of
from tools.records.recorded import read_file
from tools.serving.channel import Message, Send

MOST_BYTES: Final = 1 << 22
"""A larger file of a page is refused."""

_LONGEST: Final = 200  # Letters of a text other than a file.


class BadMessage(QuintetError):
    """A message that our page does not send."""


class PageConversation:
    """The conversation with one page: its messages are commands to the games at a desk."""

    def __init__(self, desk: Desk, send: Send) -> None:
        self._desk = desk
        self._send = send
        self._wishes = Wishes()
        self._watched = ""
        self._look = Look()  # The position that this page looks at; other pages have their own.
        self._ground: list[Any] = []
        self._drawing = threading.Lock()
        self._stop_watching: Callable[[], None] = _nothing
        self._commands: Mapping[str, Callable[[Message], Message | None]] = {
            "hello": self._hello,
            "new": self._new,
            "load": self._load,
            "branch": self._branch,
            "resume": self._resume,
            "forget": lambda message: self._desk.forget(_text(message, "name")),
            "watch": self._watch,
            "wish": self._wish,
            "lot": self._lot,
            "rules": self._rules,
            "save": self._save,
            "close": self._close_game,
            "play": lambda message: self._playing().play(_text(message, "move")),
            "try": self._try,
            "throw": lambda message: self._playing().throw(),
            "undo": lambda message: self._playing().undo(),
            "hint": lambda message: self._playing().hint(),
            "resign": lambda message: self._session().resign(),
            "dead": lambda message: self._playing().toggle_dead(_text(message, "point")),
            "accept": lambda message: self._playing().accept_score(),
            "restart": lambda message: self._session().restart_engine(_side(message)),
            "person": lambda message: self._session().set_player(_side(message), Player()),
            "go_to": self._go_to,
            "variation": self._choose,
            "continue": self._continue,
        }
        self._forget = desk.watch(self._send_games)

    def receive(self, message: Message) -> Message | None:
        """Do what a page asks for; raises QuintetError."""
        name = _text(message, "do")
        command = self._commands.get(name)
        if command is None:
            raise BadMessage(f"no such command: {name!r}")
        return command(message)

    def close(self) -> None:
        """End the conversation; the games go on."""
        self._forget()
        self._stop_watching()

    # Messages about the desk.

    def _hello(self, message: Message) -> Message:
        """Greet a page, which may say how it wants to see the boards."""
        self._wishes = wishes_of(message, self._wishes)
        kept, damaged = self._desk.kept()
        return {
            "version": __version__,
            "definitions": to_json(DEFINITIONS),
            "offers": [asdict(offer) for offer in offers()],
            "pictures": _pictures(letters=self._wishes.letters),
            "engines": self._engines(),
            "games": self._desk.describe(),
            "kept": [asdict(game) for game in kept],
            "damaged": [asdict(file) for file in damaged],
        }

    def _engines(self) -> Mapping[str, Any]:
        """Return the engines of engines.toml by game, or why the file cannot be read."""
        try:
            return {"names": {game: named_engines(game) for game in registry.GAMES}, "fault": ""}
        except InvalidText as error:
            return {"names": {}, "fault": str(error)}

    def _new(self, message: Message) -> Message:
        game = _text(message, "game")
        registry.find(game)
        terms = make_terms(
            game,
            variant=_text(message, "variant"),
            size=_number(message, "size"),
            handicap=_text(message, "handicap"),
            komi=_text(message, "komi"),
            time=_text(message, "time"),
            thinking=_text(message, "thinking"),
        )
        return {"game": self._desk.open(terms, self._players(message, game))}

    def _players(self, message: Message, game: str) -> tuple[Player, Player]:
        given = message.get("players")
        if not isinstance(given, list) or len(given) != 2:
            raise BadMessage("expected two players")
        one, other = (_player(each, game) for each in given)
        return one, other

    def _load(self, message: Message) -> Message:
        name, data = _text(message, "name"), message.get("data")
        if not isinstance(data, str) or len(data) > MOST_BYTES * 4 // 3 + 4:
            raise BadMessage(say("too.large", most=MOST_BYTES >> 20))
        number = _number(message, "number")
        try:
            file = read_file(name, base64.b64decode(data, validate=True))
            if not number and len(file.titles) > 1:
                return {"titles": file.titles}  # The page asks which one, and loads it.
            recorded = file.game(number or 1)
        except (binascii.Error, ValueError) as error:
            raise InvalidText(f"{name}: {error}") from error
        players = self._players(message, recorded.game)
        return {"game": self._desk.load(recorded, name, players)}

    def _branch(self, message: Message) -> Message:
        players = self._players(message, self._session().terms.game)
        ply, path = _number(message, "ply"), self._look.path
        return {"game": self._desk.branch(self._watched, ply, players, path)}

    def _resume(self, message: Message) -> Message:
        return {"game": self._desk.resume(_text(message, "name"))}

    def _close_game(self, message: Message) -> None:
        self._desk.close(_text(message, "game"), keep=bool(message.get("keep")))

    def _lot(self, message: Message) -> Message:
        guess = _text(message, "guess")
        return asdict(nigiri(guess) if guess else draw_lot())

    def _rules(self, message: Message) -> Message:
        return {"text": rules_of(_text(message, "game"))}

    def _send_games(self) -> None:
        self._send({"games": self._desk.describe()}, "games")

    # Messages about the game that is watched.

    def _session(self) -> PlaySession:
        return self._desk.session(self._watched)

    def _playing(self) -> PlaySession:
        """Return the game for a move; raises CannotPlay if the page looks at another position."""
        session = self._session()
        if self._look != Look():
            raise CannotPlay(say("not.playing", plies=len(session.history)))
        return session

    def _watch(self, message: Message) -> None:
        name = _text(message, "game")
        session = self._desk.session(name)
        self._stop_watching()
        self._watched, self._look = name, Look()
        self._stop_watching = session.subscribe(lambda snapshot: self._show(name, snapshot))
        self._show(name)

    def _wish(self, message: Message) -> None:
        self._wishes = wishes_of(message, self._wishes)
        if self._watched:
            self._show(self._watched)

    def _go_to(self, message: Message) -> None:
        """Look at a position; neither the game nor another page takes notice."""
        self._look = look_at(self._session(), self._look, _number(message, "ply"))
        self._show(self._watched)

    def _choose(self, message: Message) -> None:
        """Look at the first move of a line that begins at the position of this page."""
        self._look = look_along(self._session(), self._look, _number(message, "number"))
        self._show(self._watched)

    def _continue(self, message: Message) -> None:
        self._session().continue_from(self._look.ply, self._look.path)
        self._look = Look()
        self._show(self._watched)
        self._desk.tell()

    def _show(self, name: str, snapshot: Snapshot | None = None) -> None:
        """Send a snapshot; the empty board, which hardly ever changes, is sent before it.

        One that is given shows the last position, which this page may not look at.
        """
        with self._drawing:
            if snapshot is None or self._look != Look():
                snapshot = self._desk.session(name).snapshot(self._look)
            shown = present(snapshot, self._wishes)
            ground = shown["picture"].pop("board")
            if ground != self._ground:
                self._ground = ground
                self._send({"ground": ground})
            self._send({"game": name, "shown": shown}, f"game {name}")

    def _try(self, message: Message) -> None:
        """Play the move that clicks on places mean, so that the rules say why it is illegal."""
        places = message.get("places")
        if not isinstance(places, list) or not all(isinstance(place, str) for place in places):
            raise BadMessage("expected places")
        session = self._playing()
        session.play(spell(session.terms.game, [place[:_LONGEST] for place in places[:8]]))

    def _save(self, message: Message) -> Message:
        session = self._session()
        suffix = _text(message, "format")
        data, losses = session.export(suffix)
        stem = f"{session.terms.game}-{session.started[:19].replace(':', '')}"
        coded = base64.b64encode(data).decode()
        return {"name": f"{stem}{suffix}", "data": coded, "losses": losses}


@cache
def _pictures(*, letters: bool) -> Mapping[str, Any]:
    """Return the start of every game, for a page to choose from."""
    sizes = {registry.GO: "9"}
    scenes = {
        game: Scene(game, size=sizes.get(game, ""), letters=letters) for game in registry.GAMES
    }
    return {game: picture(scene).json() for game, scene in scenes.items()}


def _nothing() -> None:
    """Do nothing."""


def _text(message: Message, key: str) -> str:
    value = message.get(key, "")
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise BadMessage(f"{key}: expected a short text")
    return value


def _number(message: Message, key: str) -> int:
    value = message.get(key, 0)
    if not isinstance(value, int) or not 0 <= value < 1 << 31:
        raise BadMessage(f"{key}: expected a number")
    return value


def _side(message: Message) -> int:
    side = _number(message, "side")
    if side not in (0, 1):
        raise BadMessage("side: expected 0 or 1")
    return side


def _player(given: Any, game: str) -> Player:
    """Read a player: `{}` is a person, `{"level": "3"}` our engine, `{"engine": NAME}` another."""
    if not isinstance(given, dict):
        raise BadMessage("expected a player")
    if level := _text(given, "level"):
        return own_engine(game, level)
    if engine := _text(given, "engine"):
        return named_engine(game, engine)
    name = _text(given, "name").strip()
    return parse_player(("person", f"name={name}") if name else ("person",))
