"""The line protocol, server side: the framing of GTP with other commands.

The commands are specified, with transcripts, in protocols/README.md.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from protocols.serve.gtp import GtpError, Handler, Request, serve
from protocols.serve.session import Channel

Stop = Callable[[], bool]

_SIDES: Final = ("b", "w", "black", "white")
_LIMITS: Final = ("depth", "nodes", "seconds")
_HELP: Final[Mapping[str, tuple[str, str]]] = {
    "help": ("[COMMAND]", "this list, or one command"),
    "game": ("", "the name of the game"),
    "variants": ("", "the variants, one per line"),
    "newgame": ("[VARIANT] [OPTION=VALUE ...]", "begin a game; commas join variants"),
    "position": ("[TEXT]", "print the position as a text, or set it up"),
    "turn": ("", "the side to move, with `roll` while a throw is due, or `over`"),
    "legal": ("", "the legal moves"),
    "play": ("[SIDE] MOVE", "make a move"),
    "undo": ("[N]", "take N moves back, each with its throw; 1 without N"),
    "roll": ("[N]", "throw the dice, or note a throw of 1 to 5"),
    "genmove": ("[SIDE]", "let the engine choose a move and make it"),
    "reg_genmove": ("[SIDE]", "let the engine choose a move without making it"),
    "analyze": ("[SIDE] [CENTISECONDS]", "think until the next line; print a line that often"),
    "evaluation": ("", "what the last move was worth to the engine"),
    "limit": ("depth|nodes|seconds N", "limit every search; 0 removes the limit"),
    "time_settings": ("TC|none", "set both clocks, in seconds: 600, 600+5, 600+5x30, 1/move"),
    "time_left": ("SIDE SECONDS [PERIODS]", "set one clock"),
    "result": ("", "none, or the winner and the reason"),
    "final_score": ("", "the same as result"),
    "showboard": ("", "draw the board"),
    "option": ("[NAME [VALUE]]", "list the options, print one, or set it"),
    "perft": ("N", "count the sequences of N moves"),
    "name": ("", "the name of the program"),
    "version": ("", "its version"),
    "protocol_version": ("", "the version of GTP's frames"),
    "known_command": ("COMMAND", "whether a command exists"),
    "list_commands": ("", "the names of all commands"),
    "quit": ("", "end the program"),
}
"""The arguments of each command, and what it does."""

_DEEPEST: Final = 99  # Plies; no perft of this depth can be finished.


class LineEngine(Protocol):
    """The methods of a game; it refuses by raising one of the exceptions given to `serve_line`."""

    @property
    def game(self) -> str:
        """The game's name."""

    @property
    def name(self) -> str:
        """The program's name."""

    @property
    def version(self) -> str:
        """The version of the program, and whether it is compiled."""

    def variants(self) -> Sequence[str]:
        """List the variants that `new_game` takes."""

    def new_game(self, variant: str, options: Mapping[str, str]) -> None:
        """Start a game from the start position."""

    def set_position(self, text: str) -> None:
        """Set up a position; a new history begins."""

    def position(self) -> str:
        """Describe the position in the text that `set_position` reads."""

    def turn(self) -> str:
        """Return who moves next, or `over`."""

    def check_side(self, side: str) -> None:
        """Refuse unless it is the turn of `black` or `white`."""

    def legal(self) -> Sequence[str]:
        """List the legal moves."""

    def play(self, move: str) -> None:
        """Make a move."""

    def undo(self, count: int) -> None:
        """Take back moves; if that is refused, none is taken back."""

    def throw(self, number: int | None) -> str:
        """Throw the dice, or accept the throw of the controller; return the throw."""

    def generate(self, stop: Stop, *, play: bool) -> str:
        """Choose a move within the limits, and play it if `play` is true."""

    def analyze(self, interval: float, stop: Stop, emit: Callable[[str], None]) -> None:
        """Think until `stop` returns true; emit a line every `interval` seconds at most."""

    def evaluation(self) -> str:
        """Return the last result of a search as a line of `analyze`; empty before any search."""

    def limit(self, kind: str, value: float) -> None:
        """Limit each search by `depth`, `nodes` or `seconds`; 0 removes the limit."""

    def time_settings(self, control: str) -> None:
        """Set both clocks by the text of a time control."""

    def time_left(self, side: str, seconds: float, periods: int) -> None:
        """Set the clock of one side to what the controller says."""

    def result(self) -> str:
        """Return `none`, or who won and why."""

    def board(self) -> str:
        """Draw the board."""

    def options(self) -> Mapping[str, str]:
        """Return each option: name, value, and which values are possible."""

    def set_option(self, name: str, value: str) -> None:
        """Change an option."""

    def perft(self, depth: int) -> int:
        """Count the move sequences of a number of plies."""

    def about(self) -> Sequence[str]:
        """Say how moves are written, and which options there are, for people."""


