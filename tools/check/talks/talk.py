"""One conversation with an engine: every step has a time limit, and everything is recorded."""

import os
import time
from abc import ABC, abstractmethod
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Final

from protocols.ask.detect import Client
from protocols.ask.engine import EngineSpec
from protocols.child.process import Process
from protocols.errors import EngineError, EngineExited, EngineTimeout
from tools.check.probe import BUDGET, Fault, Stray, Unsuited

ANSWER: Final = 5.0  # Seconds for a reply that needs no thinking.
START: Final = 10.0  # Seconds that ShogiHome waits for the first answer of a program.
LEAVE: Final = 3.0  # Seconds to exit; ShogiHome sends a signal after 5 s, CGOS after 0.5 s.
QUIET: Final = 0.15  # Seconds to wait for a line that must not arrive.


class Talk(ABC):
    """The process of an engine and its client; `patience` multiplies every time limit.

    `exchange` holds all lines since it was last cleared, each with a mark.
    """

    client_type: ClassVar[type[Client]]

    def __init__(
        self,
        spec: EngineSpec,
        patience: float = 1.0,
        *,
        folder: str | None = None,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.spec = spec
        self.patience = patience
        self.exchange: list[tuple[str, str]] = []
        self.until = time.monotonic() + BUDGET * patience
        self.process = Process(
            spec.command,
            name=spec.label,
            cwd=folder or spec.folder,
            env=dict(spec.environment) | (environment or {}),
            trace=lambda mark, line: self.exchange.append((mark, line)),
        )
        self.limit = 0.0  # Seconds that the step before was allowed to take.
        self.strays = 0  # Lines that were skipped because they belong to no answer.
        self.stray = ""  # The last of them.
        self.client = self.client_type(self.process)
        self.prepared = False

    def soon(self, seconds: float = ANSWER) -> float:
        """Return the deadline for an answer that is due within a number of seconds."""
        now = time.monotonic()
        self.limit = max(0.0, min(seconds * self.patience, self.until - now))
        return now + self.limit

    def refuse_strays(self) -> None:
        """Raise Stray if lines of text have arrived that belong to no answer."""
        if self.strays:
            raise Stray(f"{self.stray[:80]!r}: it wrote text that belongs to no answer")

    def note(self, text: str) -> None:
        """Record an event that is no line: the end of input, a signal, an exit."""
        self.exchange.append(("-", text))

    def send(self, *commands: str) -> None:
        """Write commands in one write."""
        self.process.send(self.soon(), *commands)

    def send_bytes(self, data: bytes) -> None:
        """Write bytes as they are."""
        self.process.send_bytes(self.soon(), data)

    def read(self, seconds: float = ANSWER) -> str:
        """Return the next line."""
        return self.process.read_line(self.soon(seconds))

    def expect_silence(self, why: str, seconds: float = QUIET) -> None:
        """Wait a moment; raises Fault if a line arrives."""
        try:
            line = self.process.read_line(min(time.monotonic() + seconds, self.until))
        except EngineTimeout:
            return
        raise Fault(f"{why}: it wrote {line[:80]!r}")

    def expect_end(self, seconds: float = LEAVE) -> int:
        """Read until the process has ended, within the time limit, and return its exit code."""
        deadline = self.soon(seconds)
        try:
            while True:
                self.process.read_line(deadline)
        except EngineExited as error:
            self.note(str(error))
            if error.code is None:
                raise Fault("closed its output, but the process is still alive") from error
            return error.code
        except EngineTimeout as error:
            raise Fault(f"still runs after {seconds * self.patience:.3g} s") from error

    def hang_up(self) -> None:
        """Close the input of the engine."""
        self.note("end of input")
        self.process.say_goodbye()

    def prepare(self) -> None:
        """Greet the engine and set the user's commands and options; raises EngineError."""
        self.client.greet(self.soon(START))
        for command in self.spec.commands:
            self.client.tell(command, self.soon())
        for name, value in self.spec.options:
            self.client.set_option(name, value, self.soon())
        self.prepared = True

    @abstractmethod
    def first_words(self) -> None:
        """Send the first command of the protocol and read its answer."""

    @abstractmethod
    def first_command(self) -> str:
        """Return a command that every engine of the protocol must answer at any time."""

    @abstractmethod
    def reset(self) -> None:
        """Reset the engine to the start of a game under a short clock."""

    @abstractmethod
    def settle(self) -> None:
        """Check that no answer is missing and none is left over; raises Fault or EngineError."""

    @abstractmethod
    def think(self) -> None:
        """Let the engine make a move under a short clock, and read it."""

    @abstractmethod
    def begin_long_thought(self) -> None:
        """Let the engine begin to think for a minute, without waiting for it."""

    @abstractmethod
    def begin_endless_thought(self) -> None:
        """Let the engine begin to think without a limit; raises Unsuited if it cannot."""

    def close(self) -> None:
        """End the process, by force if need be."""
        self.process.close(0.6)


def elsewhere(spec: EngineSpec) -> bool:
    """Whether an engine can be started in any folder: its command line has no relative path."""
    program, *words = spec.command
    if spec.folder is not None or (os.sep in program and not Path(program).is_absolute()):
        return False
    modules = [word.partition(".")[0] for option, word in pairwise(words) if option == "-m"]
    here = [*words, *modules, *(f"{module}.py" for module in modules)]
    return not any(not Path(word).is_absolute() and Path(word).exists() for word in here if word)


def group_of(number: int) -> dict[int, float]:
    """Return the running processes of a group, each with its CPU seconds; raises Unsuited."""
    if not Path("/proc/self/stat").exists():
        raise Unsuited("processes can be inspected only on Linux")
    tick = os.sysconf("SC_CLK_TCK")
    processes = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # The process has ended in the meantime.
        if int(fields[2]) == number and fields[0] != "Z":
            processes[int(entry.name)] = (int(fields[11]) + int(fields[12])) / tick
    return processes


def describe(error: EngineError, talk: Talk | None = None) -> str:
    """Describe a failure of an engine, with the time limit and the last line on its stderr."""
    text = str(error)
    if isinstance(error, EngineTimeout) and talk is not None:
        text += f" (limit {talk.limit:.3g} s)"
    lines = [line for line in error.stderr.splitlines() if line.strip()]
    return f"{text} (stderr: {lines[-1][:200]})" if lines else text
