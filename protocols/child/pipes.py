"""Read and write the three pipes of a child process under absolute deadlines.

There are two implementations. One polls, which takes a fifth of the time; the other uses threads
and queues, because Windows cannot poll a pipe. Both keep a bounded amount of output. A child that
writes more has to wait until something is read, as on any full pipe.
"""

import contextlib
import os
import queue
import select
import sys
import threading
import time
from abc import ABC, abstractmethod
from array import array
from collections import deque
from pathlib import Path
from typing import IO, Final

if sys.platform != "win32":
    import fcntl
    import termios

CHUNK: Final = 65536  # Bytes per read; the capacity of a pipe on Linux.
HELD: Final = 64  # At most this many unread chunks are kept.
# Seconds without output after which the owner may check whether the child is alive.
QUIET: Final = 0.25


class Tail:
    """The last bytes of a stream of any length, with a copy of its beginning in a capped file."""

    def __init__(self, size: int, path: Path | None, cap: int) -> None:
        self.size = 0  # Of the whole stream.
        self._kept = size
        self._bytes = b""
        self._room = cap
        self._file = None if path is None else path.open("ab")
        # One thread may still add text while another closes the file.
        self._lock = threading.Lock()

    def add(self, chunk: bytes) -> None:
        """Add the next bytes of the stream."""
        self.size += len(chunk)
        self._bytes = (self._bytes + chunk)[-self._kept :]
        with self._lock:
            if self._file is None or self._room <= 0:
                return
            self._file.write(chunk[: self._room])
            self._room -= len(chunk)
            if self._room <= 0:
                self._file.write(b"\n[the rest is not kept]\n")
            self._file.flush()

    def text(self) -> str:
        """Return the kept bytes as text; bytes that are not UTF-8 are replaced."""
        return self._bytes.decode("utf-8", "replace")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None


class Pipes(ABC):
    """The interface of both implementations.

    `send` and `receive` raise TimeoutError at the deadline and never later, however much the
    child writes in the meantime. `send` raises BrokenPipeError if the child has closed its input.
    """

    looked = 0.0  # When `receive` last began to wait, by `time.monotonic`.

    @abstractmethod
    def send(self, data: bytes, deadline: float) -> None:
        """Write all bytes."""

    @abstractmethod
    def receive(self, deadline: float) -> bytes | None:
        """Return the next output; empty at its end, None after QUIET seconds without any."""

    @abstractmethod
    def waiting(self) -> bytes | None:
        """Return output that has arrived already; like `receive`, but without waiting."""

    @abstractmethod
    def drain(self, seconds: float) -> None:
        """Discard output for about `seconds` at most; the tail of stderr is still kept."""

    @abstractmethod
    def accompany(self, other: "Pipes | None") -> None:
        """Also read the output of another child while waiting for this one; None ends that.

        Otherwise a child that thinks on its opponent's time could block on a full pipe.
        """

    def unheard(self) -> int:
        """Return how many bytes the child has not read yet; 0 if the system does not say."""
        return 0

    @abstractmethod
    def stderr_ended(self) -> bool:
        """Whether all of stderr has been read."""

    @abstractmethod
    def hang_up(self) -> None:
        """Close the child's stdin, which tells it to end."""

    @abstractmethod
    def close(self) -> None:
        """Close all pipes; the child must be dead."""


