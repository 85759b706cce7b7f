import json
import os
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.core.storage import (
    HEADER,
    Stored,
    TableError,
    allocate,
    load,
    open_if_usable,
    save,
    write_whole,
)

VALUES = memoryview(array("H", range(100)))


def look(path: Path, *, checked: bool = True) -> Stored:
    return load(path, "Toy", "rules", "fH", 100, checked=checked)


def change(path: Path, **fields: Any) -> None:
    """Write the file again with other words in its header; None takes a word away."""
    whole = path.read_bytes()
    header = json.loads(whole[:HEADER]) | fields
    text = json.dumps({name: value for name, value in header.items() if value is not None})
    path.write_bytes(text.encode().ljust(HEADER) + whole[HEADER:])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save(tmp_path / "toy.table", "Toy", VALUES, {"rules": "rules", "sweeps": 7})
    return tmp_path / "toy.table"


def test_what_is_saved_is_loaded(path: Path) -> None:
    stored = look(path)
    assert list(stored.values) == list(range(100))
    assert stored.figure("sweeps") == 7
    assert [each.name for each in path.parent.iterdir()] == ["toy.table"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"format": "quintet morris table 1"}, "no table of Toy"),
        ({"rules": "others"}, r"made under other rules \(others, here rules\)"),
        ({"rules": None}, "header does not make sense"),
        ({"byteorder": "big"}, "made on a big-endian machine"),
        ({"byteorder": None}, "header does not make sense"),
        ({"kind": "i"}, "header does not make sense"),
        ({"kind": "no kind"}, "header does not make sense"),
        ({"kind": 5}, "header does not make sense"),
        ({"kind": None}, "header does not make sense"),
        ({"kind": "f"}, "200 bytes, expected 100 values of 'f'"),
        ({"entries": 99}, "200 bytes, expected 100 values of 'H'"),
        ({"entries": None}, "200 bytes, expected 100 values of 'H'"),
        ({"sha256": None}, "header does not make sense"),
        ({"sha256": "0"}, "damaged, its checksum is wrong"),
    ],
)
def test_a_header_that_is_wrong_says_so(path: Path, fields: dict[str, Any], reason: str) -> None:
    change(path, **fields)
    with pytest.raises(TableError, match=reason) as caught:
        look(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    "junk", [b"", b"junk", b"\xff" * 5000, b"[]".ljust(5000), b"[" * 5000, b"{}".ljust(5000)]
)
def test_what_is_no_table_is_refused(path: Path, junk: bytes) -> None:
    path.write_bytes(junk)
    with pytest.raises(TableError, match="no table of Toy"):
        look(path)


def test_a_table_cut_short_is_refused_unchecked(path: Path) -> None:
    whole = path.read_bytes()
    for size in (len(whole) - 1, len(whole) - 2, HEADER):
        path.write_bytes(whole[:size])
        with pytest.raises(TableError, match="expected 100 values"):
            look(path, checked=False)


@pytest.mark.parametrize("value", [None, "7", [7]])
def test_a_figure_that_the_header_does_not_tell_is_named(path: Path, value: object) -> None:
    change(path, sweeps=value)
    with pytest.raises(TableError, match="has no sweeps"):
        look(path).figure("sweeps")


def test_values_are_mapped_and_the_file_is_never_written(path: Path) -> None:
    before = path.read_bytes()
    look(path).values[0] = 99
    assert path.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_a_tables_place_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "toy.table")
    with pytest.raises(TableError, match="no table of Toy"):
        look(tmp_path / "toy.table")


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.table"
    write_whole(path, [b"old"])

    def pieces() -> Iterator[bytes]:
        yield b"new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(path, pieces())
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_table_is_no_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.table"
    assert open_if_usable("quintet-x", path, lambda: open_table(path)) is None
    assert capsys.readouterr().err == ""


def test_an_unusable_table_is_reported_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.table"
    path.write_bytes(b"no table")
    for _ in range(2):
        assert open_if_usable("quintet-x", path, lambda: open_table(path)) is None
    message = capsys.readouterr().err
    assert message == f"quintet-x: table not used: {path}: no table of X\n"


def test_a_usable_table_is_returned(tmp_path: Path) -> None:
    path = tmp_path / "x.table"
    values = allocate("H", 3)
    save(path, "X", values, {"rules": "r"})
    stored = open_if_usable("quintet-x", path, lambda: open_table(path))
    assert stored is not None
    assert list(stored.values) == [0, 0, 0]


def open_table(path: Path) -> Stored:
    return load(path, "X", "r", "H", 3, checked=False)
