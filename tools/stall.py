"""How long the referee itself was kept waiting: no engine is blamed for that."""

import contextlib
import os
import signal
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Final

_OWN: Final = Path("/proc/thread-self/schedstat")
_SYSTEM: Final = Path("/proc/stat")
_STEAL: Final = 8  # The column of /proc/stat with the time that the host gave to others.
_STEAL_FRESH: Final = 1.0  # Seconds for which a reading of /proc/stat, 60 us, will do.
_OWN_FRESH: Final = 0.02  # The same for the thread's own file: 7 us, a quarter of a ply.


class _Suspensions:
    """Counts how often this process was stopped, as by Ctrl-Z, and went on.

    Its engines, in groups of their own, have thought on meanwhile.
    """

    def __init__(self) -> None:
        self.count = 0

    def watch(self) -> None:
        """Count from now on, in the main thread of a process and where there is such a signal."""
        if hasattr(signal, "SIGCONT") and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGCONT, self._notice)

    def _notice(self, number: int, frame: FrameType | None) -> None:
        self.count += 1


SUSPENSIONS: Final = _Suspensions()


class Stalls:
    """Measures the delays of one thread: ready and not run by this system, or by its host.

    Where the process was stopped and went on, the delay is infinite. Where the system does not
    tell, nothing is measured and engines are blamed for everything.
    """

    def __init__(self) -> None:
        self._own: int | None = None
        with contextlib.suppress(OSError):
            self._own = os.open(_OWN, os.O_RDONLY)
        self._began = 0.0
        self._suspended = 0
        self._own_read = 0.0
        self._steal = 0.0
        self._steal_read = 0.0
        self._ticks = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

    def begin(self) -> None:
        """Open a window, at the moment before an engine is asked."""
        self._suspended = SUSPENSIONS.count
        now = time.monotonic()
        if now - self._own_read > _OWN_FRESH:
            self._began, self._own_read = self._waited(), now
            if now - self._steal_read > _STEAL_FRESH:
                self._steal, self._steal_read = self._stolen(), now

    def seconds(self) -> float:
        """Return the delay since `begin`; what was just before it may count, too.

        That is 20 ms of waiting to be run and a second of stolen time: the doubt is the engine's.
        """
        if SUSPENSIONS.count > self._suspended:
            return float("inf")
        waited, stolen = self._waited() - self._began, self._stolen() - self._steal
        return max(0.0, waited) + max(0.0, stolen)

    def _waited(self) -> float:
        if self._own is None:
            return 0.0
        try:
            return int(os.pread(self._own, 100, 0).split()[1]) / 1e9
        except (OSError, IndexError):
            return 0.0

    def _stolen(self) -> float:
        try:
            with _SYSTEM.open() as file:
                columns = file.readline().split()
            return int(columns[_STEAL]) / self._ticks / (os.cpu_count() or 1)
        except (OSError, IndexError):
            return 0.0

    def close(self) -> None:
        """Let go of the system's file."""
        if self._own is not None:
            os.close(self._own)
            self._own = None
