import sys
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.regress.reports.report import JsonReport
from tools.regress.result import Status
from tools.regress.running import CannotAsk, RunOptions, run_suites

SUITE = """
game: neutron
limit: depth=2
seed: 1

test good
position: BB..B/....B/....W/N.B.W/W..WW w
accept: a2-b1

test bad
position: BB..B/....B/....W/N.B.W/W..WW w
forbid: a2...
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.suite"
    path.write_text(SUITE)
    return path


def test_a_run_returns_its_results_and_writes_its_files(suite: Path) -> None:
    options = RunOptions(
        junit=Path("out.xml"), html=Path("out.html"), baseline=Path("base.jsonl"), update=True
    )
    outcome = run_suites([suite], options, JsonReport())
    assert [result.status for result in outcome.results] == [Status.PASSED, Status.FAILED]
    assert (outcome.alarms, outcome.unread, outcome.idle) == (0, 0, "")
    assert outcome.results[1].known  # There was no baseline to be worse than.
    assert not outcome.interrupted
    assert Path("out.xml").read_text().startswith("<?xml")
    assert "<svg" in Path("out.html").read_text()
    again = run_suites([suite], RunOptions(baseline=Path("base.jsonl")), JsonReport())
    assert again.alarms == 0


def test_an_engine_that_does_not_start_is_an_error_of_the_run(suite: Path) -> None:
    options = RunOptions(engine=f"{sys.executable} -c pass", protocol="line", patience=5.0)
    with pytest.raises(CannotAsk, match=r"exited|closed"):
        run_suites([suite], options, JsonReport())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (RunOptions(update=True), "--update: it needs --baseline"),
        (RunOptions(before=("x",)), "--before: it needs --engine"),
        (RunOptions(junit=Path("nowhere/out.xml")), "--junit: no such folder"),
        (RunOptions(shard="7/3"), "expected K/N"),
    ],
)
def test_options_that_cannot_be_are_refused_first(
    suite: Path, options: RunOptions, message: str
) -> None:
    with pytest.raises(InvalidText, match=message):
        run_suites([suite], options, JsonReport())
