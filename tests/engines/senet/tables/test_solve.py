from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.solving import CheckFailed, SolvedPart, SolveRequest
from engines.senet.rules.text import make_rules
from engines.senet.rules.track import foremost, moved, steps_of, throws_again
from engines.senet.tables import iteration as module
from engines.senet.tables.solve import pairs, plan
from engines.senet.tables.storage import fingerprint, load, load_values, path_of
from engines.senet.tables.table import FLOAT, ChanceTable
from tests.engines.senet.solutions import silent, solve
from tests.engines.senet.tables.conftest import MEN

COMPILED = not module.__file__.endswith(".py")
RULES = fingerprint(passing=False, over=False)


def figure(report: SolvedPart, name: str) -> float:
    value = report.figures[name]
    assert isinstance(value, int | float)
    return value


class FaultyIteration:
    def __init__(self, table: ChanceTable, passing: int, over: int) -> None:
        assert table.size == 756

    def check(self, own: int, enemy: int, number: int, seed: int) -> float:
        return 0.1


def chances(directory: Path, men: int) -> tuple[float, float]:
    """Return the first player's chance with its front man forced, and with free choice."""
    stored = load(path_of(directory, False, False, men, men), RULES, men, men, checked=True)
    table = ChanceTable([(men, men)], FLOAT, stored.values)
    position = make_rules("free-first").start()
    own = sum(1 << (square - 1) for square in position.men(0)[:men])
    enemy = sum(1 << (square - 1) for square in position.men(1)[:men])
    total = 0.0
    for throw in range(1, 6):
        after = moved(own, enemy, foremost(own), steps_of(throw))
        mine, theirs = after & 0xFFFFFFFF, after >> 32
        total += (
            table.chance(mine, theirs) if throws_again(throw) else 1 - table.chance(theirs, mine)
        )
    return total / 5, table.chance(own, enemy)


@pytest.mark.parametrize(
    ("men", "forced", "free"), [(1, 0.569549, 0.569549), (2, 0.549727, 0.551350)][:MEN]
)
def test_the_first_players_chances_are_the_known_ones(
    folder: Path, men: int, forced: float, free: float
) -> None:
    assert chances(folder, men) == pytest.approx((forced, free), abs=1e-6)


def test_classes_are_solved_after_those_they_lead_to() -> None:
    order = [each for classes in pairs(5) for each in classes]
    assert len(order) == 25
    for number, (own, enemy) in enumerate(order):
        for below in ((own - 1, enemy), (enemy, own - 1)):
            assert 0 in below or below in order[:number]


def test_what_is_saved_is_kept(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    (kept,) = solve(1, "", folder)
    assert kept.text.startswith("1-1: 756 positions, ")
    assert figure(kept, "residual") <= 1e-6
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_a_plan_tells_what_is_missing(folder: Path, tmp_path: Path) -> None:
    plain = plan(SolveRequest(2, "", "", tmp_path))
    assert plain.missing == ["1-1", "2-1 and 1-2", "2-2"]
    assert plain.space == 4 * (756 + 2 * 9828 + 2 * 122850)
    assert plain.memory > 4 * 122850
    done = plan(SolveRequest(MEN, "", "", folder))
    assert done.missing == []
    assert done.space == done.memory == 0
    halved = plan(SolveRequest(5, "", "short", tmp_path))
    assert len(halved.missing) == 15
    assert 15e9 < halved.space < 20e9


def test_tables_of_sixteen_bits_are_as_good_as_their_unit(tmp_path: Path) -> None:
    (report,) = plan(SolveRequest(1, "", "short", tmp_path, 1, 300)).run(silent)
    assert report.figures["kind"] == "H"
    assert figure(report, "residual") <= 1.5 / 65535
    assert figure(report, "error") <= 1.5 / 65535


def test_a_wrong_value_fails_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.senet.tables.solve.Iteration", FaultyIteration)
    with pytest.raises(CheckFailed, match=r"1-1: a random position is wrong by 1\.0e-01"):
        solve(1, "", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_solution_goes_on_where_it_stopped(tmp_path: Path) -> None:
    calls = 0

    def interrupt(done: float, text: str) -> None:
        nonlocal calls
        calls += 1
        if calls == 150:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(1, "pass", tmp_path, interrupt)
    partial = tmp_path / "senet-pass-1-1.partial"
    header = load_values(partial, fingerprint(True, False), 756, checked=True).header
    assert header["sweeps"] == 5
    resumed = solve(1, "pass", tmp_path)
    whole = solve(1, "pass", tmp_path / "whole")
    assert len(resumed) == len(whole) == 1
    assert not partial.exists()
    files = [path_of(place, True, False, 1, 1) for place in (tmp_path, tmp_path / "whole")]
    first, second = (
        load(file, fingerprint(True, False), 1, 1, checked=True).values for file in files
    )
    assert list(first) == pytest.approx(list(second), abs=1e-5)


def test_an_interruption_of_the_last_look_loses_no_sweep(tmp_path: Path) -> None:
    def interrupt(done: float, text: str) -> None:
        if "checks" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(1, "", tmp_path, interrupt)
    (partial,) = tmp_path.iterdir()
    sweeps = load_values(partial, RULES, 756, checked=True).figure("sweeps")
    (report,) = solve(1, "", tmp_path)
    assert figure(report, "sweeps") == sweeps + 1


def test_a_checkpoint_of_one_kind_serves_the_other(tmp_path: Path) -> None:
    def interrupt(done: float, text: str) -> None:
        if "sweep 3" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(plan(SolveRequest(1, "", "short", tmp_path, 1, 100)).run(interrupt))
    assert [path.suffix for path in tmp_path.iterdir()] == [".partial"]
    (report,) = solve(1, "", tmp_path)
    assert report.figures["kind"] == FLOAT
    assert figure(report, "residual") <= 1e-6


def test_every_class_is_saved_by_its_name(tmp_path: Path) -> None:
    solve(1, "", tmp_path)
    header = load(path_of(tmp_path, False, False, 1, 1), RULES, 1, 1, checked=True).header
    assert header["class"] == [1, 1]


def test_every_solution_reports_its_residual(tmp_path: Path) -> None:
    (report,) = solve(1, "over", tmp_path, samples=500)
    assert report.figures["part"] == "1-1"
    assert 0 < figure(report, "residual") <= 1e-6
    assert figure(report, "error") <= 1e-6
    assert figure(report, "checked") == 500
    assert "largest error of 500 random positions" in report.text
    assert 5 < figure(report, "sweeps") < 20


@pytest.mark.parametrize("men", [0, 6, None])
def test_impossible_numbers_of_men_are_refused(tmp_path: Path, men: int | None) -> None:
    with pytest.raises(InvalidText, match="give the number of men a side, 1 to 5"):
        plan(SolveRequest(men, "", "", tmp_path))


def test_unknown_kinds_and_variants_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match="no such kind: 'exact'"):
        plan(SolveRequest(1, "", "exact", tmp_path))
    with pytest.raises(InvalidText, match="no such variant: 'kraus'"):
        plan(SolveRequest(1, "kraus", "", tmp_path))
