"""A child process that exchanges lines with us, each under an absolute deadline."""

import contextlib
import math
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

from protocols.child import guard, orphans
from protocols.child.pipes import HELD, Pipes, PolledPipes, Tail, ThreadedPipes
from protocols.errors import EngineError, EngineExited, EngineNonsense, EngineTimeout

LONGEST_LINE: Final = 65536  # Bytes.
GRACE: Final = 4.0  # Seconds from the goodbye to SIGKILL; SIGTERM is sent after half of them.
STDERR_KEPT: Final = 8192  # Bytes.
LAST_WORDS: Final = 0.5  # Seconds that a child may take to exit after it has closed its output.
_SIGKILL: Final = 9  # On Windows the constant has no name.

Trace = Callable[[str, str], None]
"""Called with `>` and each line that was sent, and with `<` and each line that was read."""


class Process:
    """The process of an engine, in a process group of its own and without a shell.

    Its stderr is always read, and the tail is kept. Only one thread at a time may use a process.
    Close it by `close`, `close_all` or `with`. `name` is used in error messages, `env` is added to
    the environment, `log` receives the first `log_cap` bytes of stderr, and `threads` chooses
    threads instead of polling. Raises EngineError if the program cannot be started.
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
            with orphans.starting(self._mark) as note:
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
                note(self._popen.pid)
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
        self._unheard = False
        self._leaving = False
        self._closed = False
        self._code: int | None = None
        self._alarm = math.inf
        self._ring: Callable[[], None] | None = None
        guard.watch(self._popen.pid)

    @property
    def pid(self) -> int:
        """The process id of the child, which is also the number of its group."""
        return self._popen.pid

    @property
    def stderr(self) -> str:
        """The tail of what the child wrote to stderr, as far as it has been read."""
        return self._tail.text()

    @property
    def stderr_size(self) -> int:
        """The number of bytes of stderr that have been read."""
        return self._tail.size

    def send(self, deadline: float, *commands: str) -> None:
        """Write commands in one write, each on a line of its own.

        Raises ValueError for a command with a control character, EngineTimeout if the child does
        not read in time, and EngineExited if it has closed its input.
        """
        for command in commands:
            if not command.isprintable():
                _check(command)
        self._write(("\n".join(commands) + "\n").encode(), commands, deadline)

    def send_bytes(self, deadline: float, data: bytes) -> None:
        """Write bytes as they are, to test how a child reacts to them; raises as `send` does.

        The trace shows the bytes escaped; each line feed ends a line of the trace.
        """
        *lines, rest = data.split(b"\n")
        trace_lines = [repr(line + b"\n")[2:-1] for line in lines]
        if rest:
            trace_lines.append(repr(rest)[2:-1])
        self._write(data, trace_lines, deadline)

    def _write(self, data: bytes, trace_lines: Sequence[str], deadline: float) -> None:
        if self._deaf:
            raise EngineTimeout(f"{self.name} stopped reading its commands", self.stderr)
        if self.trace is not None:
            for command in trace_lines:
                self.trace(">", command)
        try:
            self._pipes.send(data, deadline)
        except TimeoutError:
            # The pipe holds half a command, and another command would be appended to it.
            self._deaf = True
            if self._exited():
                self._bury()
            raise EngineTimeout(f"{self.name} does not read its commands", self.stderr) from None
        except OSError:
            self._unheard = True
            self._bury()

    def read_line(self, deadline: float) -> str:
        """Return the next line of stdout without its line feed.

        If the child has died, the lines that it wrote before are returned first. An incomplete
        line is never returned, because half of a move might be another move. Raises
        EngineTimeout, EngineExited and EngineNonsense.
        """
        return self.read_bytes(deadline).decode("utf-8", "replace").rstrip("\r")

    def read_bytes(self, deadline: float) -> bytes:
        """Return the next line as bytes, without its line feed; raises as `read_line` does."""
        while not self._lines:
            self._fill(deadline)
        line = self._lines.popleft()
        if self.trace is not None:
            self.trace("<", line.decode("utf-8", "replace").rstrip("\r"))
        return line

    def skip_empty_line(self, deadline: float) -> bool:
        """Skip the next line if it is empty; return whether it was. Raises as `read_line` does."""
        while not self._lines:
            self._fill(deadline)
        if self._lines[0] not in (b"", b"\r"):
            return False
        self._lines.popleft()
        if self.trace is not None:
            self.trace("<", "")
        return True

    def accompany(self, other: "Process | None") -> None:
        """Also read the output of another child while waiting for this one; None ends that."""
        self._pipes.accompany(None if other is None else other._pipes)

    def set_alarm(self, moment: float, ring: Callable[[], None] | None) -> None:
        """Call `ring` once, when `moment` has come and a line is still waited for.

        `moment` is a time of `time.monotonic`. Another alarm replaces this one.
        """
        self._alarm, self._ring = moment, ring

    @property
    def looked(self) -> float:
        """When the last wait for output began: what came later had not arrived by then."""
        return self._pipes.looked

    @property
    def unfinished(self) -> str:
        """The line that has begun to arrive, but has no end yet."""
        return self._partial.decode("utf-8", "replace")

    @property
    def unheard(self) -> bool:
        """Whether the child is known not to have read all that was sent, as after its death."""
        return self._unheard or self._pipes.unheard() > 0

    def unread(self) -> list[str]:
        """Return the lines that have arrived already, to check that nothing is left over."""
        # A child that never stops writing must not keep us here for ever.
        for _ in range(HELD + 1):
            if not (chunk := self._pipes.waiting()):
                break
            self._split(chunk)
        now = time.monotonic()
        return [self.read_line(now) for _ in range(len(self._lines))]

    def _fill(self, deadline: float) -> None:
        dead = False
        while True:
            try:
                alarm = self._alarm
                chunk = self._pipes.receive(deadline if deadline < alarm else alarm)
            except TimeoutError:
                if alarm <= deadline and (ring := self._ring) is not None:
                    self.set_alarm(math.inf, None)
                    ring()
                    continue
                if self._exited():
                    self._bury()
                raise EngineTimeout(f"{self.name} did not answer in time", self.stderr) from None
            if chunk:
                self._split(chunk)
                return
            # The pipe of a dead child stays open if another process holds it. It is read once more,
            # since the last lines may have arrived between the reading and the death.
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
        """Raise EngineExited, after a short wait for the exit code and the end of stderr."""
        until = time.monotonic() + LAST_WORDS
        _await([self], until)
        while not self._pipes.stderr_ended() and time.monotonic() < until:
            self._pipes.drain(0.01)
        what = self.ending() or "closed its output or input and did not exit"
        if self._partial:
            what += f" in the middle of the line {self._partial[:80]!r}"
        raise EngineExited(f"{self.name} {what}", self.stderr, self._code)

    def ending(self) -> str:
        """Describe how the child ended; empty while it is alive."""
        if not self._exited():
            return ""
        code = self._code
        if code is None:
            return "ended in an unknown way"
        return f"was killed by {_signal_name(-code)}" if code < 0 else f"exited with code {code}"

    def _exited(self) -> bool:
        """Whether the child has ended; it stays a zombie so that its number is not reused."""
        if self._code is not None or self._popen.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            self._code = self._popen.poll()
            return self._code is not None
        try:
            result = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # Something else reaped it, and its exit code is lost.
            self._popen.poll()
            return True
        if result is None:
            return False
        self._code = result.si_status if result.si_code == os.CLD_EXITED else -result.si_status
        return True

    def _signal(self, number: int) -> None:
        """Send a signal to the whole group."""
        if sys.platform == "win32":
            tree = ["taskkill", "/T", "/F", "/PID", str(self.pid)]
            subprocess.run(tree, capture_output=True, check=False)
            return
        # The group is empty; for a zombie, macOS raises PermissionError.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def close(self, grace: float = GRACE, farewell: str = "") -> None:
        """Say goodbye, close stdin, and end the whole group within `grace` seconds."""
        close_all([self], grace, farewell)

    def say_goodbye(self, farewell: str = "") -> None:
        """Send a last command if that is possible without waiting, and close stdin."""
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
        self._exited()  # Its exit code can still be read.
        # It is stuck in the kernel, where no signal helps; do not wait for ever.
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


def close_all(processes: Iterable[Process], grace: float = GRACE, farewell: str = "") -> None:
    """End several processes with one common grace period: goodbye, then SIGTERM, then SIGKILL.

    Their output is read in the meantime, since a full pipe would keep them from exiting. When a
    child has ended, what is left of its group is killed immediately, and on Linux its descendants
    in other sessions as well (`orphans` says which).
    """
    start = time.monotonic()
    closing = [process for process in processes if not process._closed]
    # Before any goodbye: when an engine has ended, its descendants have another parent.
    known = orphans.relatives([process.pid for process in closing])
    for process in closing:
        process.say_goodbye(farewell)
    alive = closing
    try:
        alive = _await(closing, start + grace / 2)
        for process in alive:
            process._signal(signal.SIGTERM)
        alive = _await(alive, start + grace)
    finally:
        for process in closing:
            process._signal(_SIGKILL)
        _await(alive, time.monotonic() + GRACE)
        guard.sweep([process._mark for process in closing], known)
        orphans.note_end(process.pid for process in closing)
        for process in closing:
            process._finish()


def _await(processes: Sequence[Process], until: float) -> list[Process]:
    """Read their output until all have ended or the time is up; return those still alive."""
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
