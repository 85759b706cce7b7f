"""Run all probes on an engine: most share a process, which is replaced after each finding."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from protocols.ask.engine import EngineSpec
from protocols.errors import EngineError, EngineRefused
from tools.check.probe import (
    BUDGET,
    MUST,
    SHOULD,
    Fault,
    Probe,
    Severity,
    Stray,
    Unsuited,
    together,
)
from tools.check.probes.frames import FRAMES
from tools.check.probes.gtp_game import GAME
from tools.check.probes.gtp_time import TIME
from tools.check.probes.line_game import LINE
from tools.check.probes.manners import LEAVING, MANNERS
from tools.check.probes.usi_search import SEARCH
from tools.check.probes.usi_set_up import SET_UP
from tools.check.talks.framed import GtpTalk, LineTalk
from tools.check.talks.talk import Talk, describe
from tools.check.talks.usi_talk import UsiTalk

TALKS: Final[Mapping[str, type[Talk]]] = {"gtp": GtpTalk, "usi": UsiTalk, "line": LineTalk}
PROBES: Final[Mapping[str, Sequence[Probe]]] = {
    "gtp": together(MANNERS, FRAMES, GAME, TIME, LEAVING),
    "usi": together(MANNERS, SET_UP, SEARCH, LEAVING),
    "line": together(MANNERS, FRAMES, LINE, LEAVING),
}
_STARTS: Final = 3  # After this many failures to start in a row, the check ends.


class Grade(StrEnum):
    """The result of a probe."""

    PASS = "pass"
    FAIL = "fail"
    UNSUITED = "n/a"
    SKIPPED = "not run"


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The answer to a probe: its grade, the finding, and the exchange that shows it.

    `severity` is that of the probe, or less if the finding is only a stray line of text, or shows
    only after another probe.
    """

    probe: Probe
    grade: Grade
    message: str
    seconds: float
    exchange: Sequence[tuple[str, str]]
    mild: bool = False

    @property
    def severity(self) -> Severity:
        """How severe the finding is."""
        return SHOULD if self.mild and self.probe.severity == MUST else self.probe.severity


class Checker:
    """Checks one engine, probe by probe; use it in a `with` statement."""

    def __init__(self, spec: EngineSpec, protocol: str, patience: float, limit: float) -> None:
        self._start: Callable[[], Talk] = lambda: TALKS[protocol](spec, patience)
        self._talk: Talk | None = None
        self._patience = patience
        self._until = time.monotonic() + limit
        self._failed_starts = 0
        self._asked: list[Probe] = []  # Of the shared process, since its start.

    def run(self, probes: Sequence[Probe]) -> Iterator[ProbeResult]:
        """Ask the probes in order, and yield each result."""
        for probe in probes:
            if time.monotonic() > self._until:
                yield ProbeResult(
                    probe, Grade.SKIPPED, "the time for all probes had run out", 0.0, ()
                )
            elif self._failed_starts >= _STARTS:
                message = f"the program failed to start {_STARTS} times in a row"
                yield ProbeResult(probe, Grade.SKIPPED, message, 0.0, ())
            else:
                yield self._judge(probe)

    def _judge(self, probe: Probe) -> ProbeResult:
        """Ask a probe; if it fails after other probes, find out whether these are the cause."""
        before = [] if probe.fresh else list(self._asked)
        result = self._ask(probe)
        if result.grade != Grade.FAIL or not before:
            return result
        alone = self._ask(probe)
        if alone.grade != Grade.PASS:
            return replace(alone, seconds=result.seconds + alone.seconds)
        self._close(self._talk)
        last = before[-1]
        first = self._ask(last)
        second = self._ask(probe) if first.grade == Grade.PASS and self._asked else alone
        seconds = result.seconds + alone.seconds + first.seconds + second.seconds
        if second.grade == Grade.FAIL:
            gap = ("-", f"{last.name} ends, and {probe.name} begins")
            exchange = (*first.exchange, gap, *second.exchange)
            message = f"only after the probe {last.name}: {second.message}"
            return replace(second, message=message, exchange=exchange, seconds=seconds, mild=True)
        message = f"it failed once, but neither alone nor after {last.name}: {result.message}"
        return replace(alone, message=message, seconds=seconds)

    def _ask(self, probe: Probe) -> ProbeResult:
        began = time.monotonic()
        talk: Talk | None = None
        grade, message, mild = Grade.PASS, "", False
        try:
            talk = self._start() if probe.fresh else self._shared()
            talk.until = time.monotonic() + BUDGET * self._patience
            probe.ask(talk)
            if not probe.fresh:
                self._asked.append(probe)
                talk.settle()
            talk.refuse_strays()
        except Unsuited as unsuited:
            grade, message = Grade.UNSUITED, str(unsuited)
        except (Fault, EngineRefused) as fault:
            grade, message, mild = Grade.FAIL, str(fault), isinstance(fault, Stray)
        except EngineError as error:
            grade, message = Grade.FAIL, describe(error, talk)
        shown = talk or (None if probe.fresh else self._talk)
        exchange = tuple(shown.exchange) if shown is not None else ()
        if exchange and exchange[-1][0] == ">":
            exchange = (*exchange, ("-", "no line after this"))
        if probe.fresh or grade == Grade.FAIL:
            self._close(shown)
        return ProbeResult(probe, grade, message, time.monotonic() - began, exchange, mild)

    def _shared(self) -> Talk:
        """Return the process that most probes share, at the start of a game."""
        if self._talk is not None:
            self._talk.until = time.monotonic() + BUDGET * self._patience
            try:
                self._talk.reset()
            except (EngineError, EngineRefused, Fault):
                self._close(self._talk)
        if self._talk is None:
            self._asked.clear()
            self._failed_starts += 1
            self._talk = self._start()
            self._talk.prepare()
            self._talk.reset()
            self._failed_starts = 0
        self._talk.exchange.clear()
        self._talk.strays = 0
        return self._talk

    def _close(self, talk: Talk | None) -> None:
        if talk is not None:
            talk.close()
        if talk is self._talk:
            self._talk = None
            self._asked.clear()

    def close(self) -> None:
        """End the process."""
        self._close(self._talk)

    def __enter__(self) -> "Checker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
