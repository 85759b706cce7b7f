"""Every probe finds its fault: our own programs, each with one thing put wrong."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.tools.check import faults
from tests.tools.check.faults import Entry, Rule, Timed
from tools.check.manners import LEAVING, MANNERS
from tools.check.runner import PROBES, Checker, Grade, Result
from tools.engines import EngineSpec

CITIZEN = Path(__file__).parents[1] / "fake_citizen.py"
PROGRAMS = {"gtp": "go", "usi": "shogi", "line": "neutron"}
PATIENCE = 4.0  # The machine may be busy, and nothing here waits for what never comes.
HASTE = 0.12

if not sys.platform.startswith("linux"):
    pytest.skip("elsewhere: signals, /proc", allow_module_level=True)


def probe(protocol: str, name: str, rules: tuple[Rule, ...], patience: float) -> Result:
    """Ask one probe of a program with a fault."""
    module = f"engines.{PROGRAMS[protocol]}.__main__"
    command = (sys.executable, str(CITIZEN), module, *map(json.dumps, rules))
    spec = EngineSpec("fake", command, protocol)
    chosen = [probe for probe in PROBES[protocol] if probe.name == name]
    with Checker(spec, protocol, patience, 60) as checker:
        (result,) = checker.run(chosen)
    return result


def entries(*lists: tuple[Entry, ...]) -> pytest.MarkDecorator:
    flat = [entry for each in lists for entry in each]
    return pytest.mark.parametrize("entry", flat, ids=[entry[0] for entry in flat])


def found(protocol: str, entry: Entry, patience: float) -> None:
    name, told, rules = entry
    result = probe(protocol, name, rules, patience)
    assert result.grade == Grade.FAIL
    assert re.search(told, result.told), result.told


@entries(faults.MANNERS)
def test_bad_manners_are_found(entry: Entry, tmp_path: Path) -> None:
    rules = tuple(
        tuple(word.replace("{folder}", str(tmp_path)) for word in rule) for rule in entry[2]
    )
    found("line", (entry[0], entry[1], rules), PATIENCE)


@entries(faults.WAITING)
def test_who_does_not_answer_or_leave_is_found(entry: Entry) -> None:
    found("line", entry, HASTE)


@entries(faults.FRAMES, faults.LINE)
def test_faults_in_the_line_protocol_are_found(entry: Entry) -> None:
    found("line", entry, PATIENCE)


@entries(faults.GTP)
def test_faults_in_gtp_are_found(entry: Entry) -> None:
    found("gtp", entry, PATIENCE)


@entries(faults.USI)
def test_faults_in_usi_are_found(entry: Entry) -> None:
    found("usi", entry, PATIENCE)


@entries(faults.USI_WAITING)
def test_a_usi_engine_that_does_not_answer_is_found(entry: Entry) -> None:
    found("usi", entry, HASTE)


@pytest.mark.parametrize(
    ("protocol", "timed", "reply"),
    [
        *(("gtp", timed, "={id} E5\n\n") for timed in faults.GTP_TIMED),
        *(("line", timed, "={id} a1-a4\n\n") for timed in faults.LINE_TIMED),
        *(("usi", timed, "bestmove 3c3d\n") for timed in faults.USI_TIMED[3:]),
        *(("usi", timed, "bestmove 7g7f\n") for timed in faults.USI_TIMED[:3]),
    ],
    ids=str,
)
def test_a_move_that_comes_late_is_found(protocol: str, timed: Timed, reply: str) -> None:
    result = probe(protocol, timed.name, (faults.late(timed, reply),), timed.patience)
    assert result.grade == Grade.FAIL
    assert "it took" in result.told


@pytest.mark.parametrize("protocol", ["gtp", "usi", "line"])
def test_every_probe_has_its_fault(protocol: str) -> None:
    framed = () if protocol == "usi" else faults.FRAMES
    own = {
        "gtp": (faults.GTP, (("interrupt", "", ()),), faults.GTP_TIMED),
        "usi": (faults.USI, faults.USI_WAITING, faults.USI_TIMED),
        "line": (faults.LINE, (), faults.LINE_TIMED),
    }[protocol]
    named = {entry[0] for entries in (framed, *own[:2]) for entry in entries}
    named |= {timed.name for timed in own[2]}
    named |= {entry[0] for entry in (*faults.MANNERS, *faults.WAITING)}
    assert {each.name for each in PROBES[protocol]} <= named
    assert {each.name for each in (*MANNERS.probes, *LEAVING.probes)} <= named
