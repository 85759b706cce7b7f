from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.regress.selection import find_suites, read_pieces, take_shard

SUITE = "game: neutron\n\n" + "".join(f"test t{n}\naccept: b1-b4\n\n" for n in range(20))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.suite").write_text(SUITE)
    (tmp_path / "b.tst").write_text("1 name\n#? [x]\n")
    (tmp_path / "notes.json").write_text("{}")
    return tmp_path


def test_a_folder_stands_for_the_suites_in_it(folder: Path) -> None:
    assert list(find_suites([folder])) == ["b.tst", "deep/a.suite"]
    assert list(find_suites([folder / "b.tst", Path("b.tst"), Path("deep")])) == [
        "b.tst",
        "deep/a.suite",
    ]


@pytest.mark.parametrize(
    ("names", "message"),
    [((), "no suite is named"), (("empty",), "no suites in it"), (("a.txt",), "a.txt: no suite")],
)
def test_what_is_no_suite_is_refused(folder: Path, names: tuple[str, ...], message: str) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(InvalidText, match=message):
        find_suites([Path(name) for name in names])


def test_problems_are_cut_into_pieces_and_scripts_stay_whole(folder: Path) -> None:
    pieces = read_pieces(find_suites([folder]), {}, ignore_case=False)
    assert [piece.tests for piece in pieces] == [1, 8, 8, 4]


def test_a_suite_that_cannot_be_read_is_a_piece_and_all_together_an_error(folder: Path) -> None:
    (folder / "broken.suite").write_bytes(b"\xff\0")
    files = find_suites([Path("b.tst"), Path("broken.suite")])
    pieces = read_pieces(files, {}, ignore_case=False)
    assert [piece.tests for piece in pieces] == [1, 1]
    only = find_suites([Path("broken.suite")])
    with pytest.raises(InvalidText, match=r"broken\.suite"):
        read_pieces(only, {}, ignore_case=False)


def test_shards_share_all_tests_about_evenly(folder: Path) -> None:
    pieces = read_pieces(find_suites([folder]), {}, ignore_case=False)
    shards = [take_shard(pieces, f"{number}/2") for number in (1, 2)]
    assert sorted(map(id, [*shards[0], *shards[1]])) == sorted(map(id, pieces))
    assert abs(sum(p.tests for p in shards[0]) - sum(p.tests for p in shards[1])) <= 5
    assert take_shard(pieces, None) == pieces
    assert take_shard(pieces, "5/9") == []


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "/", "a/b", "1/0"])
def test_a_shard_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InvalidText, match="expected K/N"):
        take_shard([], text)
