import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tools.cli import main


def levels(*words: str) -> Result:
    return CliRunner().invoke(main, ["levels", *words])


@pytest.mark.slow
def test_levels_are_played_resumed_and_printed(tmp_path: Path) -> None:
    out = str(tmp_path / "ladder")
    words = ("neutron", "--levels", "1-3", "--time", "nodes=100", "--out", out, "--seed", "1")
    first = levels(*words, "--games", "2")
    assert first.exit_code == 0, first.output
    assert "round 1 of 1" in first.stderr
    assert "4 games, " in first.stdout
    more = levels(*words, "--games", "4", "--json")
    assert more.exit_code == 0, more.output
    assert "4 games played, 4 missing" in more.stderr
    events = [json.loads(line) for line in more.stdout.splitlines()]
    assert [event.get("level") for event in events] == ["1", "2", "3", None]
    assert events[-1]["games"] == 8
    marked = levels(*words, "--games", "4", "--markdown")
    assert marked.stdout.startswith("| level |")


def test_a_folder_with_other_files_is_taken_only_by_force(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    words = ("neutron", "--levels", "1-2", "--time", "nodes=10", "--games", "2")
    refused = levels(*words, "--out", str(tmp_path))
    assert (refused.exit_code, "other files (notes.txt)" in refused.stderr) == (2, True)
    assert levels(*words, "--out", str(tmp_path), "--force").exit_code == 0


def test_more_jobs_than_cores_need_force() -> None:
    refused = levels("neutron", "--jobs", "1000")
    assert (refused.exit_code, "--force accepts it" in refused.stderr) == (2, True)


def test_levels_that_do_not_exist_could_not_be_measured(tmp_path: Path) -> None:
    wrong = levels("go", "--levels", "11-12", "--out", str(tmp_path / "no"))
    assert (wrong.exit_code, "from 1 to 10" in wrong.output) == (2, True)
    assert not (tmp_path / "no").exists()
