"""Solve Neutron: whether every position is won, lost or drawn, by sweeps to a standstill."""

import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from math import comb
from pathlib import Path
from typing import Any, Final

from engines.core import places, storage
from engines.core.game import InvalidText
from engines.core.solving import CheckFailed, Finished, Order, Progress
from engines.neutron.position import Position
from engines.neutron.retrograde import LOST, OPEN, WON, Retrograde
from engines.neutron.rules import NeutronRules, make_rules

SAMPLES: Final = 1_000_000
CHECKPOINT: Final = 300.0  # Seconds; or twenty times what writing one takes, if that is more.
KIND: Final = "i"
_GAME: Final = "Neutron"
_PIECE: Final = 64  # Rows between two looks at the clock.
_LEFT: Final = 0.83  # Of the work, after each sweep; only the progress bar believes it.
_SAMPLES: Final = ("", "B...B/.B.../W.N.B/..W.B/.WW.W w", "..BBB/.B..W/B.W../.N.W./W..W. b")
_ENDS: Final = (
    "WWWWW/...../..N../...../BBBBB w",
    "..B../.WBW./.BNB./.WBW./..W.. w",
    "N.BBB/...../B.B../W.W../W.WW. b",
)
_WORDS: Final = {WON: "won", LOST: "lost", OPEN: "drawn"}

_FIGURES: Final = ("won", "drawn", "lost", "sweeps", "seconds", "checked")


def fingerprint(rules: NeutronRules) -> str:
    """Return a digest of how the rules behave: it changes when a rule does."""
    counts = [rules.start(setup).perft(depth) for setup in _SAMPLES for depth in range(1, 5)]
    ends = [str(rules.start(setup).outcome()) for setup in _ENDS]
    return hashlib.sha256(f"{rules.variant} {counts} {ends}".encode()).hexdigest()[:16]


def path_of(directory: Path, variant: str) -> Path:
    """Return the file of a rule set."""
    return directory / f"neutron{'-' * bool(variant)}{variant}.table"


