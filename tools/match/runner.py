"""Playing the missing games of a match, one after another or several concurrently."""

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from typing import Final

from tools.journal.sampling import SampleStatus
from tools.match.gauges import Gauges
from tools.match.match import Match
from tools.match.referee import play_game
from tools.records.game import GameRecord
from tools.terms.spec import GameSpec

BREAKDOWNS: Final = 3  # So many lost worker processes in a row stop the match.


class MatchRunner:
    """Plays the missing games of a match in `slots` places of an executor."""

    def __init__(self, match: Match, make: Callable[[], Executor], slots: int) -> None:
        self.match = match
        self.stopping = False  # Set this to begin no more games.
        self.started: Callable[[GameSpec], None] = lambda spec: None  # Called for each game.
        self.gauges: Gauges | None = None  # Set these to let the games be watched.
        self._make = make
        self._slots = slots
        self._running: dict[Future[GameRecord], GameSpec] = {}
        self._breakdowns = 0

    @property
    def running(self) -> list[GameSpec]:
        """The games that are being played."""
        return list(self._running.values())

    def play(self) -> Iterator[tuple[GameRecord, SampleStatus]]:
        """Yield each game once it is in the journal.

        Raises InvalidText for what an engine's protocol cannot express, and JournalError. The games
        that are running then are lost; the next run plays them.
        """
        executor = self._make()
        try:
            while True:
                try:
                    self._fill(executor)  # Submitting also fails once a worker is lost.
                    if not self._running:
                        return
                    done, _ = wait(self._running, return_when=FIRST_COMPLETED)
                    for future in sorted(done, key=lambda each: self._running[each].number):
                        record = future.result()
                        self._release(self._running.pop(future))
                        self._breakdowns = 0
                        yield record, self.match.add(record)
                except BrokenProcessPool as error:
                    executor = self._rebuild(executor, error)
        finally:
            executor.shutdown(wait=not self._running, cancel_futures=True)

    def _fill(self, executor: Executor) -> None:
        """Begin games until every slot has one, or none is missing."""
        if self.stopping or self.match.over:
            return
        begun = {(spec.pair, spec.side) for spec in self._running.values()}
        for pair, side, attempt in self.match.missing():
            if len(self._running) >= self._slots:
                return
            if (pair, side) not in begun:
                spec = self.match.spec.game_spec(pair, side, attempt)
                if self.gauges is not None:
                    spec = replace(spec, gauge=self.gauges.assign())
                self.started(spec)
                self._running[executor.submit(play_game, spec)] = spec

    def _release(self, spec: GameSpec) -> None:
        if self.gauges is not None:
            self.gauges.release(spec.gauge)

    def _rebuild(self, executor: Executor, error: BrokenProcessPool) -> Executor:
        """Return a new executor in place of one that lost a worker; its games are played again."""
        lost = sorted(spec.number for spec in self._running.values())
        for spec in self._running.values():
            self._release(spec)
        self._running.clear()
        self._breakdowns += 1
        self.match.journal.append({"event": "breakdown", "games": lost, "reason": str(error)})
        executor.shutdown(wait=False, cancel_futures=True)
        if self._breakdowns >= BREAKDOWNS:
            self.match.failure = f"{BREAKDOWNS} workers were lost in a row"
        return self._make()
