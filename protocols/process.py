"""A child process that is asked line by line, each time until an absolute deadline."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NoReturn, Self

from protocols import guard
from protocols.errors import EngineError, EngineExited, EngineNonsense, EngineTimeout
from protocols.pipes import HELD, Pipes, PolledPipes, Tail, ThreadedPipes

LONGEST_LINE: Final = 65536  # Bytes.
GRACE: Final = 4.0  # Seconds from the goodbye to SIGKILL; SIGTERM comes half-way.
STDERR_KEPT: Final = 8192  # Bytes.
LAST_WORDS: Final = 0.5  # Seconds that a child whose output ended may take to end itself.
_SIGKILL: Final = 9  # Windows has the word only as a number.

Trace = Callable[[str, str], None]
"""Called with `>` and what was sent, with `<` and each line that was read."""


class Process:
    """An engine's process: its own group, no shell, stderr always read and its tail kept.

    One thread at a time may use it. Whoever starts one closes it: `close`, `close_all` or `with`.
    `name` is what errors call it, `env` is added to the environment, `log` gets the first
    `log_cap` bytes of stderr, `threads` chooses threads instead of poll. Raises EngineError when
    the program cannot be started.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        name: str = "",
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        log: Path | None = None,
        log_cap: int = 1 << 20,
        trace: Trace | None = None,
        threads: bool = not hasattr(select, "poll"),
    ) -> None:
        self.name = name or Path(argv[0]).name
        self.trace = trace
        self._tail = Tail(STDERR_KEPT, log, log_cap)
        self._mark = guard.mark()
        try:
            self._popen = subprocess.Popen(
                list(argv),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env={**os.environ, **(env or {}), **guard.marked(self._mark)},
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (OSError, ValueError) as error:
            self._tail.close()
            raise EngineError(f"cannot start {argv[0]!r}: {error}") from error
        stdin, stdout, stderr = self._popen.stdin, self._popen.stdout, self._popen.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        pipes = ThreadedPipes if threads else PolledPipes
        self._pipes: Pipes = pipes(stdin, stdout, stderr, self._tail)
        self._lines: deque[bytes] = deque()
        self._partial = b""
        self._deaf = False
        self._leaving = False
        self._closed = False
        self._code: int | None = None
        guard.watch(self._popen.pid)

    @property
    def pid(self) -> int:
        """The child's process id, which is also its group's."""
        return self._popen.pid

    @property
    def stderr(self) -> str:
        """The last that the child wrote to stderr, as far as it has been read."""
        return self._tail.text()

    @property
    def stderr_size(self) -> int:
        """How many bytes of stderr have been read."""
        return self._tail.size

    def send(self, deadline: float, *commands: str) -> None:
        """Write commands, each on a line of its own, all at once.

        Raises ValueError for a command with a control character, EngineTimeout when the child
        does not read, EngineExited when it cannot any more.
        """
        for command in commands:
            if not command.isprintable():
                _check(command)
        self._write(("\n".join(commands) + "\n").encode(), commands, deadline)

    def send_bytes(self, deadline: float, data: bytes) -> None:
        """Write bytes as they are, for a check of what a child makes of them; raises as `send`.

        The trace shows them escaped, each line feed ending a line.
        """
        *lines, rest = data.split(b"\n")
        told = [repr(line + b"\n")[2:-1] for line in lines]
        if rest:
            told.append(repr(rest)[2:-1])
        self._write(data, told, deadline)

    def _write(self, data: bytes, told: Sequence[str], deadline: float) -> None:
        if self._deaf:
            raise EngineTimeout(f"{self.name} stopped reading its commands", self.stderr)
        if self.trace is not None:
            for command in told:
                self.trace(">", command)
        try:
            self._pipes.send(data, deadline)
        except TimeoutError:
            self._deaf = True  # It holds half a command; another would be appended to that.
            if self._exited():
                self._bury()
            raise EngineTimeout(f"{self.name} does not read its commands", self.stderr) from None
        except OSError:
            self._bury()

    def read_line(self, deadline: float) -> str:
        """Return the next line of stdout without its end.

        All that the child wrote before it died is returned first. A line counts only with its
        end: half of it might be another move. Raises EngineTimeout, EngineExited, EngineNonsense.
        """
        return self.read_bytes(deadline).decode("utf-8", "replace").rstrip("\r")

    def read_bytes(self, deadline: float) -> bytes:
        """Return the next line as it came, without its line feed; raises as `read_line`."""
        while not self._lines:
            self._fill(deadline)
        line = self._lines.popleft()
        if self.trace is not None:
            self.trace("<", line.decode("utf-8", "replace").rstrip("\r"))
        return line

    def skip_empty_line(self, deadline: float) -> bool:
        """Take the next line if it is empty, and say whether it was; raises as `read_line`."""
        while not self._lines:
            self._fill(deadline)
        if self._lines[0] not in (b"", b"\r"):
            return False
        self._lines.popleft()
        if self.trace is not None:
            self.trace("<", "")
        return True

    def accompany(self, other: "Process | None") -> None:
        """While this child's answers are awaited, read what another says; None ends that."""
        self._pipes.accompany(None if other is None else other._pipes)

    def unread(self) -> list[str]:
        """Return the lines that are there already, for a check that nothing is left over."""
        for _ in range(HELD + 1):  # Whoever goes on and on is not listened to for ever.
            if not (chunk := self._pipes.waiting()):
                break
            self._split(chunk)
        now = time.monotonic()
        return [self.read_line(now) for _ in range(len(self._lines))]

    def _fill(self, deadline: float) -> None:
        dead = False
        while True:
            try:
                chunk = self._pipes.receive(deadline)
            except TimeoutError:
                if self._exited():
                    self._bury()
                raise EngineTimeout(f"{self.name} gave no answer in time", self.stderr) from None
            if chunk:
                self._split(chunk)
                return
            # A dead child's pipe stays open when another process holds it. It is asked once more,
            # since the last words may have come between the reading and the death.
            if chunk is not None or dead:
                self._bury()
            dead = self._exited()

    def _split(self, chunk: bytes) -> None:
        first, *rest = chunk.split(b"\n")
        first = self._partial + first
        if rest:
            self._partial = rest.pop()
            self._lines.append(first)
            self._lines.extend(rest)
        else:
            self._partial = first
        if len(first) > LONGEST_LINE:
            self._lines.clear()
            self._partial = b""
            raise EngineNonsense(
                f"{self.name} wrote a line of more than {LONGEST_LINE} bytes", self.stderr
            )

    def _bury(self) -> NoReturn:
        """Raise EngineExited, after waiting a moment for the exit code and stderr's end."""
        until = time.monotonic() + LAST_WORDS
        _await([self], until)
        while not self._pipes.stderr_ended() and time.monotonic() < until:
            self._pipes.drain(0.01)
        what = self.ending() or "closed its output or input and did not exit"
        if self._partial:
            what += f" in the middle of the line {self._partial[:80]!r}"
        raise EngineExited(f"{self.name} {what}", self.stderr, self._code)

    def ending(self) -> str:
        """Return how the child ended, in words, or nothing while it lives."""
        if not self._exited():
            return ""
        code = self._code
        if code is None:
            return "ended in an unknown way"
        return f"was killed by {_signal_name(-code)}" if code < 0 else f"exited with code {code}"

    def _exited(self) -> bool:
        """Whether the child has ended; as a zombie, so that nobody else gets its group's number."""
        if self._code is not None or self._popen.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            self._code = self._popen.poll()
            return self._code is not None
        try:
            found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # Somebody reaped it; its code is lost.
            self._popen.poll()
            return True
        if found is None:
            return False
        self._code = found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
        return True

    def _signal(self, number: int) -> None:
        """Signal the whole group."""
        if sys.platform == "win32":
            tree = ["taskkill", "/T", "/F", "/PID", str(self.pid)]
            subprocess.run(tree, capture_output=True, check=False)
            return
        # Nobody is left in it; macOS says it the second way of a zombie.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def close(self, grace: float = GRACE, farewell: str = "") -> None:
        """Say goodbye, close stdin, and within `grace` seconds see the whole group dead."""
        self.say_goodbye(farewell)
        close_all([self], grace)

    def say_goodbye(self, farewell: str = "") -> None:
        """Send a last command if it can be sent at once, and close stdin; asks no answer."""
        if self._closed or self._leaving:
            return
        self._leaving = True
        if farewell and not self._deaf:
            with contextlib.suppress(EngineError):
                self.send(time.monotonic() + 0.01, farewell)
        self._deaf = True
        self._pipes.hang_up()

    def _finish(self) -> None:
        guard.forget(self.pid)
        # Stuck in the kernel, no signal helps, and waiting for ever would be worse.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(0)
        self._pipes.drain(0.0)
        self._pipes.close()
        self._tail.close()
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def close_all(processes: Iterable[Process], grace: float = GRACE) -> None:
    """End several processes with one grace period: goodbye, SIGTERM half-way, then SIGKILL.

    Their output is read meanwhile, or a flood would keep them from ending. Survivors in the
    group of a child that has ended are killed at once, and on Linux those in other sessions.
    """
    start = time.monotonic()
    closing = [process for process in processes if not process._closed]
    for process in closing:
        process.say_goodbye()
    alive = closing
    try:
        alive = _await(closing, start + grace / 2)
        for process in alive:
            process._signal(signal.SIGTERM)
        alive = _await(alive, start + grace)
    finally:
        for process in closing:
            process._signal(_SIGKILL)
        guard.sweep([process._mark for process in closing])
        _await(alive, time.monotonic() + GRACE)
        for process in closing:
            process._finish()


def _await(processes: Sequence[Process], until: float) -> list[Process]:
    """Read what they say until all have ended or time is up; return those that still live."""
    pause = 0.0005
    while alive := [process for process in processes if not process._exited()]:
        if time.monotonic() + pause > until:
            break
        for process in alive:
            process._pipes.drain(pause)
        pause = min(2 * pause, 0.02)
    return alive


def _check(command: str) -> None:
    for character in command:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
            raise ValueError(f"command {command[:80]!r} has a control character")


def _signal_name(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    return f"{name} (signal {number}: {signal.strsignal(number) or 'unknown'})"
