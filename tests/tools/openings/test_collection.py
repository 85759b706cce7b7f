"""A file of openings grows, goes on after a kill, and refuses what is not its own."""

from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.openings.collection import Collection
from tools.openings.drawing import Drawn

MADE = {"game": "morris", "seed": "1"}


def begun(path: Path, made: dict[str, str] = MADE) -> Collection:
    collection = Collection(path, made)
    collection.begin()
    return collection


def test_a_collection_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    first = begun(path)
    first.add(Drawn(3, ("d2", "f4"), 0.4871))
    first.add(Drawn(8, ("d2", "b4"), 0.52))
    assert path.read_text() == (
        "# game: morris\n# seed: 1\nd2 f4  # 0.487, draw 3\nd2 b4  # 0.520, draw 8\n"
    )
    with path.open("a") as file:
        file.write("d2 d6  # 0.5")  # Killed while it wrote.
    again = begun(path)
    assert [opening.moves for opening in again.openings] == [("d2", "f4"), ("d2", "b4")]
    assert again.next == 9
    again.add(Drawn(9, ("a1",), 0.5))
    assert path.read_text().splitlines()[-2:] == ["d2 b4  # 0.520, draw 8", "a1  # 0.500, draw 9"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("# game: morris\n# seed: 2\n", "'seed: 2', and this is 'seed: 1'"),
        ("# game: morris\n", "name another file"),
        ("d2 f4\nd2 b4\n", "name another file"),
        ("# game: morris\n# seed: 1\nd2 f4\n", ":3: not an opening of this collection"),
        ("\x00\xff", "name another file"),
    ],
)
def test_a_foreign_file_is_left_alone(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(InvalidText, match=message):
        begun(path)
    assert path.read_text(encoding="latin-1") == content


def test_an_empty_file_is_begun(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.touch()
    assert begun(path).next == 1


def test_two_programs_do_not_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    one, other = begun(path), begun(path)
    one.add(Drawn(1, ("d2",), 0.5))
    with pytest.raises(InvalidText, match="another program writes to this file"):
        other.add(Drawn(2, ("f4",), 0.5))
    one.add(Drawn(3, ("b4",), 0.5))
