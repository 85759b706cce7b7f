"""Solve Neutron: sweep over all positions until nothing changes any more, then check."""

import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import comb
from pathlib import Path
from typing import Any, Final

from engines.core import places, storage
from engines.core.game import InvalidText
from engines.core.solving import CheckFailed, Checkpoints, Progress, SolvedPart, SolveRequest
from engines.neutron.rules.position import Position
from engines.neutron.rules.text import NeutronRules, make_rules
from engines.neutron.tables.retrograde import LOST, OPEN, WON, Retrograde

SAMPLES: Final = 1_000_000
KIND: Final = "i"
_GAME: Final = "Neutron"
_PIECE: Final = 64  # Rows per task, between two reports of the progress.
_COUNTED: Final = 256  # Rows that are counted in one call.
_LEFT: Final = (
    0.83  # The share of the work that is left after each sweep; an estimate for the progress.
)
_SAMPLES: Final = ("", "B...B/.B.../W.N.B/..W.B/.WW.W w", "..BBB/.B..W/B.W../.N.W./W..W. b")
_ENDS: Final = (
    "WWWWW/...../..N../...../BBBBB w",
    "..B../.WBW./.BNB./.WBW./..W.. w",
    "N.BBB/...../B.B../W.W../W.WW. b",
)
_WORDS: Final = {WON: "won", LOST: "lost", OPEN: "drawn"}

_FIGURES: Final = ("won", "drawn", "lost", "sweeps", "seconds", "checked")


def fingerprint(rules: NeutronRules) -> str:
    """Return a digest of the behaviour of the rules, which changes when a rule changes."""
    counts = [rules.start(setup).perft(depth) for setup in _SAMPLES for depth in range(1, 5)]
    ends = [str(rules.start(setup).outcome()) for setup in _ENDS]
    return hashlib.sha256(f"{rules.variant} {counts} {ends}".encode()).hexdigest()[:16]


def path_of(directory: Path, variant: str) -> Path:
    """Return the file of a variant."""
    return directory / f"neutron{'-' * bool(variant)}{variant}.table"


