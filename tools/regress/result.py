"""What became of a test, and what a run of many amounts to."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Status(StrEnum):
    """What became of a test, whatever had been expected of it."""

    PASSED = "passed"
    FAILED = "failed"  # The engine answered, and wrongly.
    ERROR = "error"  # No answer to judge: the engine, its set-up or the test itself is at fault.
    UNSUPPORTED = "unsupported"  # The engine says itself that it does not know the question.
    IGNORED = "ignored"  # Asked for the record only.


_TOLD: Final = {
    "PASSED": "unexpectedly",
    "FAILED": "unexpected failure",
    "failed": "known failure",
    "ERROR": "error",
    "error": "known error",
    "unsupported": "unsupported",
    "ignored": "ignored",
}


@dataclass(frozen=True, slots=True)
class Scene:
    """A position to be drawn, and the moves that matter in it, as texts of its game."""

    game: str
    variant: str = ""
    size: str = ""  # 9, or 9x13; empty is the game's own.
    setup: str = ""
    turn: str = ""
    accept: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """One test, what was asked and answered; `known` says that a failure is an old one."""

    suite: str  # The file, as it was named.
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
    exchange: tuple[str, ...] = ()  # What was said, `> ` and `< ` before each line.
    scene: Scene | None = None
    unread: bool = False  # No test, but a suite that could not be read.

    @property
    def key(self) -> tuple[str, str]:
        """What tells tests apart, in a baseline too."""
        return self.suite, self.name

    @property
    def alarming(self) -> bool:
        """Whether this is a failure that nobody expected."""
        return self.status in (Status.FAILED, Status.ERROR) and not self.known

    @property
    def surprising(self) -> bool:
        """Whether this passed although it was expected to fail."""
        return self.status == Status.PASSED and self.known

    @property
    def word(self) -> str:
        """The status as reports say it: upper case where it was not expected."""
        return self.status.upper() if self.alarming or self.surprising else str(self.status)


@dataclass(slots=True)
class Tally:
    """Counts of results, for a suite or for a run."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @classmethod
    def of(cls, results: Iterable[Result]) -> "Tally":
        """Count results."""
        tally = cls()
        for result in results:
            tally.add(result)
        return tally

    def add(self, result: Result) -> None:
        """Count one more."""
        self.counts[result.word] += 1
        self.seconds += result.seconds

    @property
    def tests(self) -> int:
        """How many tests there were."""
        return self.counts.total()

    @property
    def judged(self) -> int:
        """How many of them were judged."""
        return self.passed + self.failed + self.errors

    @property
    def passed(self) -> int:
        """How many passed, expected or not."""
        return self.counts["passed"] + self.counts["PASSED"]

    @property
    def failed(self) -> int:
        """How many failed, expected or not."""
        return self.counts["failed"] + self.counts["FAILED"]

    @property
    def errors(self) -> int:
        """How many could not be judged, through a fault."""
        return self.counts["error"] + self.counts["ERROR"]

    @property
    def alarms(self) -> int:
        """How many failures nobody expected."""
        return self.counts["FAILED"] + self.counts["ERROR"]

    def __str__(self) -> str:
        told = [f"{self.passed}/{self.judged} pass"]
        for word, what in _TOLD.items():
            if count := self.counts[word]:
                plural = "s" if count > 1 and what.endswith(("failure", "error")) else ""
                told.append(f"{count} {what}{plural}")
        return ", ".join(told)


def tallies(results: Sequence[Result]) -> dict[str, Tally]:
    """Count the results of each suite, in the order of their coming."""
    found: dict[str, Tally] = {}
    for result in results:
        found.setdefault(result.suite, Tally()).add(result)
    return found