def entries(men: int) -> int:
    """Count the words of a table with so many men a side."""
    # A set is its own mirror image if its men off the middle column stand in pairs.
    symmetric = sum(
        comb(5, men - 2 * couples) * comb(10, couples)
        for couples in range(men // 2 + 1)
        if men - 2 * couples <= 5
    )
    return (comb(25, men) + symmetric) // 2 * comb(25 - men, men)


def load(directory: Path, rules: NeutronRules, men: int = 5, *, checked: bool) -> storage.Stored:
    """Map the table of a rule set; raises TableError, or FileNotFoundError where there is none."""
    path = path_of(directory, rules.variant)
    return storage.load(path, _GAME, fingerprint(rules), KIND, entries(men), checked=checked)


def plan(order: Order) -> "Solution":
    """Plan the table of a rule set; raises InvalidText."""
    if order.men is not None:
        raise InvalidText("neutron is solved whole: leave the number of men out")
    if order.kind:
        raise InvalidText(f"no such kind: {order.kind!r} (neutron has one only)")
    return Solution(order)


class Solution:
    """One rule set with `men` men a side, five unless a test says less."""

    def __init__(self, order: Order, men: int = 5) -> None:
        self._rules = make_rules(order.variant)
        self._men = men
        self.folder = order.directory or places.tables()
        self._path = path_of(self.folder, self._rules.variant)
        self._partial = self._path.with_suffix(".partial")
        self._mark = fingerprint(self._rules)
        self._workers = order.workers or os.cpu_count() or 1
        self._samples = SAMPLES if order.samples is None else order.samples
        self._sweeps = 0
        self._row = 0
        self._changed = 0
        self._whole = False  # Whether the sweep began in doubt of everything.
        self._told = ""
        self._seconds = 0.0

    @property
    def missing(self) -> list[str]:
        """The rule set, if it has no file yet."""
        return [] if self._path.exists() else [self._name]

    @property
    def space(self) -> int:
        """How many bytes of disk it still needs: the last checkpoint lies beside the table."""
        return 8 * entries(self._men) if self.missing else 0

    @property
    def memory(self) -> int:
        """With how many bytes of memory it is quick."""
        return 17 * entries(self._men) // 4 if self.missing else 0  # A byte for four words: marks.

    @property
    def _name(self) -> str:
        return self._rules.variant or "default rules"

    def run(self, progress: Progress) -> Iterator[Finished]:
        """Solve what is missing, check it, and yield the counts."""
        if self.missing:
            self._solve(progress)
        stored = load(self.folder, self._rules, self._men, checked=True)
        told = {name: stored.figure(name) for name in _FIGURES}
        first = stored.header.get("first")
        if not isinstance(first, dict):
            raise storage.TableError(f"{stored.path}: damaged, its header tells no first moves")
        yield Finished(
            f"{self._name}: {told['won']} won, {told['drawn']} drawn, {told['lost']} lost "
            f"for the mover; {told['sweeps']} sweeps in {told['seconds']:.0f} s, "
            f"{told['checked']} checked; first moves: {_tell(first)}",
            {"part": self._name, **told, "first": first},
        )

    def _solve(self, progress: Progress) -> None:
        words = storage.allocate(KIND, entries(self._men))
        kraus = int(self._rules.variant == "kraus")
        tables = [Retrograde(self._men, kraus, words)]
        for _ in range(1, self._workers):
            tables.append(Retrograde(self._men, kraus, words, tables[0]))
        began = time.monotonic()
        self._resume(tables[0], words)
        spent, saved, cost = self._seconds, began, 0.0
        rows = tables[0].rows()
        used = time.process_time()
        with ThreadPoolExecutor(self._workers) as pool:
            try:
                while True:
                    while self._row < rows:
                        self._advance(pool, tables)
                        progress(*self._estimate(rows))
                        self._seconds = spent + time.monotonic() - began
                        if time.monotonic() - saved > max(CHECKPOINT, 20 * cost):
                            saved = time.monotonic()
                            self._save(self._partial, words, {})
                            cost = time.monotonic() - saved
                    self._sweeps += 1
                    self._row = 0
                    if not self._changed and self._whole:
                        break
                    self._whole = not self._changed
                    if self._whole:
                        tables[0].doubt()
                    taken = time.process_time() - used
                    used += taken
                    self._told = f"; {self._changed} in the last one, {taken:.0f} CPU-seconds"
                    self._changed = 0
                progress(0.99, f"{self._name}: looks over {self._samples} positions")
                wrong = tables[0].check(self._samples, seed=1)
                won, lost, drawn = tables[0].count()
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)  # Or a thread may write what is being saved.
                self._save(self._partial, words, {})
                raise
        if wrong:
            self._partial.unlink(missing_ok=True)  # What is wrong would stay wrong.
            raise CheckFailed(f"{self._name}: {wrong} of {self._samples} positions are wrong")
        self._save(
            self._path,
            words,
            {
                "won": won,
                "lost": lost,
                "drawn": drawn,
                "checked": self._samples,
                "first": self._first_moves(tables[0]) if self._men == 5 else {},
            },
        )
        self._partial.unlink(missing_ok=True)

    def _advance(self, pool: ThreadPoolExecutor, tables: list[Retrograde]) -> None:
        rows = tables[0].rows()
        started = []
        for table in tables:
            last = min(self._row + _PIECE, rows)
            started.append(pool.submit(table.sweep, self._row, last))
            self._row = last
        try:
            self._changed += sum(piece.result() for piece in started)
        except KeyboardInterrupt:
            self._changed += 1  # The rows may be left half done: another sweep will see them.
            raise

    def _estimate(self, rows: int) -> tuple[float, str]:
        part = 0.9 * (1 - _LEFT ** (self._sweeps + self._row / rows))
        if self._whole:
            part = 0.9 + 0.08 * self._row / rows
        text = f"{self._name}: sweep {self._sweeps + 1}, {self._changed} words changed{self._told}"
        return part, text

    def _resume(self, table: Retrograde, words: storage.Values) -> None:
        if not self._partial.exists():
            table.start()
            return
        number = entries(self._men)
        stored = storage.load(self._partial, _GAME, self._mark, KIND, number, checked=True)
        words[:] = stored.values
        self._sweeps = int(stored.figure("sweeps"))
        self._row = int(stored.figure("row"))
        self._changed = int(stored.figure("changed"))
        self._seconds = float(stored.figure("seconds"))

    def _save(self, path: Path, words: storage.Values, figures: Mapping[str, Any]) -> None:
        storage.save(
            path,
            _GAME,
            words,
            {
                "rules": self._mark,
                "variant": self._rules.variant,
                "men": self._men,
                "sweeps": self._sweeps,
                "row": self._row,
                "changed": self._changed,
                "seconds": self._seconds,
                **figures,
            },
        )

    def _first_moves(self, table: Retrograde) -> dict[str, str]:
        position = self._rules.start()
        values = {}
        for move in position.legal_moves():
            text = self._rules.format(position, move)
            position.play(move)
            values[text] = _WORDS[-mover_value(table, position)]
            position.undo()
        return values


def mover_value(table: Retrograde, position: Position) -> int:
    """Return the value of a position that goes on, with the neutron to move, for its mover."""
    if position.turn == 0:
        return table.value(position.white, position.black, position.neutron)
    column, row = position.neutron % 5, position.neutron // 5
    return table.value(_turned(position.black), _turned(position.white), column + 5 * (4 - row))


def _turned(men: int) -> int:
    """Turn the board upside down."""
    return sum((men >> 5 * row & 31) << 5 * (4 - row) for row in range(5))


def _tell(first: Mapping[str, str]) -> str:
    by_value: dict[str, list[str]] = {}
    for move, value in first.items():
        by_value.setdefault(value, []).append(move)
    return "; ".join(f"{value} {' '.join(moves)}" for value, moves in sorted(by_value.items()))
