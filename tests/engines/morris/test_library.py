from pathlib import Path

import pytest

from engines.morris import library, store
from engines.morris.library import Library


def loaded(monkeypatch: pytest.MonkeyPatch, own: int, enemy: int) -> set[tuple[int, int]]:
    asked: set[tuple[int, int]] = set()

    def find(folders: list[Path], own: int, enemy: int, kinds: tuple[str, ...]) -> list[Path]:
        asked.add((own, enemy))
        return []

    monkeypatch.setattr(store, "find", find)
    empty = Library(flying=True, doubles=False, complain=pytest.fail, places=[Path("nowhere")])
    empty.open(own, enemy)
    return asked


def test_small_sectors_are_loaded_with_all_that_captures_lead_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert loaded(monkeypatch, 4, 3) == {(4, 3), (3, 4), (3, 3)}


def test_large_sectors_are_loaded_when_few_captures_lead_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = loaded(monkeypatch, 9, 8)
    assert {(9, 8), (8, 9), (7, 6), (6, 7), (5, 5), (7, 3)} <= asked
    assert not {(9, 9), (9, 5), (6, 6)} & asked


def test_the_users_directory_is_looked_through_after_what_ships(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mark = store.fingerprint(flying=True, doubles=False)
    place = tmp_path / "morris" / mark
    place.mkdir(parents=True)
    (place / "5-4.depth").write_bytes(b"no table")
    monkeypatch.setenv("QUINTET_DATA", str(tmp_path))
    complaints: list[str] = []
    both = Library(flying=True, doubles=False, complain=complaints.append)
    both.open(5, 4)
    assert (4, 4) in both.tables.sectors()
    assert complaints == [f"table refused: {place / '5-4.depth'}: no table of Nine Men's Morris"]
    assert library.SHIPPED.is_dir()
