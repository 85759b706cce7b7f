"""Solve Senet by value iteration: all classes of positions up to some number of men a side."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from engines.core import places
from engines.core.game import InvalidText
from engines.core.solving import (
    CheckFailed,
    Checkpoints,
    Progress,
    SolvedPart,
    SolveRequest,
    share_of,
)
from engines.senet.play.net import Net
from engines.senet.rules.text import MEN, SenetRules, make_rules
from engines.senet.tables import shipped
from engines.senet.tables.gathering import due
from engines.senet.tables.iteration import Iteration
from engines.senet.tables.storage import fingerprint, load, load_values, path_of, save
from engines.senet.tables.sweep import Sweep
from engines.senet.tables.table import FLOAT, ITEM_SIZE, SHORT, ChanceTable, Class, entries

UNIT: Final = 1 / 65535
# A class is solved when the residual, the largest change in a sweep, is at most this.
TOLERANCE: Final = {FLOAT: 1e-6, SHORT: 1.5 * UNIT}
KINDS: Final = {"": "", "float": FLOAT, "short": SHORT}
SAMPLES: Final = 1_000_000
_FIGURES: Final = ("sweeps", "residual", "error", "seconds")


def pairs(men: int) -> list[tuple[Class, ...]]:
    """List the classes up to `men` men a side, each with its mirror, in the order of solving."""
    groups: list[tuple[Class, ...]] = []
    for total in range(2, 2 * men + 1):
        for own in range((total + 1) // 2, min(men, total - 1) + 1):
            enemy = total - own
            groups.append(((own, enemy),) if own == enemy else ((own, enemy), (enemy, own)))
    return groups


def plan(request: SolveRequest) -> "Solution":
    """Plan the tables of all classes up to `request.men` men a side; raises InvalidText."""
    return Solution(request)


class Solution:
    """The tables that a request asks for; saved classes are kept, an interrupted class resumes."""

    def __init__(self, request: SolveRequest) -> None:
        if request.men is None or not 1 <= request.men <= MEN:
            given = "" if request.men is None else f", not {request.men}"
            raise InvalidText(f"give the number of men a side, 1 to {MEN}{given}")
        if request.kind not in KINDS:
            raise InvalidText(f"no such kind: {request.kind!r} (known: float, short)")
        rules = make_rules(request.variant)
        self.folder = request.directory or places.tables()
        self._samples = SAMPLES if request.samples is None else request.samples
        workers = request.workers or os.cpu_count() or 1
        self._tasks = [
            _ClassSolver(classes, rules, self.folder, workers, KINDS[request.kind])
            for classes in pairs(request.men)
        ]

    @property
    def missing(self) -> list[str]:
        """The missing classes, in the order of solving."""
        return [task.name for task in self._tasks if not task.is_saved()]

    @property
    def space(self) -> int:
        """The bytes of disk that the work needs: the missing files, and one checkpoint."""
        sizes = [task.space for task in self._tasks if not task.is_saved()]
        return sum(sizes) + max(sizes, default=0)

    @property
    def memory(self) -> int:
        """The bytes of memory that the work needs to run at full speed."""
        return max((task.memory for task in self._tasks if not task.is_saved()), default=0)

    def run(self, progress: Progress) -> Iterator[SolvedPart]:
        """Solve and check the missing classes, and yield every class with its mirror."""
        whole = sum(task.space for task in self._tasks if not task.is_saved()) or 1
        done = 0
        for task in self._tasks:
            if not task.is_saved():
                task.run(self._samples, share_of(progress, done / whole, task.space / whole))
                done += task.space
            yield task.report()


class _ClassSolver:
    """One class with its mirror: its table, its sweeps and its checkpoint."""

    def __init__(
        self,
        classes: tuple[Class, ...],
        rules: SenetRules,
        directory: Path,
        workers: int,
        kind: str,
    ) -> None:
        self.classes = classes
        self.rules = rules
        self.directory = directory
        self.workers = workers
        self.fingerprint = fingerprint(rules.passing, rules.over)
        self.kind = kind or (FLOAT if max(classes[0]) < MEN else SHORT)
        self.name = " and ".join(f"{own}-{enemy}" for own, enemy in classes)
        self.partial = self._path(classes[0]).with_suffix(".partial")
        self.sweeps = 0
        self.largest = 0.0  # The largest change of the sweep in progress.
        self.resumed = False
        self.level = 0  # How many levels of pips the sweep in progress has finished.
        self.error = 0.0
        self.checked = 0
        self.residual = 0.0
        self.seconds = 0.0

    @property
    def space(self) -> int:
        """The bytes that the class and its mirror take."""
        return sum(entries(*each) for each in self.classes) * ITEM_SIZE[self.kind]

    @property
    def memory(self) -> int:
        """The bytes that the class, its successors and its gathered rows take."""
        below = sum(entries(*each) for each in self._below()) * ITEM_SIZE[self.kind]
        return self.space + below + self.space // 2

    def _path(self, each: Class) -> Path:
        return path_of(self.directory, self.rules.passing, self.rules.over, *each)

    def is_saved(self) -> bool:
        """Return whether every class has its file."""
        return all(self._path(each).exists() for each in self.classes)

    def report(self) -> SolvedPart:
        """Return the figures in the headers of the files; raises TableError for unusable files."""
        number = sum(entries(*each) for each in self.classes)
        for each in self.classes:
            stored = load(self._path(each), self.fingerprint, *each, checked=True)
        figures = {name: stored.figure(name) for name in _FIGURES}
        checked = stored.header.get("checked")  # Older files do not have this figure.
        scope = "" if checked is None else f" of {checked} random positions"
        return SolvedPart(
            f"{self.name}: {number} positions, {figures['sweeps']} sweeps in "
            f"{figures['seconds']:.1f} s; residual {figures['residual']:.1e}, "
            f"largest error{scope} {figures['error']:.1e}",
            {
                "part": self.name,
                "positions": number,
                "kind": stored.header["kind"],
                "checked": checked,
                **figures,
            },
        )

    def run(self, samples: int, progress: Progress) -> None:
        """Sweep until solved, check and save; an interruption leaves a checkpoint."""
        started = time.monotonic()
        table = self._table()
        self._resume(table)
        sweeps = self._make_sweeps(table)
        levels = range(max(each[0].most for each in sweeps), 0, -1)
        checkpoints = Checkpoints()
        with ThreadPoolExecutor(self.workers) as pool:
            if not self.resumed:
                self._guess(pool, sweeps)
            try:
                while True:
                    if self.level < len(levels):
                        for above in (
                            3,
                            2,
                        ):  # Otherwise they would be batched with finished levels.
                            self._gather(pool, sweeps, levels[self.level] + above)
                    while self.level < len(levels):
                        self._improve(pool, sweeps, levels[self.level])
                        progress(*self._estimate(len(levels)))
                        checkpoints.save_if_due(partial(self._checkpoint, table))
                    self.sweeps += 1
                    self.residual, self.largest, self.level = self.largest, 0.0, 0
                    if self.residual <= TOLERANCE[self.kind]:
                        break
                progress(0.99, f"{self.name}: checks {samples} positions")
                iteration = Iteration(table, int(self.rules.passing), int(self.rules.over))
                self.error = max(
                    iteration.check(own, enemy, samples // len(self.classes), seed=1)
                    for own, enemy in self.classes
                )
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)  # Otherwise a thread may change what is saved.
                self._checkpoint(table)
                raise
        self.checked = samples // len(self.classes) * len(self.classes)
        self.seconds += time.monotonic() - started
        if self.error > 2 * TOLERANCE[self.kind]:
            self.partial.unlink(
                missing_ok=True
            )  # Otherwise the next run would resume with wrong values.
            raise CheckFailed(f"{self.name}: a random position is wrong by {self.error:.1e}")
        for own, enemy in self.classes:
            header = {**self._header(), "class": (own, enemy)}
            save(self._path((own, enemy)), table.part(own, enemy), header)
        self.partial.unlink(missing_ok=True)

    def _make_sweeps(self, table: ChanceTable) -> list[list[Sweep]]:
        """Return the sweeps of each class, one per worker."""
        made = []
        for own, enemy in self.classes:
            variant = (int(self.rules.passing), int(self.rules.over))
            first = Sweep(table, own, enemy, *variant, None)
            others = [Sweep(table, own, enemy, *variant, first) for _ in range(1, self.workers)]
            made.append([first, *others])
        return made

    def _guess(self, pool: ThreadPoolExecutor, sweeps: list[list[Sweep]]) -> None:
        weights = shipped.net_weights()
        guesses = [
            pool.submit(sweep.guess, Net(weights), part, self.workers)
            for each in sweeps
            for part, sweep in enumerate(each)
        ]
        for guess in guesses:
            guess.result()

    def _gather(self, pool: ThreadPoolExecutor, sweeps: list[list[Sweep]], pips: int) -> None:
        gathered = [
            pool.submit(sweep.gather, pips, part, self.workers)
            for each in sweeps
            for part, sweep in enumerate(each)
        ]
        for each_part in gathered:
            each_part.result()

    def _improve(self, pool: ThreadPoolExecutor, sweeps: list[list[Sweep]], pips: int) -> None:
        if due(pips + 2):
            self._gather(pool, sweeps, pips + 2)
        changes = [
            pool.submit(sweep.level, pips, part, self.workers)
            for each in sweeps
            for part, sweep in enumerate(each)
        ]
        self.largest = max(self.largest, *(change.result() for change in changes))
        self.level += 1

    def _estimate(self, levels: int) -> tuple[float, str]:
        expected = 18  # Sweeps; the classes needed 12 to 22.
        sweep = self.sweeps + self.level / levels
        text = f"{self.name}: sweep {self.sweeps + 1}, change {self.largest:.1e}"
        return min(0.95, sweep / expected), text

    def _below(self) -> list[Class]:
        own, enemy = self.classes[0]
        below: list[Class] = [
            (own - 1, enemy),
            (enemy, own - 1),
            (enemy - 1, own),
            (own, enemy - 1),
        ]
        return [each for each in dict.fromkeys(below) if min(each) > 0]

    def _table(self) -> ChanceTable:
        needed = self._below()
        table = ChanceTable([*self.classes, *needed], self.kind)
        for each in needed:
            stored = load(self._path(each), self.fingerprint, *each, checked=True)
            table.fill(*each, stored.values)
        return table

    def _resume(self, table: ChanceTable) -> None:
        number = sum(entries(*each) for each in self.classes)
        if self.partial.exists():
            stored = load_values(self.partial, self.fingerprint, number, checked=True)
            start = 0
            for each in self.classes:  # The checkpoint may be of another kind than this table.
                table.fill(*each, stored.values[start : start + entries(*each)])
                start += entries(*each)
            self.sweeps = int(stored.figure("sweeps"))
            self.level = int(stored.figure("level"))
            self.largest = float(stored.figure("largest"))
            self.seconds = float(stored.figure("seconds"))
            self.resumed = True

    def _checkpoint(self, table: ChanceTable) -> None:
        number = sum(entries(*each) for each in self.classes)
        save(self.partial, table.values[:number], self._header())

    def _header(self) -> dict[str, object]:
        return {
            "rules": self.fingerprint,
            "variant": self.rules.variant,
            "classes": self.classes,
            "sweeps": self.sweeps,
            "level": self.level,
            "largest": self.largest,
            "residual": self.residual,
            "error": self.error,
            "checked": self.checked,
            "seconds": self.seconds,
        }
