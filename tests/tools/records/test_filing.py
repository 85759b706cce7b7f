from dataclasses import replace
from pathlib import Path

from tests.tools.match.matches import finished, spec
from tools.records.filing import find_record, record_name, write_record


def test_each_attempt_has_a_name_of_its_own() -> None:
    record = finished(spec(), 7, 0)
    assert record_name(record) == "neutron-0007.sgf"
    assert record_name(replace(record, attempt=2)) == "neutron-0007-3.sgf"


def test_shogi_has_a_choice_of_formats() -> None:
    record = replace(finished(spec(), 7, 0), game="shogi", moves=())
    assert record_name(record) == "shogi-0007.kif"
    assert record_name(record, "kifu") == "shogi-0007.kifu"
    assert record_name(record, "csa") == "shogi-0007.csa"
    assert b"%" in write_record(record, ("black", "white"), "csa")
    assert write_record(record, ("black", "white")) != write_record(
        record, ("black", "white"), "csa"
    )


def test_kif_is_written_in_shift_jis_and_kifu_in_utf_8() -> None:
    record = replace(finished(spec(), 7, 0), game="shogi", moves=())
    kif, kifu = (write_record(record, ("black", "white"), form) for form in ("kif", "kifu"))
    assert "先手" in kif.decode("cp932")
    assert "encoding=Shift_JIS" in kif.decode("cp932")
    assert "先手" in kifu.decode("utf-8")
    assert "encoding=UTF-8" in kifu.decode("utf-8")


def test_other_games_are_written_as_sgf() -> None:
    assert write_record(finished(spec(), 1, 0), ("white", "black")).startswith(b"(;FF[4]")


def test_a_record_in_a_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    assert find_record(tmp_path) is None
    (tmp_path / "old.kif").touch()
    assert find_record(tmp_path) == tmp_path / "old.kif"
