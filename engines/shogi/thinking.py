"""From a game to a move: deepening, several lines, several threads, levels of skill."""

import math
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engines.core.game import Game
from engines.core.search import Limits, Report, Score, Stop
from engines.shogi.position import Position
from engines.shogi.prover import Prover
from engines.shogi.rules import ShogiRules
from engines.shogi.scores import ALL_METHODS, INFINITE, MATE, SURE, TRY
from engines.shogi.table import Table
from engines.shogi.worker import Worker

BEST_LEVEL: Final = 20
_MOST_DEPTH: Final = 100
_WINDOW: Final = 40  # Hundredths of a pawn about the last score.


@dataclass(frozen=True, slots=True)
class Thought:
    """One line of what is known: `mate` in plies, negative for the side to move's own mate."""

    depth: int
    reached: int
    nodes: int
    seconds: float
    score: int
    mate: int | None
    rank: int
    line: Sequence[int]
    fullness: int
    proved: bool = False  # A mate that the mate search found and replayed.


@dataclass(frozen=True, slots=True)
class Task:
    """What to think about and how long; `deepen` is asked after each depth whether to go on."""

    position: Position
    stop: Callable[[], bool]
    deepen: Callable[[Thought, bool], bool] = lambda thought, changed: True
    report: Callable[[Sequence[Thought]], None] = lambda thoughts: None
    lines: Callable[[], int] = lambda: 1
    moves: Sequence[int] = ()  # All legal ones where none are named.
    depth: int = _MOST_DEPTH
    nodes: int = 0
    declaring: int = 27
    most_plies: int = 0  # Of the game, which is a draw then; 0 is no limit.


class Thinker:
    """Keeps the table and the threads' memories from move to move."""

    def __init__(
        self,
        megabytes: int = 16,
        threads: int = 1,
        level: int = BEST_LEVEL,
        methods: int = ALL_METHODS,
    ) -> None:
        self._megabytes = megabytes
        self._threads = threads
        self._level = level
        self._methods = methods  # Bits of scores.METHODS.
        self._table: Table | None = None
        self._workers: list[Worker] = []
        self._prover: Prover | None = None
        self._random = random.Random(0)

    def arrange(self, megabytes: int, threads: int, level: int) -> None:
        """Change the size of the table, the threads and the level for the next search."""
        if megabytes != self._megabytes:
            self.release()
        self._megabytes, self._threads, self._level = megabytes, threads, level

    def prepare(self) -> Table:
        """Take the memory that a search needs, or what there is of it, before its clock runs."""
        megabytes = self._megabytes
        while self._table is None:
            try:
                self._table = Table(megabytes)
            except MemoryError:
                if megabytes == 1:
                    raise
                megabytes //= 2
            self._workers.clear()
        while len(self._workers) < self._threads:
            self._workers.append(Worker(Position(), self._table))
        if self._prover is None:
            self._prover = Prover()
        return self._table

    def release(self) -> None:
        """Give the memory back; the next search takes it again."""
        self._table = None
        self._workers.clear()

    def forget(self) -> None:
        """Drop what earlier searches learned, so that the same search plays the same game."""
        if self._table is not None:
            self._table.clear()
        for worker in self._workers:
            worker.forget()
        self._random.seed(0)

    def think(self, task: Task) -> list[Thought]:
        """Search until told to stop; return the lines found, the best first, at least one."""
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
                    break  # The system gives no more threads: those that run must do.
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
        self, task: Task, workers: Sequence[Worker], table: Table, moves: Sequence[int]
    ) -> list[Thought]:
        main = workers[0]
        begun = time.monotonic()
        known: list[Thought] = []
        proof: list[int] = []
        told = -1.0
        prover = self._prover if self._level == BEST_LEVEL else None
        if prover is not None:
            prover.begin(task.position)
        for depth in range(1, min(task.depth, _MOST_DEPTH) + 1):
            lines = max(1, min(task.lines(), len(moves)))
            found: list[Thought] = []
            for first in range(lines):
                before = known[first].score if first < len(known) else 0
                score = _aspire(main, depth, before, first)
                if main.halted() and (depth > 1 or first > 0 or not main.line()):
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
                found.append(thought)
            found = _ranked(found)  # A line that is looked at later may come out better.
            if not found and not known:
                # Stopped before anything was searched: the first move must do.
                found = [Thought(0, 0, 0, 0.0, 0, None, 1, [main.root_move(0)], 0)]
            changed = bool(known and found and known[0].line[0] != found[0].line[0])
            complete = len(found) == lines
            if found and (complete or not known):
                known = found
                if prover is not None and not main.halted() and not proof:
                    before = prover.nodes
                    line = prover.look(main.nodes, task.stop)
                    main.nodes += prover.nodes - before
                    if line and line[0] in moves and _in_time(task, line):
                        proof = line
                if proof:
                    known = _with_proof(known, proof)
                if told < 0 or time.monotonic() - begun - told > 0.1 or depth > 8:
                    told = time.monotonic() - begun
                    task.report(known)
            if main.halted() or not task.deepen(known[0], changed):
                break
        return known

    def _weaken(self, task: Task) -> Task:
        nodes = int(250 * 1.39**self._level)  # Enough to see what hangs.
        return replace(
            task,
            nodes=min(nodes, task.nodes) if task.nodes else nodes,
            lines=lambda: max(task.lines(), 4),
            report=lambda thoughts: task.report(thoughts[: task.lines()]),
        )

    def _blunder(self, thoughts: list[Thought]) -> None:
        """Bring a line to the top that seems nearly as good to a player of this level."""
        spread = 25.0 * (BEST_LEVEL - self._level)
        best = max(thoughts, key=lambda thought: thought.score + self._random.random() * spread)
        thoughts.remove(best)
        thoughts.insert(0, best)


