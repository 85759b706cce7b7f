import zlib
from array import array
from pathlib import Path

import pytest

from engines.core.weights import load, save

SIZE = 3000


def test_numbers_come_back_as_they_were_written(tmp_path: Path) -> None:
    numbers = array("h", [at % 2001 - 1000 for at in range(SIZE)])
    save(tmp_path / "weights.bin", numbers, SIZE)
    assert load(tmp_path / "weights.bin", SIZE) == numbers


def test_a_file_of_anything_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"no weights at all")
    with pytest.raises(ValueError, match="no weights"):
        load(path, SIZE)
    path.write_bytes(zlib.compress(bytes(10)))
    with pytest.raises(ValueError, match=f"5 weights, expected {SIZE}"):
        load(path, SIZE)


def test_too_few_numbers_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"3 weights, expected {SIZE}"):
        save(tmp_path / "weights.bin", array("h", [1, 2, 3]), SIZE)
    assert not (tmp_path / "weights.bin").exists()
