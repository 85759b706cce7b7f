"""A run over records: several engines value the games, and one thread keeps and writes all."""

import hashlib
import json
import queue
import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from engines import registry
from engines.core.game import InvalidText
from engines.core.storage import write_whole
from protocols.ask.score import Evaluation
from protocols.errors import CannotSay, EngineRefused
from tools.annotate.judging import JudgedMove, Tally, Thresholds, judge_moves
from tools.annotate.planning import (
    AnnotateOptions,
    CannotAnnotate,
    check_options,
    plan_files,
    read_engine,
    side_of,
)
from tools.annotate.valuing import Value
from tools.annotate.variations import better_lines, is_annotation
from tools.annotate.work import AnnotatedFile, GameTask, Worker
from tools.annotate.writing import Annotation, annotate, holds_variations
from tools.journal.interrupts import Interrupts
from tools.journal.journal import Event, Journal
from tools.records.diagrams import KNOWN
from tools.records.reading import read_bytes
from tools.records.recorded import RecordedGame, read_games
from tools.roster.engines import resolve

PROGRESS: Final = "annotate-progress"
"""The folder that holds the values of a run until its records are complete."""


class Report(Protocol):
    """Receives what happens in a run."""

    def progress(self, share: float, text: str) -> None:
        """Show how far the run is."""

    def note(self, text: str) -> None:
        """Say something that is not a result."""

    def done(self, source: Path, target: Path, moves: Sequence[JudgedMove]) -> None:
        """Say that a record was written."""


@dataclass(slots=True)
class RunResult:
    """The results of a run."""

    written: int = 0
    failed: int = 0  # Files that could not be annotated.
    missing: int = 0  # Moves without a worth.
    interrupted: bool = False
    tallies: dict[str, Tally] = field(default_factory=dict)
    moves: list[dict[str, Any]] = field(default_factory=list)


def run_annotation(paths: Sequence[Path], options: AnnotateOptions, report: Report) -> RunResult:
    """Annotate records; raises InvalidText, and other errors that are a QuintetError."""
    check_options(options)
    plan = plan_files(paths, options.out)
    if not plan:
        raise CannotAnnotate(f"no records to annotate (known: {', '.join(KNOWN)})")
    if options.jsonl is not None and not options.jsonl.absolute().parent.is_dir():
        raise CannotAnnotate(f"no such folder: {options.jsonl.parent}")
    run = _Run(options, report, plan)
    folder = (options.out or plan[0][0].parent) / PROGRESS
    idle = True
    try:
        with Journal(folder) as journal:
            try:
                result = run.run(journal)
            finally:
                idle = len(journal.events) <= 1
    finally:
        if idle:
            shutil.rmtree(folder, ignore_errors=True)
    if not result.interrupted:
        shutil.rmtree(folder, ignore_errors=True)
    return result