class PolledPipes(Pipes):
    """Non-blocking pipes, watched by one poll object."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes], tail: Tail) -> None:
        self._files = (stdin, stdout, stderr)
        self._stdin, self._stdout, self._stderr = (file.fileno() for file in self._files)
        for file in self._files:
            os.set_blocking(file.fileno(), False)
        self._tail = tail
        self._held: deque[bytes] = deque()
        self._ended = False
        self._stderr_ended = False
        self._companion: PolledPipes | None = None
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)

    def send(self, data: bytes, deadline: float) -> None:
        """Write all bytes and read meanwhile: the child may have to write before it can read."""
        try:
            sent = os.write(self._stdin, data)
        except BlockingIOError:
            sent = 0
        if sent < len(data):
            self._send_slowly(memoryview(data)[sent:], deadline)

    def _send_slowly(self, data: memoryview, deadline: float) -> None:
        self._poll.register(self._stdin, select.POLLOUT)
        listening = True
        try:
            while data:
                if listening and len(self._held) >= HELD:
                    self._poll.unregister(self._stdout)
                    listening = False
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError
                for descriptor, _ in self._poll.poll(min(left, QUIET) * 1000):
                    if descriptor == self._stdin:
                        data = data[os.write(descriptor, data) :]
                    elif (chunk := self._read(descriptor)) is not None and not self._ended:
                        self._held.append(chunk)
        finally:
            self._poll.unregister(self._stdin)
            if not listening:
                self._poll.register(self._stdout, select.POLLIN)

    def _read(self, descriptor: int) -> bytes | None:
        """Return a chunk of stdout, or None for one of stderr; stop polling a pipe at its end."""
        if descriptor not in (self._stdout, self._stderr):
            self._overhear(descriptor)
            return None
        chunk = os.read(descriptor, CHUNK)
        if not chunk:
            self._poll.unregister(descriptor)
        if descriptor == self._stderr:
            self._tail.add(chunk)
            self._stderr_ended = not chunk
            return None
        self._ended = not chunk
        return chunk

    def accompany(self, other: Pipes | None) -> None:
        """Also poll the pipes of another child; its output is kept for its own reader."""
        if self._companion is not None:
            for descriptor in (self._companion._stdout, self._companion._stderr):
                with contextlib.suppress(KeyError):  # That child has ended, or its buffer is full.
                    self._poll.unregister(descriptor)
        self._companion = other if isinstance(other, PolledPipes) else None
        if self._companion is not None:
            if not self._companion._ended:
                self._poll.register(self._companion._stdout, select.POLLIN)
            if not self._companion._stderr_ended:
                self._poll.register(self._companion._stderr, select.POLLIN)

    def _overhear(self, descriptor: int) -> None:
        other = self._companion
        assert other is not None
        chunk = other._read(descriptor)
        if chunk:
            other._held.append(chunk)
        stdout = descriptor == other._stdout
        if (other._ended or len(other._held) >= HELD) if stdout else other._stderr_ended:
            self._poll.unregister(descriptor)

    def receive(self, deadline: float) -> bytes | None:
        """Return the next output; stderr is read as well, but does not extend the deadline."""
        if self._held:
            return self._held.popleft()
        if self._ended:
            return b""
        while True:
            # Checked before every poll, so that a child that never stops writing gets no extra
            # time.
            self.looked = time.monotonic()
            left = deadline - self.looked
            if left <= 0:
                raise TimeoutError
            ready = self._poll.poll((left if left < QUIET else QUIET) * 1000)
            if not ready and left > QUIET:
                return None
            for descriptor, _ in ready:
                # The fastest way for the usual case, which happens at every move.
                if descriptor == self._stdout and (chunk := os.read(descriptor, CHUNK)):
                    return chunk
                if self._read(descriptor) == b"":
                    return b""

    def waiting(self) -> bytes | None:
        """Return output that has arrived already."""
        if self._held:
            return self._held.popleft()
        data: bytes | None = None
        for descriptor, _ in self._poll.poll(0):
            data = self._read(descriptor) if descriptor == self._stdout else data
        return data

    def drain(self, seconds: float) -> None:
        """Discard output; the tail of stderr is still kept."""
        self._held.clear()
        for descriptor, _ in self._poll.poll(seconds * 1000):
            self._read(descriptor)

    def unheard(self) -> int:
        """Return how many bytes lie in the pipe to the child."""
        if sys.platform == "win32":
            return 0
        count = array("i", [0])
        with contextlib.suppress(OSError):  # Not every system tells it at this end of a pipe.
            fcntl.ioctl(self._stdin, termios.FIONREAD, count)
        return count[0]

    def stderr_ended(self) -> bool:
        """Whether all of stderr has been read."""
        return self._stderr_ended

    def hang_up(self) -> None:
        """Close the child's stdin."""
        self._files[0].close()
        self._stdin = -1  # The descriptor's number may soon belong to another file.

    def close(self) -> None:
        """Close all pipes."""
        for file in self._files:
            file.close()


