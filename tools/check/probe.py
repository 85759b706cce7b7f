"""What a probe is: a question to an engine, how grave a no is, and whom it would hurt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

BUDGET: Final = 30.0  # Seconds for a whole probe, whatever it waits for.


class Severity(StrEnum):
    """How grave a finding is: a client breaks, a client suffers, or somebody would be glad."""

    MUST = "must"
    SHOULD = "should"
    NICE = "nice"


MUST: Final = Severity.MUST
SHOULD: Final = Severity.SHOULD
NICE: Final = Severity.NICE


class Fault(Exception):
    """A finding: what the engine did, and what was expected."""


class Unsuited(Exception):
    """A probe that says nothing about this engine, and why."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One question: `ask` returns for a pass, raises Fault for a finding or Unsuited.

    A `fresh` probe gets a process of its own that has been told nothing; the others share one,
    which has greeted and is set back before each.
    """

    name: str
    severity: Severity
    reason: str
    ask: Callable[[Any], None]
    fresh: bool = False


class Catalogue:
    """The probes of one kind of talk, in the order in which they are asked."""

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


def expect(kept: bool, told: str) -> None:
    """Raise a Fault unless something was kept to."""
    if not kept:
        raise Fault(told)
