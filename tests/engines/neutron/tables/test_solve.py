from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.solving import CheckFailed, SolvedPart, SolveRequest
from engines.core.storage import TableError
from engines.neutron.rules.text import make_rules
from engines.neutron.tables import retrograde as module
from engines.neutron.tables.solve import Solution, entries, fingerprint, load, path_of, plan

COMPILED = not module.__file__.endswith(".py")
MEN = 2 if COMPILED else 1


def silent(done: float, text: str) -> None:
    assert 0 <= done < 1
    assert text


def solve(folder: Path, variant: str = "", men: int = MEN) -> SolvedPart:
    (report,) = Solution(SolveRequest(None, variant, "", folder, 2, 500), men).run(silent)
    return report


def test_the_whole_game_takes_as_much_room_as_it_says(tmp_path: Path) -> None:
    work = plan(SolveRequest(directory=tmp_path))
    assert work.missing == ["default rules"]
    assert work.memory == 17 * 26728 * 3876
    assert work.space == 2 * 4 * 26728 * 15504


@pytest.mark.parametrize("variant", ["", "kraus"])
def test_a_solution_counts_its_positions_and_is_kept(tmp_path: Path, variant: str) -> None:
    report = solve(tmp_path, variant)
    assert report.text.startswith(f"{variant or 'default rules'}: ")
    kinds = [report.figures[name] for name in ("won", "drawn", "lost")]
    assert all(isinstance(number, int) and number >= 0 for number in kinds)
    path = path_of(tmp_path, variant)
    before = path.stat().st_mtime_ns
    assert solve(tmp_path, variant) == report
    assert path.stat().st_mtime_ns == before
    assert list(tmp_path.iterdir()) == [path]


# Two men a side: within the first sweep, at its end, within the last but one.
@pytest.mark.parametrize("moment", [2, 3, 32 if COMPILED else 4])
def test_an_interrupted_solution_goes_on_where_it_stopped(tmp_path: Path, moment: int) -> None:
    calls = 0

    def interrupt(done: float, text: str) -> None:
        nonlocal calls
        calls += 1
        if calls == moment:
            raise KeyboardInterrupt

    work = Solution(SolveRequest(None, "", "", tmp_path / "parts", 1, 500), MEN)
    with pytest.raises(KeyboardInterrupt):
        list(work.run(interrupt))
    assert [path.suffix for path in (tmp_path / "parts").iterdir()] == [".partial"]
    resumed = solve(tmp_path / "parts")
    whole = solve(tmp_path / "whole")
    for name in ("won", "drawn", "lost"):
        assert resumed.figures[name] == whole.figures[name]
    rules = make_rules()
    first = load(tmp_path / "parts", rules, MEN, checked=True).values
    assert first == load(tmp_path / "whole", rules, MEN, checked=True).values


def test_an_interruption_of_the_last_look_loses_no_sweep(tmp_path: Path) -> None:
    def interrupt(done: float, text: str) -> None:
        if "checks" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(Solution(SolveRequest(None, "", "", tmp_path / "parts", 1, 500), MEN).run(interrupt))
    assert [path.suffix for path in (tmp_path / "parts").iterdir()] == [".partial"]
    assert solve(tmp_path / "parts").figures["won"] == solve(tmp_path / "whole").figures["won"]


def test_other_rules_damage_and_junk_are_refused(tmp_path: Path) -> None:
    solve(tmp_path, "kraus")
    kraus, plain = path_of(tmp_path, "kraus"), path_of(tmp_path, "")
    whole = kraus.read_bytes()
    plain.write_bytes(whole)
    with pytest.raises(TableError, match="made under other rules"):
        load(tmp_path, make_rules(), MEN, checked=False)
    kraus.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(TableError, match="checksum"):
        load(tmp_path, make_rules("kraus"), MEN, checked=True)
    kraus.write_bytes(b"junk" * 2000)
    with pytest.raises(TableError, match="no table of Neutron"):
        load(tmp_path, make_rules("kraus"), MEN, checked=False)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nowhere", make_rules(), MEN, checked=False)


def test_a_header_that_tells_too_little_is_damage(tmp_path: Path) -> None:
    for text, reason in (
        (b'"lost"', "its header has no lost"),
        (b'"first"', "its header has no first moves"),
    ):
        solve(tmp_path, men=1)
        path = path_of(tmp_path, "")
        path.write_bytes(path.read_bytes().replace(text, text.upper()))
        with pytest.raises(TableError, match=reason):
            solve(tmp_path, men=1)
        path.unlink()


class FaultyTable(module.Retrograde):
    def check(self, number: int, seed: int) -> int:
        return 7


def test_a_wrong_value_fails_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.neutron.tables.solve.Retrograde", FaultyTable)
    with pytest.raises(CheckFailed, match="7 of 500 positions are wrong"):
        solve(tmp_path, men=1)
    assert list(tmp_path.iterdir()) == []


def test_each_rule_set_has_a_fingerprint_of_its_own() -> None:
    assert fingerprint(make_rules()) != fingerprint(make_rules("kraus"))


def test_requests_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InvalidText, match="neutron is solved as a whole"):
        plan(SolveRequest(men=4))
    with pytest.raises(InvalidText, match="no such kind: 'exact'"):
        plan(SolveRequest(kind="exact"))
    with pytest.raises(InvalidText, match="no such variant"):
        plan(SolveRequest(variant="over"))


@pytest.mark.parametrize(("men", "words"), [(1, 15 * 24), (2, 160 * 253), (5, 26728 * 15504)])
def test_a_set_and_its_mirror_image_are_stored_once(men: int, words: int) -> None:
    assert entries(men) == words
