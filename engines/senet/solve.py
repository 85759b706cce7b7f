"""Solve Senet by value iteration: every class of positions up to so many men a side, into files."""

import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from engines.core.game import InvalidText
from engines.senet.iteration import Iteration
from engines.senet.rules import MEN, SenetRules, make_rules
from engines.senet.storage import fingerprint, load, load_values, path_of, save
from engines.senet.sweep import Sweep
from engines.senet.table import FLOAT, SHORT, Class, Table, entries

Progress = Callable[[float, str], None]
"""Told the share of the whole work that is done, and what is being done."""

UNIT: Final = 1 / 65535
# A residual, the largest change in a sweep, at which a class counts as solved.
TOLERANCE: Final = {FLOAT: 1e-6, SHORT: 1.5 * UNIT}
CHECKPOINT: Final = 300.0  # Seconds; or twenty times what writing one takes, if that is more.
SAMPLES: Final = 1_000_000


@dataclass(slots=True)
class Solved:
    """How the solution of a class, or of a class and its mirror, went."""

    classes: tuple[Class, ...]
    sweeps: int
    residual: float
    error: float  # The largest among random positions, looked at after the last sweep.
    seconds: float = field(compare=False)


class Bar:
    """A progress bar on stderr, drawn at most a few times a second."""

    def __init__(self) -> None:
        self._drawn = 0.0

    def __call__(self, done: float, text: str) -> None:
        """Draw the bar anew if it is time."""
        if time.monotonic() - self._drawn < 0.2 and done < 1:
            return
        self._drawn = time.monotonic()
        bar = "#" * int(30 * done)
        sys.stderr.write(f"\r[{bar:.<30}] {100 * done:5.1f} %  {text:<48}")
        sys.stderr.write("\n" if done >= 1 else "")
        sys.stderr.flush()


