import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engines.core.game import InvalidText
from engines.core.solving import CheckFailed, Progress, SolvedPart, SolveRequest, Unusable
from tools.cli import main
from tools.commands.terminal import Ticker
from tools.journal.lock import seize


class FakeWork:
    def __init__(self, order: SolveRequest, folder: Path) -> None:
        self.order = order
        self.folder = folder
        self.missing = ["one", "two"]
        self.space = 3_000_000
        self.memory = 2_000
        self.error: BaseException | None = None

    def run(self, progress: Progress) -> Iterator[SolvedPart]:
        progress(0.5, "one: half")
        yield SolvedPart("one: 3 positions", {"part": "one", "positions": 3})
        if self.error is not None:
            raise self.error
        yield SolvedPart("two: 5 positions", {"part": "two", "positions": 5})


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[FakeWork]:
    made: list[FakeWork] = []

    def plan(order: SolveRequest) -> FakeWork:
        if order.men == 99:
            raise InvalidText("at most 18, not 99")
        if order.men == 98:
            raise PermissionError(13, "Permission denied", "/t/shut/x.table")
        if not made or made[0].order != order:
            made.insert(0, FakeWork(order, tmp_path / "tables"))
        return made[0]

    monkeypatch.setattr("engines.morris.tables.solve.plan", plan)
    return made


def solve(*words: str) -> Result:
    return CliRunner().invoke(main, ["solve", "morris", *words])


def test_the_plan_the_parts_and_the_end_are_told(works: list[FakeWork]) -> None:
    result = solve("--men", "7", "--jobs", "1")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:2] == ["one: 3 positions", "two: 5 positions"]
    assert lines[2].startswith(f"2 parts, checked, in {works[0].folder} (")
    assert "to solve: one, two\nthis needs 3 MB of disk" in result.stderr
    assert works[0].order == SolveRequest(7, "", "", None, 1, None)


def test_options_reach_the_game(works: list[FakeWork], tmp_path: Path) -> None:
    result = solve(
        *("--men", "6", "--variant", "no-flying", "--kind", "safe"),
        *("--jobs", "2", "--samples", "5", "--out", str(tmp_path)),
    )
    assert result.exit_code == 0
    assert works[0].order == SolveRequest(6, "no-flying", "safe", tmp_path, 2, 5)


def test_json_lines_say_the_same(works: list[FakeWork]) -> None:
    events = [json.loads(line) for line in solve("--men", "7", "--json").stdout.splitlines()]
    assert [event["event"] for event in events] == ["plan", "part", "part", "summary"]
    assert events[1]["positions"] == 3
    assert events[3]["parts"] == 2


def test_a_dry_run_builds_nothing(works: list[FakeWork]) -> None:
    result = solve("--men", "7", "--dry-run")
    assert (result.exit_code, result.stdout) == (0, "")
    assert not works[0].folder.exists()


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (CheckFailed("entry 5 is wrong"), 1, "the self-check failed: entry 5 is wrong"),
        (Unusable("x.table is damaged"), 2, "x.table is damaged"),
        (OSError(28, "No space left on device", "/t/x"), 2, "/t/x: No space left on device"),
        (KeyboardInterrupt(), 130, "interrupted; run the same command again to resume"),
    ],
)
def test_each_way_to_stop_has_its_status(
    works: list[FakeWork], error: BaseException, status: int, message: str
) -> None:
    assert solve("--men", "7", "--jobs", "1", "--dry-run").exit_code == 0
    works[0].error = error
    result = solve("--men", "7", "--jobs", "1")
    assert result.exit_code == status
    assert result.stdout == "one: 3 positions\n"
    assert message in result.stderr


def test_ctrl_c_is_answered_before_anything_is_saved(
    works: list[FakeWork], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def run(progress: Progress) -> Iterator[SolvedPart]:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            sys.stderr.write("saving\n")
            with pytest.raises(KeyboardInterrupt):  # The second one may end the saving.
                signal.raise_signal(signal.SIGINT)
            seen.append("both")
            raise
        yield SolvedPart("never")

    assert solve("--men", "7", "--jobs", "1", "--dry-run").exit_code == 0
    monkeypatch.setattr(works[0], "run", run)
    before = signal.getsignal(signal.SIGINT)
    result = solve("--men", "7", "--jobs", "1")
    assert (result.exit_code, seen) == (130, ["both"])
    lines = result.stderr.splitlines()[-3:]
    assert lines[0].startswith(
        "interrupted; saves what is done, so that the same command continues"
    )
    assert lines[1:] == ["saving", "interrupted; run the same command again to resume"]
    assert signal.getsignal(signal.SIGINT) == before


def test_an_order_that_cannot_be_fulfilled_could_not_run(works: list[FakeWork]) -> None:
    result = solve("--men", "99")
    assert result.exit_code == 2
    assert "at most 18, not 99" in result.stderr


def test_a_folder_that_cannot_be_looked_into_is_named(works: list[FakeWork]) -> None:
    result = solve("--men", "98")
    assert result.exit_code == 2
    assert result.stderr == "Error: /t/shut/x.table: Permission denied\n"


def test_a_small_disk_is_refused_before_anything_is_built(works: list[FakeWork]) -> None:
    assert solve("--men", "7", "--jobs", "1", "--dry-run").exit_code == 0
    works[0].space = 1 << 60
    result = solve("--men", "7", "--jobs", "1")
    assert result.exit_code == 2
    assert "of disk are needed" in result.stderr
    assert result.stdout == ""


def test_two_builders_in_one_folder_are_one_too_many(works: list[FakeWork]) -> None:
    assert solve("--men", "7", "--jobs", "1").exit_code == 0
    descriptor = os.open(works[0].folder / "lock", os.O_RDWR)
    try:
        assert seize(descriptor)
        result = solve("--men", "7", "--jobs", "1")
    finally:
        os.close(descriptor)
    assert result.exit_code == 2
    assert "another process is building there" in result.stderr


def test_what_is_there_is_told_while_others_build(works: list[FakeWork]) -> None:
    assert solve("--men", "7").exit_code == 0
    descriptor = os.open(works[0].folder / "lock", os.O_RDWR)
    try:
        assert seize(descriptor)
        works[0].missing = []
        result = solve("--men", "7")
    finally:
        os.close(descriptor)
    assert result.exit_code == 0
    assert "two: 5 positions" in result.stdout


def test_a_game_that_is_not_solved_is_refused() -> None:
    result = CliRunner().invoke(main, ["solve", "shogi"])
    assert result.exit_code == 2
    assert "expected morris, neutron or senet, not 'shogi'" in result.stderr


def test_without_a_terminal_lines_come_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    rare, often = Ticker(1e9), Ticker(0.0)
    rare(0.2, "x")
    often(0.25, "4-3: layer 2")
    assert capsys.readouterr().err == " 25.0 %  4-3: layer 2\n"
