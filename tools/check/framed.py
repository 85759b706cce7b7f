"""Talks in GTP's frames: GTP itself, and the line protocol."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from protocols.client import Client, FramedClient, GtpClient, LineClient
from protocols.errors import EngineRefused
from tools.check.probe import Fault, Unsuited, expect
from tools.check.talk import ANSWER, START, Talk

THOUGHT: Final = 15.0  # Seconds for a move on a modest clock.


class Frame(NamedTuple):
    """A reply as it came: its lines without the empty one that ends it."""

    lines: Sequence[bytes]

    @property
    def mark(self) -> str:
        """Its first character: `=` or `?` where the engine keeps to the frames."""
        return self.lines[0][:1].decode("ascii", "replace")

    @property
    def identity(self) -> str:
        """What stands between the mark and the first blank."""
        return self.lines[0][1:].partition(b" ")[0].strip().decode("utf-8", "replace")

    @property
    def text(self) -> str:
        """What follows the mark and the id."""
        first = self.lines[0][1:].partition(b" ")[2]
        return b"\n".join([first, *self.lines[1:]]).decode("utf-8", "replace").strip()


class FramedTalk(Talk):
    """A conversation of numbered or plain commands and framed replies."""

    client: FramedClient

    def frame(self, seconds: float = ANSWER) -> Frame:
        """Return the next reply; raises Fault for a line that begins none."""
        deadline = self.soon(seconds)
        lines: list[bytes] = []
        while True:
            line = self.process.read_bytes(deadline)
            if not line.strip(b"\r"):
                if lines:
                    return Frame(lines)
                raise Fault("an empty line where a reply was due")
            lines.append(line)
            if line[:1] not in (b"=", b"?") and len(lines) == 1:
                raise Fault(f"{line[:80]!r} where a line beginning with = or ? was due")

    def exchange_bytes(self, data: bytes, seconds: float = ANSWER) -> Frame:
        """Send bytes and return the one reply to them."""
        self.send_bytes(data)
        return self.frame(seconds)

    def ask(self, command: str, seconds: float = ANSWER) -> str:
        """Return the text of a command's success; raises Fault for a refusal."""
        try:
            return self.client.command(command, self.soon(seconds))
        except EngineRefused as refused:
            raise Fault(
                f"it refused {command[:60]!r}: {refused.message or 'no reason'}"
            ) from refused

    def attempt(self, command: str, seconds: float = ANSWER) -> str | None:
        """Return the text of a command's success, None for a refusal."""
        try:
            return self.client.command(command, self.soon(seconds))
        except EngineRefused:
            return None

    def expect_refusal(self, command: str, seconds: float = ANSWER) -> str:
        """Return the message of a refusal; raises Fault where the command succeeds."""
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
        """See that the next reply is the next command's."""
        strays = self.client.strays
        self.ask("protocol_version")
        expect(self.client.strays == strays, "it wrote lines that belong to no reply")

    @abstractmethod
    def move_command(self) -> str:
        """Make it somebody's turn, and return the command that asks for a move."""


class GtpTalk(FramedTalk):
    """A conversation in GTP, on a board of 9x9 where the engine takes one."""

    client: GtpClient
    client_type: ClassVar[type[Client]] = GtpClient

    def reset(self) -> None:
        """Clear a small board and give twenty seconds."""
        self.attempt("boardsize 9", START)
        self.ask("clear_board", START)
        self.attempt("komi 7.5")
        if self.client.known("time_settings"):
            self.attempt("time_settings 20 0 0")

    def place(self, *moves: str) -> None:
        """Play moves, each a colour and a point."""
        for move in moves:
            self.ask(f"play {move}")

    def think(self) -> None:
        """Have a move made."""
        self.ask(self.move_command(), THOUGHT)

    def move_command(self) -> str:
        """Ask Black, whoever's turn it is: GTP knows none."""
        return "genmove b"

    def begin_long_thought(self) -> None:
        """Give a minute a move, and ask for one."""
        if self.client.known("time_settings"):
            self.attempt("time_settings 0 60 1")
        self.send(self.move_command())

    def begin_endless_thought(self) -> None:
        """Analyze, where the engine can."""
        self.send(f"{self.first_listed('kata-analyze', 'lz-analyze')} b 20")


class LineTalk(FramedTalk):
    """A conversation in the line protocol."""

    client: LineClient
    client_type: ClassVar[type[Client]] = LineClient
    thrown: int = 0

    def reset(self) -> None:
        """Start a game with small limits and the same throws again."""
        self.thrown = 0
        self.ask("newgame", START)
        self.ask("time_settings none")
        self.ask("limit depth 0")
        self.ask("limit nodes 100")
        self.ask("limit seconds 2")

    @property
    def dice(self) -> bool:
        """Whether a new game waits for a throw."""
        return self.ask("turn").endswith(" roll")

    def turn(self) -> str:
        """Return who moves, with dice after throwing until somebody can; may be `over`."""
        for _ in range(200):
            turn = self.ask("turn")
            if not turn.endswith(" roll"):
                return turn
            self.thrown += 1
            self.ask(f"roll {1 + self.thrown * self.thrown // 3 % 5}")
        raise Fault("200 throws in a row, and nobody could move")

    def legal(self) -> list[str]:
        """Return the legal moves, after a throw where one is due."""
        self.turn()
        return self.ask("legal").split()

    def think(self) -> None:
        """Have a move made."""
        self.ask(self.move_command(), THOUGHT)

    def move_command(self) -> str:
        """Throw where a throw is due."""
        self.turn()
        return "genmove"

    def lift_limits(self) -> None:
        """Let a search run for a minute."""
        self.turn()
        self.ask("limit nodes 0")
        self.ask("limit seconds 60")

    def begin_long_thought(self) -> None:
        """Ask for a move with a minute to think."""
        self.lift_limits()
        self.send(self.move_command())

    def begin_endless_thought(self) -> None:
        """Analyze."""
        self.turn()
        self.need("analyze")
        self.send("analyze 20")
