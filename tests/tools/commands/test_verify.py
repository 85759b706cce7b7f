import json
from pathlib import Path

from click.testing import CliRunner, Result

from tests.tools.match.matches import play, spec
from tools.cli import main


def verify(*words: str) -> Result:
    return CliRunner().invoke(main, ["verify", *words])


def test_a_match_that_agrees_exits_with_0(tmp_path: Path) -> None:
    play(tmp_path, spec(games=2))
    result = verify(str(tmp_path))
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1].startswith("2 games, ")
    assert result.stdout.endswith("moves: no findings\n")


def test_a_finding_exits_with_1(tmp_path: Path) -> None:
    play(tmp_path, spec(games=2))
    (tmp_path / "neutron-0002.sgf").write_text("(;)")
    result = verify(str(tmp_path), "--json")
    assert result.exit_code == 1
    finding, summary = [json.loads(line) for line in result.stdout.splitlines()]
    assert finding == {
        "event": "finding",
        "where": "game 2",
        "what": "neutron-0002.sgf is not its record",
    }
    assert (summary["event"], summary["findings"], summary["unfinished"]) == ("summary", 1, "")


def test_a_folder_without_a_journal_exits_with_2(tmp_path: Path) -> None:
    result = verify(str(tmp_path))
    assert result.exit_code == 2
    assert "no journal: " in result.stderr


def test_the_figures_of_a_match_come_from_its_journal(tmp_path: Path) -> None:
    play(tmp_path, spec(games=3, sprt="elo0=0,elo1=50"))
    (tmp_path / "status.json").unlink()
    summary = json.loads(verify(str(tmp_path), "--json").stdout.splitlines()[-1])
    assert (summary["games"], summary["distinct"], summary["waiting"]) == (3, 3, 1)
    assert summary["strength"]["engine"] == "good"
    assert summary["sprt"]["samples"] == sum(summary["samples"]) == 1
    assert [each["label"] for each in summary["standings"]] == ["good", "better"]
    lines = verify(str(tmp_path)).stdout.splitlines()
    assert {"3 games, 3 distinct", "1 game waits for its pair"} <= {*lines}
