"""USI, server side: handlers for all commands, over any object that implements `UsiEngine`."""

import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from protocols.serve.session import Channel, Overlong

ENDS_SEARCH: Final = frozenset(
    ("stop", "gameover", "quit", "go", "position", "usinewgame", "isready")
)
"""Commands that end a running search; they are carried out after its answer."""

_NUMBERS: Final = (
    *("btime", "wtime", "byoyomi", "binc", "winc", "rtime"),
    *("depth", "nodes", "movetime"),
)


_LONGEST: Final = 80  # Characters of a word that a hint quotes.
_HELP: Final = (
    "usi                                  name and options of the engine",
    "setoption name NAME value VALUE      set an option",
    "isready                              prepare a game",
    "position startpos [moves MOVE ...]   set up a game; sfen SFEN in place of startpos",
    "go [btime MS wtime MS] [byoyomi MS]  think about a move, with the clocks in milliseconds",
    "go depth N, go nodes N, go infinite  think with another limit; stop ends it",
    "go mate MS|infinite                  look for a mate",
    "stop                                 end thinking, and answer",
    "help                                 this list",
    "quit                                 end the program",
    "Moves: 7g7f, 8h2b+ promotes, P*5e drops a pawn.",
)
"""The commands that people may type; USI itself has no help."""


def describe_commands() -> Sequence[str]:
    """Return a line for each of the commands that people need, and the form of moves."""
    return _HELP


class UsiError(Exception):
    """The command failed; the text of the error becomes an `info string`."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the engine; `kind` is check, spin, combo, button or string.

    `meaning` is for people; the declaration has no place for it.
    """

    name: str
    kind: str
    default: str = ""
    least: int = 0
    most: int = 0
    values: Sequence[str] = ()
    meaning: str = ""

    def describe(self) -> str:
        """Return a line for people: the meaning, the values and the default."""
        values = {
            "check": "true or false",
            "spin": f"from {self.least} to {self.most}",
            "combo": " or ".join(self.values),
        }.get(self.kind, "text")
        return f"{self.name}: {self.meaning}; {values} (default {self.default or 'none'})"

    def declare(self) -> str:
        """Return the line that declares the option."""
        text = f"option name {self.name} type {self.kind}"
        if self.kind != "button":
            text += f" default {self.default or '<empty>'}"
        if self.kind == "spin":
            text += f" min {self.least} max {self.most}"
        return text + "".join(f" var {value}" for value in self.values)

    def check(self, value: str) -> str | None:
        """Return a value in its normal form, or None if it is not allowed; numbers are clamped."""
        if self.kind == "check":
            return value.lower() if value.lower() in ("true", "false") else None
        if self.kind == "spin":
            number = parse_number(value)
            return None if number is None else str(min(max(number, self.least), self.most))
        if self.kind == "combo":
            return value if value in self.values else None
        return "" if value == "<empty>" else value


@dataclass(slots=True)
class GoCommand:
    """The words of a `go`; times are in milliseconds, and None means that a word is missing."""

    numbers: dict[str, int] = field(default_factory=dict)
    infinite: bool = False
    ponder: bool = False
    mate: bool = False
    mate_time: int | None = None
    searchmoves: list[str] = field(default_factory=list)

    @property
    def bounded(self) -> bool:
        """Whether the search ends by itself."""
        return not (self.infinite or self.ponder or (self.mate and self.mate_time is None))


@dataclass(frozen=True, slots=True)
class Answer:
    """A move, `resign` or `win`, and the reply that the engine expects."""

    move: str
    ponder: str = ""


@dataclass(frozen=True, slots=True)
class Mate:
    """The answer of a mate search: the moves, or that there is no mate, or that time ran out."""

    moves: Sequence[str] = ()
    refuted: bool = False


class SearchControl:
    """Tells a running search whether to stop, and since when its clock has been running."""

    def __init__(self, server: "UsiServer", order: GoCommand) -> None:
        self._server = server
        self.order = order
        # The start of the search, or the ponderhit. A clock runs from the arrival of the command,
        # but not while the client was still waiting for an earlier answer.
        self.begun = max(server.channel.inbox.arrived, server.answered)
        self.pondering = order.ponder
        self._stop = False

    def stopped(self) -> bool:
        """Carry out what is allowed during a search; return whether the search must end."""
        while not self._stop:
            inbox = self._server.channel.inbox
            line = inbox.peek()
            if line is None:
                if inbox.ended and (self.pondering or not self.order.bounded):
                    self._stop = True
                break
            if self._server.word(line) in ENDS_SEARCH:
                self._stop = True
            else:
                self._server.take_one(self)
        return self._stop

    def hit(self, words: Sequence[str]) -> None:
        """Start the clock: the opponent has played the expected move."""
        if self.pondering:
            self.order.numbers.update(parse_go(words).numbers)
            self.begun = self._server.channel.inbox.arrived
            self.pondering = False

    def settle(self) -> None:
        """Wait until the answer may be sent: not while pondering or during an unbounded search."""
        while self.pondering or self.order.infinite:
            self._server.channel.inbox.wait(1.0)
            if self.stopped():
                break

    def info(self, text: str) -> None:
        """Write a line of information."""
        self._server.channel.write(f"info {text}\n")


