import json
from array import array
from pathlib import Path

import pytest

from engines.senet.tables import iteration as module
from engines.senet.tables import shipped
from engines.senet.tables.iteration import Iteration
from engines.senet.tables.storage import TableError
from engines.senet.workshop.ship import pack
from tests.engines.senet.solutions import solve

COMPILED = not module.__file__.endswith(".py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tables")
    solve(2 if COMPILED else 1, "", directory)
    return directory


def test_only_as_many_men_are_unpacked_as_are_asked_for() -> None:
    small, whole = shipped.chances(2), shipped.chances()
    assert [men for men in range(1, 6) if small.holds(men, 1)] == [1, 2]
    assert [men for men in range(1, 6) if whole.holds(1, men)] == [1, 2, 3]
    assert bytes(small.part(2, 1)) == bytes(whole.part(2, 1))
    assert shipped.chances(2) is small
    assert shipped.is_read(2)


def test_damaged_or_foreign_chances_are_refused(folder: Path, tmp_path: Path) -> None:
    pack(folder, {(1, 1): 200}, tmp_path / "packed")
    packed = (tmp_path / "packed").read_bytes()
    with pytest.raises(TableError, match="checksum"):
        shipped.unpack(packed[:-1])
    line, _, body = packed.partition(b"\n")
    header = json.loads(line)
    foreign = json.dumps({**header, "rules": "other"}).encode() + b"\n" + body
    with pytest.raises(TableError, match="other rules"):
        shipped.unpack(foreign)
    for junk in (b"", b"junk", b"{}\n", b"[]\n"):
        with pytest.raises(TableError, match="not a table"):
            shipped.unpack(junk)


def test_the_shipped_chances_solve_the_game() -> None:
    # A value is the mean over the throws of the best successors, each off by half of 3 in 65535.
    table = shipped.chances()
    iteration = Iteration(table, 0, 0)
    for own in range(1, 4):
        for enemy in range(1, 4):
            number = 20_000 if COMPILED else 200
            assert iteration.check(own, enemy, number, seed=own + enemy) <= 3.1 / 65535


@pytest.mark.parametrize(("men", "chance"), [(1, 0.569549), (2, 0.551350), (3, 0.545614)])
def test_the_shipped_chances_know_the_value_of_the_start(men: int, chance: float) -> None:
    own = sum(1 << (2 * man + 1) for man in range(men))
    enemy = sum(1 << (2 * man) for man in range(men))
    assert shipped.chances().chance(own, enemy) == pytest.approx(chance, abs=0.00003)


def test_what_ships_is_small() -> None:
    data = Path(shipped.__file__).parents[1] / "data"
    assert 0 < sum(file.stat().st_size for file in data.iterdir()) < 10_000_000
    assert len(array("f", shipped.net_weights())) == 25 * 9473
