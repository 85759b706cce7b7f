"""A session of play: the one implementation behind every face.

A face calls commands, which raise a QuintetError with a reason for people, and receives a new
`Snapshot` after every change. All methods may be called from any thread.
"""

import threading
import time
from pathlib import Path
from typing import Final, Self

from engines import registry
from engines.core.game import (
    CHANCE,
    FIRST,
    SECOND,
    Game,
    IllegalMove,
    InvalidText,
    Move,
    Outcome,
    Side,
)
from engines.shogi.rules.records.spellings import read_spelling
from protocols.ask.score import Evaluation
from protocols.ask.text import plain
from tools.play.autosave import Keeper, Kept, new_keeper
from tools.play.filing import record_of, save_file, terms_of, write_game
from tools.play.history import History, MovePath
from tools.play.players import Player, check_players
from tools.play.progress import HINTS, CannotPlay, GameInProgress, Subscriber
from tools.play.snapshot import PlayerState
from tools.play.texts import say, say_count, side_name
from tools.play.thinking import Thinker
from tools.play.view import Look, look_along
from tools.records.game import Verdict
from tools.records.recorded import RecordedGame
from tools.roster.engines import resolve

__all__ = ["CannotPlay", "PlaySession", "Subscriber"]

_DECLARED: Final = (Verdict.RESIGN, Verdict.TIME, Verdict.ILLEGAL)
"""Endings after which the last move may stand."""
_CLOSING: Final = 3.0  # Seconds to wait for the threads of engines.


