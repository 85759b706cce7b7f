import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tools.tournament.tuning.runs import KNOBS, LotExecutor, run
from tools.journal.journal import Journal
from tools.match.runner import MatchRunner
from tools.tournament.tuning.reconstruction import view_tuning
from tools.tournament.tuning.report import (
    PLOT,
    TuningJson,
    TuningReport,
    TuningText,
    format_outcome,
    plot,
    status_fields,
)
from tools.tournament.tuning.tuning import Tuning


def play(folder: Path, report: TuningReport) -> None:
    with Journal(folder) as journal:
        tuning = Tuning(run(3), journal)
        report.begin(tuning)
        for record, status in MatchRunner(tuning, LotExecutor).play():
            report.game(tuning, record, status)
        report.summary(tuning, tuning.write_status())
        plot(tuning)


def test_a_person_reads_a_line_per_pair_and_what_to_do_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path, TuningText())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(
        "Neutron: tuning exploration, margin by 3 pairs of games, 60, records in"
    )
    assert [line.split()[0] for line in lines[1:4]] == ["1/3", "2/3", "3/3"]
    assert any(line.startswith("exploration") and "1.1" in line for line in lines)
    assert any("quintet match 'mine --margin=" in line for line in lines)
    assert lines[-1] == f"records and {PLOT}: {tmp_path}"
    assert (tmp_path / PLOT).read_text().startswith("<svg")


def test_without_a_moved_value_no_match_of_identical_engines_is_proposed(tmp_path: Path) -> None:
    play(tmp_path, TuningText())
    view = view_tuning(tmp_path)
    still = replace(view.status, values=view.status.start)
    assert list(format_outcome(view.state, still))[-1].startswith("no value has moved")
    assert status_fields(view.state, still, tmp_path)["proof"] == ""


def test_a_quiet_report_has_only_the_first_line_and_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path, TuningText(quiet=True))
    assert "1/3" not in capsys.readouterr().out


def test_a_program_reads_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(tmp_path, TuningJson())
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["event"] for event in events] == ["begin", *["game"] * 6, "summary"]
    assert events[0]["values"][0]["name"] == KNOBS[0].parameter.name
    assert events[-2]["values"] == events[-1]["values"]
    assert events[-1]["proof"].startswith("quintet match")
    assert (events[-1]["pairs"], events[-1]["learnt"]) == (3, 3)
