"""Measuring how long the referee itself was kept waiting, which no engine is blamed for."""

from pathlib import Path
from typing import Final

from protocols.child.pipes import QUIET

_OWN: Final = Path("/proc/thread-self/schedstat")
_SYSTEM: Final = Path("/proc/stat")
_STEAL: Final = 8  # The column of /proc/stat with the time that the host gave to others.
_TICKS: Final = 100  # Per second, in /proc/stat on every architecture of Linux.


class DelayMeter:
    """Measures how much of an engine's overrun was the referee's own delay.

    Only what happens after the flag has fallen is measured. Before, a delay of the referee cannot
    make a move late, and an engine that prints while it thinks lets the referee wait for the
    processor as often as it likes. On a system that does not report how long a thread was ready but
    did not run, that part of a delay counts as 0.
    """

    def __init__(self) -> None:
        self._flag = 0.0
        self._noticed: float | None = None
        self._waited = 0.0

    def begin(self, flag: float) -> None:
        """Begin to measure a question whose flag falls at `flag`, by `time.monotonic`."""
        self._flag = flag
        self._noticed = None

    def notice(self, now: float) -> None:
        """Note that the flag has fallen, and that the engine has not answered yet."""
        self._noticed = now
        self._waited = _waited()

    def at_flag(self, now: float) -> float:
        """Return how long after the flag the referee first looked, at `now` or before."""
        return max(0.0, (now if self._noticed is None else self._noticed) - self._flag)

    def at_end(self, looked: float, now: float) -> float:
        """Return how long the answer that was read at `now` may have lain unread after the flag.

        It had not come when the referee last looked, at `looked`. An interruption of the last wait
        is seen by its length, since no wait is longer than QUIET; other delays are seen by the
        system's count of the time that this thread was ready but did not run.
        """
        if self._noticed is None:
            return 0.0
        last = max(0.0, now - max(looked, self._noticed))
        return max(min(_waited() - self._waited, last), last - QUIET, 0.0)

    def without_answer(self, looked: float, now: float) -> float:
        """Return the delay after the flag if no answer has come until `now`.

        It is 0 if no answer could be read because the engine did not read its question.
        """
        if self._noticed is None:
            return 0.0
        return self._noticed - self._flag + max(0.0, now - max(looked, self._noticed) - QUIET)


def _waited() -> float:
    """Return the seconds that this thread was ready but did not run, and those the host stole."""
    return _own() + _stolen()


def _own() -> float:
    try:
        return int(_OWN.read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def _stolen() -> float:
    try:
        with _SYSTEM.open() as file:
            total = int(file.readline().split()[_STEAL]) / _TICKS
            cores = sum(line.startswith("cpu") for line in file)
    except (OSError, IndexError, ValueError):
        return 0.0
    return total / max(1, cores)
