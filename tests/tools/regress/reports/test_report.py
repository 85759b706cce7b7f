import io
import json

import pytest
from rich.console import Console

from tests.tools.regress.results import ALL, NASTY
from tools.regress.reports.live import LiveReport
from tools.regress.reports.report import JsonReport, TextReport, annotation
from tools.regress.result import Result, ResultCounts, Status, tallies


def test_a_tally_says_what_is_worth_saying() -> None:
    text = str(ResultCounts.of(ALL))
    assert text == (
        "2/6 pass, 1 unexpectedly, 1 unexpected failure, 1 known failure, 1 error, "
        "1 known error, 1 unsupported, 1 ignored"
    )
    assert str(ResultCounts.of(ALL[:1])) == "1/1 pass"
    assert list(tallies(ALL)) == ["d/a.suite", "d/b.tst"]
    assert ResultCounts.of(ALL).alarms == 2


def test_lines_hold_no_line_ends_of_engines(capsys: pytest.CaptureFixture[str]) -> None:
    report = TextReport(every=True)
    report.begin(2)
    for result in ALL:
        report.result(result)
    report.summary(tallies(ALL), ResultCounts.of(ALL))
    report.close()
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert len(lines) == len(ALL) + 3
    assert lines[0] == "d/a.suite:3: passed good: D4"
    assert lines[1] == "d/a.suite:7: FAILED bad: answered D4, | expected C3"
    assert lines[-1].startswith("all")
    assert err == "2 tests\n"


def test_annotations_escape_what_github_would_misread() -> None:
    result = Result("a,b:c.suite", "x", 3, Status.FAILED, message="100 %\nand, more: so")
    assert annotation(result) == (
        "::error file=a%2Cb%3Ac.suite,line=3,title=x%3A FAILED::100 %25%0Aand, more: so"
    )


def test_json_lines_are_json(capsys: pytest.CaptureFixture[str]) -> None:
    report = JsonReport()
    report.begin(1)
    report.note("a note")
    report.result(ALL[1])
    report.summary(tallies(ALL), ResultCounts.of(ALL))
    report.close()
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["run", "note", "test", "summary"]
    assert (events[2]["status"], events[2]["seconds"]) == ("failed", 0.25)
    assert events[3]["suites"]["d/b.tst"]["unsupported"] == 1


def test_the_bar_shows_the_same_lines() -> None:
    out = io.StringIO()
    report = LiveReport(Console(file=out, force_terminal=True, width=200))
    report.begin(len(ALL))
    for result in ALL:
        if NASTY not in result.message:
            report.result(result)
    report.note("[b]no markup[/b]")
    report.close()
    shown = out.getvalue()
    assert "d/a.suite:7: FAILED bad: answered D4, | expected C3" in shown
    assert "good" not in shown
    assert "[b]no markup[/b]" in shown
