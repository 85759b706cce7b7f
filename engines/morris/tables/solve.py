"""Solve the moving phase: build and check the exact tables, sector by sector, resumably."""

import json
import os
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from engines.core.game import InvalidText
from engines.core.solving import CheckFailed, Progress, SolvedPart, SolveRequest, share_of
from engines.core.storage import TableError
from engines.morris.rules.position import MEN, Position
from engines.morris.rules.text import make_rules
from engines.morris.tables import store
from engines.morris.tables.lookup import FAR, Tables
from engines.morris.tables.sweep import Sweep

_SOLVED: Final = ("depth", "exact")  # Kinds that contain the winner, which captures need.
_PIECE: Final = 1 << 18  # Entries per task of a pass; interruptions are noticed between tasks.
_SAMPLES: Final = 1000


@dataclass(frozen=True, slots=True)
class Solved:
    """A finished sector: the numbers of its positions and entries by value, and its longest win."""

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


def pairs(men: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of sectors with up to `men` men, each after those that captures lead to."""
    for total in range(6, men + 1):
        for own in range(min(MEN, total - 3), (total - 1) // 2, -1):
            yield own, total - own


def plan(request: SolveRequest) -> "Solution":
    """Plan the tables of all sectors with up to `request.men` men; raises InvalidText."""
    return Solution(request)


class Solution:
    """The tables that a request asks for; existing tables are kept, interrupted pairs resume.

    Every pair is solved as tables with distances. If a smaller kind is requested, its files replace
    them: `exact` (a quarter of the size) after each pair, because captures only need to know who
    wins, and `safe` (an eighth) when everything is solved. A table that an earlier request built
    with more information stays. All tables are verified first; damaged ones count as missing.
    """

    def __init__(self, request: SolveRequest) -> None:
        if request.men is None or not 6 <= request.men <= 2 * MEN:
            given = "" if request.men is None else f", not {request.men}"
            raise InvalidText(f"give the number of men on the board, 6 to {2 * MEN}{given}")
        self._kind = request.kind or "depth"
        if self._kind not in store.KINDS:
            raise InvalidText(f"no such kind: {self._kind!r} (known: {', '.join(store.KINDS)})")
        self._rules = make_rules(request.variant)
        self._mark = store.fingerprint(flying=self._rules.flying, doubles=self._rules.doubles)
        self.folder = (request.directory or store.directory(self._mark).parent) / self._mark
        self._workers = request.workers or os.cpu_count() or 1
        self._samples = _SAMPLES if request.samples is None else request.samples
        self._pairs = list(pairs(request.men))
        self._tables = Tables()
        self._flaws: dict[tuple[int, int], list[str]] = {pair: [] for pair in self._pairs}
        self._kinds = {
            sector: self._find(sector, pair) for pair in self._pairs for sector in _sectors(pair)
        }
        enough = store.KINDS[self._kind]
        self._missing = [pair for pair in self._pairs if self._bits(pair) < enough]
        if self._missing:  # A capture needs more than the kind `safe` holds.
            enough = max(enough, store.KINDS["exact"])
            self._missing = [pair for pair in self._pairs if self._bits(pair) < enough]

    @property
    def missing(self) -> list[str]:
        """The pairs of sectors that are missing, and the faults of their files."""
        names = [" and ".join(map(_label, _sectors(pair))) for pair in self._missing]
        flaws = ["; ".join(self._flaws[pair]) for pair in self._missing]
        return [
            f"{name} ({flaw})" if flaw else name for name, flaw in zip(names, flaws, strict=True)
        ]

    @property
    def space(self) -> int:
        """The additional bytes of disk that the work needs at its peak."""
        kept = [self._entries(pair) for pair in self._missing]
        needed = sum(kept)
        if self._kind != "depth" and kept:
            needed = needed // 4 + max(kept)
        # A working file also has room for a header, and consists of whole blocks.
        return max(0, needed - self._begun())

    @property
    def memory(self) -> int:
        """The bytes of memory that a pair takes with all sectors to which its captures lead."""
        wanted = 0
        for own, enemy in self._missing:
            below = {sector for pair in _below(own, enemy) for sector in _sectors(pair)}
            needed = sum(self._tables.index.entries(*sector) for sector in below)
            wanted = max(wanted, self._entries((own, enemy)) + needed)
        return wanted

    def _entries(self, pair: tuple[int, int]) -> int:
        return sum(self._tables.index.entries(*sector) for sector in _sectors(pair))

    def _begun(self) -> int:
        """Return how many bytes the working files already take."""
        return sum(path.stat().st_blocks * 512 for path in self.folder.glob("*.part"))

    def _bits(self, pair: tuple[int, int]) -> int:
        """Return the bits per entry of both sectors, the smaller number; 0 if one is missing."""
        return min(store.KINDS.get(self._kinds[sector], 0) for sector in _sectors(pair))

    def _find(self, sector: tuple[int, int], pair: tuple[int, int]) -> str:
        """Load the most informative usable table of a sector; return its kind, or an empty text."""
        entries = self._tables.index.entries(*sector)
        for path in store.find([self.folder], *sector, tuple(store.KINDS)):
            try:
                header, cells = store.load(path, self._mark, *sector, entries)
            except TableError as problem:
                self._flaws[pair].append(str(problem))
                continue
            if header.kind in _SOLVED:
                self._tables.hold(*sector, header.kind, cells)
            return header.kind
        return ""

    def run(self, progress: Progress) -> Iterator[SolvedPart]:
        """Solve and check the missing pairs, and yield the counts of every sector."""
        self.folder.mkdir(parents=True, exist_ok=True)
        whole = sum(self._entries(pair) for pair in self._missing) or 1
        done = 0
        with ThreadPoolExecutor(self._workers) as pool:
            for pair in self._pairs:
                if pair in self._missing:
                    size = self._entries(pair)
                    self._solve(pair, pool, share_of(progress, done / whole, size / whole))
                    done += size
                for sector in _sectors(pair):
                    self._shrink(sector, "exact")
                    yield self._finished(sector)
        for pair in self._pairs:
            for sector in _sectors(pair):
                self._shrink(sector, "safe")

    def _solve(self, pair: tuple[int, int], pool: ThreadPoolExecutor, progress: Progress) -> None:
        sectors = _sectors(pair)
        name = _label(pair)
        partials = [self.folder / f"{_label(sector)}.part" for sector in sectors]
        sizes = [self._tables.index.entries(*sector) for sector in sectors]
        notes = self.folder / f"{name}.json"
        if _read_layer(notes) is None or not all(path.exists() for path in partials):
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
                flying=self._rules.flying,
                doubles=self._rules.doubles,
            )
            for at, sector in enumerate(sectors)
        ]
        _PairPasses(name, sweeps, pool, progress, notes).finish()
        for sector, view, sweep in zip(sectors, cells, sweeps, strict=True):
            self._seal(sector, view, sweep)
        notes.unlink()
        _draft(notes).unlink(missing_ok=True)

    def _seal(self, sector: tuple[int, int], cells: Any, sweep: Sweep) -> None:
        self._check(*sector)
        positions, entries = sweep.tally(0, sweep.classes)
        plies = max(value >> 1 for value, number in enumerate(entries) if number)
        header = store.Header(
            self._mark,
            *sector,
            "depth",
            len(cells),
            len(cells),
            store.checksum(cells),
            "raw",
            [*_divide(positions), *_divide(entries), plies, self._samples],
            "" if self._kind == "depth" else self._kind,
        )
        store.seal(self.folder / f"{_label(sector)}.part", header)
        self._kinds[sector] = "depth"

    def _check(self, own: int, enemy: int) -> None:
        """Compare random entries with the best of their successors; raises CheckFailed."""
        index = self._tables.index
        chance = random.Random(own * 10 + enemy)
        for _ in range(self._samples):
            number = chance.randrange(index.entries(own, enemy))
            mine, theirs = index.position(own, enemy, number)
            position = Position(
                white=mine,
                black=theirs,
                hands=(0, 0),
                flying=self._rules.flying,
                doubles=self._rules.doubles,
                draws=False,
            )
            stored, expected = self._tables.probe(mine, theirs), best(position, self._tables.probe)
            if stored != expected:
                raise CheckFailed(
                    f"{own}-{enemy} entry {number}: {stored} stored, {expected} by its successors"
                )

    def _shrink(self, sector: tuple[int, int], kind: str) -> None:
        """Replace a table that was solved for a smaller kind, unless this request asks for more."""
        path = self._path(sector)
        header = store.read_header(path)
        target = header.target
        if target and store.KINDS[target] < store.KINDS[self._kind]:
            target = "" if header.kind == self._kind else self._kind
            store.amend(path, replace(header, target=target))
        if target and store.KINDS[target] <= store.KINDS[kind] < store.KINDS[header.kind]:
            convert(path, self._mark, kind)
            self._kinds[sector] = kind
            entries = self._tables.index.entries(*sector)
            _, cells = store.load(self._path(sector), self._mark, *sector, entries)
            self._tables.hold(*sector, kind, cells)
            path.unlink()

    def _path(self, sector: tuple[int, int]) -> Path:
        return self.folder / store.name(*sector, self._kinds[sector])

    def _finished(self, sector: tuple[int, int]) -> SolvedPart:
        counts = store.read_header(self._path(sector)).counts
        if len(counts) != 8:
            return SolvedPart(f"{_label(sector)}: built before", {"sector": _label(sector)})
        won, drawn, lost, *entries, plies, checked = counts
        shares = (entries[0], entries[1], entries[2])
        solved = Solved(*sector, won, drawn, lost, shares, plies, checked)
        return SolvedPart(str(solved), {"sector": _label(sector), **asdict(solved)})


def _label(sector: tuple[int, int]) -> str:
    return f"{sector[0]}-{sector[1]}"


def _sectors(pair: tuple[int, int]) -> list[tuple[int, int]]:
    return [pair] if pair[0] == pair[1] else [pair, pair[::-1]]


def _below(own: int, enemy: int) -> list[tuple[int, int]]:
    """List the pairs to which captures of one or two men lead."""
    smaller = [
        (max(pair), min(pair))
        for removed in (1, 2)
        for pair in ((own - removed, enemy), (own, enemy - removed))
        if min(pair) >= 3
    ]
    return list(dict.fromkeys(smaller))


def convert(path: Path, mark: str, kind: str) -> Path:
    """Write a table again as a smaller kind in the same folder; return the new file."""
    before = store.read_header(path)
    _, cells = store.load(path, mark, before.own, before.enemy, before.entries)
    packed = pack(_coded(cells, before), kind)
    target = "" if before.target == kind else before.target
    header = replace(
        before,
        kind=kind,
        size=len(packed),
        crc=store.checksum(packed),
        packing="raw",
        target=target,
    )
    return store.save(path.parent, header, packed)


def _coded(cells: Any, header: store.Header) -> bytes:
    """Return one byte per entry: 0 is a draw, an odd number a loss, an even one a win."""
    if header.kind == "depth":
        return bytes(cells)
    coded = bytearray(4 * len(cells))
    for at in range(4):
        coded[at::4] = bytes(cells).translate(bytes(byte >> 2 * at & 3 for byte in range(256)))
    return bytes(coded[: header.entries])


def pack(cells: bytes, kind: str) -> bytes:
    """Convert entries of one byte each to a smaller kind."""
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
        # Translating and joining whole buffers is much faster than a loop over entries.
        part = coded[at::each].translate(bytes((v << at * bits) & 255 for v in range(256)))
        packed = bytearray(
            (int.from_bytes(packed, "little") | int.from_bytes(part, "little")).to_bytes(
                len(packed), "little"
            )
        )
    return bytes(packed)


def _divide(counts: list[int]) -> tuple[int, int, int]:
    """Add up the counts of 256 values to wins, draws and losses."""
    return sum(counts[2::2]), counts[0], sum(counts[1::2])


def best(position: Position, probe: Callable[[int, int], int]) -> int:
    """Return the value of a position by the values of its successors, as the tables code it."""
    wins, losses, draws = [], [], False
    for move in position.legal_moves():
        position.play(move)
        ends = position.outcome() is not None
        value = 1 if ends else probe(position.own, position.enemy)
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


def _read_layer(notes: Path) -> int | None:
    """Return the layer in the progress file, or None if there is no readable file."""
    try:
        layer = json.loads(notes.read_text())
    except (FileNotFoundError, ValueError):
        return None
    return layer if isinstance(layer, int) else None


def _draft(notes: Path) -> Path:
    return notes.with_name(f"{notes.name}.new")


class _PairPasses:
    """The passes over one pair of sectors, and the file that records their progress."""

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
        self._passes = 0

    def finish(self) -> None:
        layer = _read_layer(self._notes)
        if layer is None:
            for sweep in self._sweeps:
                self._pass("captures", sweep.begin, sweep.classes, sweep.width)
            layer = 0
        self._passes += layer
        # Captures decide the layers 0 and 1. All layers beyond FAR share its value, so passes over
        # it are repeated until nothing changes. Entries that an interrupted run has written do not
        # count as changes.
        changes = 1
        while layer <= 1 or (changes if layer > FAR else self._is_populated(layer)):
            self._note(layer)
            changes = sum(self._layer(sweep, min(layer, FAR)) for sweep in self._sweeps)
            layer += 1
        for sweep in self._sweeps:
            self._pass("copies", sweep.complete, sweep.classes, sweep.width)

    def _note(self, layer: int) -> None:
        """Record the layer that begins; after a kill, the file holds this layer or the last one."""
        draft = _draft(self._notes)
        draft.write_text(json.dumps(layer))
        draft.replace(self._notes)

    def _is_populated(self, layer: int) -> bool:
        return any(sweep.count(2 * layer + lost) for sweep in self._sweeps for lost in (0, 1))

    def _layer(self, sweep: Sweep, layer: int) -> int:
        what = f"layer {layer}"
        changes = 0
        if sweep.count(2 * layer + 1):
            changes += self._pass(
                what,
                lambda start, end: sweep.retreat(2 * layer + 1, start, end),
                sweep.classes,
                sweep.width,
            )
        wins = sweep.count(2 * layer)
        if wins and sweep.prefers_advance(wins):
            changes += self._pass(
                what,
                lambda start, end: sweep.advance(layer, start, end),
                sweep.opposite_classes,
                sweep.opposite_width,
            )
        elif wins:
            changes += self._pass(
                what,
                lambda start, end: sweep.retreat(2 * layer, start, end),
                sweep.classes,
                sweep.width,
            )
        return changes

    def _pass(
        self, what: str, work: Callable[[int, int], int | None], classes: int, width: int
    ) -> int:
        pieces = max(1, classes * width // _PIECE)
        bounds = [classes * piece // pieces for piece in range(pieces + 1)]
        tasks = [
            self._pool.submit(work, start, end) for start, end in pairwise(bounds) if start < end
        ]
        total = 0
        try:
            for done, task in enumerate(tasks, start=1):
                total += task.result() or 0
                # The number of passes is not known in advance: each gets a share of the rest.
                share = 1.0 - 0.8 ** (self._passes + done / len(tasks))
                self._progress(share, f"{self._label}: {what}")
        finally:
            for task in tasks:
                task.cancel()
        self._passes += 1
        return total