class ThreadedPipes(Pipes):
    """Three daemon threads; each blocks on one pipe and closes it at the end."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes], tail: Tail) -> None:
        self._tail = tail
        self._ended = False
        self._closed = False
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._written: queue.SimpleQueue[OSError | None] = queue.SimpleQueue()
        self._inbox: queue.Queue[bytes] = queue.Queue(HELD)
        self._threads = [
            threading.Thread(target=work, args=(file,), daemon=True, name=f"engine {name}")
            for work, file, name in (
                (self._write, stdin, "stdin"),
                (self._listen, stdout, "stdout"),
                (self._keep, stderr, "stderr"),
            )
        ]
        for thread in self._threads:
            thread.start()

    def _write(self, file: IO[bytes]) -> None:
        result: OSError | None = None
        try:
            while (data := self._outbox.get()) is not None:
                view = memoryview(data)
                while view:
                    view = view[os.write(file.fileno(), view) :]
                self._written.put(None)
        except OSError as error:
            result = error
        finally:
            file.close()
            self._written.put(result)

    def _listen(self, file: IO[bytes]) -> None:
        with file:
            while (chunk := os.read(file.fileno(), CHUNK)) and not self._closed:
                self._inbox.put(chunk)
        if not self._closed:
            self._inbox.put(b"")

    def _keep(self, file: IO[bytes]) -> None:
        with file:
            while chunk := os.read(file.fileno(), CHUNK):
                self._tail.add(chunk)

    def send(self, data: bytes, deadline: float) -> None:
        """Hand the bytes to the writing thread, and wait until they are written."""
        if not self._threads[0].is_alive():
            raise BrokenPipeError
        self._outbox.put(data)
        try:
            result = self._written.get(timeout=max(0.0, min(deadline - time.monotonic(), 1e6)))
        except queue.Empty:
            raise TimeoutError from None
        if result is not None:
            raise BrokenPipeError from result

    def receive(self, deadline: float) -> bytes | None:
        """Return the next output."""
        if self._ended:
            return b""
        self.looked = time.monotonic()
        left = deadline - self.looked
        if left <= 0:
            raise TimeoutError
        try:
            chunk = self._inbox.get(timeout=min(left, QUIET))
        except queue.Empty:
            if left <= QUIET:
                raise TimeoutError from None
            return None
        self._ended = not chunk
        return chunk

    def waiting(self) -> bytes | None:
        """Return output that has arrived already."""
        try:
            chunk = self._inbox.get_nowait()
        except queue.Empty:
            return None
        self._ended = not chunk
        return chunk

    def drain(self, seconds: float) -> None:
        """Discard output; the thread of stderr keeps its tail."""
        for _ in range(HELD):
            if not self.waiting():
                break
        if self._threads[2].is_alive():
            self._threads[2].join(seconds)
        else:
            time.sleep(seconds)

    def accompany(self, other: Pipes | None) -> None:
        """Do nothing: the threads of every child read all the time."""

    def stderr_ended(self) -> bool:
        """Whether all of stderr has been read."""
        return not self._threads[2].is_alive()

    def hang_up(self) -> None:
        """Close the child's stdin, after everything that is still to be written."""
        self._outbox.put(None)

    def close(self) -> None:
        """Let the threads end; if a pipe outlives its child, its thread closes it later."""
        self._closed = True
        self._outbox.put(None)
        limit = time.monotonic() + QUIET
        for thread in self._threads:
            while thread.is_alive() and time.monotonic() < limit:
                self.drain(0.0)  # The reading thread may be waiting for space in the queue.
                thread.join(0.005)
