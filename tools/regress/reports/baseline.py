"""Results of earlier runs: which failures are known, and what changed between two runs."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, Final

from engines.core.game import InvalidText
from tools.regress.reports.output import save
from tools.regress.reports.report import as_event
from tools.regress.result import Result, Status

SLOWER: Final = 2.0  # A test is slower if it takes this many times its earlier seconds ...
NOTABLE: Final = 0.5  # ... and at least this many seconds more.
_HEAD: Final = (
    "baseline"  # The first event, which says that suites are named relative to the file's folder.
)
_BAD: Final = (Status.FAILED, Status.ERROR)

Key = tuple[str, str]
"""The names of a suite and of a test in it."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """The result of a test in an earlier run."""

    status: Status
    seconds: float
    event: Mapping[str, Any]


Run = Mapping[Key, Earlier]


def read_run(path: Path) -> dict[Key, Earlier]:
    """Read a file that `--json` or `--update` wrote; raises InvalidText."""
    return dict(_entries(_read(path), path))


def _read(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InvalidText(f"{path}: not a text in UTF-8: {error}") from error
    return text


@dataclass(frozen=True, slots=True)
class Baseline:
    """Earlier results, by the names that the suites have in this run.

    `files` are the suites of this run by name. The file names suites relative to its own folder,
    so that neither the spelling on the command line nor the working directory matters. Files in
    the former format can be read as well.
    """

    path: Path | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    run: Run = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, files: Mapping[str, Path]) -> "Baseline":
        """Read a file; raises InvalidText."""
        text = _read(path)
        entries = dict(_entries(text, path))
        names = _matched({suite for suite, _ in entries}, _homes(text, path), files)
        run = {(names.get(suite, suite), test): was for (suite, test), was in entries.items()}
        return cls(path, files, run)

    def update(self, results: Sequence[Result], *, whole: bool, interrupted: bool = False) -> None:
        """Write the file; raises InvalidText."""
        if self.path is not None:
            tests = [result for result in results if not result.unread]
            known = {_from(self.path, name, self.files): name for name in self.files}
            names = {name: place for place, name in known.items()}
            before = {(names.get(key[0], key[0]), key[1]): was for key, was in self.run.items()}
            fresh = [replace(each, suite=names.get(each.suite, each.suite)) for each in tests]
            write_run(self.path, fresh, before, whole=whole, interrupted=interrupted)


def _homes(text: str, path: Path) -> list[Path]:
    """Return the folders that the names of suites in a file may be relative to."""
    anchored = text.startswith(f'{{"event": "{_HEAD}"')
    return [path.absolute().parent] if anchored else [Path.cwd(), path.absolute().parent]


def _matched(suites: set[str], homes: Sequence[Path], files: Mapping[str, Path]) -> dict[str, str]:
    """Return this run's names for earlier suites: by place, or by file name if a suite moved."""
    places = {file.resolve(): name for name, file in files.items()}
    names: dict[str, str] = {}
    for home in homes:
        for suite in sorted(suites - names.keys()):
            name = places.get((home / suite).resolve())
            if name is not None and name not in names.values():
                names[suite] = name
    missing = [suite for suite in suites if not any((home / suite).exists() for home in homes)]
    for name in files.keys() - set(names.values()):
        own = files[name].name
        moved = [suite for suite in missing if PurePath(suite).name == own]
        alike = [file for file in files.values() if file.name == own]
        if len(moved) == len(alike) == 1:
            names[moved[0]] = name
    return names


def _from(path: Path, name: str, files: Mapping[str, Path]) -> str:
    """Return the place of a suite relative to the folder of a file."""
    file = files[name].resolve()
    try:
        place = os.path.relpath(file, path.absolute().parent.resolve())
    except ValueError:  # The suite is on another drive.
        place = str(file)
    return Path(place).as_posix().encode("utf-8", "replace").decode()


