import zlib
from array import array
from pathlib import Path

import pytest

from engines.morris.weights import MATERIAL, MEN, SIZE, load, save


def test_weights_come_back_as_they_were_written(tmp_path: Path) -> None:
    weights = array("h", [at % 2001 - 1000 for at in range(SIZE)])
    save(tmp_path / "weights.bin", weights)
    assert load(tmp_path / "weights.bin") == weights


def test_a_file_of_anything_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(zlib.compress(bytes(10)))
    with pytest.raises(ValueError, match=f"5 weights, expected {SIZE}"):
        load(path)
    with pytest.raises(ValueError, match=f"expected {SIZE}"):
        save(path, array("h", [1, 2, 3]))


def test_the_shipped_weights_know_that_more_men_are_better() -> None:
    weights = load()

    def worth(mine: int, theirs: int) -> int:
        return weights[MATERIAL + MEN * mine + theirs]

    assert worth(9, 7) > worth(9, 8) > worth(9, 9) > worth(8, 9) > worth(7, 9)
