"""Reading and writing pipes under deadlines, whatever the child writes."""

import os
import time
from pathlib import Path

import pytest

from protocols.child.pipes import CHUNK, HELD
from protocols.child.process import STDERR_KEPT
from protocols.errors import EngineTimeout
from tests.protocols.child.deadlines import LONG, SOON, Start, later, soon
from tests.protocols.child.test_process import read_for_ever

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the fakes use signals and fork")


def test_chatter_does_not_move_the_deadline(start: Start) -> None:
    process = start("chatty")
    process.read_line(later())
    deadline = soon()
    with pytest.raises(EngineTimeout, match="did not answer in time"):
        read_for_ever(process, deadline, [])
    assert 0 <= time.monotonic() - deadline < LONG / 2


def test_what_an_engine_says_meanwhile_is_bounded(start: Start) -> None:
    process = start("chatty")
    with pytest.raises(EngineTimeout, match="does not read"):
        process.send(soon(), "x" * 1_000_000)
    held: list[str] = []
    with pytest.raises(EngineTimeout, match="did not answer in time"):
        read_for_ever(process, time.monotonic() - 1, held)
    assert sum(map(len, held)) <= HELD * CHUNK


def test_a_long_command_reaches_an_engine_that_speaks_first(start: Start) -> None:
    process = start("speaking_first", "1000000")
    process.send(later(), "x" * 1_000_000)
    lines = [process.read_line(later()) for _ in range(1_000_000 // 13 + 1)]
    assert lines[0] == "info depth 1"
    assert lines[-1] == "1000001"


def test_an_engine_that_must_speak_more_than_is_held_gets_no_further(start: Start) -> None:
    process = start("speaking_first", str((HELD + 20) * 65536))
    with pytest.raises(EngineTimeout, match="does not read its commands"):
        process.send(time.monotonic() + 4 * SOON, "x" * 1_000_000)


def test_who_thinks_in_its_opponents_time_is_read_meanwhile(start: Start, tmp_path: Path) -> None:
    mover, thinker = start("silent"), start("getting_through", "1000000", str(tmp_path / "through"))
    mover.accompany(thinker)
    limit = later()
    while not (tmp_path / "through").exists():
        with pytest.raises(EngineTimeout):
            mover.read_line(min(time.monotonic() + 0.05, limit))
        assert time.monotonic() < limit
    mover.accompany(None)
    assert len(thinker.unread()) == 1_000_000 // 13
    thinker.close(0.0)
    with pytest.raises(EngineTimeout):
        mover.read_line(time.monotonic() + 0.05)


def test_the_death_of_who_is_read_meanwhile_disturbs_nobody(start: Start) -> None:
    mover, dead = start("scripted", "one\n", "two\n"), start("dead", "3")
    mover.accompany(dead)
    mover.send(later(), "go")
    assert mover.read_line(later()) == "one"
    dead.close(LONG)
    mover.accompany(None)
    mover.send(later(), "go")
    assert mover.read_line(later()) == "two"


def test_a_flood_on_stderr_neither_blocks_nor_grows(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "stderr"
    process = start("flooding", "20000000", log=log)
    process.send(later(), "genmove b")
    assert process.read_line(later()) == "=1 D4"
    assert process.stderr == "x" * STDERR_KEPT
    process.close(LONG)
    assert process.stderr == "y" * STDERR_KEPT
    assert process.ending() == "exited with code 0"
    assert log.read_text() == "x" * 1000 + "\n[the rest is not kept]\n"
