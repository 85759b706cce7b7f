from pathlib import Path

import pytest

from engines.morris.tables import store


def test_the_data_directory_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_DATA", "/somewhere")
    assert store.directory("abc") == Path("/somewhere/morris/abc")


def test_a_working_file_keeps_what_was_written(tmp_path: Path) -> None:
    for value in range(3):
        view = store.work_on(tmp_path / "x.part", 10)
        assert view[0] == value
        view[0] = value + 1