def entries(men: int) -> int:
    """Count the words of a table with `men` men a side."""
    # A set is its own mirror image if its men outside the middle column come in pairs.
    symmetric = sum(
        comb(5, men - 2 * couples) * comb(10, couples)
        for couples in range(men // 2 + 1)
        if men - 2 * couples <= 5
    )
    return (comb(25, men) + symmetric) // 2 * comb(25 - men, men)


def load(directory: Path, rules: NeutronRules, men: int = 5, *, checked: bool) -> storage.Stored:
    """Map the table of a variant; raises TableError, or FileNotFoundError if there is none."""
    path = path_of(directory, rules.variant)
    return storage.load(path, _GAME, fingerprint(rules), KIND, entries(men), checked=checked)


def plan(request: SolveRequest) -> "Solution":
    """Plan the table of a variant; raises InvalidText."""
    if request.men is not None:
        raise InvalidText("neutron is solved as a whole: omit the number of men")
    if request.kind:
        raise InvalidText(f"no such kind: {request.kind!r} (neutron has only one)")
    return Solution(request)


class Solution:
    """The table of one variant with `men` men a side; only tests use fewer than five."""

    def __init__(self, request: SolveRequest, men: int = 5) -> None:
        self._rules = make_rules(request.variant)
        self._men = men
        self.folder = request.directory or places.tables()
        self._path = path_of(self.folder, self._rules.variant)
        self._partial = self._path.with_suffix(".partial")
        self._mark = fingerprint(self._rules)
        self._workers = request.workers or os.cpu_count() or 1
        self._samples = SAMPLES if request.samples is None else request.samples
        self._sweeps = 0
        self._row = 0
        self._changed = 0
        self._whole = False  # Whether this sweep examines everything.
        self._last_sweep = ""
        self._seconds = 0.0

    @property
    def missing(self) -> list[str]:
        """The variant, if it has no file yet."""
        return [] if self._path.exists() else [self._name]

    @property
    def space(self) -> int:
        """The bytes of disk that the work needs: the table, and the last checkpoint beside it."""
        return 8 * entries(self._men) if self.missing else 0

    @property
    def memory(self) -> int:
        """The bytes of memory that the work needs to run at full speed."""
        # The words, and a byte of marks for every four.
        return 17 * entries(self._men) // 4 if self.missing else 0

    @property
    def _name(self) -> str:
        return self._rules.variant or "default rules"

    def run(self, progress: Progress) -> Iterator[SolvedPart]:
        """Solve and check the table if it is missing, and yield its counts."""
        if self.missing:
            self._solve(progress)
        stored = load(self.folder, self._rules, self._men, checked=True)
        figures = {name: stored.figure(name) for name in _FIGURES}
        first = stored.header.get("first")
        if not isinstance(first, dict):
            raise storage.TableError(f"{stored.path}: damaged, its header has no first moves")
        yield SolvedPart(
            f"{self._name}: {figures['won']} won, {figures['drawn']} drawn, {figures['lost']} lost "
            f"for the mover; {figures['sweeps']} sweeps in {figures['seconds']:.0f} s, "
            f"{figures['checked']} checked; first moves: {_tell(first)}",
            {"part": self._name, **figures, "first": first},
        )

    def _solve(self, progress: Progress) -> None:
        words = storage.allocate(KIND, entries(self._men))
        kraus = int(self._rules.variant == "kraus")
        tables = [Retrograde(self._men, kraus, words)]
        for _ in range(1, self._workers):
            tables.append(Retrograde(self._men, kraus, words, tables[0]))
        began = time.monotonic()
        self._resume(tables[0], words)
        spent, checkpoints = self._seconds, Checkpoints()
        rows = tables[0].rows()
        used = time.process_time()
        with ThreadPoolExecutor(self._workers) as pool:
            try:
                while True:
                    while self._row < rows:
                        self._advance(pool, tables)
                        progress(*self._estimate(rows))
                        self._seconds = spent + time.monotonic() - began
                        checkpoints.save_if_due(partial(self._save, self._partial, words, {}))
                    self._sweeps += 1
                    self._row = 0
                    if not self._changed and self._whole:
                        break
                    self._whole = not self._changed
                    if self._whole:
                        tables[0].doubt()
                    taken = time.process_time() - used
                    used += taken
                    self._last_sweep = f"; {self._changed} in the last one, {taken:.0f} CPU-seconds"
                    self._changed = 0
                progress(0.99, f"{self._name}: checks {self._samples} positions")
                wrong = tables[0].check(self._samples, seed=1)
                won, lost = self._count(tables[0])
            except KeyboardInterrupt:
                pool.shutdown(cancel_futures=True)  # Otherwise a thread may change what is saved.
                self._save(self._partial, words, {})
                raise
        if wrong:
            # Otherwise the next run would resume with wrong values.
            self._partial.unlink(missing_ok=True)
            raise CheckFailed(f"{self._name}: {wrong} of {self._samples} positions are wrong")
        self._save(
            self._path,
            words,
            {
                "won": won,
                "lost": lost,
                "drawn": tables[0].positions() - won - lost,
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
            self._changed += (
                1  # These rows may be incomplete; counting a change forces another sweep.
            )
            raise

    def _count(self, table: Retrograde) -> tuple[int, int]:
        """Count the won and the lost positions, in pieces: compiled code does not notice Ctrl-C."""
        won = lost = 0
        for first in range(0, table.rows(), _COUNTED):
            wins, losses = table.count(first, min(first + _COUNTED, table.rows()))
            won += wins
            lost += losses
        return won, lost

    def _estimate(self, rows: int) -> tuple[float, str]:
        part = 0.9 * (1 - _LEFT ** (self._sweeps + self._row / rows))
        if self._whole:
            part = 0.9 + 0.08 * self._row / rows
        text = f"{self._name}: sweep {self._sweeps + 1}, {self._changed} words changed"
        return part, text + self._last_sweep

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
    """Return the value, for its mover, of a position where the neutron is to be moved."""
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
