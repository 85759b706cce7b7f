from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.regress.reports.output import check_place, save


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    check_place(path)
    save(path, "▲\ud800")
    assert path.read_bytes() == "▲?".encode()
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_a_missing_folder_is_found_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match="no such folder"):
        check_place(tmp_path / "nowhere" / "page.html")
    with pytest.raises(InvalidText, match=r"page\.html"):
        save(tmp_path / "nowhere" / "page.html", "")


def test_a_device_may_be_written_to() -> None:
    check_place(Path("/dev/null"))
