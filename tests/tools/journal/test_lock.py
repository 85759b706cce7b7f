import os
from pathlib import Path

import pytest

from tools.journal.lock import FolderInUse, locked_folder, seize


def test_a_folder_is_made_and_locked_once(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    with (
        locked_folder(folder),
        pytest.raises(FolderInUse, match="another process is building there"),
        locked_folder(folder),
    ):
        pass
    with locked_folder(folder):
        assert folder.is_dir()


def test_a_lock_ends_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first = os.open(path, os.O_RDWR | os.O_CREAT)
    second = os.open(path, os.O_RDWR)
    try:
        assert seize(first)
        assert not seize(second)
    finally:
        os.close(first)
    assert seize(second)
    os.close(second)