def _in_time(task: Task, line: Sequence[int]) -> bool:
    """Tell whether a mate comes before the game is drawn for its length."""
    left = task.most_plies - task.position.ply + 1 - task.position.plies()
    return not task.most_plies or len(line) <= left


def _with_proof(known: Sequence[Thought], line: Sequence[int]) -> list[Thought]:
    """Put a proved mate before what else is known, unless a search knows one as quick."""
    best = known[0]
    if best.mate is not None and 0 < best.mate <= len(line):
        return list(known)
    plies = len(line)
    proof = replace(best, score=MATE - plies, mate=plies, line=line, proved=True)
    others = [thought for thought in known if thought.line[0] != line[0]]
    return _ranked([proof, *others][: len(known)])


def _ranked(thoughts: Sequence[Thought]) -> list[Thought]:
    """Put the best line first, one that was found before others before its equals."""
    best = sorted(thoughts, key=lambda thought: -thought.score)
    return [replace(thought, rank=rank) for rank, thought in enumerate(best, start=1)]


def _aspire(worker: Worker, depth: int, before: int, first: int) -> int:
    """Search with a narrow window about the last score, widened where it fails."""
    if depth < 5 or abs(before) >= SURE:
        return worker.search_root(depth, -INFINITE, INFINITE, first)
    low, high = _WINDOW, _WINDOW
    while True:
        alpha = max(before - low, -INFINITE)
        beta = min(before + high, INFINITE)
        score = worker.search_root(depth, alpha, beta, first)
        if worker.halted() or alpha < score < beta:
            return score
        if score <= alpha:
            low = low * 3 if low < 1500 else 2 * INFINITE
        else:
            high = high * 3 if high < 1500 else 2 * INFINITE


def _help(worker: Worker, number: int) -> None:
    """Search along, half of the helpers a depth ahead, until the table is halted."""
    for depth in range(1 + number % 2, _MOST_DEPTH):
        worker.search_root(depth, -INFINITE, INFINITE, 0)
        if worker.halted():
            return


def mate_in(score: int) -> int | None:
    """Return the plies to mate that a score tells, negative for the side to move's own."""
    if score > SURE:
        return MATE - score
    if score < -SURE:
        return -(MATE + score)
    return None


def chance_of(score: int) -> float:
    """Return the chance that a score stands for."""
    return 1.0 / (1.0 + math.exp(-max(-4000, min(4000, score)) / 600))


class ShogiSearcher:
    """The searcher that the tools know: one line, limits, and a stop."""

    def __init__(self, megabytes: int = 16, threads: int = 1, level: int = BEST_LEVEL) -> None:
        self._thinker = Thinker(megabytes, threads, level)

    def search(
        self,
        game: Game[Position],
        limits: Limits,
        *,
        stop: Stop,
        report: Callable[[Report], None],
    ) -> int:
        """Return a legal move; a declaration that wins comes before all search."""
        rules = game.rules
        if isinstance(rules, ShogiRules) and (declared := rules.declaration(game.position)):
            return declared
        begun = time.monotonic()

        def out_of_time() -> bool:
            seconds = limits.seconds
            return stop() or (seconds is not None and time.monotonic() - begun >= seconds)

        def tell(thoughts: Sequence[Thought]) -> None:
            best = thoughts[0]
            if best.mate is None:
                score = Score(chance_of(best.score))
            else:
                turns = (abs(best.mate) + 1) // 2
                score = Score(1.0 if best.mate > 0 else 0.0, exact=True, turns=turns)
            report(Report(best.depth, best.nodes, best.seconds, score, list(best.line)))

        thoughts = self._thinker.think(
            Task(
                game.position,
                out_of_time,
                deepen=lambda thought, changed: not thought.proved,
                report=tell,
                depth=limits.depth or _MOST_DEPTH,
                nodes=limits.nodes or 0,
                declaring=declaring_points(game.rules.variant),
            )
        )
        return thoughts[0].line[0]

    def forget(self) -> None:
        """Drop what earlier searches learned."""
        self._thinker.forget()


def declaring_points(variant: str) -> int:
    """Return the rule for declarations that a variant has, as the search knows it."""
    return {"": 27, "24-point": 24, "try": TRY}.get(variant, 0)
