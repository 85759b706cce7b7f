import io
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tests.tools.match.matches import finished, spec
from tools.journal.journal import Journal
from tools.journal.standings import EngineStanding
from tools.match.match import Match
from tools.match.report import (
    Every,
    JsonReport,
    TextReport,
    format_table,
    parse_every,
    terminal_width,
)
from tools.records.game import Verdict


def test_an_interrupted_match_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(tmp_path) as journal:
        match = Match(spec(games=4), journal)
        match.add(finished(match.spec, 1, 0))
        TextReport().summary(match, match.status(interrupted=True))
    output = capsys.readouterr().out
    assert (
        f"interrupted, 3 games are missing: run the same command with --out {tmp_path} to resume"
        in output
    )


@pytest.mark.parametrize(
    ("overruns", "advice"),
    [
        ((0.125,), "1 game was lost on time by 0.125 s: if the engines"),
        ((0.125, 0.25, 3.0), "2 games were lost on time by 0.250 s at most: if the engines"),
        ((3.0,), ""),
    ],
)
def test_the_end_of_a_match_advises_lag_where_engines_were_late_by_little(
    overruns: tuple[float, ...],
    advice: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with Journal(tmp_path) as journal:
        match = Match(spec(games=4), journal)
        for number, over in enumerate(overruns, 1):
            lost = finished(match.spec, number, 0, Verdict.TIME)
            match.add(replace(lost, late=60 + over))
        TextReport().summary(match, match.status())
    shown = capsys.readouterr().out
    assert advice in shown
    assert ("larger --lag" in shown) == bool(advice)


@pytest.mark.parametrize(
    ("text", "every"),
    [("10", Every(games=10)), ("30s", Every(seconds=30)), ("0.5s", Every(0, 0.5))],
)
def test_the_pace_of_the_score_is_read(text: str, every: Every) -> None:
    assert parse_every(text) == every


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "s", "0s", "nans", "infs", "1e9s", "ten", "²", "9" * 5000]
)
def test_a_pace_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(InvalidText, match=r"a number of games \(10\) or of seconds \(30s\)"):
        parse_every(text)


def lines_of(
    folder: Path, capsys: pytest.CaptureFixture[str], report: TextReport, *verdicts: Verdict
) -> list[str]:
    """Return what a report prints during a match, after its first line."""
    with Journal(folder) as journal:
        match = Match(spec(games=6, sprt="elo0=0,elo1=5"), journal)
        report.begin(match)
        for number, verdict in enumerate(verdicts, 1):
            record = finished(match.spec, number, 0, verdict)
            report.game(match, record, match.add(record))
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("Neutron: good against better, 6 games, 60, records in ")
    return lines


def test_the_heading_names_our_engines_that_are_not_compiled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.match.report.interpreted", lambda engines: ["quintet-go"] * 2)
    lines = lines_of(tmp_path, capsys, TextReport(quiet=True))
    assert lines == ["interpreted, and much slower than if compiled: quintet-go"]


def test_a_game_has_one_line_with_the_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = lines_of(tmp_path, capsys, TextReport(), *[Verdict.NATURAL] * 3)
    assert len(lines) == 3
    assert lines[0].endswith("  neutron-0001.sgf  1-0, LLR -0.000")
    assert "  neutron-0002.sgf  1-1, LLR " in lines[1]


def test_the_score_is_told_after_so_many_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = TextReport(Every(games=2))
    verdicts = [Verdict.NATURAL] * 2 + [Verdict.CRASH] + [Verdict.NATURAL] * 2
    lines = lines_of(tmp_path, capsys, report, *verdicts)
    assert [line.split()[0] for line in lines] == ["2/6", "3/6", "4/6"]
    assert "  1 of 2 for good  LLR " in lines[0]
    assert "  crash: " in lines[1]  # A fault is told at once.
    assert "  LLR " in lines[2]


def test_the_score_is_told_after_so_many_seconds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    now = iter([0.0, 20.0, 30.0, 59.0, 60.0])
    report = TextReport(Every(seconds=30), clock=lambda: next(now))
    lines = lines_of(tmp_path, capsys, report, *[Verdict.NATURAL] * 4)
    assert [line.split()[0] for line in lines] == ["2/6", "4/6"]


def test_a_quiet_report_tells_no_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = TextReport(quiet=True)
    assert lines_of(tmp_path, capsys, report, Verdict.NATURAL, Verdict.CRASH) == []


def test_a_quiet_report_in_json_tells_no_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(tmp_path) as journal:
        match, report = Match(spec(games=1), journal), JsonReport(quiet=True)
        report.start(match.spec.game_spec(0, 0, 0))
        record = finished(match.spec, 1, 0)
        report.game(match, record, match.add(record))
    assert capsys.readouterr().out == ""


def test_the_table_tells_times_and_their_absence() -> None:
    known = EngineStanding(
        "good", wins=1, points=1.0, moves=4, seconds=2.0, longest=1.25, cpu=0.5, cpu_moves=2
    )
    head, first, second = format_table([known, EngineStanding("better")])
    assert head.split()[-3:] == ["s/move", "CPU/move", "longest"]
    assert first.split()[-3:] == ["0.500", "0.250", "1.250"]
    assert second.split()[-3:] == ["-", "-", "-"]
    assert len(head) == len(first) == len(second)


NAMES = ("quintet-neutron", "quintet-neutron --option level=4")


def standings(*names: str) -> list[EngineStanding]:
    return [
        EngineStanding(name, wins=4, points=4.0, moves=9, seconds=1.0, longest=0.5)
        for name in names
    ]


def test_a_table_that_is_too_wide_for_a_terminal_becomes_two() -> None:
    lines = list(format_table(standings(*NAMES), 80))
    assert max(map(len, lines)) <= 80
    assert lines[0] == f"{'engine':32}  games  won  drawn  lost  score  moving first"
    assert lines[3:5] == ["", f"{'engine':32}  forfeits  s/move  CPU/move  longest"]
    whole = list(format_table(standings(*NAMES)))
    assert [line.split() for line in whole] == [
        one.split() + other.removeprefix(name).split()
        for one, other, name in zip(lines[:3], lines[4:], ("engine", *NAMES), strict=True)
    ]


def test_names_that_are_too_long_for_a_terminal_are_numbered() -> None:
    names = [f"{name} --option threads=1" for name in NAMES]
    lines = list(format_table(standings(*names), 80))
    assert lines[:2] == [f"1: {names[0]}", f"2: {names[1]}"]
    assert max(map(len, lines)) <= 80
    assert lines[3].split()[:3] == ["1", "4", "4"]


def test_only_a_terminal_has_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert terminal_width() == 0
    monkeypatch.setattr("sys.stdout", Terminal())
    assert terminal_width() == 80