def describe_commands() -> list[str]:
    """Return a line for each command: its arguments, and what it does."""
    usages = {name: f"{name} {arguments}".rstrip() for name, (arguments, _) in _HELP.items()}
    return [f"{usages[name]:<36} {words}" for name, (_, words) in _HELP.items()]


def serve_line(engine: LineEngine, channel: Channel, refusals: tuple[type[Exception], ...]) -> None:
    """Answer the line protocol until `quit` or the end of input."""
    serve(channel, refusing(Commands(engine).table(), refusals))


def refusing(
    table: Mapping[str, Handler], refusals: tuple[type[Exception], ...]
) -> dict[str, Handler]:
    """Turn the exceptions by which an engine refuses into GtpError."""
    return {name: _refusing(handler, refusals) for name, handler in table.items()}


def _refusing(handler: Handler, refusals: tuple[type[Exception], ...]) -> Handler:
    def answer(request: Request) -> str:
        try:
            return handler(request)
        except refusals as refusal:
            raise GtpError(str(refusal)) from refusal

    return answer


class Commands:
    """The commands of the line protocol over one engine."""

    def __init__(self, engine: LineEngine) -> None:
        self._engine = engine

    def table(self) -> dict[str, Handler]:
        """Return the handlers by command."""
        engine = self._engine
        return {
            "name": lambda request: engine.name,
            "version": lambda request: engine.version,
            "game": lambda request: engine.game,
            "variants": lambda request: "\n".join(engine.variants()),
            "help": self._help,
            "newgame": self._new_game,
            "position": self._position,
            "turn": lambda request: engine.turn(),
            "legal": lambda request: " ".join(engine.legal()),
            "play": self._play,
            "undo": self._undo,
            "roll": self._roll,
            "genmove": lambda request: self._generate(request, play=True),
            "reg_genmove": lambda request: self._generate(request, play=False),
            "analyze": self._analyze,
            "evaluation": lambda request: engine.evaluation(),
            "limit": self._limit,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "result": lambda request: engine.result(),
            "final_score": lambda request: engine.result(),
            "showboard": lambda request: f"\n{engine.board()}",
            "option": self._option,
            "perft": self._perft,
        }

    def _help(self, request: Request) -> str:
        _at_most(request.args, 1)
        if not request.args:
            return "\n" + "\n".join([*describe_commands(), *self._engine.about()])
        name = request.args[0]
        if name not in _HELP:
            raise GtpError(f"no help for {name!r}: help lists the commands")
        arguments, words = _HELP[name]
        return f"{name} {arguments}".rstrip() + f": {words}"

    def _new_game(self, request: Request) -> str:
        variant, options = "", {}
        for number, word in enumerate(request.args):
            key, equals, value = word.partition("=")
            if equals:
                options[key] = value
            elif number == 0:
                variant = word
            else:
                raise GtpError(f"expected key=value, not {word!r}")
        self._engine.new_game(variant, options)
        return ""

    def _position(self, request: Request) -> str:
        if not request.args:
            return self._engine.position()
        self._engine.set_position(" ".join(request.args))
        return ""

    def _play(self, request: Request) -> str:
        words = self._without_side(request.args)
        if len(words) != 1:
            raise GtpError("expected [SIDE] MOVE")
        self._engine.play(words[0])
        return ""

    def _undo(self, request: Request) -> str:
        _at_most(request.args, 1)
        self._engine.undo(_whole(request.args, 0, "number of moves", low=1) if request.args else 1)
        return ""

    def _roll(self, request: Request) -> str:
        _at_most(request.args, 1)
        number = _whole(request.args, 0, "throw", low=1) if request.args else None
        return self._engine.throw(number)

    def _generate(self, request: Request, *, play: bool) -> str:
        if self._without_side(request.args):
            raise GtpError("expected [SIDE]")
        return self._engine.generate(request.urgent, play=play)

    def _analyze(self, request: Request) -> str:
        words = self._without_side(request.args)
        _at_most(words, 1)
        hundredths = _whole(words, 0, "centiseconds", low=1) if words else 50
        self._engine.analyze(hundredths / 100, request.disturbed, request.stream)
        # The position is solved: there is nothing to add until the next command.
        if not request.channel.inbox.waiting():
            request.stream()
            request.channel.inbox.wait()
        return ""

    def _limit(self, request: Request) -> str:
        if len(request.args) != 2 or request.args[0] not in _LIMITS:
            raise GtpError("expected depth, nodes or seconds, and a number (0: no limit)")
        kind = request.args[0]
        if kind == "seconds":
            self._engine.limit(kind, _decimal(request.args, 1, kind))
        else:
            self._engine.limit(kind, _whole(request.args, 1, kind, low=0))
        return ""

    def _time_settings(self, request: Request) -> str:
        if not request.args:
            raise GtpError("expected a time control, or none")
        self._engine.time_settings(request.text.strip())
        return ""

    def _time_left(self, request: Request) -> str:
        if not request.args or request.args[0].lower() not in _SIDES:
            raise GtpError("expected SIDE SECONDS [PERIODS]")
        _at_most(request.args, 3)
        periods = _whole(request.args, 2, "periods", low=0) if len(request.args) > 2 else 0
        side = _spelt_out(request.args[0])
        self._engine.time_left(side, _decimal(request.args, 1, "seconds"), periods)
        return ""

    def _option(self, request: Request) -> str:
        name, _, value = request.text.strip().partition(" ")
        if value.strip():
            self._engine.set_option(name, value.strip())
            return ""
        options = self._engine.options()
        if not name:
            return "\n".join(f"{key} {setting}" for key, setting in options.items())
        word, equals, given = name.partition("=")
        if equals and word in options:
            raise GtpError(f"a blank separates an option from its value: option {word} {given}")
        if name not in options:
            raise GtpError(f"no such option: {name!r} (known: {', '.join(options)})")
        return options[name]

    def _perft(self, request: Request) -> str:
        _at_most(request.args, 1)
        depth = _whole(request.args, 0, "depth", low=1)
        if depth > _DEEPEST:
            raise GtpError(f"depth: expected at most {_DEEPEST}, not {depth}")
        counts: list[int] = []
        errors: list[Exception] = []

        def count() -> None:
            try:
                counts.append(self._engine.perft(depth))
            except Exception as error:  # Passed on to the session, which decides.
                errors.append(error)

        counting = threading.Thread(target=count, daemon=True)
        counting.start()
        while counting.is_alive():
            counting.join(0.02)
            if request.urgent():
                raise GtpError("interrupted")
        if errors:
            raise errors[0]
        return str(counts[0])

    def _without_side(self, words: Sequence[str]) -> Sequence[str]:
        if words and words[0].lower() in _SIDES:
            self._engine.check_side(_spelt_out(words[0]))
            return words[1:]
        return words


def _spelt_out(side: str) -> str:
    return "black" if side.lower().startswith("b") else "white"


def _at_most(words: Sequence[str], number: int) -> None:
    if len(words) > number:
        raise GtpError(f"too many words: {words[number]!r}")


def _whole(words: Sequence[str], index: int, what: str, *, low: int) -> int:
    word = words[index] if index < len(words) else ""
    if not (word.isascii() and word.isdigit() and len(word) < 19 and int(word) >= low):
        raise GtpError(f"{what}: expected a whole number of at least {low}, not {word!r}")
    return int(word)


def _decimal(words: Sequence[str], index: int, what: str) -> float:
    word = words[index] if index < len(words) else ""
    try:
        number = float(word)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e9:
        raise GtpError(f"{what}: expected a number of at least 0, not {word!r}")
    return number
