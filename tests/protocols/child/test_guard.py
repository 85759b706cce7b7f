"""Engines of a process that was killed are killed, wherever they are."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from protocols.child.process import Process
from tests.protocols import fakes
from tests.protocols.child.deadlines import LONG, Start, later, read_fifo
from tests.protocols.child.test_process import REFEREE, ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the fakes use signals and fork")


@pytest.mark.parametrize("word", ["alone\n", "fork\n"])
def test_a_killed_referee_leaves_no_engine(tmp_path: Path, fifo: int, word: str) -> None:
    """Also when a worker that it forked lives on and has inherited the guard's pipe."""
    engine = fakes.command("holding", str(tmp_path / "fifo"))
    referee = subprocess.Popen(
        [sys.executable, "-c", REFEREE, *engine],
        stdin=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )
    try:
        assert read_fifo(fifo) == b"!"
        referee.communicate(word, LONG)
        assert referee.returncode == -signal.SIGKILL
        assert read_fifo(fifo) == b""
    finally:
        os.killpg(referee.pid, signal.SIGKILL) if word == "fork\n" else referee.kill()
        referee.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows who has left a group")
def test_what_an_engine_left_in_another_session_ends_with_it(
    start: Start, tmp_path: Path, fifo: int
) -> None:
    process = start("parting", str(tmp_path / "fifo"))
    assert read_fifo(fifo) == b"!"
    process.close()
    assert read_fifo(fifo) == b""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows who has left a group")
def test_another_engine_of_the_same_referee_stays(tmp_path: Path, fifo: int) -> None:
    with Process(fakes.command("echoing")) as other:
        with Process(fakes.command("parting", str(tmp_path / "fifo"))):
            assert read_fifo(fifo) == b"!"
        assert read_fifo(fifo) == b""
        other.send(later(), "1 name")
        assert other.read_line(later()) == "=1 name"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows who has left a group")
def test_a_killed_referee_leaves_nothing_in_another_session(tmp_path: Path, fifo: int) -> None:
    engine = fakes.command("parting", str(tmp_path / "fifo"))
    referee = subprocess.Popen(
        [sys.executable, "-c", REFEREE, *engine], stdin=subprocess.PIPE, text=True, cwd=ROOT
    )
    try:
        assert read_fifo(fifo) == b"!"
        referee.communicate("alone\n", LONG)
        assert read_fifo(fifo) == b""
    finally:
        referee.kill()
        referee.wait()
