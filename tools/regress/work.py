"""Distribute the pieces of suites over several engines that run concurrently."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from protocols.errors import CannotSay, EngineError, EngineRefused
from tools.regress.examiner import TIMEOUT, Examiner, time_for
from tools.regress.result import Result, Status
from tools.regress.suites.suite import InvalidTest, Problem
from tools.roster.engines import resolve
from tools.roster.seats import Seat, dismiss, last_stderr_lines

CHUNK: Final = 8  # An engine gets this many problems at a time.


@dataclass(frozen=True, slots=True)
class QuestionSettings:
    """The settings of all questions; without an engine, our own engine for each game is asked."""

    engine: EngineSpec | None = None
    control: TimeControl | None = None
    # Seconds per question; None leaves it to the clock of the question.
    timeout: float | None = None
    scenes: bool = False  # Whether positions are kept, to be drawn.
    # Seconds for an engine to start; None leaves it to the engine's description.
    patience: float | None = None

    def spec(self, game: str) -> EngineSpec:
        """Return the engine that is asked the tests of a game."""
        spec = self.engine or resolve(game)
        return spec if self.patience is None else replace(spec, patience=self.patience)


class EngineWorker:
    """The engines of one worker thread, which are kept from piece to piece."""

    def __init__(self, settings: QuestionSettings) -> None:
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
        """Return the examiner for the problems of a game."""
        spec = self.settings.spec(game)
        if spec not in self._examiners:
            settings = self.settings
            made = Examiner(self.seat(game), settings.control, settings.timeout)
            self._examiners[spec] = made
        return self._examiners[spec]

    def fault(self, game: str) -> str:
        """Start the engine for a game; return why it cannot be asked, empty if it can."""
        label = self.settings.spec(game).label
        try:
            self.seat(game).client()
        except EngineError as error:
            words = last_stderr_lines(error.stderr)
            return _named(label, error) + (f"\nstderr: {words}" if words else "")
        except (EngineRefused, CannotSay) as error:
            return _named(label, error)
        return ""

    def close(self) -> None:
        """End all engines with one common grace period."""
        dismiss(self._seats.values())


def _named(label: str, error: Exception) -> str:
    """Put the engine's name before an error, unless the text begins with it."""
    message = str(error)
    return message if message.startswith(f"{label} ") else f"{label}: {message}"


class Piece(Protocol):
    """A part of a suite that one worker asks."""

    @property
    def games(self) -> Sequence[str]:
        """The games whose engines are needed."""

    @property
    def tests(self) -> int:
        """The number of results it will have."""

    def run(self, worker: EngineWorker) -> Iterator[Result]:
        """Ask the tests one after another."""


@dataclass(frozen=True, slots=True)
class Problems:
    """Some problems of one of our suites, which do not depend on each other."""

    suite: str
    problems: Sequence[Problem | InvalidTest]

    @property
    def games(self) -> Sequence[str]:
        """The games of the problems, without repetition."""
        names = [each.game for each in self.problems if isinstance(each, Problem)]
        return list(dict.fromkeys(names))

    @property
    def tests(self) -> int:
        """The number of problems."""
        return len(self.problems)

    def run(self, worker: EngineWorker) -> Iterator[Result]:
        """Ask each problem of its game's engine."""
        for problem in self.problems:
            game = problem.game if isinstance(problem, Problem) else next(iter(self.games), "go")
            yield worker.examiner(game).examine(self.suite, problem)

    def parts(self) -> Iterator["Problems"]:
        """Cut the problems into pieces that several workers can share."""
        for start in range(0, len(self.problems), CHUNK):
            yield Problems(self.suite, self.problems[start : start + CHUNK])


@dataclass(frozen=True, slots=True)
class Unread:
    """A suite that could not be read; this is reported, and the other suites run."""

    suite: str
    message: str

    @property
    def games(self) -> Sequence[str]:
        """No games: no engine is asked."""
        return ()

    @property
    def tests(self) -> int:
        """One: the error."""
        return 1

    def run(self, worker: EngineWorker) -> Iterator[Result]:
        """Yield the error as a result."""
        yield Result(self.suite, "suite", 1, Status.ERROR, message=self.message, unread=True)


def longest_question(pieces: Sequence[Piece], settings: QuestionSettings) -> float:
    """Return how many seconds a single question may take at most."""
    seconds = [
        time_for(each, settings.control, settings.timeout)
        for piece in pieces
        if isinstance(piece, Problems)
        for each in piece.problems
        if isinstance(each, Problem)
    ]
    if not all(isinstance(piece, Problems) for piece in pieces):
        seconds.append(settings.timeout or TIMEOUT)
    return max(seconds, default=0.0)


@dataclass(slots=True)
class Dispatcher:
    """Runs the workers in threads, since the engines think in processes of their own."""

    workers: Sequence[EngineWorker]
    stopping: bool = False  # Set this to begin no more tests.
    _results: "queue.SimpleQueue[Result | BaseException | None]" = field(
        default_factory=queue.SimpleQueue
    )

    def run(self, pieces: Sequence[Piece], on_result: Callable[[Result], None]) -> None:
        """Ask all pieces; `on_result` is called in this thread with each result."""
        waiting: queue.SimpleQueue[Piece] = queue.SimpleQueue()
        for piece in pieces:
            waiting.put(piece)
        for worker in self.workers:
            threading.Thread(target=self._work, args=(worker, waiting), daemon=True).start()
        at_work = len(self.workers)
        while at_work:
            news = self._results.get()
            if isinstance(news, Result):
                on_result(news)
            elif news is None:
                at_work -= 1
            else:
                raise news

    def _called_off(self) -> bool:
        return self.stopping

    def _work(self, worker: EngineWorker, waiting: "queue.SimpleQueue[Piece]") -> None:
        try:
            while not self.stopping:
                try:
                    piece = waiting.get_nowait()
                except queue.Empty:
                    break
                for result in piece.run(worker):
                    self._results.put(result)
                    if self._called_off():
                        break
        except BaseException as error:  # Raised again in the thread that waits.
            self._results.put(error)
        finally:
            worker.close()
            self._results.put(None)
