"""Earlier results: which failures are old, and what changed between two runs."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from engines.core.game import InvalidText
from tools.regress.output import save
from tools.regress.report import as_event
from tools.regress.result import Result, Status

SLOWER: Final = 2.0  # Times the earlier seconds.
NOTABLE: Final = 0.5  # Seconds that a test must have grown by at least.
_BAD: Final = (Status.FAILED, Status.ERROR)

Key = tuple[str, str]
"""A suite and a test in it."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What became of a test before."""

    status: Status
    seconds: float
    event: Mapping[str, Any]


Run = Mapping[Key, Earlier]


def read_run(path: Path) -> dict[Key, Earlier]:
    """Read what `--json` printed, or `--update` wrote; raises InvalidText."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InvalidText(f"{path}: no text in UTF-8: {error}") from error
    return dict(_entries(text, path))


def _entries(text: str, path: Path) -> Iterator[tuple[Key, Earlier]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
            if event["event"] == "test":
                status, seconds = Status(event["status"]), float(event["seconds"])
                yield (event["suite"], event["test"]), Earlier(status, seconds, event)
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidText(f"{path}:{number}: no result of a test: {error}") from error


def recall(result: Result, run: Run) -> Result:
    """Return a result that knows whether the test failed before, too."""
    before = run.get(result.key)
    if before is None or before.status not in _BAD:
        return result
    return replace(result, known=True)


def write_run(path: Path, results: Iterable[Result], before: Run, *, whole: bool) -> None:
    """Write a baseline: these results, and earlier ones of tests that were not asked.

    After whole suites, tests that they do not hold any more are forgotten. Raises InvalidText.
    """
    fresh = {result.key: as_event(result) for result in results}
    suites = {suite for suite, _ in fresh} if whole else set()
    kept = {key: dict(was.event) for key, was in before.items() if key[0] not in suites}
    lines = []
    for key in sorted({**kept, **fresh}, key=_order):
        event = fresh.get(key) or kept[key]
        event["seconds"] = round(float(event["seconds"]), 2)
        lines.append(json.dumps(event, ensure_ascii=False))
    save(path, "\n".join(lines) + "\n")


@dataclass(frozen=True, slots=True)
class Difference:
    """What a later run has otherwise than an earlier one."""

    failures: Sequence[Key]
    passes: Sequence[Key]
    slower: Sequence[tuple[Key, float, float]]
    new: Sequence[Key]
    gone: Sequence[Key]

    def lines(self) -> Iterator[str]:
        """Tell it, a line for each test."""
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
    """Tell two runs apart; a test that was not judged in one of them has no news."""
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
    """Put test 9 before test 10."""
    suite, test = key
    return suite, int(test) if test.isascii() and test.isdecimal() else 0, test


def as_run(results: Iterable[Result]) -> dict[Key, Earlier]:
    """Return results as a run to compare."""
    return {
        result.key: Earlier(result.status, result.seconds, as_event(result)) for result in results
    }
