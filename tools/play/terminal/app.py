"""The program behind `quintet play`: games one after the other, on one terminal."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Final

from engines.core.errors import QuintetError
from tools.play.autosave import Keeper, folder, new_keeper
from tools.play.players import check_players
from tools.play.session import PlaySession
from tools.play.terminal.face import Face, Leave
from tools.play.terminal.menu import Arrangement, Menu, Quit
from tools.play.terminal.prompt import LinePrompt, PlainPrompt, Prompt
from tools.play.terminal.screen import Screen, is_terminal
from tools.play.texts import say
from tools.records.recorded import RecordedGame

_HISTORY: Final = "history"
PACE: Final = 1.0
"""Seconds that each move of two engines takes at least, when they are watched in a terminal."""


class Application:
    """Plays games until the user leaves."""

    def __init__(self, *, letters: bool = False, pace: float | None = None) -> None:
        self._pace = (PACE if is_terminal() else 0.0) if pace is None else pace
        self._screen = Screen(letters=letters)
        self._prompt: Prompt = PlainPrompt()
        if is_terminal():
            history = folder() / _HISTORY
            self._prompt = LinePrompt(history, coloured=self._screen.coloured)
        # The answers to the menu are not kept in the history.
        questions = LinePrompt(coloured=self._screen.coloured) if is_terminal() else self._prompt
        self._menu = Menu(self._screen, questions)

    def play(self, arrangement: Arrangement) -> None:
        """Play a game that was arranged by options, and then what the menu offers."""
        self._menu.mention_unfinished()
        if self._run(arrangement) == Leave.NEW:
            self.choose(offer=False)

    def draw_lots(self, arrangement: Arrangement) -> Arrangement:
        """Let the lot decide which player moves first."""
        first, second = arrangement.players
        sides = [side.capitalize() for side in arrangement.terms.rules().sides]
        try:
            mine = self._menu.draw_lots(arrangement.terms.game, sides)
        except Quit:
            raise SystemExit(0) from None
        return Arrangement(arrangement.terms, (second, first) if mine else (first, second))

    def choose_title(self, titles: Sequence[str]) -> int:
        """Ask for one of the games of a file; without a terminal it is the first."""
        if not is_terminal():
            return 1
        try:
            return self._menu.choose_title(titles)
        except Quit:
            raise SystemExit(0) from None

    def open(self, arrangement: Arrangement, recorded: RecordedGame) -> None:
        """Step through a record; `continue` plays on."""
        terms, players = arrangement.terms, arrangement.players
        check_players(terms, players)
        session = PlaySession(replace(terms, pace=self._pace), players, keeper=self._keeper())
        name = recorded.source.name if recorded.source is not None else ""
        if self._session(session, lambda: session.load(recorded, name)) == Leave.NEW:
            self.choose(offer=False)

    def choose(self, *, offer: bool = True) -> None:
        """List the games that were left, and then show the menu, until the user leaves."""
        try:
            session = self._menu.unfinished() if offer else None
            left = Leave.NEW
            if session is not None:
                left = self._session(session, session.start)
            while left == Leave.NEW:
                try:
                    left = self._run(self._menu.arrange())
                except QuintetError as error:
                    self._screen.error(str(error))
        except (Quit, EOFError, KeyboardInterrupt):
            return

    def _run(self, arrangement: Arrangement) -> Leave:
        terms, players = arrangement.terms, arrangement.players
        check_players(terms, players)
        terms = replace(terms, pace=self._pace)
        session = PlaySession(terms, players, keeper=self._keeper())
        return self._session(session, session.start)

    def _session(self, session: PlaySession, begin: Callable[[], None]) -> Leave:
        """Play a session to the moment when the user leaves it."""
        with closing(session):
            begin()
            face = Face(session, self._screen, self._prompt)
            try:
                return face.run()
            finally:
                if face.loses_game:
                    self._screen.error(say("menu.lost"))
                elif session.keeper is not None and session.is_worth_keeping:
                    self._screen.note(say("menu.kept"))

    def _keeper(self) -> Keeper | None:
        """Return the file of a new game; None, with a message, if it cannot be made."""
        try:
            return new_keeper()
        except OSError as error:
            self._screen.error(say("not.kept", reason=error.strerror or error))
            return None
