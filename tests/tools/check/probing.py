"""Ask a probe of one of our own programs that has one thing put wrong."""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from protocols.ask.engine import EngineSpec
from tests.tools.check import faults
from tests.tools.check.faults import Entry, Rule, Timed
from tools.check.probe import Catalogue
from tools.check.runner import PROBES, Checker, Grade, ProbeResult

CITIZEN = Path(__file__).parents[1] / "fake_citizen.py"
PROGRAMS = {"gtp": "go", "usi": "shogi", "line": "neutron"}
PATIENCE = 4.0  # For a busy machine; no test here waits for an answer that never comes.
HASTE = 0.12  # For faults that show only when an answer does not come in time.

on_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere: signals, /proc"
)


def ask_probe(protocol: str, name: str, rules: tuple[Rule, ...], patience: float) -> ProbeResult:
    """Ask one probe of a program with a fault."""
    module = f"engines.{PROGRAMS[protocol]}.__main__"
    command = (sys.executable, str(CITIZEN), module, *map(json.dumps, rules))
    spec = EngineSpec("fake", command, protocol)
    chosen = [probe for probe in PROBES[protocol] if probe.name == name]
    with Checker(spec, protocol, patience, 60) as checker:
        (result,) = checker.run(chosen)
    return result


def entries_of(catalogues: Sequence[Catalogue], *lists: tuple[Entry, ...]) -> pytest.MarkDecorator:
    """Parametrize a test by the faults that the probes of some catalogues must find."""
    names = {probe.name for catalogue in catalogues for probe in catalogue.probes}
    flat = [entry for each in lists for entry in each if entry[0] in names]
    return pytest.mark.parametrize("entry", flat, ids=[entry[0] for entry in flat])


def timed_of(catalogue: Catalogue, *timed: Timed) -> pytest.MarkDecorator:
    """Parametrize a test by the delays that the probes of a catalogue must find."""
    names = {probe.name for probe in catalogue.probes}
    return pytest.mark.parametrize("timed", [each for each in timed if each.name in names], ids=str)


def check_entry(protocol: str, entry: Entry, patience: float = PATIENCE) -> None:
    """Check that the probe of an entry finds its fault, and says so."""
    name, message, rules = entry
    for factor in (1, 5, 25):  # On a busy machine, a program may not even start in a short time.
        result = ask_probe(protocol, name, rules, factor * patience)
        if patience != HASTE or re.search(message, result.message):
            break
    assert result.grade == Grade.FAIL
    assert re.search(message, result.message), result.message


def check_late(protocol: str, timed: Timed, reply: str) -> None:
    """Check that a probe finds a move that comes late."""
    result = ask_probe(protocol, timed.name, (faults.late(timed, reply),), timed.patience)
    assert result.grade == Grade.FAIL
    assert "it took" in result.message


def check_complete(catalogues: Sequence[Catalogue], *lists: Sequence[Entry | Timed]) -> None:
    """Check that every probe of some catalogues has a fault that it must find."""
    named = {each.name if isinstance(each, Timed) else each[0] for one in lists for each in one}
    assert {probe.name for catalogue in catalogues for probe in catalogue.probes} <= named
