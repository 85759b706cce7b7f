"""Probes: questions to an engine, how severe a failure is, and what it would break."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

BUDGET: Final = 30.0  # Seconds for a whole probe.


class Severity(StrEnum):
    """How severe a finding is: clients break, users suffer, or an improvement is possible."""

    MUST = "must"
    SHOULD = "should"
    NICE = "nice"


MUST: Final = Severity.MUST
SHOULD: Final = Severity.SHOULD
NICE: Final = Severity.NICE


class Fault(Exception):
    """A finding: what the engine did, and what was expected instead."""


class Stray(Fault):
    """A finding that is `should` at most: a line of text where none was due, and nothing worse."""


class Unsuited(Exception):
    """The probe does not apply to this engine; the text says why."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One question: `ask` returns if the engine passes, and raises Fault or Unsuited if not.

    A `fresh` probe gets a process of its own that has received nothing yet. The others share one
    process, which has greeted and is reset before each probe.
    """

    name: str
    severity: Severity
    reason: str
    ask: Callable[[Any], None]
    fresh: bool = False


class Catalogue:
    """The probes of one subject, in the order in which they are asked."""

    def __init__(self) -> None:
        self.probes: list[Probe] = []

    def add(
        self, name: str, severity: Severity, reason: str, *, fresh: bool = False
    ) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
        """Return a decorator that adds a function as a probe."""

        def note(ask: Callable[[Any], None]) -> Callable[[Any], None]:
            self.probes.append(Probe(name, severity, reason, ask, fresh))
            return ask

        return note


def together(*catalogues: Catalogue) -> Sequence[Probe]:
    """Return the probes of several catalogues; raises ValueError for a name given twice."""
    probes = [probe for catalogue in catalogues for probe in catalogue.probes]
    names = [probe.name for probe in probes]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"two probes of one name: {', '.join(sorted(twice))}")
    return probes


def expect(kept: bool, message: str) -> None:
    """Raise Fault unless a condition holds."""
    if not kept:
        raise Fault(message)
