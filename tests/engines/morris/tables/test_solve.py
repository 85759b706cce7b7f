import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.solving import CheckFailed, SolveRequest
from engines.morris.rules.board import COMPILED
from engines.morris.rules.position import Position
from engines.morris.tables import store
from engines.morris.tables.library import SHIPPED, Library
from engines.morris.tables.lookup import FAR, NOT_LOST, UNKNOWN, Tables
from engines.morris.tables.oracle import Oracle
from engines.morris.tables.solve import best, convert, pairs, plan
from tests.engines.morris.solutions import MARK, Built, solve


def test_the_counts_are_the_known_ones(built: Built) -> None:
    counts = {
        part.figures["sector"]: tuple(part.figures[key] for key in ("won", "drawn", "lost"))
        for part in built[1]
    }
    assert counts == {
        "3-3": (140_621, 269, 28_736),
        "4-3": (75_397, 681_906, 3_095),
        "3-4": (102_281, 658_117, 0),
    }
    assert "83.03 / 0.17 / 16.80 %" in built[1][0].text


def test_finished_tables_are_reported_and_not_built_again(built: Built) -> None:
    before = {path: path.stat().st_mtime_ns for path in (built[0] / MARK).iterdir()}
    work = plan(SolveRequest(7, directory=built[0]))
    assert (work.missing, work.space, work.memory) == ([], 0, 0)
    assert [part.text for part in work.run(lambda share, text: None)] == [
        part.text for part in built[1]
    ]
    assert {path: path.stat().st_mtime_ns for path in (built[0] / MARK).iterdir()} == before


def test_a_plan_says_what_is_missing_and_what_it_takes(built: Built, tmp_path: Path) -> None:
    work = plan(SolveRequest(8, directory=built[0]))
    assert work.missing == ["5-3 and 3-5", "4-4"]
    assert work.space == 2_742_270 + 3_215_142 + 3_667_665
    assert work.memory == 2_742_270 + 3_215_142 + 862_980 + 945_630 + 210_140
    assert plan(SolveRequest(18, directory=tmp_path)).space > 8_900_000_000
    assert plan(SolveRequest(18, kind="safe", directory=tmp_path)).space < 4_000_000_000


@pytest.mark.slow
def test_a_damaged_table_is_named_and_built_again(built: Built, tmp_path: Path) -> None:
    for name in ("3-3.depth", "4-3.depth", "3-4.depth"):
        (tmp_path / MARK).mkdir(exist_ok=True)
        (tmp_path / MARK / name).write_bytes((built[0] / MARK / name).read_bytes())
    damage(tmp_path / MARK / "3-3.depth", -1)
    work = plan(SolveRequest(7, directory=tmp_path))
    assert work.missing == [f"3-3 ({tmp_path / MARK / '3-3.depth'}: its checksum is wrong)"]
    assert [part.text for part in solve(7, tmp_path)] == [part.text for part in built[1]]
    assert (tmp_path / MARK / "3-3.depth").read_bytes() == (
        built[0] / MARK / "3-3.depth"
    ).read_bytes()


def test_a_wrong_value_fails_the_self_check(built: Built, tmp_path: Path) -> None:
    whole = built[0] / MARK / "3-3.depth"
    header, draws = store.read_header(whole), bytes(210_140)
    (tmp_path / MARK).mkdir()
    path = store.save(tmp_path / MARK, replace(header, crc=store.checksum(draws)), draws)
    parts = solve(7, tmp_path)
    assert [part.figures["sector"] for part in parts] == ["3-3", "4-3", "3-4"]
    assert parts[2].figures["won"] != 102_281
    path.write_bytes(whole.read_bytes())
    for name in ("4-3", "3-4"):
        path.with_name(f"{name}.depth").rename(path.with_name(f"{name}.part"))
    path.with_name("4-3.json").write_text("100")  # As if only the check were left.
    with pytest.raises(CheckFailed, match=r"3-4 entry \d+: \d+ stored, \d+ by its successors"):
        solve(7, tmp_path)


@pytest.mark.slow
def test_an_interrupted_run_goes_on_to_the_same_tables(built: Built, tmp_path: Path) -> None:
    steps = 0

    class Interruption(Exception):
        pass

    def interrupt(share: float, text: str) -> None:
        nonlocal steps
        steps += 1
        if steps % 7 == 0:
            raise Interruption

    for _ in range(100):
        try:
            for _ in plan(SolveRequest(6, directory=tmp_path, workers=1)).run(interrupt):
                pass
            break
        except Interruption:
            continue
    assert steps > 20
    ours, theirs = ((place / MARK / "3-3.depth").read_bytes() for place in (tmp_path, built[0]))
    assert ours[4096:] == theirs[4096:]
    assert [path.name for path in (tmp_path / MARK).iterdir()] == ["3-3.depth"]


@pytest.mark.slow
@pytest.mark.parametrize("note", ["", "2", "{", "null"])
def test_a_note_that_cannot_be_read_restarts_the_pair(
    note: str, built: Built, tmp_path: Path
) -> None:
    folder = tmp_path / MARK
    folder.mkdir()
    (folder / "3-3.json").write_text(note)
    (folder / "3-3.json.new").write_text("")
    if note != "2":  # That one has lost its working file.
        (folder / "3-3.part").write_bytes(b"\xff" * 4096 * 60)
    work = plan(SolveRequest(6, directory=tmp_path))
    assert work.space >= 0
    assert [part.text for part in work.run(lambda share, text: None)] == [
        part.text.replace("; 300 checked", "; 1000 checked") for part in built[1][:1]
    ]
    assert names(tmp_path) == {"3-3.depth"}


