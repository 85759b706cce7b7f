"""Solve Senet by value iteration: every class of positions up to so many men a side, into files."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from engines.core import places
from engines.core.game import InvalidText
from engines.core.solving import CheckFailed, Finished, Order, Progress
from engines.senet import shipped
from engines.senet.iteration import Iteration
from engines.senet.lines import due
from engines.senet.net import Net
from engines.senet.rules import MEN, SenetRules, make_rules
from engines.senet.storage import fingerprint, load, load_values, path_of, save
from engines.senet.sweep import Sweep
from engines.senet.table import FLOAT, ITEM_SIZE, SHORT, Class, Table, entries

UNIT: Final = 1 / 65535
# A residual, the largest change in a sweep, at which a class counts as solved.
TOLERANCE: Final = {FLOAT: 1e-6, SHORT: 1.5 * UNIT}
KINDS: Final = {"": "", "float": FLOAT, "short": SHORT}
CHECKPOINT: Final = 300.0  # Seconds; or twenty times what writing one takes, if that is more.
SAMPLES: Final = 1_000_000
_FIGURES: Final = ("sweeps", "residual", "error", "seconds")


def pairs(men: int) -> list[tuple[Class, ...]]:
    """List the classes up to so many men a side, each with its mirror, in order of solving."""
    found: list[tuple[Class, ...]] = []
    for total in range(2, 2 * men + 1):
        for own in range((total + 1) // 2, min(men, total - 1) + 1):
            enemy = total - own
            found.append(((own, enemy),) if own == enemy else ((own, enemy), (enemy, own)))
    return found


def plan(order: Order) -> "Solution":
    """Plan the tables of all classes up to `order.men` men a side; raises InvalidText."""
    return Solution(order)


class Solution:
    """The tables that an order asks for; what is saved is kept, an interrupted class goes on."""

    def __init__(self, order: Order) -> None:
        if order.men is None or not 1 <= order.men <= MEN:
            told = "" if order.men is None else f", not {order.men}"
            raise InvalidText(f"say for how many men a side: 1 to {MEN}{told}")
        if order.kind not in KINDS:
            raise InvalidText(f"no such kind: {order.kind!r} (known: float, short)")
        rules = make_rules(order.variant)
        self.folder = order.directory or places.tables()
        self._samples = SAMPLES if order.samples is None else order.samples
        workers = order.workers or os.cpu_count() or 1
        self._tasks = [
            _Task(classes, rules, self.folder, workers, KINDS[order.kind])
            for classes in pairs(order.men)
        ]

    @property
    def missing(self) -> list[str]:
        """The classes that are not there, in the order of solving."""
        return [task.name for task in self._tasks if not task.is_saved()]

    @property
    def space(self) -> int:
        """How many bytes of disk it still needs: a class has its checkpoint beside its file."""
        sizes = [task.space for task in self._tasks if not task.is_saved()]
        return sum(sizes) + max(sizes, default=0)

    @property
    def memory(self) -> int:
        """With how many bytes of memory it is quick."""
        return max((task.memory for task in self._tasks if not task.is_saved()), default=0)

    def run(self, progress: Progress) -> Iterator[Finished]:
        """Solve what is missing, check it, and yield every class with its mirror."""
        whole = sum(task.space for task in self._tasks if not task.is_saved()) or 1
        done = 0
        for task in self._tasks:
            if not task.is_saved():
                task.run(self._samples, partial(_tell, progress, done / whole, task.space / whole))
                done += task.space
            yield task.report()


def _tell(progress: Progress, done: float, share: float, part: float, text: str) -> None:
    progress(done + part * share, text)


class _Task:
    """One class with its mirror: its table, its sweeps, its checkpoint."""

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
        self.largest = 0.0  # Change in the sweep that is under way.
        self.resumed = False
        self.level = 0  # How many levels of pips the sweep that is under way has behind it.
        self.error = 0.0
        self.checked = 0
        self.residual = 0.0
        self.seconds = 0.0

    @property
    def space(self) -> int:
        """How many bytes the class and its mirror take."""
        return sum(entries(*each) for each in self.classes) * ITEM_SIZE[self.kind]

    @property
    def memory(self) -> int:
        """How many bytes the class, what it leads to and the lines of its sweeps take."""
        below = sum(entries(*each) for each in self._below()) * ITEM_SIZE[self.kind]
        return self.space + below + self.space // 2

    def _path(self, each: Class) -> Path:
        return path_of(self.directory, self.rules.passing, self.rules.over, *each)

    def is_saved(self) -> bool:
        """Return whether every class has its file."""
        return all(self._path(each).exists() for each in self.classes)

    def report(self) -> Finished:
        """Tell how it went, from what the files say; raises TableError where one is no good."""
        number = sum(entries(*each) for each in self.classes)
        for each in self.classes:
            stored = load(self._path(each), self.fingerprint, *each, checked=True)
        figures = {name: stored.figure(name) for name in _FIGURES}
        checked = stored.header.get("checked")  # A file may be older than this figure.
        told = "" if checked is None else f" of {checked} random positions"
        return Finished(
            f"{self.name}: {number} positions, {figures['sweeps']} sweeps in "
            f"{figures['seconds']:.1f} s; residual {figures['residual']:.1e}, "
            f"largest error{told} {figures['error']:.1e}",
            {
                "part": self.name,
                "positions": number,
                "kind": stored.header["kind"],
                "checked": checked,
                **figures,
            },
        )

    def run(self, samples: int, progress: Progress) -> None:
        """Sweep to the end, check and save; an interruption leaves a checkpoint behind."""
        started = time.monotonic()
        table = self._table()
        self._resume(table)
        sweeps = self._make_sweeps(table)
        levels = range(max(each[0].most for each in sweeps), 0, -1)
        saved, cost = time.monotonic(), 0.0
        with ThreadPoolExecutor(self.workers) as pool:
            if not self.resumed:
                self._guess(pool, sweeps)
            try:
                while True:
                    if self.level < len(levels):
                        for above in (3, 2):  # Else batched with levels that are done.
                            self._gather(pool, sweeps, levels[self.level] + above)
                    while self.level < len(levels):
                        self._improve(pool, sweeps, levels[self.level])
                        progress(*self._estimate(len(levels)))
                        if time.monotonic() - saved > max(CHECKPOINT, 20 * cost):
                            cost = self._checkpoint(table)
                            saved = time.monotonic()
                    self.sweeps += 1
                    self.residual, self.largest, self.level = self.largest, 0.0, 0
                    if self.residual <= TOLERANCE[self.kind]:
                        break
                progress(0.99, f"{self.name}: looks over {samples} positions")
                iteration = Iteration(table, int(self.rules.passing), int(self.rules.over))
                self.error = max(
                    iteration.check(own, enemy, samples // len(self.classes), seed=1)
                    for own, enemy in self.classes
                )
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)  # Or a thread may write what is being saved.
                self._checkpoint(table)
                raise
        self.checked = samples // len(self.classes) * len(self.classes)
        self.seconds += time.monotonic() - started
        if self.error > 2 * TOLERANCE[self.kind]:
            self.partial.unlink(missing_ok=True)  # What is wrong would stay wrong.
            raise CheckFailed(f"{self.name}: a random position is wrong by {self.error:.1e}")
        for own, enemy in self.classes:
            header = {**self._header(), "class": (own, enemy)}
            save(self._path((own, enemy)), table.part(own, enemy), header)
        self.partial.unlink(missing_ok=True)

    def _make_sweeps(self, table: Table) -> list[list[Sweep]]:
        """Return for each class one sweep a worker."""
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
        expected = 18  # Sweeps; 12 to 22 were needed.
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

    def _table(self) -> Table:
        needed = self._below()
        table = Table([*self.classes, *needed], self.kind)
        for each in needed:
            stored = load(self._path(each), self.fingerprint, *each, checked=True)
            table.fill(*each, stored.values)
        return table

    def _resume(self, table: Table) -> None:
        number = sum(entries(*each) for each in self.classes)
        if self.partial.exists():
            stored = load_values(self.partial, self.fingerprint, number, checked=True)
            start = 0
            for each in self.classes:  # The checkpoint may be of another kind than what goes on.
                table.fill(*each, stored.values[start : start + entries(*each)])
                start += entries(*each)
            self.sweeps = int(stored.figure("sweeps"))
            self.level = int(stored.figure("level"))
            self.largest = float(stored.figure("largest"))
            self.seconds = float(stored.figure("seconds"))
            self.resumed = True

    def _checkpoint(self, table: Table) -> float:
        started = time.monotonic()
        number = sum(entries(*each) for each in self.classes)
        save(self.partial, table.values[:number], self._header())
        return time.monotonic() - started

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
