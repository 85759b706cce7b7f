"""Kills the engines of a referee that died without closing them.

The kernel's own way (PR_SET_PDEATHSIG) was not taken: it needs code between fork and exec, which
is slow and unsafe beside threads, or a wrapper program; it fires when the thread that started the
child ends; and it reaches the child only, not its group. Here one small shell waits at the end of
a pipe. When this process dies, however it dies, the pipe ends, and the shell kills the groups
that were named and not taken back.

A group is not all: what an engine starts may leave it for a session of its own. So each engine's
environment has a mark, which all that it starts inherit; Linux shows it under /proc. Being their
reaper (PR_SET_CHILD_SUBREAPER) was not taken: it ends with the process that dies.
"""

import atexit
import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

_SCRIPT: Final = """
groups=" "
while read -r word group; do
  case $word in
    watch) groups="$groups$group " ;;
    forget) groups="${groups%% $group *} ${groups#* $group }" ;;
  esac
done
[ "$groups" = " " ] && exit
for group in $groups; do kill -s KILL -- "-$group"; done
for again in 1 2 3; do
  found=$(grep -lsF -- "$1" /proc/[0-9]*/environ)
  [ "$found" ] || break
  for file in $found; do
    file=${file#/proc/}
    kill -s KILL "${file%/environ}"
  done
done
"""
_VARIABLE: Final = "QUINTET_ENGINE"
_PASSES: Final = 3  # Of a search: what is found may have started more meanwhile.


class _Guard:
    def __init__(self) -> None:
        self._token = secrets.token_hex(8)
        self._marks = 0
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "guard", self._token],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def mark(self) -> str:
        """Return a mark for one more engine; all of them have the token that the shell knows."""
        self._marks += 1
        return f"{self._token}.{self._marks};"

    def tell(self, word: str, group: int) -> None:
        """Write one line, whole or not at all: it is far shorter than a pipe's atomic size."""
        assert self._shell.stdin is not None
        # Should somebody kill the guard, the end of stdin still tells most engines to go.
        with contextlib.suppress(BrokenPipeError):
            self._shell.stdin.write(f"{word} {group}\n".encode())

    def hang_up(self) -> None:
        """Close this process's end of the pipe."""
        assert self._shell.stdin is not None
        self._shell.stdin.close()

    def end(self) -> None:
        """Let it kill what is left, and end."""
        self.hang_up()
        self._shell.wait()


_guards: list[_Guard] = []  # None or one; `_lock` is held to change it.
_inherited: list[_Guard] = []  # A parent's: kept, since it is not ours to wait for.
_lock = threading.Lock()


def mark() -> str:
    """Return a new engine's mark; empty on Windows, which has no such guard."""
    if os.name != "posix":
        return ""
    with _lock:
        return _guard().mark()


def marked(mark: str) -> Mapping[str, str]:
    """Return what an environment needs to have a mark, behind those that this process has."""
    return {_VARIABLE: os.environ.get(_VARIABLE, "") + mark} if mark else {}


def watch(group: int) -> None:
    """Have a process group killed when this process is gone; Windows has no such guard."""
    if os.name != "posix":
        return
    with _lock:
        _guard().tell("watch", group)


def _guard() -> _Guard:
    if not _guards:
        _guards.append(_Guard())
    return _guards[0]


def sweep(marks: Iterable[str]) -> None:
    """Kill what marked engines have left behind in sessions of their own, where /proc shows it."""
    wanted = [mark.encode() for mark in marks if mark]
    for _ in range(_PASSES if wanted and sys.platform == "linux" else 0):
        found = [pid for pid in _numbers() if _has(pid, wanted)]
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _numbers() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    except OSError:  # It need not be mounted.
        return []


def _has(pid: int, marks: Sequence[bytes]) -> bool:
    try:
        told = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:  # Gone, or somebody else's.
        return False
    return any(mark in told for mark in marks)


def forget(group: int) -> None:
    """Take a process group back: it is dead, and its number may become another's."""
    with _lock:
        if _guards:
            _guards[0].tell("forget", group)


def _end() -> None:
    with _lock:
        while _guards:
            _guards.pop().end()


def _leave_to_parent() -> None:
    """In a forked worker: let go of the parent's guard, which must see the parent alone die."""
    global _lock
    _lock = threading.Lock()
    while _guards:
        _guards[0].hang_up()
        _inherited.append(_guards.pop())


atexit.register(_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)
