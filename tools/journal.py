"""The journal of a match: one JSON object a line, appended, never changed; all else follows."""

import contextlib
import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn, Self

from tools.lock import seize

Event = Mapping[str, Any]
"""What happened, under `event`, and its circumstances."""

NAME: Final = "journal.jsonl"
LOCK: Final = "lock"
_FLAGS: Final = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)


class JournalError(Exception):
    """A journal that cannot be used, or a file beside it; says which and why."""


class Journal:
    """An open journal; nobody else can open it meanwhile.

    An event is on the disk when `append` returns. A last line without its end is what a kill in
    the middle of a write leaves: it was never reported, so it is cut off. Raises JournalError.
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
                if not seize(lock):
                    raise JournalError(f"{folder} is in use by another match")
                self._descriptor = os.open(self.path, _FLAGS | getattr(os, "O_NONBLOCK", 0), 0o644)
                opened.callback(os.close, self._descriptor)
                if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
                    raise JournalError(f"{self.path} is no regular file")
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
        """Write an event and see it on the disk; raises JournalError, the journal as it was."""
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
        # Where even this fails, the next run cuts the torn line off.
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, end)
            os.lseek(self._descriptor, end, os.SEEK_SET)
            os.fsync(self._descriptor)
        raise JournalError(self._broken) from error

    def close(self) -> None:
        """Let others open it."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_journal(folder: Path) -> list[Event]:
    """Read the whole lines of a journal that may be in use; raises JournalError."""
    path = folder / NAME
    try:
        if not path.exists():
            raise JournalError(f"no journal: there is no {path}")
        if not path.is_file():
            raise JournalError(f"no journal: {path} is no regular file")
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(f"cannot read {path}: {_reason(error)}") from error
    return list(_parse(data[: data.rfind(b"\n") + 1], path))


def is_in_use(folder: Path) -> bool:
    """Whether a match is being played into a folder at this moment."""
    try:
        lock = os.open(folder / LOCK, os.O_RDWR)
    except OSError:
        return False
    try:
        return not seize(lock)
    finally:
        os.close(lock)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside the journal so that it is there whole or not at all.

    Raises JournalError. Something that is no regular file is written as it is.
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
    """See a folder's list of files on the disk, where the system can."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _parse(data: bytes, path: Path) -> Iterator[Event]:
    # Only \n ends a line: other line separators may stand within a string.
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        try:
            event = json.loads(line)
        except ValueError as error:
            raise JournalError(f"{path}:{number}: no JSON: {error}") from error
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            raise JournalError(f"{path}:{number}: expected an object with a string `event`")
        yield event


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