def align(before: Path, now: Path) -> tuple[Run, Run]:
    """Read two files of results, with the suites named as in the second; raises InvalidText."""
    earlier, later = read_run(before), read_run(now)
    home = _homes(_read(now), now)[0]
    own = {suite for suite, _ in later}
    others = {suite for suite, _ in earlier} - own
    known = {suite for suite, _ in earlier}
    files = {suite: home / suite for suite in own - known}
    names = _matched(others, _homes(_read(before), before), files)
    named = {(names.get(suite, suite), test): was for (suite, test), was in earlier.items()}
    return named, later


def _entries(text: str, path: Path) -> Iterator[tuple[Key, Earlier]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
            if event["event"] == "test":
                status, seconds = Status(event["status"]), float(event["seconds"])
                yield (event["suite"], event["test"]), Earlier(status, seconds, event)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InvalidText(f"{path}:{number}: not the result of a test: {error}") from error


def recall(result: Result, run: Run) -> Result:
    """Return a result that says whether the test also failed in the earlier run."""
    before = None if result.unread else run.get(result.key)
    if before is None or before.status not in _BAD:
        return result
    return replace(result, known=True)


def write_run(
    path: Path,
    results: Iterable[Result],
    before: Run,
    *,
    whole: bool,
    interrupted: bool = False,
) -> None:
    """Write a baseline: these results, and earlier results of tests that were not asked.

    If `whole`, tests that no longer exist in their suites are dropped. Raises InvalidText.
    """
    fresh = {result.key: as_event(result) for result in results}
    suites = {suite for suite, _ in fresh} if whole else set()
    kept = {key: dict(was.event) for key, was in before.items() if key[0] not in suites}
    lines = [json.dumps({"event": _HEAD, "interrupted": interrupted})]
    for key in sorted({**kept, **fresh}, key=_order):
        event = (fresh.get(key) or kept[key]) | {"suite": key[0]}
        event["seconds"] = round(float(event["seconds"]), 2)
        lines.append(json.dumps(event, ensure_ascii=False))
    save(path, "\n".join(lines) + "\n")


@dataclass(frozen=True, slots=True)
class Difference:
    """The differences between an earlier and a later run."""

    failures: Sequence[Key]
    passes: Sequence[Key]
    slower: Sequence[tuple[Key, float, float]]
    new: Sequence[Key]
    gone: Sequence[Key]

    def lines(self) -> Iterator[str]:
        """Describe the differences, one line per test."""
        for what, keys in (("new failure", self.failures), ("new pass", self.passes)):
            yield from (f"{what}: {_name(key)}" for key in keys)
        for key, before, now in self.slower:
            yield f"slower: {_name(key)}: {before:.2f} s, now {now:.2f} s"
        for what, keys in (("new test", self.new), ("gone", self.gone)):
            if keys:
                yield f"{what}: {len(keys)} ({', '.join(map(_name, keys[:3]))}{_more(keys)})"


def _more(keys: Sequence[Key]) -> str:
    return ", ..." if len(keys) > 3 else ""


def _name(key: Key) -> str:
    return " ".join(key)


def compare(before: Run, now: Run) -> Difference:
    """Compare two runs; a test that was not judged in both is skipped."""
    shared = sorted(before.keys() & now.keys(), key=_order)
    failures, passes, slower = [], [], []
    for key in shared:
        was, is_now = before[key], now[key]
        if was.status is Status.PASSED and is_now.status in _BAD:
            failures.append(key)
        elif was.status in _BAD and is_now.status is Status.PASSED:
            passes.append(key)
        grown = is_now.seconds - was.seconds
        if grown > NOTABLE and is_now.seconds > SLOWER * was.seconds:
            slower.append((key, was.seconds, is_now.seconds))
    return Difference(
        failures,
        passes,
        slower,
        sorted(now.keys() - before.keys(), key=_order),
        sorted(before.keys() - now.keys(), key=_order),
    )


def _order(key: Key) -> tuple[str, int, str]:
    """Return a sort key that puts test 9 before test 10."""
    suite, test = key
    return suite, int(test) if test.isascii() and test.isdecimal() else 0, test


def as_run(results: Iterable[Result]) -> dict[Key, Earlier]:
    """Return results in the form that runs are compared in."""
    return {
        result.key: Earlier(result.status, result.seconds, as_event(result))
        for result in results
        if not result.unread
    }
