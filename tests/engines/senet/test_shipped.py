import json
from array import array
from pathlib import Path

import pytest

from engines.senet import iteration as module
from engines.senet import shipped
from engines.senet.iteration import Iteration
from engines.senet.storage import TableError, fingerprint, load, path_of
from engines.senet.table import SHORT, Table
from tests.engines.senet.solutions import solve

COMPILED = not module.__file__.endswith(".py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tables")
    solve(2 if COMPILED else 1, "", directory)
    return directory


@pytest.mark.parametrize("width", [6, 8, 11, 14])
def test_packed_chances_are_off_by_half_a_step_at_most(
    folder: Path, tmp_path: Path, width: int
) -> None:
    classes = {(1, 1): width, (1, 2): width} if COMPILED else {(1, 1): width}
    shipped.pack(folder, classes, tmp_path / "packed")
    table = shipped.unpack((tmp_path / "packed").read_bytes())
    for each in classes:
        stored = load(
            path_of(folder, False, False, *each), fingerprint(False, False), *each, checked=True
        )
        worst = max(
            abs(exact - value / 65535)
            for exact, value in zip(stored.values, table.part(*each), strict=True)
        )
        assert worst <= 0.5 / ((1 << width) - 1) + 1 / 65535


def test_folding_is_undone_by_unfolding() -> None:
    table = Table([(1, 1)], SHORT)
    part = table.part(1, 1)
    for index in range(len(part)):
        part[index] = (index * 7919 % 256) * 257
    twin = Table([(1, 1)], SHORT)
    twin.unfold(1, 1, table.fold(1, 1, 255), 255)
    assert twin.part(1, 1) == part


def test_damaged_or_foreign_chances_are_refused(folder: Path, tmp_path: Path) -> None:
    shipped.pack(folder, {(1, 1): 8}, tmp_path / "packed")
    packed = (tmp_path / "packed").read_bytes()
    with pytest.raises(TableError, match="checksum"):
        shipped.unpack(packed[:-1])
    line, _, body = packed.partition(b"\n")
    header = json.loads(line)
    foreign = json.dumps({**header, "rules": "other"}).encode() + b"\n" + body
    with pytest.raises(TableError, match="other rules"):
        shipped.unpack(foreign)
    for junk in (b"", b"junk", b"{}\n", b"[]\n"):
        with pytest.raises(TableError, match="no table"):
            shipped.unpack(junk)


def test_the_shipped_chances_solve_the_game() -> None:
    # A value is the mean over the throws of the best successors, each off by half of 1 in 4095.
    table = shipped.chances()
    iteration = Iteration(table, 0, 0)
    for own in range(1, 4):
        for enemy in range(1, 4):
            number = 20_000 if COMPILED else 200
            assert iteration.check(own, enemy, number, seed=own + enemy) <= 0.00028


@pytest.mark.parametrize(("men", "chance"), [(1, 0.569549), (2, 0.551350), (3, 0.545614)])
def test_the_shipped_chances_know_the_value_of_the_start(men: int, chance: float) -> None:
    own = sum(1 << (2 * man + 1) for man in range(men))
    enemy = sum(1 << (2 * man) for man in range(men))
    assert shipped.chances().chance(own, enemy) == pytest.approx(chance, abs=0.00015)


def test_what_ships_is_small() -> None:
    data = Path(shipped.__file__).parent / "data"
    assert 0 < sum(file.stat().st_size for file in data.iterdir()) < 10_000_000
    assert len(array("f", shipped.net_weights())) == 8193
