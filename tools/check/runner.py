"""Asks an engine all probes: one process for most, a fresh one after each finding."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from protocols.errors import EngineError, EngineRefused
from tools.check.framed import GtpTalk, LineTalk
from tools.check.frames import FRAMES
from tools.check.gtp_game import GAME
from tools.check.gtp_time import TIME
from tools.check.line_game import LINE
from tools.check.manners import LEAVING, MANNERS
from tools.check.probe import BUDGET, Fault, Probe, Unsuited, together
from tools.check.talk import Talk, describe
from tools.check.usi_search import SEARCH
from tools.check.usi_set_up import SET_UP
from tools.check.usi_talk import UsiTalk
from tools.engines import EngineSpec

TALKS: Final[Mapping[str, type[Talk]]] = {"gtp": GtpTalk, "usi": UsiTalk, "line": LineTalk}
PROBES: Final[Mapping[str, Sequence[Probe]]] = {
    "gtp": together(MANNERS, FRAMES, GAME, TIME, LEAVING),
    "usi": together(MANNERS, SET_UP, SEARCH, LEAVING),
    "line": together(MANNERS, FRAMES, LINE, LEAVING),
}
_STARTS: Final = 3  # Failures to start in a row: nothing more is to be learned.


class Grade(StrEnum):
    """What became of a probe."""

    PASS = "pass"
    FAIL = "fail"
    UNSUITED = "n/a"
    SKIPPED = "not run"


@dataclass(frozen=True, slots=True)
class Result:
    """A probe's answer: the grade, what was found, the exchange that shows it."""

    probe: Probe
    grade: Grade
    told: str
    seconds: float
    exchange: Sequence[tuple[str, str]]


class Checker:
    """Checks one engine, probe by probe; use it with `with`."""

    def __init__(self, spec: EngineSpec, protocol: str, patience: float, limit: float) -> None:
        self._start: Callable[[], Talk] = lambda: TALKS[protocol](spec, patience)
        self._talk: Talk | None = None
        self._patience = patience
        self._until = time.monotonic() + limit
        self._failed_starts = 0

    def run(self, probes: Sequence[Probe]) -> Iterator[Result]:
        """Ask the probes in order; yield each result as it comes."""
        for probe in probes:
            if time.monotonic() > self._until:
                yield Result(probe, Grade.SKIPPED, "the time for all probes was over", 0.0, ())
            elif self._failed_starts >= _STARTS:
                told = f"the program failed to start {_STARTS} times in a row"
                yield Result(probe, Grade.SKIPPED, told, 0.0, ())
            else:
                yield self._ask(probe)

    def _ask(self, probe: Probe) -> Result:
        began = time.monotonic()
        talk: Talk | None = None
        grade, told = Grade.PASS, ""
        try:
            talk = self._start() if probe.fresh else self._shared()
            talk.until = time.monotonic() + BUDGET * self._patience
            probe.ask(talk)
            if not probe.fresh:
                talk.settle()
        except Unsuited as unsuited:
            grade, told = Grade.UNSUITED, str(unsuited)
        except (Fault, EngineRefused) as fault:
            grade, told = Grade.FAIL, str(fault)
        except EngineError as error:
            grade, told = Grade.FAIL, describe(error)
        shown = talk or (None if probe.fresh else self._talk)
        exchange = tuple(shown.exchange) if shown is not None else ()
        if exchange and exchange[-1][0] == ">":
            exchange = (*exchange, ("-", "no line after this"))
        if probe.fresh or grade == Grade.FAIL:
            self._close(shown)
        return Result(probe, grade, told, time.monotonic() - began, exchange)

    def _shared(self) -> Talk:
        """Return the process that most probes share, at the start of a game."""
        if self._talk is not None:
            self._talk.until = time.monotonic() + BUDGET * self._patience
            try:
                self._talk.reset()
            except (EngineError, EngineRefused, Fault):
                self._close(self._talk)
        if self._talk is None:
            self._failed_starts += 1
            self._talk = self._start()
            self._talk.prepare()
            self._talk.reset()
            self._failed_starts = 0
        self._talk.exchange.clear()
        return self._talk

    def _close(self, talk: Talk | None) -> None:
        if talk is not None:
            talk.close()
        if talk is self._talk:
            self._talk = None

    def close(self) -> None:
        """End the process."""
        self._close(self._talk)

    def __enter__(self) -> "Checker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
