"""The result of a test, and the counts of many results."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from tools.boards.scene import Scene


class Status(StrEnum):
    """The result of a test, whether or not it was expected."""

    PASSED = "passed"
    FAILED = "failed"  # The engine gave a wrong answer.
    # There is no answer to judge: the engine, its set-up or the test itself is faulty.
    ERROR = "error"
    UNSUPPORTED = "unsupported"  # The engine says that it does not know the question.
    IGNORED = "ignored"  # The test was asked, but its answer does not count.


_DESCRIPTIONS: Final = {
    "PASSED": "unexpectedly",
    "FAILED": "unexpected failure",
    "failed": "known failure",
    "ERROR": "error",
    "error": "known error",
    "unsupported": "unsupported",
    "ignored": "ignored",
}


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one test; `known` says that the test is expected to fail."""

    suite: str  # The name of its file.
    name: str
    line: int
    status: Status
    known: bool = False
    title: str = ""
    command: str = ""
    required: str = ""
    answer: str = ""
    message: str = ""
    seconds: float = 0.0
    exchange: tuple[str, ...] = ()  # The dialogue; `> ` or `< ` stands before each line.
    scene: Scene | None = None
    unread: bool = False  # This is not a test, but a suite that could not be read.

    def as_known(self) -> "Result":
        """Return the result as one that was expected, unless the test passed."""
        failed = self.status in (Status.FAILED, Status.ERROR) and not self.unread
        return replace(self, known=True) if failed else self

    @property
    def key(self) -> tuple[str, str]:
        """The key that identifies a test, also in a baseline."""
        return self.suite, self.name

    @property
    def alarming(self) -> bool:
        """Whether this is an unexpected failure."""
        return self.status in (Status.FAILED, Status.ERROR) and not self.known

    @property
    def surprising(self) -> bool:
        """Whether this is an unexpected success."""
        return self.status == Status.PASSED and self.known

    @property
    def word(self) -> str:
        """The status as reports show it: in capitals if it was not expected."""
        return self.status.upper() if self.alarming or self.surprising else str(self.status)


@dataclass(slots=True)
class ResultCounts:
    """The counts of results of a suite, or of a run."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @classmethod
    def of(cls, results: Iterable[Result]) -> "ResultCounts":
        """Count results."""
        tally = cls()
        for result in results:
            tally.add(result)
        return tally

    def add(self, result: Result) -> None:
        """Count one more result."""
        self.counts[result.word] += 1
        self.seconds += result.seconds

    @property
    def tests(self) -> int:
        """The number of tests."""
        return self.counts.total()

    @property
    def judged(self) -> int:
        """The number of tests whose answers were judged."""
        return self.passed + self.failed + self.errors

    @property
    def passed(self) -> int:
        """The number of tests that passed, expected or not."""
        return self.counts["passed"] + self.counts["PASSED"]

    @property
    def failed(self) -> int:
        """The number of tests that failed, expected or not."""
        return self.counts["failed"] + self.counts["FAILED"]

    @property
    def errors(self) -> int:
        """The number of tests without an answer because of a fault."""
        return self.counts["error"] + self.counts["ERROR"]

    @property
    def alarms(self) -> int:
        """The number of unexpected failures."""
        return self.counts["FAILED"] + self.counts["ERROR"]

    def __str__(self) -> str:
        parts = [f"{self.passed}/{self.judged} pass"]
        for word, what in _DESCRIPTIONS.items():
            if count := self.counts[word]:
                plural = "s" if count > 1 and what.endswith(("failure", "error")) else ""
                parts.append(f"{count} {what}{plural}")
        return ", ".join(parts)


def tallies(results: Sequence[Result]) -> dict[str, ResultCounts]:
    """Count the results of each suite, in the order of the suites."""
    counts: dict[str, ResultCounts] = {}
    for result in results:
        counts.setdefault(result.suite, ResultCounts()).add(result)
    return counts
