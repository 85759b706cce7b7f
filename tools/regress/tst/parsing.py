"""Read suites of GNU Go and GoGui: GTP commands, and a pattern below each test."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engines.core.game import InvalidText
from tools.regress.tst.pattern import Dialect, Expectation, parse_expectation

SUFFIX: Final = ".tst"
_CONTROLS: Final = dict.fromkeys([*range(32), 127])


@dataclass(frozen=True, slots=True)
class Step:
    """A command of a suite; a command with a number is a test, and the number is its name.

    `fault` says why the line cannot be carried out, and is reported instead.
    """

    line: int
    text: str
    number: str = ""
    expectation: Expectation | None = None
    fault: str = ""
    words: tuple[str, ...] = field(default=(), compare=False)

    @property
    def is_test(self) -> bool:
        """Whether the step has a result."""
        return bool(self.number)

    @property
    def name(self) -> str:
        """The command's name."""
        return self.words[0] if self.words else ""

    @property
    def args(self) -> tuple[str, ...]:
        """The command's arguments."""
        return self.words[1:]


def read_tst(path: Path, dialect: Dialect = Dialect.STRICT) -> list[Step]:
    """Read a suite; raises InvalidText for a file that cannot be one."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidText(f"{path}: {error.strerror or error}") from error
    if b"\0" in data:
        raise InvalidText(f"{path}: a binary file, not a suite")
    steps = parse_tst(data.decode("utf-8", "replace"), dialect)
    if not steps:
        raise InvalidText(f"{path}: it has no commands")
    return steps


def parse_tst(text: str, dialect: Dialect = Dialect.STRICT) -> list[Step]:
    """Read the text of a suite: commands in order, and a fault for each line that is wrong.

    A pattern belongs to the test on the line directly above it.
    """
    steps: list[Step] = []
    seen: set[str] = set()
    open_test = False
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.removesuffix("\r")
        if line.startswith("#?"):
            expectation = parse_expectation(line, number, dialect)
            if open_test:
                steps[-1] = _with(steps[-1], expectation)
            elif dialect is not Dialect.GNUGO:
                message = "a pattern without a test on the line above"
                steps.append(Step(number, line, f"line-{number}", expectation, fault=message))
            open_test = False
            continue
        step = _command(line, number)
        open_test = step is not None and step.is_test
        if step is not None:
            if step.number in seen and dialect is Dialect.STRICT:
                step = Step(number, step.text, step.number, fault=f"a second test {step.number}")
            seen.update([step.number] if step.number else [])
            steps.append(step)
    return steps


def _with(step: Step, expectation: Expectation) -> Step:
    return Step(
        step.line, step.text, step.number, expectation, step.fault or expectation.fault, step.words
    )


def _command(line: str, number: int) -> Step | None:
    """Read a command line as GTP does; None if the line is no command."""
    text = line.partition("#")[0].replace("\t", " ").translate(_CONTROLS).strip()
    if not text:
        return None
    match = re.fullmatch(r"(?:(\d+)(?:\s+|$))?(.*)", text)
    assert match is not None
    test_number, rest = match[1] or "", match[2].strip()
    if not rest:
        return Step(number, text, test_number, fault="a number without a command")
    return Step(number, rest, test_number, words=tuple(rest.split()))


def vertices(expectation: Expectation | None) -> Sequence[str]:
    """Return the points that a pattern names, to mark them on the board."""
    text = expectation.text if expectation is not None else ""
    return tuple(dict.fromkeys(re.findall(r"(?<![A-Za-z0-9])[A-HJ-Z]\d{1,2}(?!\d)", text)))
