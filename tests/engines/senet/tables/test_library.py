from pathlib import Path

import pytest

from engines.senet.tables.library import Library
from engines.senet.tables.storage import path_of
from tests.engines.senet.solutions import solve


def test_a_library_knows_what_was_solved(tmp_path: Path) -> None:
    solve(1, "pass", tmp_path)
    library = Library(tmp_path, passing=True, over=False)
    assert library.chance(1 << 28, 1) == pytest.approx(0.9, abs=0.1)
    assert library.chance(3, 8) is None
    assert Library(tmp_path, passing=False, over=False).chance(1 << 28, 1) is None


def test_a_file_of_other_rules_is_reported_and_not_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solve(1, "pass", tmp_path)
    path_of(tmp_path, True, False, 1, 1).rename(path_of(tmp_path, False, False, 1, 1))
    library = Library(tmp_path, passing=False, over=False)
    assert library.chance(1 << 28, 1) is None
    assert library.chance(1 << 28, 1) is None
    assert capsys.readouterr().err.count("made under other rules") == 1


def test_a_folder_in_place_of_a_table_is_reported_and_not_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = path_of(tmp_path, False, False, 1, 1)
    path.mkdir()
    assert Library(tmp_path, passing=False, over=False).chance(1 << 28, 1) is None
    assert capsys.readouterr().err.startswith(f"quintet-senet: table not used: {path}: ")


def test_a_folder_that_cannot_be_read_is_reported_once_per_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library = Library(tmp_path / ("x" * 300), False, False)
    assert library.chance(1 << 1, 1 << 0) is None
    assert library.chance(1 << 2, 1 << 0) is None
    assert capsys.readouterr().err.count("senet-1-1.table: File name too long") == 1


def test_a_missing_folder_is_no_news(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "none"):
        assert Library(folder, False, False).chance(1 << 1, 1 << 0) is None
    assert capsys.readouterr().err == ""
