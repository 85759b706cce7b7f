"""Work for several engines at once: pieces of suites, each done by whoever is free."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from engines.core.timing import TimeControl
from protocols.errors import EngineError, EngineRefused
from tools.engines import EngineSpec, resolve
from tools.regress.examiner import TIMEOUT, Examiner, time_for
from tools.regress.result import Result, Status
from tools.regress.suite import Fault, Problem
from tools.seat import Seat, dismiss, last_words

CHUNK: Final = 8  # Problems that one engine gets at a time.


@dataclass(frozen=True, slots=True)
class Settings:
    """How tests are asked; without an engine, each game's is our own."""

    engine: EngineSpec | None = None
    control: TimeControl | None = None
    timeout: float | None = None  # For each question; None leaves it to its clock.
    scenes: bool = False  # Positions are kept, to be drawn.
    patience: float | None = None  # For an engine to start; None leaves it to its description.

    def spec(self, game: str) -> EngineSpec:
        """Return the engine that a game's tests are asked of."""
        spec = self.engine or resolve(game)
        return spec if self.patience is None else replace(spec, patience=self.patience)


class Station:
    """One worker's engines, kept from piece to piece."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._seats: dict[EngineSpec, Seat] = {}
        self._examiners: dict[EngineSpec, Examiner] = {}

    def seat(self, game: str) -> Seat:
        """Return the seat of the engine for a game."""
        spec = self.settings.spec(game)
        if spec not in self._seats:
            self._seats[spec] = Seat(spec)
        return self._seats[spec]

    def examiner(self, game: str) -> Examiner:
        """Return who asks the problems of a game."""
        spec = self.settings.spec(game)
        if spec not in self._examiners:
            settings = self.settings
            made = Examiner(self.seat(game), settings.control, settings.timeout)
            self._examiners[spec] = made
        return self._examiners[spec]

    def fault(self, game: str) -> str:
        """Start the engine for a game; return why it cannot be asked, or nothing."""
        label = self.settings.spec(game).label
        try:
            self.seat(game).client()
        except EngineError as error:
            words = last_words(error.stderr)
            return _named(label, error) + (f"\nstderr: {words}" if words else "")
        except (EngineRefused, ValueError) as error:
            return _named(label, error)
        return ""

    def close(self) -> None:
        """End all engines with one grace period."""
        dismiss(self._seats.values())


def _named(label: str, error: Exception) -> str:
    """Put an engine's name in front of what is wrong with it, unless it stands there already."""
    told = str(error)
    return told if told.startswith(f"{label} ") else f"{label}: {told}"


class Piece(Protocol):
    """A part of a suite that one worker does on its own."""

    @property
    def games(self) -> Sequence[str]:
        """The games whose engines it needs."""

    @property
    def tests(self) -> int:
        """How many results it will have."""

    def run(self, station: Station) -> Iterator[Result]:
        """Ask its tests one by one."""


@dataclass(frozen=True, slots=True)
class Problems:
    """Some problems of one of our suites; they do not depend on each other."""

    suite: str
    problems: Sequence[Problem | Fault]

    @property
    def games(self) -> Sequence[str]:
        """The games of the problems, each once."""
        found = [each.game for each in self.problems if isinstance(each, Problem)]
        return list(dict.fromkeys(found))

    @property
    def tests(self) -> int:
        """How many problems."""
        return len(self.problems)

    def run(self, station: Station) -> Iterator[Result]:
        """Ask each problem of its game's engine."""
        for problem in self.problems:
            game = problem.game if isinstance(problem, Problem) else next(iter(self.games), "go")
            yield station.examiner(game).examine(self.suite, problem)

    def parts(self) -> Iterator["Problems"]:
        """Cut into pieces that several workers can share."""
        for start in range(0, len(self.problems), CHUNK):
            yield Problems(self.suite, self.problems[start : start + CHUNK])


@dataclass(frozen=True, slots=True)
class Unread:
    """A suite that could not be read: it is reported, and the others run."""

    suite: str
    message: str

    @property
    def games(self) -> Sequence[str]:
        """None: no engine is asked."""
        return ()

    @property
    def tests(self) -> int:
        """One result, which says why."""
        return 1

    def run(self, station: Station) -> Iterator[Result]:
        """Say what is wrong with the suite."""
        yield Result(self.suite, "suite", 1, Status.ERROR, message=self.message, unread=True)


def longest_question(pieces: Sequence[Piece], settings: Settings) -> float:
    """Return how many seconds a single question may take at most."""
    found = [
        time_for(each, settings.control, settings.timeout)
        for piece in pieces
        if isinstance(piece, Problems)
        for each in piece.problems
        if isinstance(each, Problem)
    ]
    if not all(isinstance(piece, Problems) for piece in pieces):
        found.append(settings.timeout or TIMEOUT)
    return max(found, default=0.0)


@dataclass(slots=True)
class Crew:
    """Workers on threads of their own: engines think elsewhere, and waiting costs nothing."""

    stations: Sequence[Station]
    stopping: bool = False  # Set to begin no more tests.
    _results: "queue.SimpleQueue[Result | BaseException | None]" = field(
        default_factory=queue.SimpleQueue
    )

    def run(self, pieces: Sequence[Piece], heard: Callable[[Result], None]) -> None:
        """Do all pieces, and call `heard` with each result in this thread."""
        waiting: queue.SimpleQueue[Piece] = queue.SimpleQueue()
        for piece in pieces:
            waiting.put(piece)
        for station in self.stations:
            threading.Thread(target=self._work, args=(station, waiting), daemon=True).start()
        at_work = len(self.stations)
        while at_work:
            news = self._results.get()
            if isinstance(news, Result):
                heard(news)
            elif news is None:
                at_work -= 1
            else:
                raise news

    def _called_off(self) -> bool:
        return self.stopping

    def _work(self, station: Station, waiting: "queue.SimpleQueue[Piece]") -> None:
        try:
            while not self.stopping:
                try:
                    piece = waiting.get_nowait()
                except queue.Empty:
                    break
                for result in piece.run(station):
                    self._results.put(result)
                    if self._called_off():
                        break
        except BaseException as error:  # Raised again in the thread that waits.
            self._results.put(error)
        finally:
            station.close()
            self._results.put(None)
