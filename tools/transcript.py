"""The dialogue with one engine in one game, with times, as far as a cap allows."""

import contextlib
import time
from pathlib import Path
from typing import Final, Protocol

CAP: Final = 1 << 20  # Bytes.


def transcript_path(folder: Path, game: str, number: int, attempt: int, seat: int) -> Path:
    """Return where the dialogue of a game's first mover (1) or second (2) is."""
    again = f"-{attempt + 1}" if attempt else ""
    return folder / f"{game}-{number:04}{again}-{seat}.log"


def read_transcript(path: Path) -> list[tuple[str, str]]:
    """Return directions and lines, as far as the transcript goes; raises OSError."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        _, mark, text = [*line.split(" ", 2), "", ""][:3]
        if mark in (">", "<"):
            found.append((mark, text))
    return found


class Listener(Protocol):
    """Whoever hears a dialogue."""

    def __call__(self, mark: str, text: str) -> None:
        """Hear a line; `mark` is `>` for what was sent, `<` for what came."""

    def close(self) -> None:
        """Hear no more."""


class Transcript:
    """A file of lines: seconds since its beginning, the direction, what was said.

    The record of a game must not fail for it: what cannot be written is left out.
    """

    def __init__(self, path: Path, cap: int = CAP) -> None:
        self._left = cap
        self._began = time.monotonic()
        self._file = None
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8", errors="replace")

    def __call__(self, mark: str, text: str) -> None:
        """Write a line down; `mark` is `>` for what was sent, `<` for what came."""
        if self._file is None or self._left < 0:
            return
        line = f"{time.monotonic() - self._began:.6f} {mark} {text}\n"
        size = len(line.encode("utf-8", "replace"))
        if size > self._left:
            line = "the transcript is cut off here: it has reached its cap\n"
        self._left = self._left - size if size <= self._left else -1
        with contextlib.suppress(OSError):
            self._file.write(line)

    def close(self) -> None:
        """See the file written."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None
