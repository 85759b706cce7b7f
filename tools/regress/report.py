"""What `quintet regress` says while it runs: for a person, for a program, for GitHub."""

import json
from collections.abc import Mapping
from typing import Any, Final, Protocol

import click

from tools.regress.result import Result, Status, Tally

_COLOURS: Final = {"FAILED": "red", "ERROR": "red", "PASSED": "green"}


class Report(Protocol):
    """Is told of a run's course."""

    def begin(self, tests: int) -> None:
        """The run begins."""

    def result(self, result: Result) -> None:
        """A test is done."""

    def note(self, line: str) -> None:
        """Something is worth knowing."""

    def summary(
        self, tallies: Mapping[str, Tally], total: Tally, *, interrupted: bool = False
    ) -> None:
        """All tests are done, or the run was stopped."""

    def close(self) -> None:
        """Nothing more is said, whatever happened."""


class Lines:
    """For a person: a line per test that went otherwise than expected, a table at the end."""

    def __init__(self, *, every: bool = False) -> None:
        self._every = every

    def begin(self, tests: int) -> None:
        """Say how many tests there are."""
        click.echo(f"{tests} {'test' if tests == 1 else 'tests'}", err=True)

    def result(self, result: Result) -> None:
        """Say what became of a test, if it is news."""
        if self._every or result.alarming or result.surprising:
            self.say(told(result), _COLOURS.get(result.word, ""))

    def note(self, line: str) -> None:
        """Say it on stderr."""
        click.echo(line, err=True)

    def say(self, line: str, colour: str = "") -> None:
        """Write a line of results."""
        click.secho(line, fg=colour or None)

    def summary(
        self, tallies: Mapping[str, Tally], total: Tally, *, interrupted: bool = False
    ) -> None:
        """Write a line per suite and one for all."""
        width = max((len(suite) for suite in tallies), default=0)
        for suite, tally in tallies.items():
            click.echo(f"{suite:{width}}  {tally.seconds:8.2f} s  {tally}")
        if len(tallies) != 1:
            click.echo(f"{'all':{width}}  {total.seconds:8.2f} s  {total}")

    def close(self) -> None:
        """Nothing is open."""


def told(result: Result) -> str:
    """Write a result as one line, with the place that it comes from in front."""
    place = f"{result.suite}:{result.line}: {result.word} {result.name}"
    message = result.message
    if result.status == Status.PASSED:
        message = message or result.answer
    message = message.replace("\n", " | ")
    line = f"{place}: {message}" if message else place
    # What an engine says must not move the cursor.
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line
    )


class JsonLines:
    """For a program: one JSON object a line."""

    def begin(self, tests: int) -> None:
        """Tell the number of tests."""
        self._say({"event": "run", "tests": tests})

    def result(self, result: Result) -> None:
        """Tell a result."""
        self._say(as_event(result))

    def note(self, line: str) -> None:
        """Tell what is worth knowing."""
        self._say({"event": "note", "text": line})

    def summary(
        self, tallies: Mapping[str, Tally], total: Tally, *, interrupted: bool = False
    ) -> None:
        """Tell the counts."""
        suites = {suite: _counts(tally) for suite, tally in tallies.items()}
        told = {"event": "summary", "interrupted": interrupted, **_counts(total)}
        self._say({**told, "suites": suites})

    def close(self) -> None:
        """Nothing is open."""

    def _say(self, event: Mapping[str, Any]) -> None:
        click.echo(json.dumps(event, ensure_ascii=False))


def as_event(result: Result) -> dict[str, Any]:
    """Return a result as a JSON object; a baseline holds the same."""
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


def _counts(tally: Tally) -> dict[str, Any]:
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
    """Return GitHub's workflow command for a failure nobody expected."""
    place = f"file={_property(result.suite)},line={result.line}"
    title = _property(f"{result.name}: {result.word}")
    return f"::error {place},title={title}::{_escape(result.message or result.answer)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
