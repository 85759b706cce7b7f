"""Locks on files and folders, which end with the process that holds them."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from engines.core.errors import QuintetError


class FolderInUse(QuintetError):
    """Another process works in a folder."""


def seize(descriptor: int, *, shared: bool = False) -> bool:
    """Lock an open file for this process; returns False if another process has locked it.

    Several processes may share a lock that none has for itself. A file that is locked for one
    process alone must be open for writing; on Windows, there are no other locks.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Make a folder if need be, and lock it; raises FolderInUse and OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not seize(descriptor):
            raise FolderInUse(f"{folder}: another process is building there")
        yield
    finally:
        os.close(descriptor)
