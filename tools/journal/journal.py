"""The journal of a match: a file of JSON objects, one per line, that is only appended to."""

import contextlib
import errno
import json
import os
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn, Self

from engines.core.errors import QuintetError
from tools.journal.lock import seize

Event = Mapping[str, Any]
"""The kind of event under `event`, and its details."""

NAME: Final = "journal.jsonl"
LOCK: Final = "lock"
_ATTEMPTS: Final = 10
_PAUSE: Final = 0.01  # Seconds between them.
_FLAGS: Final = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)


class JournalError(QuintetError):
    """A journal, or a file beside it, that cannot be used; the text says which and why."""


def damaged(path: Path, line: int, what: str) -> JournalError:
    """Return the error for a line that cannot be used; it says how the match can go on."""
    advice = (
        "keep a copy of the file, delete this line, and run the command again; "
        "a game that is missing then is played again"
    )
    if line == 1:
        advice = "the first line says which match this is; name another folder by --out"
    return JournalError(f"{path}:{line}: {what}\n{advice}")


class Journal:
    """An open journal, which no other process can open at the same time.

    An event is on the disk when `append` returns. If the process was killed while it wrote, the
    last line is incomplete; that event was never reported, so the line is cut off. Raises
    JournalError.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / NAME
        self._broken = ""
        with contextlib.ExitStack() as opened:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                lock = os.open(folder / LOCK, _FLAGS, 0o644)
                opened.callback(os.close, lock)
                if not _seize_patiently(lock):
                    raise JournalError(f"{folder} is in use by another process")
                self._descriptor = os.open(self.path, _FLAGS | getattr(os, "O_NONBLOCK", 0), 0o644)
                opened.callback(os.close, self._descriptor)
                if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
                    raise JournalError(f"{self.path} is not a regular file")
                self.events = list(self._read())
                sync_folder(folder)
            except OSError as error:
                raise JournalError(f"cannot open {self.path}: {_reason(error)}") from error
            self._opened = opened.pop_all()

    def _read(self) -> Iterator[Event]:
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.ftruncate(self._descriptor, whole)
        os.lseek(self._descriptor, whole, os.SEEK_SET)
        yield from _parse(data[:whole], self.path)

    def append(self, event: Event) -> None:
        """Write an event to the disk; raises JournalError, and leaves the journal as it was."""
        if self._broken:
            raise JournalError(self._broken)
        rest = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        end = os.lseek(self._descriptor, 0, os.SEEK_CUR)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except OSError as error:
            self._take_back(end, error)
        self.events.append(event)

    def _take_back(self, end: int, error: OSError) -> NoReturn:
        self._broken = f"cannot write {self.path}: {_reason(error)}"
        # If this fails too, the next run cuts the incomplete line off.
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, end)
            os.lseek(self._descriptor, end, os.SEEK_SET)
            os.fsync(self._descriptor)
        raise JournalError(self._broken) from error

    def clear(self) -> None:
        """Empty the journal, if nothing in it is worth keeping; raises JournalError."""
        try:
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.fsync(self._descriptor)
        except OSError as error:
            raise JournalError(f"cannot write {self.path}: {_reason(error)}") from error
        self.events.clear()

    def close(self) -> None:
        """Close the journal, so that another process can open it."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_journal(folder: Path) -> list[Event]:
    """Read the complete lines of a journal that may be in use; raises JournalError."""
    path = folder / NAME
    try:
        if not path.exists():
            raise JournalError(f"no journal: there is no {path}")
        if not path.is_file():
            raise JournalError(f"no journal: {path} is not a regular file")
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(f"cannot read {path}: {_reason(error)}") from error
    return list(_parse(data[: data.rfind(b"\n") + 1], path))


def is_in_use(folder: Path) -> bool:
    """Whether a match is being played in a folder at this moment; the folder may be read-only."""
    try:
        lock = os.open(folder / LOCK, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    except OSError:
        return False
    try:
        return not seize(lock, shared=True)
    finally:
        os.close(lock)


def _seize_patiently(lock: int) -> bool:
    """Lock a file, with some patience for a process that only looks whether it is locked."""
    for _ in range(_ATTEMPTS):
        if seize(lock):
            return True
        time.sleep(_PAUSE)
    return False


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside the journal, so that it exists completely or not at all.

    A path that is not a regular file, such as a pipe, is written directly. Raises JournalError.
    """
    fresh = path if path.exists() and not path.is_file() else path.with_name(f".{path.name}.new")
    try:
        with fresh.open("wb") as file:
            file.write(data)
        if fresh != path:
            fresh.replace(path)
    except OSError as error:
        if fresh != path:
            with contextlib.suppress(OSError):
                fresh.unlink()
        raise JournalError(f"cannot write {path}: {_reason(error)}") from error


def sync_folder(folder: Path) -> None:
    """Write a folder's list of files to the disk, if the system can."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _parse(data: bytes, path: Path) -> Iterator[Event]:
    # Only \n ends a line: a string may contain other line separators.
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        try:
            event = json.loads(line)
        except ValueError as error:
            raise damaged(path, number, f"not JSON: {error}") from error
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            raise damaged(path, number, "expected an object with a string `event`")
        yield event


def _reason(error: OSError) -> str:
    reason = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        reason += "; make room, and run the same command again to resume"
    return reason
