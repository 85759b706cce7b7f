from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.records.reading import (
    COLLECTIONS,
    MOST_BYTES,
    READERS,
    WRITERS,
    read_record,
    read_records,
)


@pytest.mark.parametrize("suffix", sorted(set(READERS) & set(WRITERS)))
def test_what_is_written_is_read_again(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / "game.usi"
    source.write_text("position startpos moves 7g7f 3c3d\n")
    record = read_record(source)
    target = tmp_path / f"copy{suffix}"
    target.write_bytes(WRITERS[suffix](record))
    assert read_record(target).moves() == record.moves()


def test_a_game_in_usi_has_one_line(tmp_path: Path) -> None:
    path = tmp_path / "game.usi"
    path.write_text("position startpos\n\nposition startpos\n")
    with pytest.raises(InvalidText, match="line 3: a second line"):
        read_record(path)


@pytest.mark.parametrize("suffix", sorted(READERS))
@pytest.mark.parametrize(
    "data", [b"", b"\r\n \t\n", b"\xef\xbb\xbf", "\N{BOM}\n".encode("utf-16-le")]
)
def test_a_file_without_any_content_is_refused(tmp_path: Path, suffix: str, data: bytes) -> None:
    path = tmp_path / f"game{suffix}"
    path.write_bytes(data)
    with pytest.raises(InvalidText, match="the file is empty"):
        read_records(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("game.kif", "先手：Anna\n"),
        ("game.ki2", "先手：Anna\n"),
        ("game.csa", "V2.2\nN+Anna\n"),
        ("game.jkf", '{"header": {"先手": "Anna"}}'),
    ],
)
def test_a_record_with_names_and_no_moves_is_read(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert read_record(path).black == "Anna"
    assert read_record(path).moves() == []


def test_a_file_of_json_that_holds_no_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jkf"
    for text in ("{}", '{"name": "a package"}'):
        path.write_text(text)
        with pytest.raises(InvalidText, match="holds no game: expected one of header, initial"):
            read_record(path)


def test_an_unknown_suffix_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match=r"no such format: '\.xyz'"):
        read_record(tmp_path / "game.xyz")


CSA = b"V2.2\nN+A\nPI\n+\n+7776FU\nT1\n/\nN+B\nPI\n+\n+2726FU\nT2\n"


def test_all_games_of_a_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "games.csa"
    path.write_bytes(CSA)
    assert [record.black for record in read_records(path)] == ["A", "B"]
    assert read_record(path).black == "A"
    assert READERS[".csa"](COLLECTIONS[".csa"](read_records(path))) == read_records(path)


@pytest.mark.parametrize(("time", "version"), [(b"T1", b"V2.2"), (b"T1.5", b"V3.0")])
def test_fractions_of_seconds_need_version_3_of_csa(time: bytes, version: bytes) -> None:
    records = READERS[".csa"](CSA.replace(b"T1", time))
    assert WRITERS[".csa"](records[0]).splitlines()[1] == version
    assert READERS[".csa"](COLLECTIONS[".csa"](records)) == records


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "game.kif"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(InvalidText, match="it has more than 32 MiB"):
        read_record(path)
