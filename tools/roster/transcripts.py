"""Transcripts: files with the dialogue of one engine in one game, with times, up to a limit."""

import contextlib
import time
from pathlib import Path
from typing import Final, Protocol

CAP: Final = 1 << 20  # Longest transcript, in bytes.


def transcript_path(folder: Path, game: str, number: int, attempt: int, seat: int) -> Path:
    """Return the path of the dialogue with a game's first mover (1) or second mover (2)."""
    again = f"-{attempt + 1}" if attempt else ""
    return folder / f"{game}-{number:04}{again}-{seat}.log"


def read_transcript(path: Path) -> list[tuple[str, str]]:
    """Return the lines of a transcript with their directions; raises OSError."""
    lines = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        _, mark, text = [*line.split(" ", 2), "", ""][:3]
        if mark in (">", "<"):
            lines.append((mark, text))
    return lines


class Listener(Protocol):
    """Receives the lines of a dialogue."""

    def __call__(self, mark: str, text: str) -> None:
        """Receive a line; `mark` is `>` for a line to the engine, `<` for one from it."""

    def close(self) -> None:
        """End the dialogue."""


class Transcript:
    """A file of lines, each with the seconds since the beginning, the direction and the text.

    A line that cannot be written is left out: a full disk must not end the game.
    """

    def __init__(self, path: Path, cap: int = CAP) -> None:
        self._left = cap
        self._began = time.monotonic()
        self._file = None
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8", errors="replace")

    def __call__(self, mark: str, text: str) -> None:
        """Write a line; `mark` is `>` for a line to the engine, `<` for one from it."""
        if self._file is None or self._left < 0:
            return
        line = f"{time.monotonic() - self._began:.6f} {mark} {text}\n"
        size = len(line.encode("utf-8", "replace"))
        if size > self._left:
            line = "the transcript ends here: it has reached its greatest length\n"
        self._left = self._left - size if size <= self._left else -1
        with contextlib.suppress(OSError):
            self._file.write(line)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None