class _Run:
    """One run: its files, its workers, and what they have found."""

    def __init__(
        self, options: AnnotateOptions, report: Report, plan: Sequence[tuple[Path, Path]]
    ) -> None:
        self._options = options
        self._report = report
        self._plan = plan
        self._thresholds = Thresholds.parse(options.thresholds)
        self._engine, self._control = read_engine(options)
        self._result = RunResult()
        self._news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._stopping = False
        self._known: dict[str, dict[str, Value]] = {}
        self._finished: set[str] = set()
        self._sources: dict[Path, Path] = {}  # Of each file to write.
        self._ended = 0  # Files.

    def run(self, journal: Journal) -> RunResult:
        """Value all games, and write each record when its games are valued."""
        self._resume(journal)
        tasks = self._games()
        stop = partial(setattr, self, "_stopping", True)
        with Interrupts(stop, "positions") as interrupts:
            threads = [
                threading.Thread(target=self._work, args=(tasks,), daemon=True)
                for _ in range(self._options.jobs)
            ]
            for thread in threads:
                thread.start()
            try:
                self._collect(journal)
            except KeyboardInterrupt:
                self._stopping = True
            except BaseException:
                self._stopping = True
                for thread in threads:  # Each ends its engine after its present position.
                    thread.join()
                raise
        self._result.interrupted = interrupts.count > 0
        self._write_moves()
        return self._result

    def _resume(self, journal: Journal) -> None:
        """Take over the values of an earlier run with the same settings; raises CannotAnnotate."""
        seal = {"event": "annotate", **self._seal()}
        if not journal.events:
            journal.append(seal)
            return
        if journal.events[0] != seal:
            raise CannotAnnotate(
                f"{journal.path.parent} holds the values of a run with another engine or limit: "
                "repeat that command to resume it, or delete the folder"
            )
        try:
            for event in journal.events[1:]:
                self._recall(event)
        except (KeyError, TypeError, AttributeError) as error:
            raise CannotAnnotate(
                f"{journal.path} cannot be understood: {error!r}; delete {journal.path.parent}"
            ) from error
        count = sum(map(len, self._known.values()))
        self._report.note(f"resumed with {count} positions that were valued before")

    def _recall(self, event: Event) -> None:
        if event["event"] == "writing":
            self._finished.add(event["target"])
        elif not event["fault"]:  # The engine may do better now.
            said = Evaluation.parse(event["evaluation"])
            value = Value(event["side"], event["best"], said)
            self._known.setdefault(event["game"], {})[event["position"]] = value

    def _seal(self) -> dict[str, Any]:
        engine = self._engine
        if engine is None:
            return {"engine": "", "time": str(self._control)}
        options = [list(pair) for pair in engine.options]
        settings = {"options": options, "commands": list(engine.commands)}
        return {
            "engine": engine.label,
            "command": list(engine.command),
            "time": str(self._control),
            **settings,
        }

    def _games(self) -> Iterator[GameTask]:
        """Yield the games of all files; a file that cannot be read is reported."""
        for source, target in self._plan:
            file = AnnotatedFile(source, target)
            try:
                self._open(file)
            except (InvalidText, CannotAnnotate) as error:
                self._news.put((file, str(error)))
                continue
            except OSError as error:
                self._news.put((file, error.strerror or str(error)))
                continue
            for number in range(len(file.games)):
                known = self._known.get(f"{file.key}/{number}", {})
                yield GameTask(file, number, known)

    def _open(self, file: AnnotatedFile) -> None:
        if (earlier := self._sources.setdefault(file.target, file.source)) is not file.source:
            raise CannotAnnotate(f"{file.target} is written from {earlier}")
        if file.target.resolve() == file.source.resolve():
            raise CannotAnnotate("it would be replaced by its copy (--out FOLDER)")
        ours = self._options.force or str(file.target) in self._finished
        if file.target.exists() and not ours:
            raise CannotAnnotate(f"{file.target} is there already (--force)")
        file.data = read_bytes(file.source)
        file.key = hashlib.sha256(file.data).hexdigest()[:20]
        file.games = read_games(file.source.name, file.data)
        for game in file.games:
            side_of(self._options.side, game.game)
        file.values = [{} for _ in file.games]
        file.left = len(file.games)

    def _next(self, tasks: Iterator[GameTask]) -> GameTask | None:
        with self._lock:
            return None if self._stopping else next(tasks, None)

    def _work(self, tasks: Iterator[GameTask]) -> None:
        """Value games until none is left."""
        worker = Worker(self._engine, self._control, self._options, self._news.put)
        try:
            while (task := self._next(tasks)) is not None:
                self._value_game(worker, task)
        except BaseException as error:  # Raised again in the thread that waits.
            self._news.put(error)
        finally:
            worker.close()
            self._news.put(None)

    def _value_game(self, worker: Worker, task: GameTask) -> None:
        try:
            for name, value, new in worker.values(task):
                self._news.put((task, name, value, new))
                if self._stopping or task.file.failed:
                    return
        except (EngineRefused, CannotSay, InvalidText) as error:
            self._news.put((task.file, str(error)))
        self._news.put(task)

    def _collect(self, journal: Journal) -> None:
        """Take in what the workers find, in this thread."""
        workers = self._options.jobs
        while workers:
            match self._news.get():
                case None:
                    workers -= 1
                case str() as notice:
                    self._report.note(notice)
                case BaseException() as error:
                    self._stopping = True
                    raise error
                case (GameTask() as task, str(name), Value() as value, bool(new)):
                    if new:
                        journal.append(_event(task, name, value))
                    task.file.values[task.number][name] = value
                    self._show(task, name)
                case (AnnotatedFile() as file, str(reason)):
                    self._fail(file, reason)
                case GameTask() as task:
                    task.file.left -= 1
                    if not task.file.left and not task.file.failed:
                        self._finish(journal, task.file)

    def _fail(self, file: AnnotatedFile, reason: str) -> None:
        if not file.failed:
            file.failed = True
            self._ended += 1
            self._result.failed += 1
            self._report.note(f"{file.source}: {reason}")

    def _show(self, task: GameTask, name: str) -> None:
        plies = max(len(task.file.games[task.number].moves), 1)
        at = int(name.removesuffix("+"))
        share = (self._ended + min(at / plies, 1.0)) / len(self._plan)
        self._report.progress(min(share, 1.0), f"{task.file.source.name}, move {at} of {plies}")

    def _finish(self, journal: Journal, file: AnnotatedFile) -> None:
        """Judge the moves of a file, and write it."""
        annotations = []
        judged: list[JudgedMove] = []
        for game, values in zip(file.games, file.values, strict=True):
            annotation = self._annotation(game, values)
            if annotation.moves and all(move.loss is None for move in annotation.moves):
                self._fail(file, f"no move could be valued: {annotation.moves[0].fault}")
                return
            annotations.append(annotation)
            judged += annotation.moves
        suffix = file.source.suffix.lower()
        try:
            data = annotate(file.data, suffix, annotations)
        except InvalidText as error:
            self._fail(file, str(error))
            return
        file.target.parent.mkdir(parents=True, exist_ok=True)
        # If this run is killed now, the next one knows that it may replace the file.
        journal.append({"event": "writing", "target": str(file.target)})
        write_whole(file.target, [data])
        self._count(file, annotations)
        for game in file.games:
            for notice in (*game.notices, *_unvalued(game)):
                self._report.note(f"{file.source}: {notice}")
        if (count := sum(len(each.lines) for each in annotations)) and not holds_variations(suffix):
            self._report.note(
                f"{file.source}: CSA has no variations: {count} better "
                f"line{'s are' if count != 1 else ' is'} only in the comments"
            )
        self._report.done(file.source, file.target, judged)
        file.data, file.values = b"", []
        self._ended += 1

    def _annotation(self, game: RecordedGame, values: Mapping[str, Value]) -> Annotation:
        options = self._options
        side = side_of(options.side, game.game)
        moves = list(
            judge_moves(game.moves, values, self._thresholds, options.first, options.last, side)
        )
        spec = self._engine or resolve(game.game)
        author = f"{spec.label}, {self._control}"
        lines = better_lines(game, moves, author, options.variations)
        return Annotation(game, values, moves, author, lines)

    def _count(self, file: AnnotatedFile, annotations: Sequence[Annotation]) -> None:
        result = self._result
        result.written += 1
        for number, annotation in enumerate(annotations, 1):
            game = annotation.game
            sides = registry.rules(game.game).sides
            for move in annotation.moves:
                name = game.names[move.side] or sides[move.side]
                result.tallies.setdefault(name, Tally(name)).add(move)
                result.missing += move.loss is None
                head = {"file": str(file.source), "game": number, "player": name}
                result.moves.append(head | {**move.to_json(), "side": sides[move.side]})

    def _write_moves(self) -> None:
        if self._options.jsonl is not None:
            lines = (
                f"{json.dumps(move, ensure_ascii=False)}\n".encode() for move in self._result.moves
            )
            write_whole(self._options.jsonl, lines)


def _event(task: GameTask, name: str, value: Value) -> dict[str, Any]:
    return {
        "event": "value",
        "game": f"{task.file.key}/{task.number}",
        "position": name,
        "side": value.side,
        "best": value.best,
        "evaluation": str(value.evaluation),
        "fault": value.fault,
    }


def _unvalued(game: RecordedGame) -> list[str]:
    """Say that variations are kept, but not valued."""
    if all(map(is_annotation, game.variations)):
        return []
    return ["its variations are kept as they are: only the moves of the main line are valued"]
