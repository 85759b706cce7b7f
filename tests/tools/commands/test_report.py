from pathlib import Path

from click.testing import CliRunner, Result

from tests.tools.fakes import fake
from tests.tools.match.matches import play, spec
from tools.cli import main


def report(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, words)])


def test_the_page_is_written_beside_the_journal_or_where_it_is_wanted(tmp_path: Path) -> None:
    play(tmp_path / "match", spec(fake("crash"), games=2))
    result = report(tmp_path / "match")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{tmp_path / 'match' / 'report.html'}\n"
    page = (tmp_path / "match" / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert '"crash"' in page
    result = report(tmp_path / "match", "--out", tmp_path / "page.html")
    assert result.exit_code == 0
    assert (tmp_path / "page.html").exists()


def test_only_a_report_is_overwritten_without_force(tmp_path: Path) -> None:
    play(tmp_path / "match", spec(fake("crash"), games=2))
    notes = tmp_path / "notes.html"
    notes.write_text("<!doctype html>")
    refused = report(tmp_path / "match", "--out", notes)
    assert (refused.exit_code, "is no report; give --force" in refused.stderr) == (2, True)
    assert notes.read_text() == "<!doctype html>"
    for words in (["--force"], []):
        assert report(tmp_path / "match", "--out", notes, *words).exit_code == 0
    assert "crash" in notes.read_text(encoding="utf-8")
    folder = report(tmp_path / "match", "--out", tmp_path / "match" / "journal.jsonl")
    assert folder.exit_code == 2


def test_what_cannot_be_reported_is_said(tmp_path: Path) -> None:
    empty = report(tmp_path)
    assert (empty.exit_code, "no journal" in empty.output) == (2, True)
    both = report(tmp_path, "--live", "--out", tmp_path / "page.html")
    assert (both.exit_code, "--live writes no file" in both.output) == (2, True)
    nowhere = report(tmp_path, "--out", tmp_path / "no" / "page.html")
    assert nowhere.exit_code == 2
