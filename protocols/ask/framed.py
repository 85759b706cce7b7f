"""The asking side of GTP's frames: numbered commands, and replies that begin with `=` or `?`."""

import contextlib
import time
from collections.abc import Sequence
from typing import Final

from protocols.ask.contract import Client, Reply
from protocols.ask.score import Evaluation
from protocols.ask.text import plain
from protocols.child.process import Process
from protocols.errors import EngineError, EngineNonsense, EngineRefused

STRAYS: Final = 1000  # Lines outside any reply that are skipped while waiting for a reply.


LONGEST_REPLY: Final = 1 << 20  # Characters.


ANSWER: Final = 1.0  # Seconds to answer a question about a move, beyond the deadline of the move.


_REQUIRED: Final = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove"),
)


class FramedClient(Client):
    """Numbers its commands; replies begin with `=` or `?` and end with an empty line."""

    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self.commands: Sequence[str] = ()
        self.strays = 0
        self.last_stray = ""
        self._number = 0
        self._noted: list[str] = []  # Moves and throws that are sent with the next question.
        self._known: frozenset[str] = frozenset()

    def command(self, text: str, deadline: float) -> str:
        """Send a command and return the text of its reply; raises EngineRefused for a `?` reply."""
        self.settle(deadline)
        self._number = number = self._number + 1
        self.process.send(deadline, f"{number} {text}")
        reply = self._read_reply(number, text, deadline)
        if isinstance(reply, str):
            return reply
        raise reply

    def settle(self, deadline: float) -> None:
        """Send the noted moves; raises the first refusal after all replies have been read."""
        if self._noted:
            noted, self._noted = self._noted, []
            self._all(noted, deadline)

    def ask(self, commands: Sequence[str], deadline: float) -> list[str | EngineRefused]:
        """Send commands in one write and return all replies; refusals are returned, not raised."""
        self.settle(deadline)
        first = self._number + 1
        self._number += len(commands)
        self.process.send(deadline, *[f"{n} {text}" for n, text in enumerate(commands, first)])
        return [self._read_reply(n, text, deadline) for n, text in enumerate(commands, first)]

    def known(self, command: str) -> bool:
        """Whether the engine lists a command."""
        return command in self._known

    def _read_reply(self, number: int, command: str, deadline: float) -> str | EngineRefused:
        line = self.process.read_line(deadline)
        if line[:1] not in ("=", "?"):
            line = self._pass_over(line, command, deadline)
        identifier, _, text = line[1:].partition(" ")
        if identifier != str(number) and "\t" in identifier:
            identifier, _, text = line[1:].partition("\t")  # To GTP, a tab is a blank.
        if identifier != str(number):
            raise self._nonsense(f"{line[:80]!r} where a reply to {number} {command!r} was due")
        if not self.process.skip_empty_line(deadline):
            read_line = self.process.read_line
            more = read_line(deadline)
            lines, size = [text], len(text)
            while more:
                lines.append(more)
                size += len(more)
                if size > LONGEST_REPLY:
                    raise self._nonsense(f"an endless reply to {command!r}")
                more = read_line(deadline)
            # The first line of a diagram begins below the `=`.
            text = "\n".join(lines[1:] if not text.strip() else lines).rstrip()
        else:
            text = text.strip()
        return text if line[0] == "=" else EngineRefused(command, text)

    def _pass_over(self, line: str, command: str, deadline: float) -> str:
        """Skip and count lines outside any reply; return the first line of the reply after them."""
        strays = 0
        while line[:1] not in ("=", "?"):
            if line:
                strays += 1
                self.last_stray = line
                if strays > STRAYS:
                    raise self._nonsense(f"{strays} lines, but no reply to {command!r}")
            line = self.process.read_line(deadline)
        self.strays += strays
        return line

    def _nonsense(self, what: str) -> EngineNonsense:
        return EngineNonsense(f"{self.process.name} wrote {what}", self.process.stderr)

    def greet(self, deadline: float) -> None:
        """Ask for name, version and commands."""
        protocol_version, name, version, commands = self.ask(
            ("protocol_version", "name", "version", "list_commands"), deadline
        )
        if protocol_version != "2":
            raise self._nonsense(f"protocol_version {protocol_version}, where 2 was expected")
        self.name = plain(name) if isinstance(name, str) and name else self.name
        self.version = plain(version) if isinstance(version, str) else ""
        self.commands = _REQUIRED
        if isinstance(commands, str):
            self.commands = [line.strip() for line in commands.splitlines()]
        self._known = frozenset(self.commands)

    def tell(self, command: str, deadline: float) -> None:
        """Send a command that the user configured."""
        self.command(command, deadline)

    def note(self, side: str, move: str) -> None:
        """Note a move; it is sent in one write with the next question."""
        self._noted.append(f"play {side} {move}")

    def undo(self, deadline: float) -> None:
        """Take back the last move."""
        self.command("undo", deadline)

    def _all(self, commands: Sequence[str], deadline: float) -> None:
        for reply in self.ask(commands, deadline):
            if not isinstance(reply, str):
                raise reply

    def repeat(self, preparation: Sequence[str], asked: Sequence[str], deadline: float) -> Reply:
        """Send the commands of a transcript again; they have no numbers."""
        self._all(preparation, deadline)
        start = time.monotonic()
        move, *answers = self.ask(asked, deadline)
        if not isinstance(move, str):
            raise move
        seconds = time.monotonic() - start
        text = answers[0] if answers and isinstance(answers[0], str) else ""
        return Reply(move, seconds, Evaluation.parse(text))

    def _generate(self, side: str, deadline: float, clock: str = "", question: str = "") -> Reply:
        """Ask for a move and return it with the answer to a question about it.

        One write sends the noted moves, the clock, `genmove` and the question. The engine may
        refuse the clock and the question. A failure to answer the question does not fail the move,
        which has arrived by then. The refusal of a noted move is raised after everything has been
        read.
        """
        commands, self._noted = self._noted, []
        noted = len(commands)
        if clock:
            commands.append(clock)
        before = len(commands)
        commands.append(f"genmove {side}")
        if question:
            commands.append(question)
        number = self._number + 1
        self._number += len(commands)
        numbered = [f"{n} {text}" for n, text in enumerate(commands, number)]
        start = time.monotonic()
        self.process.send(deadline, *numbered)
        refused: EngineRefused | None = None
        for index in range(before):
            reply = self._read_reply(number + index, commands[index], deadline)
            if not isinstance(reply, str) and index < noted and refused is None:
                refused = reply
        number += before
        move = self._read_reply(number, commands[before], deadline)
        now, looked = time.monotonic(), self.process.looked
        answer: str | EngineRefused = ""
        if question:
            with contextlib.suppress(EngineError):
                answer = self._read_reply(number + 1, question, max(deadline, now + ANSWER))
        if refused is not None:
            raise refused
        if not isinstance(move, str):
            raise move
        if not move:
            raise self._nonsense("no move in its reply to genmove")
        if move.lower() in ("pass", "resign"):
            move = move.lower()
        evaluation = Evaluation.parse(answer) if isinstance(answer, str) else Evaluation()
        return Reply(move, now - start, evaluation, looked=looked)
