"""Find the descendants that an engine leaves behind, on Linux.

A descendant may leave the process group of its engine for a session of its own, and clear the
environment that carries the mark of the engine (see `guard`). While its ancestors live, it is found
by its parents. When they die, the kernel gives it to the nearest process above that has asked for
orphans (PR_SET_CHILD_SUBREAPER). A program that starts engines asks for them by `adopt`.
"""

import contextlib
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

_PR_SET_CHILD_SUBREAPER: Final = 36
_PASSES: Final = 3  # Those found may have started others in the meantime.
GUARD: Final = "quintet-guard"  # The name by which our own guards are known.


class _Entry(NamedTuple):
    parent: int
    session: int
    started: int  # In ticks since the system started.
    dead: bool


Census = Mapping[int, _Entry]
"""All processes by their numbers."""

Relatives = Mapping[int, int]
"""Descendants of an engine by their numbers, with the times at which they were started."""


class _Home:
    """The orphans of this process, and the engines from which each of them may come."""

    def __init__(self) -> None:
        self.open = False
        self.lock = threading.Lock()
        self.engines: dict[int, str] = {}  # Running engines with their marks.
        self.owners: dict[int, set[str]] = {}  # For each orphan, the marks of possible engines.


_home = _Home()


def adopt() -> bool:
    """Let orphans of engines become children of this process; returns False if that is impossible.

    Call it only in a program that starts no processes in sessions of their own except engines: all
    other such children are taken for orphans, and are killed after the engines that may have left
    them.
    """
    if sys.platform != "linux":
        return False
    try:
        done = bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        done = False
    _home.open = done
    return done


@contextlib.contextmanager
def starting(mark: str) -> Iterator[Callable[[int], None]]:
    """Start an engine in this context, and call what it yields with the number of its process.

    Until then nothing else can take the engine for an orphan. It does not own the orphans that
    exist already.
    """
    if not _home.open:
        yield lambda pid: None
        return
    with _home.lock:
        _assign(take_census())

        def note(pid: int) -> None:
            _home.engines[pid] = mark

        yield note


def relatives(pids: Collection[int]) -> Relatives:
    """Return the descendants of processes, as far as they are found by living parents."""
    census = take_census() if pids else {}
    found: set[int] = set()
    new = set(pids)
    while new:
        new = {pid for pid, entry in census.items() if entry.parent in new} - found
        found |= new
    return {pid: census[pid].started for pid in found}


def remaining(known: Relatives, marks: Collection[str], census: Census) -> set[int]:
    """Return what is left of the relatives and orphans of engines, by the engines' marks."""
    found = {
        pid
        for pid, started in known.items()
        if pid in census and census[pid].started == started and not census[pid].dead
    }
    with _home.lock:
        for pid, owners in _assign(census).items():
            owners.difference_update(marks)
            if not owners:
                found.add(pid)
    return found


def note_end(pids: Iterable[int]) -> None:
    """Note that engines have ended."""
    with _home.lock:
        for pid in pids:
            _home.engines.pop(pid, None)


def take_census() -> Census:
    """Read the list of processes; it is empty on a system that does not show them in /proc."""
    if sys.platform != "linux":
        return {}
    census = {}
    with contextlib.suppress(OSError):  # /proc need not be mounted.
        for name in os.listdir("/proc"):
            if name.isdecimal() and (entry := _read(name)) is not None:
                census[int(name)] = entry
    return census


def _read(name: str) -> _Entry | None:
    try:
        data = Path(f"/proc/{name}/stat").read_bytes()
    except OSError:  # The process is gone.
        return None
    # The name of the program, in brackets, may hold anything.
    fields = data[data.rfind(b")") + 2 :].split()
    return _Entry(int(fields[1]), int(fields[3]), int(fields[19]), fields[0] in (b"Z", b"X"))


def _assign(census: Census) -> Mapping[int, set[str]]:
    """Bury dead orphans, and note the possible owners of new ones; return all orphans."""
    if not _home.open:
        return {}
    own, session = os.getpid(), os.getsid(0)
    orphans = {
        pid: entry
        for pid, entry in census.items()
        if entry.parent == own and entry.session != session and pid not in _home.engines
    }
    for pid, entry in orphans.items():
        if entry.dead:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        elif pid not in _home.owners and not _is_guard(pid):
            _home.owners[pid] = set(_home.engines.values())
    for pid in set(_home.owners) - {pid for pid, entry in orphans.items() if not entry.dead}:
        del _home.owners[pid]
    return _home.owners


def _is_guard(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return GUARD.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return True  # It is gone, or belongs to another user.


def kill(pids: Iterable[int]) -> None:
    """Kill processes."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def end() -> None:
    """Kill the orphans that are left, at the end of this process."""
    if _home.open:
        for _ in range(_PASSES):
            left = remaining({}, set(_home.engines.values()), take_census())
            kill(left)
            if not left:
                return


def forget() -> None:
    """Start with an empty record in a forked process, which has no orphans."""
    global _home
    _home = _Home()