def pairs(men: int) -> list[tuple[Class, ...]]:
    """List the classes up to so many men a side, each with its mirror, in order of solving."""
    found: list[tuple[Class, ...]] = []
    for total in range(2, 2 * men + 1):
        for own in range((total + 1) // 2, min(men, total - 1) + 1):
            enemy = total - own
            found.append(((own, enemy),) if own == enemy else ((own, enemy), (enemy, own)))
    return found


def solve(
    men: int,
    variant: str,
    directory: Path,
    workers: int = 0,
    progress: Progress | None = None,
    samples: int = SAMPLES,
) -> list[Solved]:
    """Solve every class up to so many men a side and save each; what is already saved is kept.

    Goes on where an earlier call was interrupted. `workers` 0 uses every core. Raises InvalidText
    for a bad number or variant, TableError where a file is damaged or of other rules.
    """
    if not 1 <= men <= MEN:
        raise InvalidText(f"men must be 1 to {MEN}, not {men}")
    rules = make_rules(variant)
    progress = progress or Bar()
    work = pairs(men)
    whole = sum(entries(*each) for classes in work for each in classes)
    done = 0
    solved = []
    for classes in work:
        share = sum(entries(*each) for each in classes)
        task = _Task(classes, rules, directory, workers or os.cpu_count() or 1)
        if not task.is_saved():
            task.run(samples, partial(_tell, progress, done / whole, share / whole))
            solved.append(task.result())
        done += share
        progress(done / whole, f"{_name(classes)} solved")
    return solved


def _tell(progress: Progress, done: float, share: float, part: float, text: str) -> None:
    progress(done + part * share, text)


def _name(classes: tuple[Class, ...]) -> str:
    return " and ".join(f"{own}-{enemy}" for own, enemy in classes)


class _Task:
    """One class with its mirror: its table, its sweeps, its checkpoint."""

    def __init__(
        self, classes: tuple[Class, ...], rules: SenetRules, directory: Path, workers: int
    ) -> None:
        self.classes = classes
        self.rules = rules
        self.directory = directory
        self.workers = workers
        self.fingerprint = fingerprint(rules.passing, rules.over)
        self.kind = FLOAT if max(classes[0]) < MEN else SHORT
        self.partial = self._path(classes[0]).with_suffix(".partial")
        self.sweeps = 0
        self.largest = 0.0  # Change in the sweep that is under way.
        self.resumed = False
        self.level = 0  # How many levels of pips the sweep that is under way has behind it.
        self.error = 0.0
        self.residual = 0.0
        self.seconds = 0.0

    def _path(self, each: Class) -> Path:
        return path_of(self.directory, self.rules.passing, self.rules.over, *each)

    def is_saved(self) -> bool:
        """Return whether every class has its file; raises TableError where one is no good."""
        present = [self._path(each).exists() for each in self.classes]
        for each in self.classes:
            if all(present):
                load(self._path(each), self.fingerprint, *each, checked=True)
        return all(present)

    def result(self) -> Solved:
        """Return how it went."""
        return Solved(self.classes, self.sweeps, self.residual, self.error, self.seconds)

    def run(self, samples: int, progress: Progress) -> None:
        """Sweep to the end, check and save; an interruption leaves a checkpoint behind."""
        started = time.monotonic()
        table = self._table()
        self._resume(table)
        sweeps = self._make_sweeps(table)
        if not self.resumed:
            for each in sweeps:
                each[0].guess()
        levels = range(max(each[0].most for each in sweeps), 0, -1)
        saved, cost = time.monotonic(), 0.0
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                while True:
                    if self.level < len(levels):
                        self._gather(pool, sweeps, levels[self.level] + 3)
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
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)  # Or a thread may write what is being saved.
                self._checkpoint(table)
                raise
        iteration = Iteration(table, int(self.rules.passing), int(self.rules.over))
        self.error = max(
            iteration.check(own, enemy, samples // len(self.classes), seed=1)
            for own, enemy in self.classes
        )
        self.seconds += time.monotonic() - started
        for own, enemy in self.classes:
            save(self._path((own, enemy)), table.part(own, enemy), self._header())
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

    def _gather(self, pool: ThreadPoolExecutor, sweeps: list[list[Sweep]], pips: int) -> None:
        gathered = [
            pool.submit(sweep.gather, pips, part, self.workers)
            for each in sweeps
            for part, sweep in enumerate(each)
        ]
        for each_part in gathered:
            each_part.result()

    def _improve(self, pool: ThreadPoolExecutor, sweeps: list[list[Sweep]], pips: int) -> None:
        self._gather(pool, sweeps, pips + 2)
        changes = [
            pool.submit(sweep.level, pips, part, self.workers)
            for each in sweeps
            for part, sweep in enumerate(each)
        ]
        self.largest = max(self.largest, *(change.result() for change in changes))
        self.level += 1

    def _estimate(self, levels: int) -> tuple[float, str]:
        expected = 20  # Sweeps; 13 to 26 were needed.
        sweep = self.sweeps + self.level / levels
        text = f"{_name(self.classes)}: sweep {self.sweeps + 1}, change {self.largest:.1e}"
        return min(0.95, sweep / expected), text

    def _table(self) -> Table:
        own, enemy = self.classes[0]
        below: list[Class] = [
            (own - 1, enemy),
            (enemy, own - 1),
            (enemy - 1, own),
            (own, enemy - 1),
        ]
        needed = [each for each in dict.fromkeys(below) if min(each) > 0]
        table = Table([*self.classes, *needed], self.kind)
        for each in needed:
            stored = load(self._path(each), self.fingerprint, *each, checked=True)
            table.fill(*each, stored.values)
        return table

    def _resume(self, table: Table) -> None:
        number = sum(entries(*each) for each in self.classes)
        if self.partial.exists():
            stored = load_values(self.partial, self.fingerprint, number, checked=True)
            table.values[:number] = stored.values
            self.sweeps = int(stored.header["sweeps"])
            self.level = int(stored.header["level"])
            self.largest = float(stored.header["largest"])
            self.seconds = float(stored.header["seconds"])
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
            "seconds": self.seconds,
        }
