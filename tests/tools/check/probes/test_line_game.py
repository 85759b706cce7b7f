"""Probes of the line protocol find their faults."""

import re
import sys

import pytest

from protocols.ask.engine import EngineSpec
from tests.tools.check import faults
from tests.tools.check.faults import Entry, Timed
from tests.tools.check.probing import (
    HASTE,
    PATIENCE,
    check_complete,
    check_entry,
    check_late,
    entries_of,
    on_linux,
    timed_of,
)
from tests.tools.fakes import ROOT
from tools.check.probe import MUST
from tools.check.probes.line_game import LINE
from tools.check.probes.manners import LEAVING
from tools.check.runner import Checker, Grade
from tools.check.talks.framed import MINIMUM

pytestmark = on_linux


@pytest.mark.slow
@entries_of((LINE,), faults.LINE)
def test_faults_in_the_line_protocol_are_found(entry: Entry) -> None:
    check_entry("line", entry)


@entries_of((LINE,), faults.WAITING)
def test_a_reply_that_never_comes_is_found(entry: Entry) -> None:
    check_entry("line", entry, HASTE)


@pytest.mark.slow
@timed_of(LINE, *faults.LINE_TIMED)
def test_a_move_that_comes_late_is_found(timed: Timed) -> None:
    check_late("line", timed, "={id} a1-a4\n\n")


def test_every_probe_has_its_fault() -> None:
    check_complete((LINE,), faults.LINE, faults.LINE_TIMED, faults.WAITING)


def test_nothing_is_demanded_of_an_engine_that_a_match_does_not_need() -> None:
    command = (sys.executable, "-m", "tests.tools.fake_minimal")
    spec = EngineSpec("minimal", command, "line", folder=str(ROOT))
    with Checker(spec, "line", PATIENCE, 60) as checker:
        results = list(checker.run(LINE.probes))
    failed = [each.probe for each in results if each.grade == Grade.FAIL]
    assert [probe.name for probe in failed if probe.severity is MUST] == []
    assert "line-commands" in [probe.name for probe in failed]
    graded = {each.probe.name: each.grade for each in results}
    assert (graded["line-minimum"], graded["time-kept"]) == (Grade.PASS, Grade.PASS)
    assert (graded["limit"], graded["position-again"]) == (Grade.UNSUITED, Grade.UNSUITED)


def test_an_engine_with_the_minimum_is_asked_for_moves_at_the_start_of_a_game() -> None:
    command = (sys.executable, "-m", "tests.tools.fake_minimal")
    spec = EngineSpec("minimal", command, "line", folder=str(ROOT))
    chosen = [probe for probe in LEAVING.probes if probe.name.startswith("stderr-")]
    with Checker(spec, "line", PATIENCE, 60) as checker:
        grades = [each.grade for each in checker.run(chosen)]
    assert grades == [Grade.PASS, Grade.PASS]


def test_the_documented_minimum_is_the_one_that_is_checked() -> None:
    text = (ROOT / "protocols" / "README.md").read_text(encoding="utf-8")
    section = text.partition("**What an engine must know at least.**")[2].partition("\n\n")[0]
    commands = re.findall(r"`([a-z_]+)`", section.partition(". ")[0])
    assert commands == [*MINIMUM, "roll"]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["senet", "morris"])
def test_the_minimum_is_checked_in_games_of_all_kinds(game: str) -> None:
    spec = EngineSpec(game, (sys.executable, "-m", f"engines.{game}"), "line")
    chosen = [probe for probe in LINE.probes if probe.name == "line-minimum"]
    with Checker(spec, "line", PATIENCE, 60) as checker:
        (result,) = checker.run(chosen)
    assert result.grade == Grade.PASS, result.message
