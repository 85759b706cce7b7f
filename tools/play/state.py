"""The state of a session: the game, its players and clocks, and what is known of them."""

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any

from engines.core.game import CHANCE, Game, Outcome, Side
from protocols.ask.score import Evaluation
from tools.play.clocks import PlayClocks
from tools.play.history import History
from tools.play.players import Player, PlayTerms
from tools.play.scoring import Scoring
from tools.play.snapshot import Message, Phase, PlayerState
from tools.records.game import Verdict
from tools.records.recorded import RecordedGame


class GameState:
    """A game at the board; other modules of this room read it while they hold `lock`."""

    def __init__(
        self, terms: PlayTerms, players: tuple[Player, Player], now: Callable[[], float]
    ) -> None:
        self.lock = threading.RLock()
        self.terms = terms
        self.players = players
        self.game: Game[Any] = Game(terms.rules(), terms.setup)
        self.history = History()
        self.clocks = PlayClocks(terms.controls, now)
        self.ended: tuple[Outcome, Verdict] | None = None
        self.scoring: Scoring | None = None
        self.shown: int | None = None  # The ply that is looked at; None is the last one.
        self.stepping = True  # The game does not go on: it has not begun, or was loaded.
        self.untouched = False  # A record was loaded, and no move has been played on from it.
        self.states = [PlayerState.WAITING, PlayerState.WAITING]
        self.reasons = ["", ""]
        self.hint_text = ""
        self.hint_lines: tuple[Evaluation, ...] = ()  # The best first; empty if it gave only one.
        self.hinting = False
        self.evaluation: tuple[Side, Evaluation, str] | None = None
        self.messages: list[Message] = []
        self.told = 0  # The number of the last message, which may have been withdrawn.
        self.loaded: RecordedGame | None = None  # The record from which the game was loaded.
        self.started = datetime.now().astimezone().isoformat(timespec="seconds")
        self.version = 0

    def title(self, side: Side) -> str:
        """Return the name of a player."""
        return self.players[side].label

    def name_of(self, side: Side) -> str:
        """Return how faces call a player; persons who only look at a record lend it their place."""
        player = self.players[side]
        if self.untouched and self.loaded is not None and player.is_person:
            return self.loaded.names[side] or player.label
        return player.label

    @property
    def phase(self) -> Phase:
        """The phase of the game: whom or what the session is waiting for."""
        if self.stepping or self.shown is not None:
            return Phase.STEPPING
        if self.ended is not None:
            return Phase.OVER
        return Phase.PLAYING if self.scoring is None else Phase.SCORING

    @property
    def is_worth_keeping(self) -> bool:
        """Whether the game is to be offered again if it is left now."""
        return self.ended is None and bool(len(self.history)) and not self.untouched

    def recorded_end(self, history: History) -> tuple[Outcome, Verdict] | None:
        """Return how the loaded record says that a line has ended, if it is its main line."""
        if self.loaded is None or self.loaded.ended is None or not self.untouched:
            return None
        moves = tuple((move.side, move.text) for move in self.loaded.moves)
        return self.loaded.ended if moves == history.texts() else None

    def mover(self) -> Side:
        """Return the side that moves or throws next in the current line."""
        turn = self.game.turn
        thrower: Side = self.game.position.thrower if turn == CHANCE else turn
        return thrower
