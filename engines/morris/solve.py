"""Solve the moving phase: build the exact tables sector by sector, resumable, and check them."""

import json
import os
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from engines.core.game import InvalidText
from engines.morris import store
from engines.morris.position import MEN, Position
from engines.morris.rules import make_rules
from engines.morris.sweep import Sweep
from engines.morris.tables import FAR, Tables

Progress = Callable[[str, float], None]
"""Told what is being done, and how much of the present pair of sectors is done, 0 to 1."""

_PIECES: Final = 64  # Parts of a pass; after each the progress is told and an interruption heard.


@dataclass(frozen=True, slots=True)
class Solved:
    """A finished sector: its positions by value, its entries by value, and the longest win."""

    own: int
    enemy: int
    won: int
    drawn: int
    lost: int
    entries: tuple[int, int, int]
    plies: int
    checked: int

    def __str__(self) -> str:
        total = sum(self.entries)
        shares = " / ".join(f"{100 * part / total:.2f}" for part in self.entries)
        return (
            f"{self.own}-{self.enemy}: {self.won + self.drawn + self.lost} positions: "
            f"{self.won} won, {self.drawn} drawn, {self.lost} lost; "
            f"{total} entries, {shares} %; longest {self.plies} plies; {self.checked} checked"
        )


class WrongTable(RuntimeError):
    """The self-check found an entry that is not the best of what follows it."""


