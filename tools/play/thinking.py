"""An engine as a player: asked for moves under a stop signal, and started again after a fault."""

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engines import registry
from engines.core.errors import QuintetError
from engines.core.game import CHANCE, Game, InvalidText, Side
from engines.core.timing import TimeControl
from protocols.ask.analysis import request_lines, suggest_move
from protocols.ask.detect import Client, ClockTime, GtpClient, Reply
from protocols.ask.engine import EngineSpec
from protocols.ask.text import plain
from protocols.errors import CannotSay, EngineError, EngineRefused
from tools.match.referee import start_game
from tools.play.texts import say
from tools.records.go import go_rules
from tools.roster.seats import SHORT_GRACE, Seat, describe_fault, reply_deadline
from tools.roster.transcripts import Listener
from tools.roster.waiting import Waiting
from tools.terms import go

_LOOK: Final = 0.02  # Seconds between two looks at the stop signal.
_PATIENCE: Final = 600.0  # Seconds for a move without a clock; a person may interrupt it earlier.
_LATE: Final = 2.0  # Seconds that a move may come after the flag; later, the engine has hung.
_LONGEST: Final = 400  # Characters of each line of a fault.


class Interrupted(Exception):
    """The question was withdrawn; the engine's program is ended."""


class EngineFailed(QuintetError):
    """An engine could not be started, or did not answer as its protocol demands."""


@dataclass(frozen=True, slots=True)
class Question:
    """A request for a move: the game so far, as the engine is to receive it.

    `moves` are the moves with their sides, in the spelling of our rules; `seed` is for the engine's
    own random choices.
    """

    game: Game[Any]
    moves: tuple[tuple[Side, str], ...]
    side: Side
    control: TimeControl
    own: ClockTime | None = None
    other: ClockTime | None = None
    seed: int = 0

    @property
    def beginning(self) -> tuple[str, str, str, TimeControl]:
        """Everything that an engine receives at the beginning of a game."""
        rules = self.game.rules
        return rules.variant, rules.name, self.game.initial_setup, self.control