class UsiEngine(Protocol):
    """The methods of an engine; all but `go` and `mate` return immediately."""

    @property
    def name(self) -> str:
        """The name and version, in ASCII."""

    @property
    def author(self) -> str:
        """The author."""

    def options(self) -> Sequence[Option]:
        """List the options in the order of their declaration."""

    def set_option(self, name: str, value: str) -> None:
        """Set an option to a checked value; this may happen during a search."""

    def prepare(self) -> None:
        """Prepare for a game, for `isready`."""

    def new_game(self) -> None:
        """Forget the last game, for `usinewgame`."""

    def set_position(self, setup: str, moves: Sequence[str]) -> None:
        """Set up an SFEN (the start if it is empty) and play moves; raises UsiError."""

    def go(self, order: GoCommand, watch: SearchControl) -> Answer:
        """Search and return a move; never raises, however strange the position is."""

    def mate(self, order: GoCommand, watch: SearchControl) -> Mate:
        """Search for a mate."""

    def any_move(self) -> str:
        """Return any legal move, or `resign`; used after an internal error."""

    def finish(self, result: str) -> None:
        """Learn the result of a game: win, lose or draw."""


def parse_number(text: str) -> int | None:
    """Read a whole number, perhaps negative; decimals are cut off. None for anything else."""
    text = text.partition(".")[0]
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        return None
    return int(text)


def parse_go(words: Sequence[str]) -> GoCommand:
    """Read the words after `go`; unknown words and broken numbers are ignored."""
    order = GoCommand()
    at = 0
    while at < len(words):
        word = words[at]
        number = parse_number(words[at + 1]) if at + 1 < len(words) else None
        at += 1
        if word == "infinite":
            order.infinite = True
        elif word == "ponder":
            order.ponder = True
        elif word == "mate":
            order.mate = True
            if number is not None:
                order.mate_time = max(number, 0)
                at += 1
            elif words[at : at + 1] == ["infinite"]:
                at += 1
        elif word == "searchmoves":
            order.searchmoves = list(words[at:])
            break
        elif word in _NUMBERS and number is not None:
            order.numbers[word] = number
            at += 1
    return order


def unread_words(words: Sequence[str]) -> list[str]:
    """Return the words after `go` that `parse_go` passes over."""
    words = words[: words.index("searchmoves")] if "searchmoves" in words else words
    known = ("infinite", "ponder", "mate", *_NUMBERS)
    return [
        word
        for at, word in enumerate(words)
        if word not in known
        and not (at and parse_number(word) is not None and words[at - 1] in (*_NUMBERS, "mate"))
    ]


def plain(text: str) -> str:
    """Return a part of a line as it may be written to a terminal."""
    return "".join(each if each.isprintable() else "?" for each in text[:_LONGEST])


