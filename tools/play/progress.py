"""A game in progress: the players are asked in turn, engines think in threads, and clocks run.

This is the lower half of a session; its commands are in `session`.
"""

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import CHANCE, Game, IllegalMove, InvalidText, Outcome, Side
from engines.senet.rules.track import steps_of
from protocols.ask.detect import ClockTime, Reply
from protocols.ask.score import Evaluation
from protocols.ask.text import plain
from tools.play.autosave import Keeper, state_of
from tools.play.clocks import LAG, PlayClocks, State
from tools.play.history import History, MovePath
from tools.play.players import Player, PlayTerms, check_players
from tools.play.scoring import Scoring
from tools.play.snapshot import PASSING, Message, Phase, PlayerState, Snapshot
from tools.play.state import GameState
from tools.play.texts import say, side_name
from tools.play.thinking import EngineFailed, Interrupted, Question, Thinker
from tools.play.view import Look, describe
from tools.records.game import PlayedMove, Verdict
from tools.terms import go

Subscriber = Callable[[Snapshot], None]

HINTS: Final = 3  # Lines of play that a hint consists of, where its engine gives several.
_MESSAGES: Final = 20  # Older messages are forgotten.
_RECENT: Final = 2  # Moves and throws for which an evaluation is shown.
_LOOK: Final = 0.02  # Seconds between two looks whether a question was withdrawn.


class CannotPlay(QuintetError):
    """A command that is not possible now; the text says why."""


