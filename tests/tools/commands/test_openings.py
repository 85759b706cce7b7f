"""The command `quintet openings`."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.programs import own_program
from tools.cli import main


def words(file: Path, *more: str) -> list[str]:
    engine = " ".join(own_program("quintet-neutron"))
    limits = ["--player-time", "depth=1", "--judge-time", "depth=1"]
    engines = ["--player", engine, "--judge", engine, *limits]
    return ["openings", "neutron", str(file), *engines, "--random", "0.6", "--within", "0.3", *more]


def test_openings_are_written_and_more_can_be_added(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    done = CliRunner().invoke(main, words(file, "--count", "2", "--plies", "2-3"))
    assert done.exit_code == 0, done.output
    assert "2 openings in " in done.stdout
    first = file.read_text().splitlines()
    assert "# random moves: 0.6" in first
    done = CliRunner().invoke(main, words(file, "--count", "4", "--plies", "2-3"))
    assert done.exit_code == 0, done.output
    assert "4 openings in " in done.stdout
    assert "2 of them new" in done.stdout
    lines = file.read_text().splitlines()
    assert lines[: len(first)] == first
    assert len(lines) == len(first) + 2
    done = CliRunner().invoke(main, words(file, "--count", "4", "--plies", "4"))
    assert done.exit_code == 2
    assert "drawn in another way" in done.stderr


@pytest.mark.parametrize("plies", ["x", "5-2", "-1", "1-2-3", ""])
def test_wrong_numbers_of_plies_are_refused(tmp_path: Path, plies: str) -> None:
    done = CliRunner().invoke(main, words(tmp_path / "a.txt", f"--plies={plies}"))
    assert done.exit_code == 2
    assert "expected a number, or two as in 6-12" in done.stderr


def test_a_wrong_limit_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, words(tmp_path / "a.txt", "--judge-time", "soon"))
    assert done.exit_code == 2
    assert "--judge-time" in done.stderr
