"""Playing the missing games of a match or tournament, one after another or concurrently."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import replace
from typing import Final

from tools.journal.contest import Contest
from tools.journal.sampling import SampleStatus
from tools.match.gauges import Gauges
from tools.match.referee import play_game
from tools.match.workers import GameExecutor
from tools.records.game import GameRecord
from tools.terms.spec import GameSpec

BREAKDOWNS: Final = 3  # A game whose worker process was lost so often stops the match.
_WATCH: Final = 1.0  # Seconds between looks at what the user wishes, and for new workers.


class MatchRunner:
    """Plays the missing games of a match or tournament in the places of an executor."""

    def __init__(self, match: Contest, make: Callable[[], GameExecutor]) -> None:
        self.match = match
        self.stopping = False  # Set this to begin no more games.
        self.started: Callable[[GameSpec], None] = lambda spec: None  # Called for each game.
        self.attend: Callable[[GameExecutor], None] | None = None  # Called between games.
        self.gauges: Gauges | None = None  # Set these to let the games be watched.
        self._make = make
        self._running: dict[Future[GameRecord], GameSpec] = {}
        self._breakdowns: Counter[int] = Counter()

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
                if self.attend is not None:
                    self.attend(executor)
                try:
                    waiting = self._fill(executor)
                except BrokenExecutor as error:  # It cannot take games in any more.
                    executor = self._rebuild(executor, error)
                    continue
                if not self._running:
                    if not waiting:
                        return
                    time.sleep(_WATCH)  # No machine of a cluster is there at this moment.
                    continue
                done, _ = wait(self._running, timeout=_WATCH, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=lambda each: self._running[each].number):
                    spec = self._running.pop(future)
                    self._release(spec)
                    try:
                        record = future.result()
                    except BrokenExecutor as error:
                        self._note_breakdown([spec], error)
                    else:
                        yield record, self.match.add(record)
        finally:
            executor.shutdown(wait=not self._running, cancel_futures=True)

    def _fill(self, executor: GameExecutor) -> bool:
        """Begin games until all slots are taken; return whether a game waits for a slot.

        The match is asked for a game only if there is a slot for it, because earlier results may
        decide who meets next. Raises BrokenExecutor if the executor accepts no more games.
        """
        slots = executor.slots  # Always: a cluster looks for lost workers now.
        if self.stopping or self.match.over:
            return False
        begun = {(spec.pair, spec.side) for spec in self._running.values()}
        missing = (game for game in self.match.missing() if game[:2] not in begun)
        while len(self._running) < slots:
            game = next(missing, None)
            if game is None:
                return False
            spec = self.match.game_spec(*game)
            if self.gauges is not None:
                spec = replace(spec, gauge=self.gauges.assign())
            try:
                future = executor.submit(play_game, spec)
            except BrokenExecutor:
                self._release(spec)
                self._breakdowns[spec.number] += 1
                raise
            self.started(spec)
            self._running[future] = spec
        return not slots and next(missing, None) is not None

    def _release(self, spec: GameSpec) -> None:
        if self.gauges is not None:
            self.gauges.release(spec.gauge)

    def _rebuild(self, executor: GameExecutor, error: BrokenExecutor) -> GameExecutor:
        """Return a new executor in place of a broken one, whose games are played again."""
        for spec in self._running.values():
            self._release(spec)
        lost = list(self._running.values())
        self._running.clear()
        self._note_breakdown(lost, error)
        executor.shutdown(wait=False, cancel_futures=True)
        return self._make()

    def _note_breakdown(self, lost: list[GameSpec], error: BrokenExecutor) -> None:
        numbers = sorted(spec.number for spec in lost)
        self._breakdowns.update(numbers)
        self.match.journal.append({"event": "breakdown", "games": numbers, "reason": str(error)})
        for number, times in self._breakdowns.items():
            if times >= BREAKDOWNS:
                self.match.failure = f"game {number} lost its worker process {times} times"
