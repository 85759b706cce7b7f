"""Standard input and output of an engine: an inbox filled by a thread, a writer, and a log."""

import os
import select
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Self, TextIO

MAX_LINE: Final = 16 << 20  # Bytes. A position of 50 000 characters and a 1 MB sequence fit.
_CHUNK: Final = 1 << 16


class Overlong(str):
    """The beginning of a line that was longer than MAX_LINE; the rest was discarded."""

    __slots__ = ()


class Inbox:
    """Lines that arrive on a file descriptor, read by a thread.

    Urgent lines are counted when they arrive. A command compares the count with its value at the
    beginning, so that it notices exactly the urgent lines that arrived after it.
    """

    def __init__(
        self, descriptor: int, is_urgent: Callable[[str], bool], *, output: int | None = None
    ) -> None:
        self._descriptor = descriptor
        self._is_urgent = is_urgent
        self._output = output  # Watched so that a search ends immediately when the reader has gone.
        self._lines: deque[tuple[str, float]] = deque()
        self.arrived = 0.0  # When the line that was taken last had arrived.
        self._changed = threading.Condition()
        self.ended = False
        self.urgent_arrived = 0

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._read, name="reader", daemon=True).start()

    def put(self, line: str) -> None:
        """Append a line as if it had been read."""
        urgent = self._is_urgent(line)
        with self._changed:
            self._lines.append((line, time.monotonic()))
            self.urgent_arrived += urgent
            self._changed.notify_all()

    def end(self) -> None:
        """Mark the end of input: no more lines follow."""
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def waiting(self) -> bool:
        """Return whether a line, or the end of input, can be taken."""
        return bool(self._lines) or self.ended

    def peek(self) -> str | None:
        """Return the next line without taking it, or None."""
        return self._lines[0][0] if self._lines else None

    def take(self) -> str | None:
        """Wait for the next line and return it; None at the end of input."""
        with self._changed:
            while not self._lines:
                if self.ended:
                    return None
                self._changed.wait()
            line, self.arrived = self._lines.popleft()
            return line

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until something can be taken; return False if the time ran out first."""
        with self._changed:
            return self._changed.wait_for(self.waiting, seconds)

    def _read(self) -> None:
        # A daemon thread inside sys.stdin.buffer would abort the interpreter at exit.
        pending = bytearray()
        overlong = False
        while chunk := self._next_chunk():
            pieces = chunk.split(b"\n")
            for piece in pieces[:-1]:
                pending += piece
                self._deliver(pending, overlong)
                pending.clear()
                overlong = False
            if len(pending) + len(pieces[-1]) > MAX_LINE:
                overlong = True
                del pending[256:]
            else:
                pending += pieces[-1]
        if pending:
            self._deliver(pending, overlong)
        self.end()
        if self._output is not None:
            wait_for_hang_up(self._output)

    def _deliver(self, line: bytearray, overlong: bool) -> None:
        text = line.decode("utf-8", errors="replace")
        self.put(Overlong(text) if overlong or len(line) > MAX_LINE else text)

    def _next_chunk(self) -> bytes:
        if self._output is not None:
            wait_for_hang_up(self._output, self._descriptor)
        try:
            return os.read(self._descriptor, _CHUNK)
        except OSError:
            return b""  # A terminal that has disappeared is the end of input.


def wait_for_hang_up(output: int, source: int | None = None) -> None:
    """Return when `source` can be read; end the process as soon as `output` has lost its reader.

    On systems that cannot watch these descriptors, this returns immediately.
    """
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(output, 0)
    if source is not None:
        poll.register(source, select.POLLIN)
    while True:
        for descriptor, event in poll.poll():
            if event & select.POLLNVAL:
                return  # macOS cannot poll a terminal.
            if descriptor == source:
                return
            if descriptor == output and event & (select.POLLERR | select.POLLHUP):
                os._exit(0)


class Writer:
    """Writes whole messages to a file descriptor, in ASCII."""

    def __init__(self, descriptor: int, *, on_closed: Callable[[], None] | None = None) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._on_closed = on_closed or leave_at_once

    def write(self, text: str) -> None:
        """Write a message; if the output is closed, end the process."""
        data = text.encode("ascii", errors="backslashreplace")
        with self._lock:
            while data:
                try:
                    data = data[os.write(self._descriptor, data) :]
                except BlockingIOError:
                    select.select([], [self._descriptor], [])
                except OSError:
                    self._on_closed()
                    return


def leave_at_once() -> None:
    """End the process without waiting for a running search."""
    os._exit(0)


class Log:
    """A file with the dialogue and with tracebacks, each line with its time; optional."""

    def __init__(self, file: TextIO | None = None) -> None:
        self._file = file
        self._lock = threading.Lock()

    def write(self, mark: str, text: str) -> None:
        """Write a text; each line is preceded by the time and a mark."""
        if self._file is None:
            return
        now = time.time()
        stamp = time.strftime("%H:%M:%S", time.localtime(now)) + f".{int(now % 1 * 1000):03d}"
        lines = [f"{stamp} {mark} {line}\n" for line in text.splitlines()]
        with self._lock:
            self._file.writelines(lines)
            self._file.flush()


class Channel:
    """Standard input and output of this process as a conversation, with its log."""

    def __init__(self, inbox: Inbox, writer: Writer, log: Log) -> None:
        self.inbox = inbox
        self.log = log
        self._writer = writer

    @classmethod
    def standard(cls, is_urgent: Callable[[str], bool], log: Log) -> Self:
        """Open the channel on standard input and output, and begin to read."""
        # The controller ends an engine; a traceback at Ctrl-C would not help anybody.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for stream in (sys.stdin, sys.stdout):
            if sys.platform == "win32" and stream is not None:
                import msvcrt

                msvcrt.setmode(stream.fileno(), os.O_BINARY)
        inbox = Inbox(0, is_urgent, output=1)
        inbox.start()
        return cls(inbox, Writer(1), log)

    def take(self) -> str | None:
        """Wait for the next line and return it; None at the end of input."""
        line = self.inbox.take()
        self.log.write("<", "end of input" if line is None else line)
        return line

    def write(self, text: str) -> None:
        """Write a whole message."""
        self._writer.write(text)
        self.log.write(">", text)