def names(place: Path) -> set[str]:
    return {path.name for path in (place / MARK).iterdir()}


def copied(built: Built, place: Path, *sectors: str) -> None:
    (place / MARK).mkdir(exist_ok=True)
    for sector in sectors:
        name = f"{sector}.depth"
        (place / MARK / name).write_bytes((built[0] / MARK / name).read_bytes())


@pytest.mark.slow
def test_small_kinds_are_built_as_it_goes_on(built: Built, tmp_path: Path) -> None:
    texts = [part.text for part in built[1]]
    assert [part.text for part in solve(7, tmp_path, kind="safe")] == texts
    assert names(tmp_path) == {"3-3.safe", "4-3.safe", "3-4.safe"}
    work = plan(SolveRequest(7, kind="safe", directory=tmp_path))
    assert work.missing == []
    assert [part.text for part in work.run(lambda share, text: None)] == texts
    assert plan(SolveRequest(7, kind="exact", directory=tmp_path)).missing == ["3-3", "4-3 and 3-4"]
    damage(tmp_path / MARK / "4-3.safe", -1)
    assert len(plan(SolveRequest(7, kind="safe", directory=tmp_path)).missing) == 2


@pytest.mark.slow
def test_tables_that_tell_more_than_is_ordered_stay(built: Built, tmp_path: Path) -> None:
    copied(built, tmp_path, "3-3")
    solve(6, tmp_path, kind="safe")
    assert names(tmp_path) == {"3-3.depth"}
    solve(7, tmp_path, kind="exact")
    assert names(tmp_path) == {"3-3.depth", "4-3.exact", "3-4.exact"}
    solve(7, tmp_path, kind="safe")
    assert names(tmp_path) == {"3-3.depth", "4-3.exact", "3-4.exact"}
    assert plan(SolveRequest(7, directory=tmp_path)).missing == ["4-3 and 3-4"]
    assert [part.text for part in solve(7, tmp_path)] == [part.text for part in built[1]]
    assert {"4-3.depth", "3-4.depth"} < names(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("later", "left"), [("safe", "3-3.safe"), ("exact", "3-3.exact"), ("depth", "3-3.depth")]
)
@pytest.mark.parametrize("had", ["depth", "exact"])
def test_what_an_interrupted_run_solved_goes_on_to_the_kind_ordered_last(
    had: str, later: str, left: str, built: Built, tmp_path: Path
) -> None:
    copied(built, tmp_path, "3-3")
    path = tmp_path / MARK / "3-3.depth"
    store.amend(path, replace(store.read_header(path), target="safe"))
    if had == "exact":
        convert(path, MARK, "exact")
        path.unlink()
    solve(6, tmp_path, kind=later)
    assert left in names(tmp_path)
    for kind in ("safe", "exact"):
        solve(6, tmp_path, kind=kind)
    assert left in names(tmp_path)


def test_the_smaller_kinds_say_the_same_with_less(built: Built, tmp_path: Path) -> None:
    made = {kind: Tables() for kind in ("depth", "exact", "safe")}
    full, exact, safe = made.values()
    entries = full.index.entries(3, 3)
    sizes = []
    for kind, tables in made.items():
        (tmp_path / "3-3.depth").write_bytes((built[0] / MARK / "3-3.depth").read_bytes())
        if kind != "depth":
            assert convert(tmp_path / "3-3.depth", MARK, kind) == tmp_path / f"3-3.{kind}"
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


@pytest.mark.slow
def test_other_variants_have_other_tables(tmp_path: Path) -> None:
    if not COMPILED:
        pytest.skip("interpreted: the smallest sector takes minutes")
    parts = solve(6, tmp_path, variant="no-flying")
    assert (parts[0].figures["won"], parts[0].figures["drawn"]) != (140_621, 269)
    assert len(solve(7, tmp_path, variant="double-removal")) == 3
    assert len(list(tmp_path.iterdir())) == 2


def shipped() -> Oracle:
    library = Library(flying=True, doubles=False, complain=pytest.fail, places=[SHIPPED])
    library.open_small()
    oracle = Oracle(library.tables, flying=True, doubles=False)
    assert oracle.refresh() == 10
    return oracle


def test_shipped_tables_hold_what_their_successors_say() -> None:
    oracle = shipped()
    index = oracle.tables.index
    chance = random.Random(11)
    far = 0
    for men in range(6, 11):
        for own in range(3, men - 2):
            enemy = men - own
            entries = index.entries(own, enemy)
            for _ in range(300 if COMPILED else 2):
                points = index.position(own, enemy, chance.randrange(entries))
                position = Position(white=points[0], black=points[1], hands=(0, 0), draws=False)
                value, expected = oracle.value(*points), best(position, oracle.value)
                if value >> 1 == FAR or expected >> 1 == FAR:  # Distances are not known.
                    far += 1
                    value, expected = (each and 2 - each % 2 for each in (value, expected))
                assert value == expected
    assert far > 0


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
    for order, reason in (
        (SolveRequest(5), "the number of men on the board, 6 to 18, not 5"),
        (SolveRequest(), "the number of men on the board, 6 to 18"),
        (SolveRequest(6, kind="tiny"), "no such kind: 'tiny'"),
        (SolveRequest(6, "flat"), "no such variant: 'flat'"),
    ):
        with pytest.raises(InvalidText, match=reason):
            plan(order)
