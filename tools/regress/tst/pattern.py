"""The patterns of .tst files in three dialects, and matching with a time limit."""

import json
import re
import sys
import time
import warnings
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from engines.core.game import InvalidText
from protocols.child.process import Process
from protocols.errors import EngineError

PATIENCE: Final = 2.0  # Seconds for a pattern that might backtrack for ever.
START: Final = 20.0  # Seconds for a fresh interpreter to start.
_PATHS: Final = 10_000  # A pattern with at most this many alternatives is matched in this process.
_CLASSES: Final = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9A-Fa-f",
}
# A child process can be killed; a thread inside the regular expression engine cannot.
_PROGRAM: Final = """
import json, re, sys
print("ready", flush=True)
for line in sys.stdin:
    pattern, flags, whole, text = json.loads(line)
    compiled = re.compile(pattern, flags)
    found = compiled.fullmatch(text) if whole else compiled.search(text)
    print(int(found is not None), flush=True)
"""


class Dialect(StrEnum):
    """The program whose reading of the format is used."""

    STRICT = "strict"
    GNUGO = "gnugo"
    GOGUI = "gogui"


@dataclass(frozen=True, slots=True)
class Expectation:
    """A pattern that an answer must match; `fault` says why no answer can match."""

    text: str
    line: int = 0
    negated: bool = False
    fails: bool = False
    ignored: bool = False
    fault: str = ""


def parse_expectation(line: str, number: int, dialect: Dialect) -> Expectation:
    """Read a line that begins with `#?`."""
    if dialect is Dialect.GNUGO:
        expectation = _parse_gnugo(line, number)
    else:
        expectation = _parse(line, number, dialect)
    if not expectation.fault:
        try:
            _compile(expectation.text, dialect)
        except InvalidText as error:
            return Expectation(expectation.text, number, fault=str(error), fails=expectation.fails)
    return expectation


def _parse(line: str, number: int, dialect: Dialect) -> Expectation:
    rest = line.removeprefix("#?").strip()
    marks = "*" if dialect is Dialect.GOGUI else "*&"
    match = re.fullmatch(rf"\[(!?)(.*)\]([{marks}]*)", rest)
    if match is None:
        what = "no opening bracket"
        if rest.startswith("["):
            what = "no closing bracket at the end of the line"
            what += " (no comment may follow a pattern)" if "#" in rest else ""
        return Expectation(rest, number, fault=f"{what} in {rest[:60]!r}")
    return Expectation(match[2], number, bool(match[1]), "*" in match[3], "&" in match[3])


def _parse_gnugo(line: str, number: int) -> Expectation:
    """Read as GNU Go's regress.awk does: brackets may be missing, and only the last mark counts."""
    rest = re.sub(r"^#\? *", "", line)
    text = re.sub(r"\][&*]*$", "", re.sub(r"^\[", "", rest))
    negated = text.startswith("!")
    text = text.removeprefix("!")
    return Expectation(text, number, negated, rest.endswith("*"), rest.endswith("&"))


def _compile(text: str, dialect: Dialect) -> "re.Pattern[str]":
    try:
        return _compiled(*_translate(text, dialect))
    except (re.error, OverflowError, RecursionError) as error:
        raise InvalidText(f"{text[:60]!r} is not a regular expression: {error}") from error


@lru_cache(maxsize=1024)
def _compiled(pattern: str, flags: int) -> "re.Pattern[str]":
    with warnings.catch_warnings():
        # Python warns that the meaning of `[[` may change; that does not matter here.
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(pattern, flags)


def _translate(text: str, dialect: Dialect) -> tuple[str, int]:
    if dialect is not Dialect.GNUGO:
        return text, re.DOTALL | re.MULTILINE
    # Joined without grouping: `B1|D17` becomes `^B1|D17$`, which also matches B14.
    classes = re.sub(r"\[:(\w+):\]", lambda match: _CLASSES.get(match[1], match[0]), text)
    return f"^{classes}$", 0


class Matcher:
    """Compares answers with expectations in a dialect, each within a time limit."""

    def __init__(self, dialect: Dialect, *, ignore_case: bool = False) -> None:
        self.dialect = dialect
        self._flags = re.IGNORECASE if ignore_case else 0
        self._child: Process | None = None

    def matches(self, expectation: Expectation, answer: str) -> bool:
        """Return whether an answer is as expected; raises TimeoutError."""
        if self.dialect is Dialect.GNUGO:
            answer = answer.split("\n", 1)[0]
        pattern, flags = _translate(expectation.text, self.dialect)
        flags |= self._flags
        whole = self.dialect is not Dialect.GNUGO
        if _is_tame(pattern, answer):
            compiled = _compiled(pattern, flags)
            match = compiled.fullmatch(answer) if whole else compiled.search(answer)
            matched = match is not None
        else:
            matched = self._ask(json.dumps([pattern, flags, whole, answer]))
        return matched != expectation.negated

    def _ask(self, question: str) -> bool:
        try:
            child = self._child or self._start()
            deadline = time.monotonic() + PATIENCE
            child.send(deadline, question)
            return child.read_line(deadline) == "1"
        except EngineError as error:
            self.close()
            raise TimeoutError(f"matching took more than {PATIENCE:g} s") from error

    def _start(self) -> Process:
        child = self._child = Process(
            [sys.executable, "-I", "-S", "-c", _PROGRAM], name="the pattern matcher"
        )
        child.read_line(time.monotonic() + START)
        return child

    def close(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self._child.close(0.0)
            self._child = None


def _is_tame(pattern: str, answer: str) -> bool:
    """Return whether a pattern always ends soon: no nested repetition, few alternatives."""
    repeats = re.findall(r"[*+?{]", pattern)
    if len(repeats) > 2 or (repeats and len(answer) > 200) or re.search(r"\\\d", pattern):
        return False
    if re.search(r"\)[*+?{]", pattern):
        return False
    groups, bars = pattern.count("("), pattern.count("|")
    return (bars / (groups + 1) + 1) ** (groups + 1) <= _PATHS
