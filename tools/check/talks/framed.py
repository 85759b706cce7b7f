"""Conversations in GTP's frames: GTP itself, and the line protocol."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Final, NamedTuple

from engines import registry
from engines.core.game import CHANCE, Game
from protocols.ask.detect import Client, FramedClient, GtpClient, LineClient
from protocols.errors import EngineRefused, EngineTimeout
from tools.check.probe import Fault, Unsuited
from tools.check.talks.talk import ANSWER, START, Talk

ANALYZE: Final = ("kata-analyze", "lz-analyze")
THOUGHT: Final = 15.0  # Seconds for a move under a short clock.


class Frame(NamedTuple):
    """A reply as it was received: its lines without the empty line at the end."""

    lines: Sequence[bytes]

    @property
    def mark(self) -> str:
        """The first character, which should be `=` or `?`."""
        return self.lines[0][:1].decode("ascii", "replace")

    @property
    def identity(self) -> str:
        """The text between the mark and the first blank."""
        return self.lines[0][1:].partition(b" ")[0].strip().decode("utf-8", "replace")

    @property
    def text(self) -> str:
        """The text after the mark and the id."""
        first = self.lines[0][1:].partition(b" ")[2]
        return b"\n".join([first, *self.lines[1:]]).decode("utf-8", "replace").strip()


class FramedTalk(Talk):
    """A conversation of numbered or plain commands and framed replies."""

    client: FramedClient

    def frame(self, seconds: float = ANSWER) -> Frame:
        """Return the next reply; lines of text before it are counted as strays.

        Raises Fault if such lines are not followed by a reply.
        """
        deadline = self.soon(seconds)
        lines: list[bytes] = []
        stray = b""
        while True:
            try:
                line = self.process.read_bytes(deadline)
            except EngineTimeout:
                if stray and not lines:
                    wanted = "where a line beginning with = or ? was expected"
                    raise Fault(f"{stray[:80]!r} {wanted}") from None
                raise
            if not line.strip(b"\r"):
                if lines:
                    return Frame(lines)
                if not stray:
                    raise Fault("an empty line where a reply was expected")
            elif lines or line[:1] in (b"=", b"?"):
                lines.append(line)
            else:
                stray = line
                self.strays += 1
                self.stray = line.decode("utf-8", "replace")

    def exchange_bytes(self, data: bytes, seconds: float = ANSWER) -> Frame:
        """Send bytes and return the one reply to them."""
        self.send_bytes(data)
        return self.frame(seconds)

    def ask(self, command: str, seconds: float = ANSWER) -> str:
        """Return the text of a successful command; raises Fault if it is refused."""
        try:
            return self.client.command(command, self.soon(seconds))
        except EngineRefused as refused:
            raise Fault(
                f"it refused {command[:60]!r}: {refused.message or 'no reason'}"
            ) from refused

    def attempt(self, command: str, seconds: float = ANSWER) -> str | None:
        """Return the text of a successful command; None if it is refused."""
        try:
            return self.client.command(command, self.soon(seconds))
        except EngineRefused:
            return None

    def expect_refusal(self, command: str, seconds: float = ANSWER) -> str:
        """Return the message of a refused command; raises Fault if it succeeds."""
        try:
            text = self.client.command(command, self.soon(seconds))
        except EngineRefused as refused:
            return refused.message
        raise Fault(f"it accepted {command[:60]!r}" + (f" with {text[:60]!r}" if text else ""))

    def need(self, *commands: str) -> None:
        """Raise Unsuited unless the engine lists all these commands."""
        for command in commands:
            if not self.client.known(command):
                raise Unsuited(f"it does not list {command}")

    def first_listed(self, *commands: str) -> str:
        """Return the first of these commands that the engine lists; raises Unsuited."""
        for command in commands:
            if self.client.known(command):
                return command
        raise Unsuited(f"it lists none of {', '.join(commands)}")

    def first_command(self) -> str:
        """Return `protocol_version`."""
        return "protocol_version"

    def first_words(self) -> None:
        """Ask for the version of the protocol."""
        self.send("protocol_version")
        self.frame(START)

    def settle(self) -> None:
        """Check that the next reply belongs to the next command."""
        strays = self.client.strays
        self.ask("protocol_version")
        if self.client.strays > strays:
            self.strays += self.client.strays - strays
            self.stray = self.client.last_stray

    @abstractmethod
    def move_command(self) -> str:
        """Make sure that a side can move, and return the command that asks for a move."""


class GtpTalk(FramedTalk):
    """A conversation in GTP, on a 9x9 board if the engine accepts that."""

    client: GtpClient
    client_type: ClassVar[type[Client]] = GtpClient

    def reset(self) -> None:
        """Clear a small board, with twenty seconds on the clock."""
        self.attempt("boardsize 9", START)
        self.ask("clear_board", START)
        self.attempt("komi 7.5")
        if self.client.known("time_settings"):
            self.attempt("time_settings 20 0 0")

    def place(self, *moves: str) -> None:
        """Play moves, each given as colour and point."""
        for move in moves:
            self.ask(f"play {move}")

    def think(self) -> None:
        """Let the engine make a move."""
        self.ask(self.move_command(), THOUGHT)

    def move_command(self) -> str:
        """Ask Black; in GTP, either side may move."""
        return "genmove b"

    def begin_long_thought(self) -> None:
        """Ask for a move with a minute per move."""
        if self.client.known("time_settings"):
            self.attempt("time_settings 0 60 1")
        self.send(self.move_command())

    def begin_endless_thought(self) -> None:
        """Start an analysis, if the engine has a command for it."""
        self.send(f"{self.first_listed(*ANALYZE)} b 20")


MINIMUM: Final = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("game", "newgame", "play", "genmove", "time_settings"),
)
"""The least that an engine of the line protocol must know; a game with dice also needs `roll`."""


MORE: Final = (
    *("variants", "position", "turn", "legal", "undo", "roll", "reg_genmove", "analyze", "limit"),
    *("time_left", "result", "showboard", "option", "perft"),
)
"""The other commands of the line protocol; a match uses them only if an engine lists them."""


class LineTalk(FramedTalk):
    """A conversation in the line protocol.

    An engine is not asked commands that it does not list, unless every engine must know it.
    """

    client: LineClient
    client_type: ClassVar[type[Client]] = LineClient
    thrown: int = 0

    def reset(self) -> None:
        """Start a game with small limits, and with the same dice each time."""
        self.thrown = 0
        self.ask("newgame", START)
        if not self.client.known("limit"):
            self.ask("time_settings 2/move")
            return
        self.ask("time_settings none")
        self.ask("limit depth 0")
        self.ask("limit nodes 100")
        self.ask("limit seconds 2")

    def ask(self, command: str, seconds: float = ANSWER) -> str:
        """Return the text of a successful command; raises Fault, or Unsuited if it is optional."""
        self._need_optional(command)
        return super().ask(command, seconds)

    def attempt(self, command: str, seconds: float = ANSWER) -> str | None:
        """Return the text of a successful command; None if it is refused."""
        self._need_optional(command)
        return super().attempt(command, seconds)

    def expect_refusal(self, command: str, seconds: float = ANSWER) -> str:
        """Return the message of a refused command; raises Fault if it succeeds."""
        self._need_optional(command)
        return super().expect_refusal(command, seconds)

    def _need_optional(self, command: str) -> None:
        """Raise Unsuited for an optional command that the engine does not list."""
        word = command.partition(" ")[0]
        if self.prepared and word in MORE:
            self.need(word)

    @property
    def dice(self) -> bool:
        """Whether a new game begins with a throw."""
        return self.ask("turn").endswith(" roll")

    def turn(self) -> str:
        """Return the side to move, or `over`; dice are thrown until a side can move."""
        for _ in range(200):
            turn = self.ask("turn")
            if not turn.endswith(" roll"):
                return turn
            self.thrown += 1
            self.ask(f"roll {1 + self.thrown * self.thrown // 3 % 5}")
        raise Fault("200 throws in a row, and neither side could move")

    def throw(self, number: int) -> None:
        """Set the throw; every engine of a game with dice must know the command for it."""
        super().ask(f"roll {number}")

    def legal(self) -> list[str]:
        """Return the legal moves, after a throw if one is due."""
        self.turn()
        return self.ask("legal").split()

    def think(self) -> None:
        """Let the engine make a move."""
        self.ask(self.move_command(), THOUGHT)

    def move_command(self) -> str:
        """Throw if a throw is due.

        An engine that does not say whose turn it is must be at the start of a game.
        """
        if self.client.known("turn"):
            self.turn()
            return "genmove"
        game = self.start_of_game()
        while game.turn == CHANCE:
            game.play("1")
            self.throw(1)
        return f"genmove {game.rules.sides[game.turn][0]}"

    def start_of_game(self) -> Game[Any]:
        """Return a new game of our own rules; raises Unsuited if we do not know the game."""
        name = self.ask("game")
        if name not in registry.GAMES:
            raise Unsuited(f"we have no rules of {name!r}")
        return Game(registry.rules(name, "", 0))

    def lift_limits(self) -> None:
        """Let a search run for a minute."""
        if not self.client.known("limit"):
            self.ask("time_settings 60/move")
            return
        self.ask("limit nodes 0")
        self.ask("limit seconds 60")

    def begin_long_thought(self) -> None:
        """Ask for a move with a minute to think."""
        self.lift_limits()
        self.send(self.move_command())

    def begin_endless_thought(self) -> None:
        """Analyze."""
        self.need("analyze")
        self.turn()
        self.send("analyze 20")