class UsiServer:
    """Carries out commands in order until `quit` or the end of input; each `go` gets one answer."""

    def __init__(
        self, channel: Channel, engine: UsiEngine, hint: Callable[[str], None] = lambda text: None
    ) -> None:
        """`hint` tells a person what USI passes over in silence, or makes hard to see."""
        self.channel = channel
        self._hint = hint
        self.answered = 0.0  # When the client last received an answer that it was waiting for.
        self._engine = engine
        self._options: dict[str, Option] = {}
        self._watch: SearchControl | None = None
        self._broken = ""
        self._handlers: dict[str, Callable[[list[str], str], None]] = {
            "usi": self._usi,
            "isready": self._isready,
            "setoption": self._setoption,
            "usinewgame": lambda words, text: self._engine.new_game(),
            "position": self._position,
            "go": self._go,
            "ponderhit": self._ponderhit,
            "gameover": lambda words, text: self._engine.finish(words[0] if words else ""),
            "help": self._help,
        }

    @staticmethod
    def word(line: str) -> str:
        """Return the command of a line."""
        return line[:64].split(maxsplit=1)[0] if line[:64].strip() else ""

    def serve(self) -> None:
        """Carry out commands until `quit` or the end of input."""
        while self.take_one(None):
            pass

    def take_one(self, watch: SearchControl | None) -> bool:
        """Carry out the next line; return False for `quit` and at the end of input."""
        line = self.channel.take()
        if line is None:
            return False
        name = self.word(line)
        if name == "quit":
            return False
        handler = self._handlers.get(name)
        if handler is None or isinstance(line, Overlong):
            # Unknown lines are ignored, as USI requires.
            if name and name not in ("stop", "debug"):
                known = ", ".join((*self._handlers, "stop", "quit"))
                self._hint(f"no such command: {plain(name)} (known: {known})")
            return True
        text = line.strip().partition(" ")[2].strip()
        self._watch = watch
        try:
            handler(text.split(), text)
        except UsiError as error:
            self._say(str(error))
        except Exception:  # The session must survive any error.
            self.channel.log.write("!", traceback.format_exc())
            self._say("internal error")
        return True

    def _say(self, text: str) -> None:
        self.channel.write(f"info string {' '.join(text.split())}\n")

    def _help(self, words: list[str], text: str) -> None:
        """Answer a person; clients skip strings, and never ask."""
        options = [option.describe() for option in self._engine.options()]
        lines = [*_HELP, "Options:", *(f"  {line}" for line in options)]
        self.channel.write("".join(f"info string {line}\n" for line in lines))

    def _usi(self, words: list[str], text: str) -> None:
        lines = [f"id name {self._engine.name}", f"id author {self._engine.author}"]
        lines += [option.declare() for option in self._engine.options()]
        self.channel.write("".join(f"{line}\n" for line in (*lines, "usiok")))

    def _isready(self, words: list[str], text: str) -> None:
        try:
            self._engine.prepare()
        finally:
            self.channel.write("readyok\n")
            self.answered = time.monotonic()

    def _setoption(self, words: list[str], text: str) -> None:
        if words[:1] != ["name"] or len(words) < 2:
            self._hint("expected setoption name NAME value VALUE")
            return
        known = self._options or {option.name: option for option in self._engine.options()}
        self._options = known
        option = known.get(words[1])
        if option is None:
            # ShogiGUI and Shogidokoro send options that were never declared.
            self._hint(f"no such option: {plain(words[1])} (known: {', '.join(known)})")
            return
        given = " ".join(words[3:]) if words[2:3] == ["value"] else ""
        value = option.check(given)
        if value is None:
            self._hint(f"the value {plain(given)!r} is refused; {option.describe()}")
            return
        if option.kind == "spin" and value != given:
            self._hint(f"{option.name} is set to {value}; {option.describe()}")
        self._engine.set_option(option.name, value)

    def _position(self, words: list[str], text: str) -> None:
        moves: Sequence[str] = ()
        if "moves" in words:
            at = words.index("moves")
            words, moves = words[:at], words[at + 1 :]
        if words[:1] not in (["startpos"], ["sfen"]) or words == ["sfen"]:
            self._broken = "position: expected startpos or sfen"
            raise UsiError(self._broken)
        self._broken = "position: refused"
        try:
            self._engine.set_position(" ".join(words[1:]), moves)
        except UsiError as error:
            self._broken = str(error)
            raise
        self._broken = ""

    def _go(self, words: list[str], text: str) -> None:
        order = parse_go(words)
        if unread := unread_words(words):
            self._hint(f"go: {' '.join(map(plain, unread))} is passed over; `help` lists the words")
        if self._broken:
            self._say(f"no position to search, and so the answer is no judgement: {self._broken}")
        watch = SearchControl(self, order)
        if order.mate:
            self._go_mate(order, watch)
            return
        answer = Answer("resign")
        if not self._broken:
            try:
                answer = self._engine.go(order, watch)
            except Exception:  # `go` must be answered by a legal move, whatever has happened.
                self.channel.log.write("!", traceback.format_exc())
                self._say("internal error")
                answer = Answer(self._engine.any_move())
        watch.settle()
        ponder = f" ponder {answer.ponder}" if answer.ponder else ""
        self.channel.write(f"bestmove {answer.move}{ponder}\n")
        self.answered = time.monotonic()

    def _go_mate(self, order: GoCommand, watch: SearchControl) -> None:
        reply = "timeout"
        if not self._broken:
            try:
                result = self._engine.mate(order, watch)
                if result.moves:
                    reply = " ".join(result.moves)
                elif result.refuted:
                    reply = "nomate"
            except Exception:  # `go mate` must be answered, whatever has happened.
                self.channel.log.write("!", traceback.format_exc())
                self._say("internal error")
        self.channel.write(f"checkmate {reply}\n")
        self.answered = time.monotonic()

    def _ponderhit(self, words: list[str], text: str) -> None:
        if self._watch is not None:
            self._watch.hit(words)


def is_urgent(line: str) -> bool:
    """Return whether a line ends a search."""
    return UsiServer.word(line) in ENDS_SEARCH
