"""One conversation of a check: a process, every step bounded, and all of it written down."""

import os
import time
from abc import ABC, abstractmethod
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Final

from protocols.client import Client
from protocols.errors import EngineError, EngineExited, EngineTimeout
from protocols.process import Process
from tools.check.probe import BUDGET, Fault, Unsuited
from tools.engines import EngineSpec

ANSWER: Final = 5.0  # Seconds for what needs no thought.
START: Final = 10.0  # Seconds that ShogiHome waits for a program's first words.
LEAVE: Final = 3.0  # Seconds to end in; ShogiHome and CGOS send a signal at 5 and at 0.5.
QUIET: Final = 0.15  # Seconds to listen for what must not come.


class Talk(ABC):
    """An engine's process and the client that asks it; `patience` stretches every time limit.

    `exchange` holds what was said since it was last cleared: a mark and a line each.
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
        self.client = self.client_type(self.process)
        self.prepared = False

    def soon(self, seconds: float = ANSWER) -> float:
        """Return the deadline for an answer that is due in so many seconds."""
        return min(time.monotonic() + seconds * self.patience, self.until)

    def note(self, text: str) -> None:
        """Write down what is no line: an end of input, a signal, an exit."""
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
        """Listen a moment; a line that comes is a Fault."""
        try:
            line = self.process.read_line(min(time.monotonic() + seconds, self.until))
        except EngineTimeout:
            return
        raise Fault(f"{why}: it wrote {line[:80]!r}")

    def expect_end(self, seconds: float = LEAVE) -> int:
        """Read on until the process has ended, in time, and return its exit code."""
        deadline = self.soon(seconds)
        try:
            while True:
                self.process.read_line(deadline)
        except EngineExited as error:
            self.note(str(error))
            if error.code is None:
                raise Fault("closed its output, and the process lives on") from error
            return error.code
        except EngineTimeout as error:
            raise Fault(f"still runs after {seconds * self.patience:.3g} s") from error

    def hang_up(self) -> None:
        """End the engine's input."""
        self.note("end of input")
        self.process.say_goodbye()

    def prepare(self) -> None:
        """Greet, and tell the user's own commands and options; raises EngineError."""
        self.client.greet(self.soon(START))
        for command in self.spec.commands:
            self.client.tell(command, self.soon())
        for name, value in self.spec.options:
            self.client.set_option(name, value, self.soon())
        self.prepared = True

    @abstractmethod
    def first_words(self) -> None:
        """Send the first command of a conversation and read its answer."""

    @abstractmethod
    def first_command(self) -> str:
        """Return a command that every engine of the protocol answers before it knows more."""

    @abstractmethod
    def reset(self) -> None:
        """Set the engine back to the start of a game on a modest clock."""

    @abstractmethod
    def settle(self) -> None:
        """See that nothing is owed and nothing left over; raises Fault or EngineError."""

    @abstractmethod
    def think(self) -> None:
        """Have a move made on a modest clock, and read it."""

    @abstractmethod
    def begin_long_thought(self) -> None:
        """Send what makes it think for a minute, and do not wait."""

    @abstractmethod
    def begin_endless_thought(self) -> None:
        """Send what makes it think until told to stop; raises Unsuited."""

    def close(self) -> None:
        """End the process, by force if need be."""
        self.process.close(0.6)


def elsewhere(spec: EngineSpec) -> bool:
    """Whether an engine may be started from any folder: its command line names none by halves."""
    program, *words = spec.command
    if spec.folder is not None or (os.sep in program and not Path(program).is_absolute()):
        return False
    modules = [word.partition(".")[0] for option, word in pairwise(words) if option == "-m"]
    here = [*words, *modules, *(f"{module}.py" for module in modules)]
    return not any(not Path(word).is_absolute() and Path(word).exists() for word in here if word)


def group_of(number: int) -> dict[int, float]:
    """Return the living processes of a group, each with its CPU seconds; raises Unsuited."""
    if not Path("/proc/self/stat").exists():
        raise Unsuited("processes can be looked at on Linux alone")
    tick = os.sysconf("SC_CLK_TCK")
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # It ended meanwhile.
        if int(fields[2]) == number and fields[0] != "Z":
            found[int(entry.name)] = (int(fields[11]) + int(fields[12])) / tick
    return found


def describe(error: EngineError) -> str:
    """Return an engine's failure with the last line that it wrote to stderr."""
    lines = [line for line in error.stderr.splitlines() if line.strip()]
    return f"{error} (stderr: {lines[-1][:200]})" if lines else str(error)
