from pathlib import Path
from typing import Any

import pytest

from engines.core.game import Game
from engines.core.search import Limits
from engines.morris.play.levels import make_searcher
from engines.morris.rules.text import MorrisRules
from engines.morris.tables import library, store
from engines.morris.tables.library import Library


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
    why = f"{place / '5-4.depth'}: no table of Nine Men's Morris"
    assert complaints == [f"table refused, the game goes on without it: {why}"]
    assert library.SHIPPED.is_dir()


def test_what_ships_is_loaded_before_the_first_move(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []
    loading = store.Loading

    def note(path: Path, *rest: Any) -> Any:
        opened.append(path)
        return loading(path, *rest)

    monkeypatch.setattr(store, "Loading", note)
    monkeypatch.setenv("QUINTET_DATA", "/nowhere")
    searcher = make_searcher("10", 1)
    assert opened == []
    searcher.forget()
    ours = {path for path in library.SHIPPED.iterdir() if path.suffix[1:] in store.KINDS}
    assert set(opened) == ours
    opened.clear()
    for variant in ("", "no-draws"):
        game = Game(MorrisRules(variant), "W.W/.../WW./B.WB../.B./.B./..B w 2 3 0")
        searcher.search(game, Limits(seconds=0.01), stop=lambda: False, report=lambda _: None)
    assert opened == []


def test_a_table_that_takes_too_long_is_gone_on_with_at_a_later_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_unpacked", {})
    for name in ("3-3.depth", "4-4.depth"):
        (tmp_path / name).write_bytes((library.SHIPPED / name).read_bytes())
    some = Library(flying=True, doubles=False, complain=pytest.fail, places=[tmp_path])
    reached = []
    for _ in range(100):
        asked = iter((False, True))
        some.open(4, 4, lambda asked=asked: next(asked, True))  # type: ignore[misc]
        reached.append(len(some.tables.sectors()))
        if reached[-1] == 2:
            break
    assert reached[0] == 0
    assert 5 < len(reached) < 100
    assert sorted(reached) == reached


def test_the_nearest_tables_are_loaded_first(tmp_path: Path) -> None:
    for name in ("3-3.depth", "4-3.depth", "4-4.depth"):
        (tmp_path / name).write_bytes((library.SHIPPED / name).read_bytes())
    some = Library(flying=True, doubles=False, complain=pytest.fail, places=[tmp_path])
    some.open(4, 4, lambda: bool(some.tables.sectors()))
    assert (4, 4) in some.tables.sectors()


def test_a_large_table_of_the_users_is_refused_by_its_head_before_the_game(
    tmp_path: Path,
) -> None:
    (tmp_path / "9-9.depth").write_bytes(b"no table")
    complaints: list[str] = []
    some = Library(flying=True, doubles=False, complain=complaints.append, places=[tmp_path])
    some.open_small()
    assert len(complaints) == 1
    some.open(9, 9)
    assert len(complaints) == 1


def test_a_folder_that_cannot_be_looked_into_holds_nothing(tmp_path: Path) -> None:
    assert list(store.find([tmp_path / ("x" * 300)], 3, 3, ("depth",))) == []
