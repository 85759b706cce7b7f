"""A person at a pseudo-terminal of 80 columns who types into `quintet play`."""

import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from tests.tools.waiting import TIMEOUT

COLUMNS: Final = 80

# The terminal must be the controlling one, so that Ctrl-C reaches the program.
_LAUNCHER: Final = """\
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-P", "-m", "tools", "play", *sys.argv[1:]])
"""

_ESCAPES: Final = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|\x1b[()][0-9A-B]|\x1b[=>78]"
)


class Typist:
    """Starts the program, types, and waits for what it writes."""

    def __init__(
        self, *arguments: str, data: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        import fcntl
        import pty
        import termios

        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCHER, *arguments],
            cwd=data,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={
                **os.environ,
                "QUINTET_DATA": str(data),
                "QUINTET_CONFIG": str(data),
                "TERM": "xterm-256color",
                "COLUMNS": str(COLUMNS),
                "NO_COLOR": "1",
                "LC_ALL": "C.UTF-8",
                "PROMPT_TOOLKIT_NO_CPR": "1",
                **(environment or {}),
            },
            start_new_session=True,
        )
        os.close(slave)
        self._raw = b""
        self._read = 0  # Characters of the text that have been waited for.

    @property
    def text(self) -> str:
        """Everything that was written, without escape sequences."""
        return _ESCAPES.sub("", self._raw.decode("utf-8", "replace")).replace("\r", "")

    @property
    def raw(self) -> bytes:
        """Everything that was written."""
        return self._raw

    def until(self, pattern: str) -> str:
        """Wait for a pattern behind what was waited for before; return the text up to its end."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            text = self.text
            if match := re.compile(pattern).search(text, self._read):
                before, self._read = self._read, match.end()
                return text[before : match.end()]
            assert time.monotonic() < deadline, f"no {pattern!r} in {text[self._read :]!r}"
            self._fill(deadline)

    def _fill(self, deadline: float) -> None:
        wait = max(deadline - time.monotonic(), 0.0)
        if not select.select([self._master], [], [], wait)[0]:
            return
        try:
            self._raw += os.read(self._master, 1 << 16)
        except OSError:  # The program has ended.
            raise AssertionError(f"the program ended after {self.text[-600:]!r}") from None

    def enter(self, line: str) -> None:
        """Type a line and Enter, and wait until the input line has been accepted and redrawn."""
        os.write(self._master, f"{line}\r".encode())
        echo = re.escape(line) if line else "[>:?]"
        self.until(rf"{echo}\s*\n")

    def press(self, key: bytes) -> None:
        """Press a key."""
        os.write(self._master, key)

    def kill(self) -> None:
        """Kill the program, as a crash would."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def leave(self) -> int:
        """Wait for the end of the program; return its exit status."""
        deadline = time.monotonic() + TIMEOUT
        while self._process.poll() is None:
            assert time.monotonic() < deadline
            if select.select([self._master], [], [], 0.05)[0]:
                try:
                    self._raw += os.read(self._master, 1 << 16)
                except OSError:
                    return self._process.wait(TIMEOUT)
        return self._process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        os.close(self._master)
