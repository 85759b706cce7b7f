"""The output of a run: for a person, for a program, and for GitHub."""

import json
import sys
from collections.abc import Mapping
from typing import Any, Final, Protocol

from tools.regress.result import Result, ResultCounts, Status

_COLOURS: Final = {"FAILED": "red", "ERROR": "red", "PASSED": "green"}


class RunReport(Protocol):
    """Receives the events of a run."""

    def record(self) -> None:
        """The run writes the first baseline; known failures are to be shown as well."""

    def begin(self, tests: int) -> None:
        """The run begins."""

    def result(self, result: Result) -> None:
        """A test has a result."""

    def note(self, line: str) -> None:
        """A remark for the user."""

    def summary(
        self, tallies: Mapping[str, ResultCounts], total: ResultCounts, *, interrupted: bool = False
    ) -> None:
        """All tests are done, or the run was interrupted."""

    def close(self) -> None:
        """Nothing follows; this is called in every case."""


class TextReport:
    """For a person: a line per unexpected result, and a table at the end."""

    def __init__(self, *, every: bool = False) -> None:
        self._every = every
        self._recording = False

    def record(self) -> None:
        """Print known failures as well from now on."""
        self._recording = True

    def begin(self, tests: int) -> None:
        """Print how many tests there are."""
        print(f"{tests} {'test' if tests == 1 else 'tests'}", file=sys.stderr, flush=True)

    def result(self, result: Result) -> None:
        """Print a result if it is unexpected, or a failure that will be known by this run."""
        failure = self._recording and result.status in (Status.FAILED, Status.ERROR)
        if self._every or result.alarming or result.surprising or failure:
            self.say(format_result(result), _COLOURS.get(result.word, ""))

    def note(self, line: str) -> None:
        """Print a remark on stderr."""
        print(line, file=sys.stderr, flush=True)

    def say(self, line: str, colour: str = "") -> None:
        """Print a line of results."""
        print(line, flush=True)

    def summary(
        self, tallies: Mapping[str, ResultCounts], total: ResultCounts, *, interrupted: bool = False
    ) -> None:
        """Print a line per suite and one for all."""
        width = max((len(suite) for suite in tallies), default=0)
        for suite, tally in tallies.items():
            print(f"{suite:{width}}  {tally.seconds:8.2f} s  {tally}", flush=True)
        if len(tallies) != 1:
            print(f"{'all':{width}}  {total.seconds:8.2f} s  {total}", flush=True)

    def close(self) -> None:
        """Nothing is open."""


def format_result(result: Result) -> str:
    """Format a result as one line that begins with the file and the line of the test."""
    place = f"{result.suite}:{result.line}: {result.word} {result.name}"
    message = result.message
    if result.status == Status.PASSED:
        message = message or result.answer
    message = message.replace("\n", " | ")
    line = f"{place}: {message}" if message else place
    # The text of an engine must not control the terminal.
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line
    )


class JsonReport:
    """For a program: one JSON object per line."""

    def record(self) -> None:
        """Print what is printed in any run, which is every result."""

    def begin(self, tests: int) -> None:
        """Print the number of tests."""
        self._say({"event": "run", "tests": tests})

    def result(self, result: Result) -> None:
        """Print a result."""
        self._say(as_event(result))

    def note(self, line: str) -> None:
        """Print a remark."""
        self._say({"event": "note", "text": line})

    def summary(
        self, tallies: Mapping[str, ResultCounts], total: ResultCounts, *, interrupted: bool = False
    ) -> None:
        """Print the counts."""
        suites = {suite: _counts(tally) for suite, tally in tallies.items()}
        event = {"event": "summary", "interrupted": interrupted, **_counts(total)}
        self._say({**event, "suites": suites})

    def close(self) -> None:
        """Nothing is open."""

    def _say(self, event: Mapping[str, Any]) -> None:
        print(json.dumps(event), flush=True)


def as_event(result: Result) -> dict[str, Any]:
    """Return a result as a JSON object, as baselines contain it as well."""
    if result.unread:
        return {"event": "unread", "suite": result.suite, "message": result.message}
    return {
        "event": "test",
        "suite": result.suite,
        "test": result.name,
        "line": result.line,
        "status": str(result.status),
        "known": result.known,
        "seconds": round(result.seconds, 4),
        "answer": result.answer,
        "required": result.required,
        "message": result.message,
    }


def _counts(tally: ResultCounts) -> dict[str, Any]:
    return {
        "tests": tally.tests,
        "passed": tally.passed,
        "failed": tally.failed,
        "errors": tally.errors,
        "unexpected_failures": tally.alarms,
        "unexpected_passes": tally.counts["PASSED"],
        "unsupported": tally.counts["unsupported"],
        "ignored": tally.counts["ignored"],
        "seconds": round(tally.seconds, 3),
    }


def annotation(result: Result) -> str:
    """Return the workflow command of GitHub for an unexpected failure."""
    place = f"file={_property(result.suite)},line={result.line}"
    title = _property(f"{result.name}: {result.word}")
    return f"::error {place},title={title}::{_escape(result.message or result.answer)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
