"""Bytes to and from a child's three pipes under absolute deadlines: by poll, or by threads.

Poll costs a fifth of what threads and queues do, but Windows cannot poll a pipe. Both hold a
bounded amount of output: an engine that talks while nobody listens waits, as on any full pipe.
"""

import contextlib
import os
import queue
import select
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from pathlib import Path
from typing import IO, Final

CHUNK: Final = 65536  # Bytes a read asks for; what a Linux pipe holds.
HELD: Final = 64  # Chunks kept while nobody asks for them.
PATIENCE: Final = 0.25  # Seconds without a byte before the owner may look whether the child lives.


class Tail:
    """The last bytes of a stream of any length, with a copy of its beginning in a capped file."""

    def __init__(self, size: int, path: Path | None, cap: int) -> None:
        self.size = 0  # Of all that came.
        self._kept = size
        self._bytes = b""
        self._room = cap
        self._file = None if path is None else path.open("ab")
        self._lock = threading.Lock()  # A thread may still add what another closes.

    def add(self, chunk: bytes) -> None:
        """Take the next bytes of the stream."""
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
        """Return what is kept, as text whatever the bytes are."""
        return self._bytes.decode("utf-8", "replace")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None


class Pipes(ABC):
    """What both ways of reading and writing offer.

    `send` and `receive` raise TimeoutError at the deadline and never later, however much the
    child writes meanwhile; `send` raises BrokenPipeError when nobody can read it any more.
    """

    @abstractmethod
    def send(self, data: bytes, deadline: float) -> None:
        """Write all of it."""

    @abstractmethod
    def receive(self, deadline: float) -> bytes | None:
        """Return the next output: empty at its end, None when PATIENCE passed without any."""

    @abstractmethod
    def waiting(self) -> bytes | None:
        """Return output that is there already, as `receive` does but without waiting."""

    @abstractmethod
    def drain(self, seconds: float) -> None:
        """Throw output away and keep stderr's tail, for at most about this long."""

    @abstractmethod
    def accompany(self, other: "Pipes | None") -> None:
        """Read another child's output, too, while this one's is awaited; None ends that.

        So a child that thinks in its opponent's time does not block on a full pipe.
        """

    @abstractmethod
    def stderr_ended(self) -> bool:
        """Whether all of stderr has been read."""

    @abstractmethod
    def hang_up(self) -> None:
        """Close the child's stdin, which tells it to end."""

    @abstractmethod
    def close(self) -> None:
        """Give back all pipes; the child is dead by now."""


class PolledPipes(Pipes):
    """Non-blocking pipes and one poll object."""

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
        """Write all of it, reading meanwhile: the child may have to speak before it listens."""
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
                for descriptor, _ in self._poll.poll(min(left, PATIENCE) * 1000):
                    if descriptor == self._stdin:
                        data = data[os.write(descriptor, data) :]
                    elif (chunk := self._read(descriptor)) is not None and not self._ended:
                        self._held.append(chunk)
        finally:
            self._poll.unregister(self._stdin)
            if not listening:
                self._poll.register(self._stdout, select.POLLIN)

    def _read(self, descriptor: int) -> bytes | None:
        """Return a chunk of stdout, or None for one of stderr; what has ended is polled no more."""
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
        """Poll another child's pipes, too; its output is held for its own reader."""
        if self._companion is not None:
            for descriptor in (self._companion._stdout, self._companion._stderr):
                with contextlib.suppress(KeyError):  # It has ended, or said too much.
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
        """Return the next output; stderr is read on the way and gives no more time."""
        if self._held:
            return self._held.popleft()
        if self._ended:
            return b""
        while True:
            # Before every poll: a child that writes without a pause gets no more time than another.
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            ready = self._poll.poll((left if left < PATIENCE else PATIENCE) * 1000)
            if not ready and left > PATIENCE:
                return None
            for descriptor, _ in ready:
                # The shortest way for what happens at every move.
                if descriptor == self._stdout and (chunk := os.read(descriptor, CHUNK)):
                    return chunk
                if self._read(descriptor) == b"":
                    return b""

    def waiting(self) -> bytes | None:
        """Return output that is there already."""
        if self._held:
            return self._held.popleft()
        found: bytes | None = None
        for descriptor, _ in self._poll.poll(0):
            found = self._read(descriptor) if descriptor == self._stdout else found
        return found

    def drain(self, seconds: float) -> None:
        """Throw output away and keep stderr's tail."""
        self._held.clear()
        for descriptor, _ in self._poll.poll(seconds * 1000):
            self._read(descriptor)

    def stderr_ended(self) -> bool:
        """Whether all of stderr has been read."""
        return self._stderr_ended

    def hang_up(self) -> None:
        """Close the child's stdin."""
        self._files[0].close()
        self._stdin = -1  # The number may soon be another file's.

    def close(self) -> None:
        """Give back all pipes."""
        for file in self._files:
            file.close()


class ThreadedPipes(Pipes):
    """Three daemon threads, each blocked in its own pipe, which it closes when it is done."""

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
        """Have it written, and wait until it is."""
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
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        try:
            chunk = self._inbox.get(timeout=min(left, PATIENCE))
        except queue.Empty:
            if left <= PATIENCE:
                raise TimeoutError from None
            return None
        self._ended = not chunk
        return chunk

    def waiting(self) -> bytes | None:
        """Return output that is there already."""
        try:
            chunk = self._inbox.get_nowait()
        except queue.Empty:
            return None
        self._ended = not chunk
        return chunk

    def drain(self, seconds: float) -> None:
        """Throw output away; stderr is kept by its thread."""
        for _ in range(HELD):
            if not self.waiting():
                break
        if self._threads[2].is_alive():
            self._threads[2].join(seconds)
        else:
            time.sleep(seconds)

    def accompany(self, other: Pipes | None) -> None:
        """Do nothing: every child's threads read all the time."""

    def stderr_ended(self) -> bool:
        """Whether all of stderr has been read."""
        return not self._threads[2].is_alive()

    def hang_up(self) -> None:
        """Close the child's stdin, after what is still to be written."""
        self._outbox.put(None)

    def close(self) -> None:
        """Let the threads end; one whose pipe outlived its child closes it when it can."""
        self._closed = True
        self._outbox.put(None)
        limit = time.monotonic() + PATIENCE
        for thread in self._threads:
            while thread.is_alive() and time.monotonic() < limit:
                self.drain(0.0)  # The listener may be waiting for room.
                thread.join(0.005)