def pairs(men: int) -> Iterator[tuple[int, int]]:
    """List the pairs of sectors with up to `men` men, each after those its captures lead to."""
    for total in range(6, men + 1):
        for own in range(min(MEN, total - 3), (total - 1) // 2, -1):
            yield own, total - own


def solve(
    men: int,
    variant: str = "",
    directory: Path | None = None,
    workers: int = 0,
    progress: Progress = lambda text, share: None,
    *,
    kind: str = "depth",
    samples: int = 1000,
) -> Iterator[Solved]:
    """Build the tables of all sectors with up to `men` men, and yield each new one's summary.

    What is there is kept; an interrupted pair goes on where it stopped. `workers` 0 is one for each
    core. Files of the kinds `exact` and `safe`, a quarter and an eighth of the size, replace the
    others when all is solved. Raises InvalidText, and WrongTable where the self-check fails.
    """
    if not 6 <= men <= 2 * MEN:
        raise InvalidText(f"tables are for 6 to {2 * MEN} men, not {men}")
    if kind not in store.KINDS:
        raise InvalidText(f"no such kind: {kind!r} (known: {', '.join(store.KINDS)})")
    rules = make_rules(variant)
    mark = store.fingerprint(flying=rules.flying, doubles=rules.doubles)
    place = (directory or store.directory(mark).parent) / mark
    place.mkdir(parents=True, exist_ok=True)
    solver = _Solver(place, mark, rules.flying, rules.doubles, samples, progress)
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        for own, enemy in pairs(men):
            yield from solver.solve(own, enemy, pool)
    if kind != "depth":
        for own, enemy in pairs(men):
            for sector in {(own, enemy), (enemy, own)}:
                progress(f"{sector[0]}-{sector[1]} {kind}", 0.0)
                convert(place, mark, *sector, kind)


def convert(place: Path, mark: str, own: int, enemy: int, kind: str) -> None:
    """Rewrite a sector's table of kind `depth` as one of a smaller kind."""
    path = place / store.name(own, enemy, "depth")
    if not path.exists():
        return
    header = store.read_header(path)
    _, cells = store.load(path, mark, own, enemy, header.entries)
    packed = _pack(bytes(cells), kind)
    small = store.Header(
        mark, own, enemy, kind, header.entries, len(packed), store.checksum(packed), "raw"
    )
    store.save(place, small, packed)
    path.unlink()


def _pack(cells: bytes, kind: str) -> bytes:
    bits = store.KINDS[kind]
    if kind == "exact":
        codes = bytes(0 if value == 0 else 3 if value & 1 else 2 for value in range(256))
    else:
        codes = bytes(value & 1 for value in range(256))
    coded = cells.translate(codes)
    each = 8 // bits
    coded += bytes(-len(coded) % each)
    packed = bytearray(len(coded) // each)
    for at in range(each):
        # Whole-buffer arithmetic: one big integer a slice would be slow, a table lookup is not.
        part = coded[at::each].translate(bytes((v << at * bits) & 255 for v in range(256)))
        packed = bytearray(
            (int.from_bytes(packed, "little") | int.from_bytes(part, "little")).to_bytes(
                len(packed), "little"
            )
        )
    return bytes(packed)


class _Solver:
    def __init__(
        self,
        place: Path,
        mark: str,
        flying: bool,
        doubles: bool,
        samples: int,
        progress: Progress,
    ) -> None:
        self._place = place
        self._mark = mark
        self._flying = flying
        self._doubles = doubles
        self._samples = samples
        self._progress = progress
        self._tables = Tables()

    def solve(self, own: int, enemy: int, pool: ThreadPoolExecutor) -> Iterator[Solved]:
        sectors = [(own, enemy)] if own == enemy else [(own, enemy), (enemy, own)]
        if all(self._held(*sector) for sector in sectors):
            return
        removals = (1, 2) if self._doubles else (1,)
        for mine, theirs in sectors:
            for removed in removals:
                if theirs - removed >= 3 and not self._held(theirs - removed, mine):
                    raise store.BadTable(f"{theirs - removed}-{mine}: its table is missing")
        partials = [self._place / f"{mine}-{theirs}.part" for mine, theirs in sectors]
        sizes = [self._tables.index.entries(*sector) for sector in sectors]
        notes = self._place / f"{own}-{enemy}.json"
        if not all(path.exists() for path in (*partials, notes)):
            for path in (*partials, notes):
                path.unlink(missing_ok=True)
        cells = [store.work_on(*each) for each in zip(partials, sizes, strict=True)]
        for sector, view in zip(sectors, cells, strict=True):
            self._tables.hold(*sector, "depth", view)
        sweeps = [
            Sweep(
                self._tables,
                sector,
                cells[at],
                cells[-1 - at],
                flying=self._flying,
                doubles=self._doubles,
            )
            for at, sector in enumerate(sectors)
        ]
        _Run(f"{own}-{enemy}", sweeps, pool, self._progress, notes).finish()
        for sector, view, sweep in zip(sectors, cells, sweeps, strict=True):
            yield self._seal(sector, view, sweep)
        notes.unlink()

    def _held(self, own: int, enemy: int) -> bool:
        """Whether a sector's table is there, loading it if need be; a damaged one is deleted."""
        if (own, enemy) in self._tables.sectors():
            return True
        entries = self._tables.index.entries(own, enemy)
        for path in store.find([self._place], own, enemy, ("depth", "exact")):
            try:
                header, cells = store.load(path, self._mark, own, enemy, entries)
            except store.BadTable:
                path.unlink()
                continue
            self._tables.hold(own, enemy, header.kind, cells)
            return True
        return False

    def _seal(self, sector: tuple[int, int], cells: Any, sweep: Sweep) -> Solved:
        self._check(*sector)
        positions, entries = sweep.tally(0, sweep.classes)
        header = store.Header(
            self._mark, *sector, "depth", len(cells), len(cells), store.checksum(cells), "raw"
        )
        store.seal(self._place / f"{sector[0]}-{sector[1]}.part", header)
        won, drawn, lost = _divide(positions)
        plies = max(value >> 1 for value, number in enumerate(entries) if number)
        return Solved(*sector, won, drawn, lost, _divide(entries), plies, self._samples)

    def _check(self, own: int, enemy: int) -> None:
        """Compare random entries with the best of their successors; raises WrongTable."""
        index = self._tables.index
        chance = random.Random(own * 10 + enemy)
        for _ in range(self._samples):
            number = chance.randrange(index.entries(own, enemy))
            mine, theirs = index.position(own, enemy, number)
            position = Position(
                white=mine,
                black=theirs,
                hands=(0, 0),
                flying=self._flying,
                doubles=self._doubles,
                draws=False,
            )
            stored, expected = self._tables.probe(mine, theirs), best(self._tables, position)
            if stored != expected:
                raise WrongTable(
                    f"{own}-{enemy} entry {number}: {stored} stored, {expected} by its successors"
                )


def _divide(counts: list[int]) -> tuple[int, int, int]:
    """Add the counts of 256 values up to wins, draws and losses."""
    return sum(counts[2::2]), counts[0], sum(counts[1::2])


def best(tables: Tables, position: Position) -> int:
    """Return a position's value by its successors' values, as the tables code it."""
    wins, losses, draws = [], [], False
    for move in position.legal_moves():
        position.play(move)
        ends = position.outcome() is not None
        value = 1 if ends else tables.probe(position.own, position.enemy)
        position.undo()
        plies = 1 if move >> 10 & 31 < 24 or ends else min((value >> 1) + 1, FAR)
        if value == 0:
            draws = True
        elif value & 1:
            wins.append(plies)
        else:
            losses.append(plies)
    if wins:
        return 2 * min(wins)
    if draws:
        return 0
    return 2 * max(losses, default=0) + 1


class _Run:
    """The passes over one pair of sectors, and the note of how far they have come."""

    def __init__(
        self,
        label: str,
        sweeps: list[Sweep],
        pool: ThreadPoolExecutor,
        progress: Progress,
        notes: Path,
    ) -> None:
        self._label = label
        self._sweeps = sweeps
        self._pool = pool
        self._progress = progress
        self._notes = notes

    def finish(self) -> None:
        layer = json.loads(self._notes.read_text()) if self._notes.exists() else -1
        if layer < 0:
            for sweep in self._sweeps:
                self._pass("captures", sweep.begin, sweep.classes)
            layer = 0
        # Captures decide the layers 0 and 1. Beyond FAR all share its value, and the passes over
        # it are repeated. What an interrupted run has written is found again, not counted.
        found = 1
        while layer <= 1 or (found if layer > FAR else self._is_populated(layer)):
            self._notes.write_text(json.dumps(layer))
            found = sum(self._layer(sweep, min(layer, FAR)) for sweep in self._sweeps)
            layer += 1
        for sweep in self._sweeps:
            self._pass("copies", sweep.complete, sweep.classes)

    def _is_populated(self, layer: int) -> bool:
        return any(sweep.count(2 * layer + lost) for sweep in self._sweeps for lost in (0, 1))

    def _layer(self, sweep: Sweep, layer: int) -> int:
        what = f"layer {layer}"
        found = 0
        if sweep.count(2 * layer + 1):
            found += self._pass(
                what,
                lambda start, end: sweep.retreat(2 * layer + 1, start, end),
                sweep.classes,
            )
        wins = sweep.count(2 * layer)
        if wins and sweep.prefers_advance(wins):
            found += self._pass(
                what,
                lambda start, end: sweep.advance(layer, start, end),
                sweep.opposite_classes,
            )
        elif wins:
            found += self._pass(
                what, lambda start, end: sweep.retreat(2 * layer, start, end), sweep.classes
            )
        return found

    def _pass(self, what: str, work: Callable[[int, int], int | None], classes: int) -> int:
        bounds = [classes * piece // _PIECES for piece in range(_PIECES + 1)]
        tasks = [
            self._pool.submit(work, start, end) for start, end in pairwise(bounds) if start < end
        ]
        total = 0
        try:
            for done, task in enumerate(tasks, start=1):
                total += task.result() or 0
                self._progress(f"{self._label} {what}", done / len(tasks))
        finally:
            for task in tasks:
                task.cancel()
        return total