class PlaySession(GameInProgress):
    """A game between two players; call `start` first and `close` last.

    `players` are in the order of moving. Nothing happens before `start`, which lets the clocks run
    and asks the engines. Engines think in threads of the session. A command that changes the game
    withdraws the question that an engine is asked; its late move is dropped.
    """

    def start(self) -> None:
        """Begin or go on: let the clocks run, and ask an engine if it is its turn."""
        with self.lock:
            self._refuse_if_closed()
            self.stepping, self.shown, self.untouched = False, None, False
            self._withdraw()
        self._go_on()

    def play(self, text: str) -> None:
        """Play a move of the person whose turn it is; raises also InvalidText and IllegalMove."""
        with self.lock:
            side = self._person_to_move()
            if self.game.turn == CHANCE:
                raise CannotPlay(say("throw.first"))
            rules, position = self.game.rules, self.game.position
            move = self._read(text)
            written = "win" if text.strip() == "win" else rules.format(position, move)
            self._withdraw()
            seconds, before = self.clocks.elapsed(), self.clocks.state()
            if not self.clocks.charge(side, seconds):
                self._end(Outcome(1 - side, "time"), Verdict.TIME)
            else:
                self._push(side, move, written, seconds, Evaluation(), before)
        self._go_on()

    def _read(self, text: str) -> Move:
        """Read a move of a person; in shogi, in any of the usual notations."""
        rules, position = self.game.rules, self.game.position
        if rules.name == registry.SHOGI:
            previous = self.game.moves[-1] if self.game.moves else 0
            if (move := read_spelling(position, text, previous)) is not None:
                return move
        return rules.parse(position, text)

    def throw(self) -> None:
        """Throw the dice for the person whose turn it is."""
        with self.lock:
            self._person_to_move()
            if self.game.turn != CHANCE:
                raise CannotPlay(say("no.throw"))
            self._throw()
        self._go_on()

    def resign(self, side: Side | None = None) -> None:
        """Resign for a person; without a side, for the one whose turn it is, or the only one."""
        with self.lock:
            self._refuse_if_closed()
            if self.ended is not None:
                raise CannotPlay(say("not.over"))
            if side is None:
                people = [each for each in (FIRST, SECOND) if self.players[each].is_person]
                if not people:
                    raise CannotPlay(say("no.person"))
                side = people[0] if len(people) == 1 else self.mover()
            elif not self.players[side].is_person:
                raise CannotPlay(say("no.person"))
            self._withdraw()
            self._end(Outcome(1 - side, "resignation"), Verdict.RESIGN)
        self._go_on()

    def undo(self) -> None:
        """Take back the last move of a person, with all that followed.

        If the game ended otherwise than on the board, such as by resignation, only that is undone.
        """
        with self.lock:
            self._refuse_if_closed()
            if self.ended is not None and self.ended[1] in _DECLARED:
                self._withdraw()
                self.ended = None
            else:
                ply = self._last_decision()
                self._withdraw()
                self._cut(ply, keep=False)
                self._tell("undo", say("undone", ply=ply))
            self.stepping, self.shown, self.untouched = False, None, False
        self._go_on()

    def go_to(self, ply: int) -> None:
        """Look at the position after a ply; the game waits until `continue_from` or `start`.

        The clocks stop meanwhile, and the time since the last move is not charged.
        """
        with self.lock:
            self._refuse_if_closed()
            plies = len(self.history)
            if not 0 <= ply <= plies:
                raise CannotPlay(say("no.ply", ply=ply, plies=plies))
            self._withdraw()
            self.clocks.stop()
            self.shown = None if ply == plies else ply
            self.stepping = True
        self._publish()

    def choose_branch(self, number: int) -> None:
        """Look at a variation that begins at the shown position; 0 is the current line.

        The variation becomes the current line, which becomes a variation in its place.
        """
        with self.lock:
            self._refuse_if_closed()
            look = look_along(self, Look(self.shown), number)
            ply = len(self.history) if self.shown is None else self.shown
            self._turn(look.path)
            if number:
                self._tell("info", say("chosen", number=number, ply=ply))
        self.go_to(ply + 1)

    def continue_from(self, ply: int | None = None, path: MovePath = ()) -> None:
        """Play on from a ply, or from the shown one; what follows is kept as a variation.

        `path` is the line that the ply is in, if it is not the current one.
        """
        with self.lock:
            self._refuse_if_closed()
            self._turn(path)
            plies = len(self.history)
            at = ply if ply is not None else plies if self.shown is None else self.shown
            if not 0 <= at <= plies:
                raise CannotPlay(say("no.ply", ply=at, plies=plies))
            self._withdraw()
            if at < plies:
                self._cut(at, keep=True)
                self._tell("info", say("variation", ply=at))
            self.ended = None
            self.stepping, self.shown, self.untouched = False, None, False
            self._begin_scoring_or_end()
        self._go_on()

    def save(self, path: Path) -> list[str]:
        """Save the game as a file, whose suffix tells the format; return what it cannot hold.

        Raises InvalidText and CannotSave.
        """
        with self.lock:
            record, loaded = record_of(self), self.loaded
        losses = save_file(path, record, loaded)
        with self.lock:
            self._tell("info", say("saved", path=plain(str(path), 1000)))
            for loss in losses:
                self._tell("info", say("lost", what=loss))
        self._publish()
        return losses

    def export(self, suffix: str) -> tuple[bytes, list[str]]:
        """Return the game as a file of a format, and what that cannot hold; raises InvalidText."""
        with self.lock:
            record, loaded = record_of(self), self.loaded
        return write_game(record, suffix, loaded)

    def load(self, recorded: RecordedGame, name: str = "") -> None:
        """Replace the game by a recorded one, and step through it from its end.

        `continue_from` plays on. Raises CannotPlay for a game that an engine here does not play.
        """
        terms = terms_of(recorded, self.terms)
        for side, player in enumerate(self.players):
            if not player.is_person and player.engine.game not in (None, terms.game):
                side_text, other = side_name(self.game.rules.sides[side]), player.engine.game
                raise CannotPlay(say("other.game", game=terms.game, side=side_text, other=other))
        game = Game(terms.rules(), terms.setup)
        for move in recorded.moves:
            game.push(game.rules.parse(game.position, move.text))
        with self.lock:
            self._refuse_if_closed()
            self._withdraw()
            self._set_aside()
            self.loaded, self.untouched = recorded, True
            self._adopt(terms, game, History(recorded.moves, recorded.variations))
            key = "loaded.open" if recorded.result in ("", "?") else "loaded"
            count = sum(move.side != CHANCE for move in recorded.moves)
            text = say_count(key, count, name=plain(name), result=recorded.result)
            self._tell("info", text)
            for notice in recorded.notices:
                self._tell("info", plain(notice))
        self._publish()

    def _set_aside(self) -> None:
        """Keep an unfinished game in its file, and take another file for the next one."""
        if self.keeper is None or not self.is_worth_keeping:
            return
        self.keeper.close(keep=True)
        self._tell("info", say("set.aside"))
        try:
            self.keeper = new_keeper(self.keeper.path.parent)
        except OSError as error:
            self.keeper = None
            self._tell("error", say("not.kept", reason=error.strerror or error))

    @classmethod
    def restore(cls, kept: Kept, keeper: Keeper | None = None) -> Self:
        """Return a session with a game that was kept in a file; it waits for `start`.

        Raises InvalidText for moves that the rules do not allow, and for engines that do not exist.
        """
        session = cls(kept.terms, kept.players, keeper=keeper)
        game = session.game
        try:
            for move in kept.moves:
                game.push(game.rules.parse(game.position, move.text))
        except IllegalMove as error:
            raise InvalidText(str(error)) from error
        with session.lock:
            session.loaded = kept.loaded
            session._adopt(kept.terms, game, History(kept.moves, kept.tails))
            session.started = kept.started
            session.clocks.restore(kept.clocks)
            session.ended = session.ended or kept.ended
            if session.scoring is not None and kept.dead is not None:
                session.scoring.settle_at(kept.dead)
        return session

    def toggle_dead(self, point: str) -> None:
        """Go: change whether the chain on a point counts as dead; raises also InvalidText."""
        with self.lock:
            self._scoring().toggle(point)
        self._publish()

    def accept_score(self) -> None:
        """Go: end the game with the present dead stones."""
        with self.lock:
            scoring = self._scoring()
            self._end(scoring.outcome(), Verdict.NATURAL)
        self._publish()

    def restart_engine(self, side: Side) -> None:
        """Start a dead engine again; it gets the position when it is asked for a move."""
        with self.lock:
            self._refuse_if_closed()
            thinker = self._thinkers[side]
            if thinker is None:
                raise CannotPlay(say("no.engine", name=self.players[side].label))
            self._withdraw()
        thinker.restart()
        with self.lock:
            self.states[side], self.reasons[side] = PlayerState.WAITING, ""
            self._tell("info", say("engine.restarted", name=self.players[side].label))
        self._go_on()

    def set_player(self, side: Side, player: Player) -> None:
        """Let somebody else play a side from now on; raises InvalidText for a wrong engine."""
        check_players(self.terms, (player,))
        with self.lock:
            self._refuse_if_closed()
            self._withdraw()
            before = self._thinkers[side]
            self._thinkers[side] = None if player.is_person else Thinker(player.engine)
            first, second = self.players
            self.players = (player, second) if side == FIRST else (first, player)
            self.states[side], self.reasons[side] = PlayerState.WAITING, ""
            name = side_name(self.game.rules.sides[side])
            self._tell("info", say("player.set", side=name, name=player.label))
        if before is not None:
            before.close()
        self._go_on()

    def hint(self) -> None:
        """Let our own engine suggest a move; the suggestion arrives in a later snapshot."""
        with self.lock:
            self._person_to_move()
            if self.game.turn == CHANCE:
                raise CannotPlay(say("throw.first"))
            if self.hinting:
                return
            if self._adviser is None:
                self._adviser = Thinker(resolve(self.terms.game), HINTS)
            self.hinting, self.hint_text, self.hint_lines = True, "", ()
            question = self._question(self.mover(), clocked=False)
            self._spawn(self._advise, question, self._generation)
        self._publish()

    def close(self) -> None:
        """End the session, its engines and its threads; an unfinished game stays in its file."""
        with self.lock:
            self._withdraw()
            self._closed = True
            if self.keeper is not None:
                self.keeper.close(keep=self.is_worth_keeping)
            self._subscribers.clear()
            threads, self._threads = self._threads, []
        deadline = time.monotonic() + _CLOSING
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(max(deadline - time.monotonic(), 0.0))
        for thinker in (*self._thinkers, self._adviser):
            if thinker is not None:
                thinker.close()
