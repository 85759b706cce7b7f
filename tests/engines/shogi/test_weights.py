from array import array
from pathlib import Path

import pytest

from engines.shogi.weights import SIZE, load, save


def test_weights_come_back_as_they_were_written(tmp_path: Path) -> None:
    weights = array("h", [at % 2001 - 1000 for at in range(SIZE)])
    save(tmp_path / "weights.bin", weights)
    assert load(tmp_path / "weights.bin") == weights


def test_a_file_of_anything_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"no weights at all")
    with pytest.raises(ValueError, match="no weights"):
        load(path)
    with pytest.raises(ValueError, match=f"expected {SIZE}"):
        save(path, array("h", [1, 2, 3]))
    import zlib

    path.write_bytes(zlib.compress(bytes(10)))
    with pytest.raises(ValueError, match=f"5 weights, expected {SIZE}"):
        load(path)


def test_the_shipped_weights_know_what_men_are_worth() -> None:
    weights = load()
    assert len(weights) == SIZE

    def worth(kind: int) -> float:
        places = weights[kind * 45 * 81 : (kind + 1) * 45 * 81]
        return sum(places) / len(places)

    pawn, silver, rook, dragon = worth(1), worth(4), worth(6), worth(14)
    assert 0 < pawn < silver < rook < dragon
