"""Kill the engines of a process that died without closing them.

One small shell waits at the end of a pipe. When this process dies, for whatever reason, the pipe
ends, and the shell kills the process groups that it watches.

The kernel's own mechanism (PR_SET_PDEATHSIG) is not used. It needs a wrapper program, or code
between fork and exec, which is slow and unsafe beside threads; it also takes effect when only the
thread ends that started the child, and it reaches the child alone, not its group.

A process that an engine starts may leave the group for a session of its own. Therefore the
environment of each engine has a mark, which all its descendants inherit and which Linux shows
under /proc. Descendants that have cleared their environment are found by their parents, if these
live; `orphans` says what is done about the others while this process lives.
"""

import atexit
import contextlib
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

from protocols.child import orphans

_SCRIPT: Final = """
groups=" "
while read -r word group; do
  case $word in
    watch) groups="$groups$group " ;;
    forget) groups="${groups%% $group *} ${groups#* $group }" ;;
  esac
done
[ "$groups" = " " ] && exit
# Descendants in other groups are found by their parents, which have to live until then.
descendants=
parents=$groups
while [ "${parents# }" ]; do
  next=
  for parent in $parents; do
    for file in /proc/"$parent"/task/*/children; do
      [ -r "$file" ] && read -r children < "$file"
      next="$next $children"
      children=
    done
  done
  descendants="$descendants$next"
  parents=$next
done
for group in $groups; do kill -s KILL -- "-$group"; done
[ "${descendants# }" ] && kill -s KILL $descendants
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
_PASSES: Final = 3  # Searches for descendants: those found may have started others in the meantime.


class _Guard:
    def __init__(self) -> None:
        self._token = secrets.token_hex(8)
        self._marks = 0
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, orphans.GUARD, self._token],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def mark(self) -> str:
        """Return a mark for one more engine; all begin with the token that the shell knows."""
        self._marks += 1
        return f"{self._token}.{self._marks};"

    def tell(self, word: str, group: int) -> None:
        """Write one line; it is shorter than the size up to which writing to a pipe is atomic."""
        assert self._shell.stdin is not None
        # If somebody kills the guard, most engines still exit at the end of their input.
        with contextlib.suppress(BrokenPipeError):
            self._shell.stdin.write(f"{word} {group}\n".encode())

    def hang_up(self) -> None:
        """Close this process's end of the pipe."""
        assert self._shell.stdin is not None
        self._shell.stdin.close()

    def end(self) -> None:
        """Let the shell kill what is left, and wait for its end."""
        self.hang_up()
        self._shell.wait()


_guards: list[_Guard] = []  # None or one; change it only while holding `_lock`.
_inherited: list[_Guard] = []  # The guards of a parent process, which are not ours to wait for.
_lock = threading.Lock()


def mark() -> str:
    """Return the mark of a new engine; empty on Windows, which has no guard."""
    if os.name != "posix":
        return ""
    with _lock:
        return _guard().mark()


def marked(mark: str) -> Mapping[str, str]:
    """Return the variable that marks an environment, after the marks of this process itself."""
    return {_VARIABLE: os.environ.get(_VARIABLE, "") + mark} if mark else {}


def watch(group: int) -> None:
    """Have a process group killed when this process has died; Windows has no guard."""
    if os.name != "posix":
        return
    with _lock:
        _guard().tell("watch", group)


def _guard() -> _Guard:
    if not _guards:
        _guards.append(_Guard())
    return _guards[0]


def sweep(marks: Collection[str], known: orphans.Relatives) -> None:
    """Kill the descendants of engines that have ended, on systems where /proc shows them.

    `known` holds those that were found before the engines ended.
    """
    wanted = [mark.encode() for mark in marks if mark]
    for _ in range(_PASSES if wanted and sys.platform == "linux" else 0):
        census = orphans.take_census()
        pids = orphans.remaining(known, marks, census)
        pids |= {pid for pid in census if _has(pid, wanted)}
        orphans.kill(pids)
        if not pids:
            return


def _has(pid: int, marks: Sequence[bytes]) -> bool:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:  # The process is gone, or belongs to another user.
        return False
    return any(mark in environment for mark in marks)


def forget(group: int) -> None:
    """Stop watching a process group that is dead: its number may be given to another one."""
    with _lock:
        if _guards:
            _guards[0].tell("forget", group)


def _end() -> None:
    orphans.end()
    with _lock:
        while _guards:
            _guards.pop().end()


def _leave_to_parent() -> None:
    """In a forked worker, close the parent's pipe, so that it ends with the parent."""
    global _lock
    _lock = threading.Lock()
    orphans.forget()
    while _guards:
        _guards[0].hang_up()
        _inherited.append(_guards.pop())


atexit.register(_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)
