"""The search from the root: iterative deepening, multiple lines, threads and levels of skill."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engines.shogi.play import evaluating
from engines.shogi.play.evaluating import Choice
from engines.shogi.play.mate.prover import Prover
from engines.shogi.play.scores import ALL_METHODS, INFINITE, MATE, SURE, TRY
from engines.shogi.play.table import TranspositionTable
from engines.shogi.play.worker import Worker
from engines.shogi.rules.position import Position

BEST_LEVEL: Final = 20
_MOST_DEPTH: Final = 100
_WINDOW: Final = 40  # Hundredths of a pawn to either side of the last score.


@dataclass(frozen=True, slots=True)
class Thought:
    """One line of play that the search found.

    `mate` is in plies, and negative if the side to move is mated.
    """

    depth: int
    reached: int
    nodes: int
    seconds: float
    score: int
    mate: int | None
    rank: int
    line: Sequence[int]
    fullness: int
    proved: bool = False  # The mate search found this mate and replayed it to its end.


@dataclass(frozen=True, slots=True)
class Task:
    """The position to search, the limits, and the callbacks of a search.

    `stop` is polled during the search; `deepen` decides after each depth whether to go on.
    """

    position: Position
    stop: Callable[[], bool]
    deepen: Callable[[Thought, bool], bool] = lambda thought, changed: True
    report: Callable[[Sequence[Thought]], None] = lambda thoughts: None
    lines: Callable[[], int] = lambda: 1
    moves: Sequence[int] = ()  # The moves to consider; none means all legal moves.
    depth: int = _MOST_DEPTH
    nodes: int = 0
    declaring: int = 27
    most_plies: int = 0  # The game is drawn after so many plies; 0 means no limit.


class Thinker:
    """Searches positions; keeps the transposition table and the workers from move to move."""

    def __init__(
        self,
        megabytes: int = 16,
        threads: int = 1,
        level: int = BEST_LEVEL,
        methods: int = ALL_METHODS,
        evaluation: Choice | None = None,
    ) -> None:
        self._evaluation = evaluation  # None stands for the shipped one.
        self._megabytes = megabytes
        self._threads = threads
        self._level = level
        self._methods = methods  # Bits of scores.METHODS.
        self._table: TranspositionTable | None = None
        self._workers: list[Worker] = []
        self._prover: Prover | None = None
        self._random = random.Random(0)

    def arrange(self, megabytes: int, threads: int, level: int, methods: int = ALL_METHODS) -> None:
        """Set the size of the table, threads, level and methods for the next search."""
        if megabytes != self._megabytes:
            self.release()
        self._megabytes, self._threads, self._level = megabytes, threads, level
        self._methods = methods

    def evaluate_by(self, evaluation: Choice | None) -> None:
        """Use another evaluation, or, for None, the shipped one; forget all earlier searches."""
        self._evaluation = evaluation
        self._workers.clear()
        self.forget()

    def prepare(self) -> TranspositionTable:
        """Allocate the memory of a search, or as much as is available, before its clock runs."""
        megabytes = self._megabytes
        while self._table is None:
            try:
                self._table = TranspositionTable(megabytes)
            except MemoryError:
                if megabytes == 1:
                    raise
                megabytes //= 2
            self._workers.clear()
        if len(self._workers) < self._threads:
            evaluation = self._evaluation or evaluating.shipped()
            while len(self._workers) < self._threads:
                worker = Worker(Position(), self._table)
                worker.evaluate_by(evaluation.make())
                self._workers.append(worker)
        if self._prover is None:
            self._prover = Prover()
        return self._table

    def release(self) -> None:
        """Free the memory; the next search allocates it again."""
        self._table = None
        self._workers.clear()

    def forget(self) -> None:
        """Forget what earlier searches learned, so that the same searches give the same moves."""
        if self._table is not None:
            self._table.clear()
        for worker in self._workers:
            worker.forget()
        self._random.seed(0)

    def think(self, task: Task) -> list[Thought]:
        """Search within the limits; return at least one line, the best line first."""
        wanted = task.lines
        if self._level < BEST_LEVEL:
            task = self._weaken(task)
        moves = list(task.moves) or list(task.position.legal_moves())
        if not moves:
            raise ValueError("no legal move to think about")
        table = self.prepare()
        table.grow_older()
        table.release()
        workers = self._assemble(task)
        for worker in workers:
            worker.set_root(moves)
        helpers: list[threading.Thread] = []
        try:
            for number, worker in enumerate(workers[1:], start=1):
                helper = threading.Thread(target=_help, args=(worker, number), daemon=True)
                try:
                    helper.start()
                except RuntimeError:
                    break  # The system allows no more threads; continue with those that run.
                helpers.append(helper)
            thoughts = self._deepen(task, workers, table, moves)
        finally:
            table.halt()
            for helper in helpers:
                helper.join()
        if self._level < BEST_LEVEL:
            self._blunder(thoughts)
            return thoughts[: max(wanted(), 1)]
        return thoughts

    def _assemble(self, task: Task) -> list[Worker]:
        workers = self._workers[: self._threads]
        limit = max(task.most_plies - task.position.ply + 1, 1) if task.most_plies else 0
        for number, worker in enumerate(workers):
            worker.use_methods(self._methods)
            if number == 0:
                worker.begin(task.position.copy(), task.stop, task.nodes, task.declaring, limit)
            else:
                worker.begin(task.position.copy(), None, 0, task.declaring, limit)
        return workers

    def _deepen(
        self, task: Task, workers: Sequence[Worker], table: TranspositionTable, moves: Sequence[int]
    ) -> list[Thought]:
        main = workers[0]
        begun = time.monotonic()
        known: list[Thought] = []
        proof: list[int] = []
        reported = -1.0
        prover = self._prover if self._level == BEST_LEVEL else None
        if prover is not None:
            prover.begin(task.position)
        for depth in range(1, min(task.depth, _MOST_DEPTH) + 1):
            lines = max(1, min(task.lines(), len(moves)))
            searched: list[Thought] = []
            for first in range(lines):
                before = known[first].score if first < len(known) else 0
                score, better = _aspire(main, depth, before, first)
                if main.halted() and (depth > 1 or first > 0 or not main.line()):
                    if better and first == 0 and known and not proof:
                        known = _with_better(known, better, score)
                    break
                seconds = time.monotonic() - begun
                thought = Thought(
                    depth=depth,
                    reached=max(main.reached, depth),
                    nodes=sum(worker.nodes for worker in workers),
                    seconds=seconds,
                    score=score,
                    mate=mate_in(score),
                    rank=first + 1,
                    line=main.line(),
                    fullness=table.fullness(),
                )
                searched.append(thought)
            searched = _ranked(searched)  # A line that was searched later may have scored better.
            if not searched and not known:
                # Stopped before anything was searched: return the first move.
                searched = [Thought(0, 0, 0, 0.0, 0, None, 1, [main.root_move(0)], 0)]
            changed = bool(known and searched and known[0].line[0] != searched[0].line[0])
            complete = len(searched) == lines
            if searched and (complete or not known):
                known = searched
                if prover is not None and not main.halted() and not proof:
                    before = prover.nodes
                    line = prover.look(main.nodes, task.stop)
                    main.nodes += prover.nodes - before
                    if line and line[0] in moves and _in_time(task, line):
                        proof = line
                if proof:
                    known = _with_proof(known, proof)
                if reported < 0 or time.monotonic() - begun - reported > 0.1 or depth > 8:
                    reported = time.monotonic() - begun
                    task.report(known)
            if main.halted() or not task.deepen(known[0], changed):
                break
        return known

    def _weaken(self, task: Task) -> Task:
        nodes = int(250 * 1.39**self._level)  # Enough to see which men can be taken.
        return replace(
            task,
            nodes=min(nodes, task.nodes) if task.nodes else nodes,
            lines=lambda: max(task.lines(), 4),
            report=lambda thoughts: task.report(thoughts[: task.lines()]),
        )

    def _blunder(self, thoughts: list[Thought]) -> None:
        """Move a line to the top that looks nearly as good to a player of this level."""
        spread = 25.0 * (BEST_LEVEL - self._level)
        best = max(thoughts, key=lambda thought: thought.score + self._random.random() * spread)
        thoughts.remove(best)
        thoughts.insert(0, best)


def _in_time(task: Task, line: Sequence[int]) -> bool:
    """Tell whether a mate ends the game before the limit of plies makes it a draw."""
    left = task.most_plies - task.position.ply + 1 - task.position.plies()
    return not task.most_plies or len(line) <= left


def _with_better(known: Sequence[Thought], line: Sequence[int], score: int) -> list[Thought]:
    """Put a line first that a search found to be better before it was stopped."""
    better = replace(known[0], score=score, mate=mate_in(score), line=line)
    others = [thought for thought in known if thought.line[0] != line[0]]
    return [
        replace(thought, rank=rank)
        for rank, thought in enumerate([better, *others][: len(known)], start=1)
    ]


def _with_proof(known: Sequence[Thought], line: Sequence[int]) -> list[Thought]:
    """Put a proved mate first, unless the search knows a mate that is as short."""
    best = known[0]
    if best.mate is not None and 0 < best.mate <= len(line):
        return list(known)
    plies = len(line)
    proof = replace(best, score=MATE - plies, mate=plies, line=line, proved=True)
    others = [thought for thought in known if thought.line[0] != line[0]]
    return _ranked([proof, *others][: len(known)])


def _ranked(thoughts: Sequence[Thought]) -> list[Thought]:
    """Sort lines by score, best first; lines of equal score keep their order."""
    best = sorted(thoughts, key=lambda thought: -thought.score)
    return [replace(thought, rank=rank) for rank, thought in enumerate(best, start=1)]


def _aspire(worker: Worker, depth: int, before: int, first: int) -> tuple[int, list[int]]:
    """Search with a narrow window around the last score; widen it when the search fails.

    Return the score, and the line of a move that was found to be better than the first, if any.
    """
    low, high = _WINDOW, _WINDOW
    if depth < 5 or abs(before) >= SURE:
        low = high = 2 * INFINITE
    better: list[int] = []
    highest = -INFINITE
    while True:
        alpha = max(before - low, -INFINITE)
        beta = min(before + high, INFINITE)
        score = worker.search_root(depth, alpha, beta, first)
        if worker.improved():
            better, highest = worker.line(), score
        if worker.halted():
            return highest, better
        if alpha < score < beta:
            return score, better
        if score <= alpha:
            low = low * 3 if low < 1500 else 2 * INFINITE
        else:
            high = high * 3 if high < 1500 else 2 * INFINITE


def _help(worker: Worker, number: int) -> None:
    """Search beside the main thread until the table is halted; half of the helpers go deeper."""
    for depth in range(1 + number % 2, _MOST_DEPTH):
        worker.search_root(depth, -INFINITE, INFINITE, 0)
        if worker.halted():
            return


def mate_in(score: int) -> int | None:
    """Return the plies to mate of a score, negative if the side to move is mated."""
    if score > SURE:
        return MATE - score
    if score < -SURE:
        return -(MATE + score)
    return None


def declaring_points(variant: str) -> int:
    """Return the number by which the search knows a variant's rule for declarations."""
    return {"": 27, "24-point": 24, "try": TRY}.get(variant, 0)
