"""Descendants without a mark, in sessions of their own: they end with their engines."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from protocols.child import orphans
from tests.protocols import fakes
from tests.protocols.child.deadlines import LONG, Start, read_fifo
from tests.protocols.child.test_process import REFEREE, ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has orphans' homes")

# Starts two engines, and closes one of them for each line that it reads.
HOME = """
import subprocess, sys, time
from protocols.child import orphans
from protocols.child.process import Process
from tests.protocols import fakes
assert orphans.adopt()
foreign = subprocess.Popen(["sleep", "60"])
order, *hiding = sys.argv[1:]
first = Process(fakes.command("echoing") if order == "second" else hiding)
input()
second = Process(hiding if order == "second" else fakes.command("echoing"))
input()
(second if order == "second" else first).close()
print("closed", flush=True)
input()
(first if order == "second" else second).close()
deadline = time.monotonic() + 30
# A killed process is listed as alive for a moment.
while orphans._assign(orphans.take_census()) and time.monotonic() < deadline:
    time.sleep(0.01)
print(len(orphans._home.owners), len(orphans._home.engines), foreign.poll(), flush=True)
foreign.kill()
foreign.wait()
"""


class Home:
    """A process with two engines, of which the first or the second leaves an orphan."""

    def __init__(self, order: str, place: Path) -> None:
        words = fakes.command("hiding", str(place), "yes")
        self._popen = subprocess.Popen(
            [sys.executable, "-c", HOME, order, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def go_on(self) -> None:
        assert self._popen.stdin is not None
        self._popen.stdin.write("\n")
        self._popen.stdin.flush()

    def line(self) -> str:
        assert self._popen.stdout is not None
        return self._popen.stdout.readline()

    def end(self) -> None:
        self._popen.communicate(timeout=LONG)
        assert self._popen.returncode == 0


def test_an_orphan_ends_with_its_engine(tmp_path: Path, fifo: int) -> None:
    home = Home("first", tmp_path / "fifo")
    assert read_fifo(fifo) == b"!"
    home.go_on()  # The other engine was started later, so that the orphan is not its own.
    home.go_on()
    assert home.line() == "closed\n"
    assert read_fifo(fifo) == b""
    home.go_on()
    assert home.line() == "0 0 None\n"  # The process of somebody else lives on.
    home.end()


def test_an_orphan_of_either_engine_ends_with_both(tmp_path: Path, fifo: int) -> None:
    home = Home("second", tmp_path / "fifo")
    home.go_on()
    assert read_fifo(fifo) == b"!"
    home.go_on()
    assert home.line() == "closed\n"
    with pytest.raises(BlockingIOError):
        os.read(fifo, 1)  # It may belong to the engine that runs.
    home.go_on()
    assert home.line() == "0 0 None\n"
    assert read_fifo(fifo) == b""
    home.end()


def test_a_descendant_whose_parent_lives_is_found_without_a_home(
    start: Start, tmp_path: Path, fifo: int
) -> None:
    process = start("hiding", str(tmp_path / "fifo"), "no")
    assert read_fifo(fifo) == b"!"
    process.close()
    assert read_fifo(fifo) == b""


def test_a_killed_referee_leaves_no_descendant_whose_parent_lives(
    tmp_path: Path, fifo: int
) -> None:
    # An engine that ends at the end of its input may be gone before the guard looks.
    engine = fakes.command("clinging", str(tmp_path / "fifo"))
    referee = subprocess.Popen(
        [sys.executable, "-c", REFEREE, *engine], stdin=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert read_fifo(fifo) == b"!"
    referee.communicate("alone\n", LONG)
    assert referee.returncode == -signal.SIGKILL
    assert read_fifo(fifo) == b""


def test_a_process_that_took_the_number_of_a_relative_stays() -> None:
    """Numbers are given again; the time of the start tells two processes apart."""
    own = os.getpid()
    census = orphans.take_census()
    assert orphans.remaining({own: census[own].started}, (), census) == {own}
    assert orphans.remaining({own: census[own].started + 1}, (), census) == set()


# Starts engines that end before anything is asked, and prints how each of them ended.
SHORT = """
import time
from protocols.child import orphans
from protocols.child.process import Process
from protocols.errors import EngineExited
assert orphans.adopt()
for _ in range(20):
    engine = Process(["sh", "-c", "exit 3"])
    try:
        engine.read_line(time.monotonic() + 30)
    except EngineExited as error:
        print(error)
    engine.close()
    print(engine.ending())
"""


def test_an_engine_that_ends_while_it_is_started_keeps_its_exit_code() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHORT], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert set(done.stdout.splitlines()) == {"sh exited with code 3", "exited with code 3"}