class Thinker:
    """One engine of a session; its methods may be called from any thread, one at a time each.

    If `lines` is more than 1, the engine is asked without a clock, and for so many lines of play.
    """

    def __init__(self, spec: EngineSpec, lines: int = 1) -> None:
        self.spec = spec
        self._lines = lines
        self._seat = Seat(spec)
        self._turn = threading.Lock()  # Only one thread may use a process.
        self._starts = 0
        self._beginning: object = None
        self._known: Sequence[tuple[Side, str]] = ()
        self._failed = False

    @property
    def title(self) -> str:
        """The engine's own name and version, once it has been started."""
        player = self._seat.player
        return plain(f"{player.name} {player.version}".strip()) or self.spec.label

    def ask(
        self,
        question: Question,
        interrupted: Callable[[], bool],
        begun: Callable[[], None] = lambda: None,
        silent: Callable[[str], None] | None = None,
    ) -> Reply:
        """Return the engine's move; raises Interrupted soon after `interrupted` says so.

        `begun` is called when the engine is ready and receives the question; `silent` from another
        thread, with what is waited for, if it does not answer while it starts. Raises EngineFailed,
        after which the engine is not asked again until `restart`.
        """
        with self._turn:
            if interrupted():
                raise Interrupted
            if self._failed:
                raise EngineFailed(say("not.started", name=self.spec.label))
            try:
                return self._ask(question, interrupted, begun, silent)
            except Interrupted:
                self._dismiss()
                raise
            except (EngineError, EngineRefused, CannotSay, InvalidText) as error:
                self._failed = True
                fault = _describe(self.spec, error)
                self._dismiss()
                raise EngineFailed(fault) from error

    def listen(self, listener: Listener | None) -> None:
        """Pass the lines of the dialogue to a listener from now on; None ends that."""
        with self._turn:
            self._seat.listen(listener)

    def restart(self) -> None:
        """Allow the engine to be started again after it has failed."""
        with self._turn:
            self._failed = False
            self._dismiss()

    def close(self) -> None:
        """End the program, after the question that is being asked has been given up.

        A program that does not answer while it starts is left to the end of this process, which
        ends its children.
        """
        if self._turn.acquire(timeout=SHORT_GRACE):
            try:
                self._dismiss()
            finally:
                self._turn.release()

    def _dismiss(self) -> None:
        self._seat.dismiss(SHORT_GRACE)
        self._beginning = None

    def _start(self, silent: Callable[[str], None] | None) -> Client:
        """Return the engine, which is started if it is not running."""
        listener = self._seat.transcript
        label, patience = plain(self.spec.label), self.spec.patience
        with Waiting(label, patience, silent, option="patience=SECONDS") as waiting:
            self._seat.listen(_Pair(waiting, listener))
            try:
                return self._seat.client()
            finally:
                self._seat.listen(listener)

    def _ask(
        self,
        question: Question,
        interrupted: Callable[[], bool],
        begun: Callable[[], None],
        silent: Callable[[str], None] | None,
    ) -> Reply:
        client = self._start(silent)
        with _watched(client, interrupted):
            self._inform(client, question)
            begun()
            letter = _letter(question.game, question.side)
            wait = _PATIENCE if question.own is None else _until_flag(question) + _LATE
            deadline = time.monotonic() + wait
            if self._lines > 1:
                reply = suggest_move(client, letter, deadline)
            else:
                reply = client.genmove(letter, deadline, question.own, question.other)
        self._known = (*question.moves, (question.side, reply.move))
        if reply.move == "resign":
            self._beginning = None
        return reply

    def _inform(self, client: Client, question: Question) -> None:
        """Send what the engine does not know of the game yet."""
        known = len(self._known)
        if (
            self._starts != self._seat.starts
            or self._beginning != question.beginning
            or question.moves[:known] != tuple(self._known)
        ):
            self._beginning = None
            self._seat.set_seeds(question.seed, question.seed)
            if self._lines > 1:
                request_lines(client, self._lines, reply_deadline(self.spec.patience))
            _begin(self._seat, question)
            self._starts, self._beginning, known = self._seat.starts, question.beginning, 0
        for side, text in question.moves[known:]:
            if side == CHANCE:
                client.note_throw(int(text))
            else:
                client.note(_letter(question.game, side), text)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Passes the lines of a dialogue to two listeners."""

    one: Listener
    other: Listener | None

    def __call__(self, mark: str, text: str) -> None:
        self.one(mark, text)
        if self.other is not None:
            self.other(mark, text)

    def close(self) -> None:
        self.one.close()


def _letter(game: Game[Any], side: Side) -> str:
    return game.rules.sides[side][0]


def _until_flag(question: Question) -> float:
    control, own = question.control, question.own
    if own is None or control.kind == "":
        return _PATIENCE
    periods = own.periods * control.period if control.kind == "byoyomi" else 0.0
    extra = control.count * control.period if control.kind == "byoyomi" else control.period
    return own.seconds + (periods or extra)


def _begin(seat: Seat, question: Question) -> None:
    """Tell an engine that a game begins, with its set-up; raises as `Seat.client` does."""
    game = Game(question.game.rules, question.game.initial_setup)
    control = question.control
    try:
        start_game(seat, game, game.rules.variant, control, position=game.initial_setup)
        return
    except InvalidText:
        if game.rules.name != registry.GO:
            raise
    # GTP has no command for a set-up other than a handicap, but stones may be played in any order.
    rules = go_rules(game.rules)
    empty = Game(rules, f"komi={game.position.komi:g}")
    variant, settings = go.settings(empty)
    client = seat.client()
    deadline = reply_deadline(seat.spec.patience)
    client.new_game(deadline, variant=variant, settings=settings, control=control)
    for colour, move in game.position.setup_stones():
        client.note("bw"[colour - 1], rules.format_vertex(move))
    if isinstance(client, GtpClient):
        client.settle(deadline)


@contextlib.contextmanager
def _watched(client: Client, interrupted: Callable[[], bool]) -> Iterator[None]:
    """Raise Interrupted inside a wait for the engine when the question is withdrawn."""
    process = client.process

    def look() -> None:
        if interrupted():
            raise Interrupted
        process.set_alarm(time.monotonic() + _LOOK, look)

    look()
    try:
        yield
    finally:
        process.set_alarm(math.inf, None)


def _describe(spec: EngineSpec, error: Exception) -> str:
    """Say why an engine cannot be used, without control characters of its own."""
    if isinstance(error, InvalidText):
        return plain(f"{spec.label}: {error}", _LONGEST)
    assert isinstance(error, EngineError | EngineRefused | CannotSay)
    lines = describe_fault(spec, error).splitlines()
    return "\n".join(plain(line, _LONGEST) for line in lines)