class GameInProgress(GameState):
    """A game that goes on: players are asked, moves are played, clocks run.

    Unless they say otherwise, methods with an underscore expect that the caller holds the lock.
    """

    def __init__(
        self,
        terms: PlayTerms,
        players: tuple[Player, Player],
        *,
        now: Callable[[], float] = time.monotonic,
        keeper: Keeper | None = None,
    ) -> None:
        check_players(terms, players)
        GameState.__init__(self, terms, players, now)
        self.keeper = keeper
        self._now = now
        self._thinkers = [
            None if player.is_person else Thinker(player.engine) for player in players
        ]
        self._adviser: Thinker | None = None
        self._generation = 0  # Increases when a question is withdrawn.
        self._asked = -1  # The generation in which an engine was asked.
        self._closed = False
        self._subscribers: list[Subscriber] = []
        self._threads: list[threading.Thread] = []
        self._flag: threading.Timer | None = None
        self._begin_scoring_or_end()

    # The parts that a face reads.

    def snapshot(self, look: Look | None = None) -> Snapshot:
        """Return the present state, or another position that a face looks at.

        The clocks show the time that is left now.
        """
        with self.lock:
            return describe(self, look)

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call a function with every new snapshot, from any thread; return how to end that.

        Snapshots of two threads may arrive in the wrong order; the greater version is the newer.
        """
        with self.lock:
            self._subscribers.append(subscriber)

        def end() -> None:
            with self.lock:
                if subscriber in self._subscribers:
                    self._subscribers.remove(subscriber)

        return end

    def title(self, side: Side) -> str:
        """Return the name of a player, with that of its program once it is known."""
        thinker = self._thinkers[side]
        return self.players[side].label if thinker is None else thinker.title

    def _adopt(self, terms: PlayTerms, game: Game[Any], history: History) -> None:
        """Put another game on the board, and wait."""
        self.terms, self.game, self.history = terms, game, history
        self.clocks = PlayClocks(terms.controls, self._now)
        self.ended, self.scoring, self.evaluation = None, None, None
        self.shown, self.stepping = None, True
        self._begin_scoring_or_end()

    def _turn(self, path: MovePath) -> None:
        """Make the line that begins with a path the current one; raises CannotPlay."""
        turned = self.history.along(path)
        if turned is None:
            raise CannotPlay(say("no.ply", ply=len(path), plies=len(self.history)))
        texts = turned.texts()
        if texts == self.history.texts():
            return
        same = 0
        while texts[: same + 1] == self.history.texts(same + 1):
            same += 1
        self._withdraw()
        while len(self.game.moves) > same:
            self.game.undo()
        for _, text in texts[same:]:
            self.game.push(self.game.rules.parse(self.game.position, text))
        self.history = turned
        self.evaluation = None
        self._begin_scoring_or_end()

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise CannotPlay(say("closed"))

    def _person_to_move(self) -> Side:
        """Return the side of the person who may move now; raises CannotPlay."""
        self._refuse_if_closed()
        if self.shown is not None:
            raise CannotPlay(say("not.playing", plies=len(self.history)))
        if self.stepping:
            raise CannotPlay(say("not.continued"))
        if self.ended is not None:
            raise CannotPlay(say("not.over"))
        if self.scoring is not None:
            raise CannotPlay(say("not.scoring"))
        side = self.mover()
        if not self.players[side].is_person:
            raise CannotPlay(say("not.turn", side=side_name(self.game.rules.sides[side])))
        return side

    def _scoring(self) -> Scoring:
        self._refuse_if_closed()
        if self.scoring is None or self.ended is not None or self.stepping:
            raise CannotPlay(say("no.scoring"))
        if not self.scoring.ready:
            raise CannotPlay(say("score.waiting"))
        return self.scoring

    def _last_decision(self) -> int:
        """Return the ply before the last move of a person, with the throws that led to it."""
        for ply in range(len(self.history) - 1, -1, -1):
            side = self.history.plies[ply].move.side
            if side != CHANCE and self.players[side].is_person:
                while ply and self.history.plies[ply - 1].move.side == CHANCE:
                    ply -= 1
                return ply
        raise CannotPlay(say("no.undo"))

    def _withdraw(self) -> None:
        """Withdraw the questions that are being asked, and stop the clocks."""
        self._generation += 1
        self.hinting, self.hint_text, self.hint_lines = False, "", ()
        self.messages = [message for message in self.messages if message.kind not in PASSING]
        for side, state in enumerate(self.states):
            if state == PlayerState.THINKING:
                self.states[side] = PlayerState.WAITING
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self.phase != Phase.PLAYING:
            self.clocks.stop()

    def _cut(self, ply: int, *, keep: bool) -> None:
        clocks = self.history.cut(ply, keep=keep)
        while len(self.game.moves) > ply:
            self.game.undo()
        if clocks is not None:
            self.clocks.restore(clocks)
        self.clocks.stop()
        self.ended, self.scoring, self.evaluation = None, None, None

    def _push(
        self,
        side: Side,
        move: int,
        text: str,
        seconds: float,
        evaluation: Evaluation,
        before: State,
    ) -> None:
        """Make a move that is known to be legal."""
        left = None
        if side != CHANCE and self.clocks.has_clock(side):
            left = round(self.clocks.left(side)[0], 6)
        self.game.push(move)
        played = PlayedMove(side, text, round(seconds, 6), left, evaluation)
        self.history.add(played, before)
        if evaluation:
            self.evaluation = (side, evaluation, self.players[side].label)
        elif not any(ply.move.evaluation for ply in self.history.plies[-_RECENT:]):
            self.evaluation = None
        self._begin_scoring_or_end()

    def _begin_scoring_or_end(self) -> None:
        """Look whether the game is over on the board, or the record of this line says so."""
        self.scoring, self.ended = None, self.recorded_end(self.history)
        if self.ended is not None:
            return
        if go.is_over(self.game):
            self.scoring = Scoring(self.game)
            if self.scoring.ready:  # Every stone counts as alive.
                self._end(self.scoring.outcome(), Verdict.NATURAL)
        elif (outcome := self.game.outcome()) is not None:
            self._end(outcome, Verdict.NATURAL)

    def _end(self, outcome: Outcome, verdict: Verdict) -> None:
        self.ended = (outcome, verdict)
        self.clocks.stop()

    def _throw(self) -> None:
        """Throw the dice; the same ply of a game always has the same throw."""
        number = 1 + sum(ply.move.side == CHANCE for ply in self.history.plies)
        thrown: int = registry.find(self.terms.game).load("throw")(self.terms.seed, number)
        before, side = self.clocks.state(), self.game.rules.sides[self.mover()]
        self._push(CHANCE, thrown, str(thrown), 0.0, Evaluation(), before)
        key = "throw.one" if thrown == 1 else "throw"
        key = "throw.none" if self.game.turn == CHANCE else key
        steps = steps_of(thrown)
        self._tell("throw", say(key, side=side_name(side), throw=thrown, steps=steps))

    def _tell(self, kind: str, text: str) -> None:
        self.told += 1
        self.messages = [*self.messages, Message(self.told, kind, text)][-_MESSAGES:]

    def _go_on(self) -> None:
        """Ask the next player, and publish; expects no lock."""
        with self.lock:
            if not self._closed and self.phase == Phase.PLAYING:
                self._next()
            elif self.phase == Phase.SCORING and self.scoring and not self.scoring.begun:
                self.scoring.begun = True
                self._spawn(self._find_dead, self.scoring, self._generation)
        self._publish()

    def _next(self) -> None:
        side = self.mover()
        player = self.players[side]
        if player.is_person:
            self.clocks.start(side)
            self._set_flag(side)
            return
        while self.game.turn == CHANCE and self.ended is None:
            if self.mover() != side:  # Under `pass`, a throw may end the turn.
                self._next()
                return
            self._throw()
        if self.ended is None and self.states[side] != PlayerState.DEAD:
            if self._asked == self._generation:
                return  # It is thinking already.
            self._asked = self._generation
            self.states[side] = PlayerState.THINKING
            self._spawn(self._think, self._question(side, clocked=True), self._generation)

    def _set_flag(self, side: Side) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self.clocks.has_clock(side):
            wait = max(self.clocks.flag_in(), 0.0)
            self._flag = threading.Timer(wait, self._drop_flag, (side, self._generation))
            self._flag.daemon = True
            self._flag.start()

    def _drop_flag(self, side: Side, generation: int) -> None:
        """End the game because a person has no time left; expects no lock."""
        with self.lock:
            if self._closed or generation != self._generation or self.clocks.running != side:
                return
            self._withdraw()
            self.clocks.charge(side, math.inf)
            self._end(Outcome(1 - side, "time"), Verdict.TIME)
        self._publish()

    def _question(self, side: Side, *, clocked: bool) -> Question:
        control = self.terms.thinking
        own = other = None
        if clocked and self.clocks.has_clock(side):
            control, own = self.terms.controls[side], ClockTime._make(self.clocks.left(side))
        elif clocked:
            time_of_side = self.players[side].side.time
            given = self.terms.controls[side]
            control = time_of_side or (given if str(given) else control)
        if clocked and self.clocks.has_clock(1 - side):
            other = ClockTime._make(self.clocks.left(1 - side))
        seed = self.terms.seed % 1_000_000_007 + side
        return Question(self.game.copy(), self.history.texts(), side, control, own, other, seed)

    def _spawn(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads = [each for each in self._threads if each.is_alive()]
        self._threads.append(thread)
        thread.start()

    # Work of threads: it expects no lock.

    def _is_stale(self, generation: int) -> bool:
        return generation != self._generation or self._closed

    def _think(self, question: Question, generation: int) -> None:
        side = question.side
        thinker = self._thinkers[side]
        assert thinker is not None

        def begun() -> None:
            with self.lock:
                if not self._is_stale(generation):
                    self.clocks.start(side)

        def silent(text: str) -> None:
            with self.lock:
                if self._is_stale(generation):
                    return
                self.reasons[side] = plain(text, 1000)
                self._tell("error", self.reasons[side])
            self._publish()

        began = time.monotonic()
        try:
            reply = thinker.ask(question, lambda: self._is_stale(generation), begun, silent)
            self._keep_pace(began, generation)
        except Interrupted:
            return
        except EngineFailed as error:
            self._bury(side, generation, str(error))
            return
        with self.lock:
            if self._is_stale(generation):
                return
            self._withdraw()
            self.reasons[side] = ""
            fault = self._answer(side, reply)
            generation = self._generation
        if fault:
            self._bury(side, generation, fault)
        else:
            self._go_on()

    def _keep_pace(self, began: float, generation: int) -> None:
        """Let people see the position before the next move, if only engines play."""
        if any(player.is_person for player in self.players):
            return
        while not self._is_stale(generation):
            rest = began + self.terms.pace - time.monotonic()
            if rest <= 0:
                return
            time.sleep(min(rest, _LOOK))

    def _answer(self, side: Side, reply: Reply) -> str:
        """Play an engine's move; return why it is not possible."""
        before = self.clocks.state()
        if not self.clocks.charge(side, reply.seconds, lag=LAG):
            self._end(Outcome(1 - side, "time"), Verdict.TIME)
            return ""
        if reply.move == "resign":
            self._end(Outcome(1 - side, "resignation"), Verdict.RESIGN)
            return ""
        rules, position = self.game.rules, self.game.position
        try:
            if not (reply.move.isascii() and reply.move.isprintable()):
                raise InvalidText(say("not.ascii"))
            move = rules.parse(position, reply.move)
        except (InvalidText, IllegalMove) as error:
            self.clocks.restore(before)
            name, move_text = self.players[side].label, plain(reply.move, 40)
            return say("engine.illegal", name=name, move=move_text, reason=plain(str(error)))
        text = reply.move if reply.move == "win" else rules.format(position, move)
        self._push(side, move, text, reply.seconds, reply.evaluation, before)
        return ""

    def _bury(self, side: Side, generation: int, reason: str) -> None:
        """Note that an engine has failed, or has lost on time; expects no lock."""
        with self.lock:
            if self._is_stale(generation):
                return
            late = self.clocks.running == side and self.clocks.flag_in() < -LAG
            self._withdraw()
            if late:
                self.clocks.charge(side, math.inf)
                self._end(Outcome(1 - side, "time"), Verdict.TIME)
            self.clocks.stop()
            name = self.players[side].label
            reason = reason.removeprefix(f"{name}: ")  # The name is said beside the reason.
            self.states[side], self.reasons[side] = PlayerState.DEAD, reason
            self._tell("error", say("engine.dead", name=name, reason=self.reasons[side]))
        self._publish()

    def _advise(self, question: Question, generation: int) -> None:
        assert self._adviser is not None
        try:
            reply = self._adviser.ask(question, lambda: self._is_stale(generation))
            kind, text = "hint", say("hint", move=plain(reply.move, 40))
        except Interrupted:
            return
        except EngineFailed as error:
            self._adviser.restart()
            reply, kind, text = None, "error", str(error)
        with self.lock:
            if self._is_stale(generation):
                return
            self.hinting = False
            if reply is not None:
                self.hint_text = plain(reply.move, 40)
                if reply.others:
                    self.hint_lines = (reply.evaluation, *reply.others)[:HINTS]
                if reply.evaluation:
                    self.evaluation = (question.side, reply.evaluation, self._adviser.title)
            self._tell(kind, text)
        self._publish()

    def _find_dead(self, scoring: Scoring, generation: int) -> None:
        found = scoring.find()
        with self.lock:
            if self._is_stale(generation) or self.scoring is not scoring:
                return
            scoring.settle(found)
            if not any(player.is_person for player in self.players):
                self._end(scoring.outcome(), Verdict.NATURAL)
        self._publish()

    def _has_begun(self) -> bool:
        """Return whether a crash would lose anything: a move, or that all were taken back."""
        if self.untouched or self.keeper is None:
            return False
        return bool(len(self.history)) or self.ended is not None or self.keeper.path.exists()

    def _publish(self) -> None:
        """Send a new snapshot to all subscribers; expects no lock."""
        with self.lock:
            self.version += 1
            subscribers: Sequence[Subscriber] = tuple(self._subscribers)
            snapshot = describe(self)
            if self.keeper is not None and not self._closed and self._has_begun():
                self.keeper.keep(state_of(self))
        for subscriber in subscribers:
            subscriber(snapshot)
