import random
from collections.abc import Callable
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.morris import store
from engines.morris.board import COMPILED
from engines.morris.library import SHIPPED, Library
from engines.morris.position import Position
from engines.morris.solve import Solved, best, convert, pairs, solve
from engines.morris.tables import NOT_LOST, UNKNOWN, Tables

MARK = store.fingerprint(flying=True, doubles=False)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Solved]]:
    if not COMPILED:
        pytest.skip("interpreted: the smallest sector takes minutes")
    place = tmp_path_factory.mktemp("tables")
    return place, list(solve(7, "", place, 2, samples=300))


def test_the_counts_are_the_known_ones(built: tuple[Path, list[Solved]]) -> None:
    counts = {(s.own, s.enemy): (s.won, s.drawn, s.lost) for s in built[1]}
    assert counts == {
        (3, 3): (140_621, 269, 28_736),
        (4, 3): (75_397, 681_906, 3_095),
        (3, 4): (102_281, 658_117, 0),
    }
    assert "83.03 / 0.17 / 16.80 %" in str(built[1][0])


def test_what_is_built_is_not_built_again(built: tuple[Path, list[Solved]]) -> None:
    assert list(solve(7, "", built[0], 1)) == []


def test_an_interrupted_run_goes_on_to_the_same_tables(
    built: tuple[Path, list[Solved]], tmp_path: Path
) -> None:
    steps = 0

    class Interruption(Exception):
        pass

    def interrupt(text: str, share: float) -> None:
        nonlocal steps
        steps += 1
        if steps % 150 == 0:
            raise Interruption

    for _ in range(100):
        try:
            for _ in solve(6, "", tmp_path, 1, interrupt, samples=10):
                pass
            break
        except Interruption:
            continue
    assert steps > 600
    name = store.name(3, 3, "depth")
    assert (tmp_path / MARK / name).read_bytes() == (built[0] / MARK / name).read_bytes()
    assert [path.name for path in (tmp_path / MARK).iterdir()] == [name]


def test_what_ships_is_what_is_built(built: tuple[Path, list[Solved]]) -> None:
    for own, enemy in ((3, 3), (4, 3), (3, 4)):
        name = store.name(own, enemy, "depth")
        ours, theirs = (store.read_header(place / name) for place in (SHIPPED, built[0] / MARK))
        assert (ours.crc, ours.entries) == (theirs.crc, theirs.entries)


def test_the_smaller_kinds_say_the_same_with_less(
    built: tuple[Path, list[Solved]], tmp_path: Path
) -> None:
    made = {kind: Tables() for kind in ("depth", "exact", "safe")}
    full, exact, safe = made.values()
    entries = full.index.entries(3, 3)
    sizes = []
    for kind, tables in made.items():
        (tmp_path / "3-3.depth").write_bytes((built[0] / MARK / "3-3.depth").read_bytes())
        if kind != "depth":
            convert(tmp_path, MARK, 3, 3, kind)
            assert not (tmp_path / "3-3.depth").exists()
        _, cells = store.load(tmp_path / store.name(3, 3, kind), MARK, 3, 3, entries)
        tables.hold(3, 3, kind, cells)
        sizes.append(len(cells))
    assert sizes == [entries, entries // 4, (entries + 7) // 8]
    chance = random.Random(5)
    for _ in range(2_000):
        men = full.index.position(3, 3, chance.randrange(entries))
        value = full.probe(*men)
        assert exact.probe(*men) == (254 | value & 1 if value else 0)
        assert safe.probe(*men) == (255 if value & 1 else NOT_LOST)
    assert full.probe(0b1111, 0b111 << 8) == UNKNOWN


def test_other_variants_have_other_tables(tmp_path: Path) -> None:
    if not COMPILED:
        pytest.skip("interpreted: the smallest sector takes minutes")
    solved = list(solve(6, "no-flying", tmp_path, 1, samples=300))
    assert (solved[0].won, solved[0].drawn) != (140_621, 269)
    solved = list(solve(7, "double-removal", tmp_path, 1, samples=300))
    assert len(solved) == 3
    assert len(list(tmp_path.iterdir())) == 2


def shipped() -> Library:
    return Library(flying=True, doubles=False, complain=pytest.fail, places=[SHIPPED])


def test_shipped_tables_hold_what_their_successors_say() -> None:
    library = shipped()
    library.open(5, 4)
    assert library.tables.probe(0b11111, 0b111 << 8) != UNKNOWN
    chance = random.Random(11)
    for own, enemy in library.tables.sectors():
        assert own + enemy <= 8
        entries = library.tables.index.entries(own, enemy)
        for _ in range(200 if COMPILED else 10):
            men = library.tables.index.position(own, enemy, chance.randrange(entries))
            position = Position(white=men[0], black=men[1], hands=(0, 0), draws=False)
            assert library.tables.probe(*men) == best(library.tables, position)


def damage(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda path: damage(path, 3), "no table of Nine Men's Morris"),
        (lambda path: damage(path, 25), "its header is damaged"),
        (lambda path: damage(path, -100), "its entries cannot be unpacked"),
        (lambda path: path.write_bytes(b""), "no table of Nine Men's Morris"),
        (
            lambda path: path.write_bytes(path.read_bytes().replace(MARK.encode(), b"0" * 12)),
            "made under other rules",
        ),
        (
            lambda path: damage(path, path.read_bytes().index(b', "packing"') - 1),
            "its checksum is wrong",
        ),
        (
            lambda path: path.write_bytes(path.read_bytes().replace(b'"own": 3', b'"own": 4')),
            "belongs to another sector",
        ),
    ],
)
def test_a_bad_table_is_refused_and_the_others_serve(
    harm: Callable[[Path], None], reason: str, tmp_path: Path
) -> None:
    for name in ("3-3.depth", "4-3.depth"):
        (tmp_path / name).write_bytes((SHIPPED / name).read_bytes())
    harm(tmp_path / "3-3.depth")
    complaints: list[str] = []
    library = Library(flying=True, doubles=False, complain=complaints.append, places=[tmp_path])
    library.open(4, 4)
    library.open(4, 4)
    assert library.tables.sectors() == [(4, 3)]
    assert [reason in complaint for complaint in complaints] == [True]


def test_the_order_of_solving_has_captures_first() -> None:
    done: set[tuple[int, int]] = set()
    for own, enemy in pairs(18):
        for a, b in ((own, enemy), (enemy, own)):
            assert b == 3 or (b - 1, a) in done
        done |= {(own, enemy), (enemy, own)}
    assert len(done) == 49


def test_impossible_orders_are_refused() -> None:
    with pytest.raises(InvalidText, match="tables are for 6 to 18 men, not 5"):
        next(solve(5))
    with pytest.raises(InvalidText, match="no such kind: 'tiny'"):
        next(solve(6, kind="tiny"))


def test_the_data_directory_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_DATA", "/somewhere")
    assert store.directory("abc") == Path("/somewhere/morris/abc")


def test_a_working_file_keeps_what_was_written(tmp_path: Path) -> None:
    for value in range(3):
        view = store.work_on(tmp_path / "x.part", 10)
        assert view[0] == value
        view[0] = value + 1
