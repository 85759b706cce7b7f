"""Gauges of the current games: a small file in which all processes show ply and clocks."""

import contextlib
import functools
import math
import mmap
import os
import struct
import tempfile
from typing import Final, NamedTuple

from engines.core.game import Side

GaugePlace = tuple[str, int]
"""The file of a gauge, and its number there."""

SLOTS: Final = 64  # Games that are watched at the same time; more are played without a gauge.
_FORM: Final = struct.Struct("<qqddd")
_UNSET: Final = _FORM.pack(-1, 0, 0.0, 0.0, 0.0)


class Gauge(NamedTuple):
    """A game in progress: its plies, whose turn it is, both clocks, and since when they show that.

    A clock is None if there is none; `since` is a time of `time.monotonic`.
    """

    plies: int
    side: Side
    clocks: tuple[float | None, float | None]
    since: float

    def clock_at(self, side: Side, now: float) -> float | None:
        """Return what a side's clock shows now; that of the side to move runs."""
        clock = self.clocks[side]
        return clock if clock is None or side != self.side else max(0.0, clock - now + self.since)


class Gauges:
    """The gauges of a match; the process that watches makes them, and closes them at the end."""

    def __init__(self) -> None:
        self._free = list(range(SLOTS))
        self._path = ""
        # Without a place for the file, nothing is shown; that must not end a match.
        with contextlib.suppress(OSError):
            descriptor, self._path = tempfile.mkstemp(prefix="quintet-", suffix=".gauges")
            os.write(descriptor, _UNSET * SLOTS)
            os.close(descriptor)

    def assign(self) -> GaugePlace | None:
        """Return the place of a gauge for one game; None if there is none left."""
        if not self._path or not self._free:
            return None
        place = (self._path, self._free.pop(0))
        _write(place, _UNSET)
        return place

    def release(self, place: GaugePlace | None) -> None:
        """Take back the place of a game that has ended."""
        if place is not None:
            self._free.append(place[1])

    def close(self) -> None:
        """Remove the file."""
        if self._path:
            with contextlib.suppress(OSError):
                os.unlink(self._path)
            _file.cache_clear()
            self._path = ""


def show(place: GaugePlace, gauge: Gauge) -> None:
    """Set the gauge of a game."""
    first, second = (math.nan if clock is None else clock for clock in gauge.clocks)
    _write(place, _FORM.pack(gauge.plies, gauge.side, first, second, gauge.since))


def read(place: GaugePlace) -> Gauge | None:
    """Return the gauge of a game; None before its first move."""
    file = _file(place[0])
    if file is None:
        return None
    plies, side, first, second, since = _FORM.unpack_from(file, place[1] * _FORM.size)
    if plies < 0:
        return None
    clocks = (None if math.isnan(first) else first, None if math.isnan(second) else second)
    return Gauge(plies, side, clocks, since)


def _write(place: GaugePlace, data: bytes) -> None:
    file = _file(place[0])
    if file is not None:
        start = place[1] * _FORM.size
        file[start : start + len(data)] = data


@functools.lru_cache(maxsize=4)
def _file(path: str) -> mmap.mmap | None:
    """Return the open file; None if it has been removed."""
    try:
        with open(path, "r+b") as file:
            return mmap.mmap(file.fileno(), 0)
    except (OSError, ValueError):
        return None
