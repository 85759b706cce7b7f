"""Kills the engines of a referee that died without closing them.

The kernel's own way (PR_SET_PDEATHSIG) was not taken: it needs code between fork and exec, which
is slow and unsafe beside threads, or a wrapper program; it fires when the thread that started the
child ends; and it reaches the child only, not its group. Here one small shell waits at the end of
a pipe. When this process dies, however it dies, the pipe ends, and the shell kills the groups
that were named and not taken back.
"""

import atexit
import contextlib
import os
import subprocess
import threading
from typing import Final

_SCRIPT: Final = """
groups=" "
while read -r word group; do
  case $word in
    watch) groups="$groups$group " ;;
    forget) groups="${groups%% $group *} ${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
"""


class _Guard:
    def __init__(self) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

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


def watch(group: int) -> None:
    """Have a process group killed when this process is gone; Windows has no such guard."""
    if os.name != "posix":
        return
    with _lock:
        if not _guards:
            _guards.append(_Guard())
        _guards[0].tell("watch", group)


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
