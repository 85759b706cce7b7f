import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from tests.protocols.child.conftest import fifo as fifo
from tests.protocols.child.deadlines import read_fifo
from tests.tools.fakes import ROOT
from tools.journal.journal import read_journal
from tools.match.workers import InlineExecutor, WorkerExecutor, cores, make_executor

WAIT = 15.0  # Seconds.


def descendants(pid: int) -> set[int]:
    """Return the numbers of all descendants of a process."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                stat = (folder / "stat").read_text().rpartition(")")[2].split()
                if stat[0] != "Z":
                    parents[int(folder.name)] = int(stat[1])
    pids: set[int] = set()
    while more := {each for each, parent in parents.items() if parent in pids | {pid}} - pids:
        pids |= more
    return pids


def alive(pids: set[int]) -> set[int]:
    return {pid for pid in pids if descendants_state(pid) not in ("", "Z")}


def descendants_state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


@pytest.fixture
def running(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start a match of two concurrent games whose engines never answer their second question."""
    engine = shlex.join([sys.executable, "-m", "tests.tools.fake_neutron", "undying"])
    line = [sys.executable, "-m", "tools", "match", engine, "--protocol", "line", "--json"]
    # With another seed, a game may be over before the second question.
    line += ["--game", "neutron", "--games", "9", "--seed", "1", "--jobs", "2", "--force"]
    line += ["--time", "600", "--out", str(tmp_path / "match")]
    with subprocess.Popen(line, cwd=ROOT, text=True, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


def engines_of(process: "subprocess.Popen[str]") -> set[int]:
    """Wait until the four engines of two games run, and return all descendants of the match."""
    until = time.monotonic() + 2 * WAIT
    while time.monotonic() < until:
        pids = descendants(process.pid)
        names = [Path(f"/proc/{pid}/cmdline") for pid in pids]
        with contextlib.suppress(OSError):
            if sum(b"fake_neutron" in name.read_bytes() for name in names) == 4:
                return pids
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
    pytest.fail("the engines did not start")


def assert_gone(pids: set[int]) -> None:
    until = time.monotonic() + WAIT
    waiter = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    with waiter:
        while alive(pids) and time.monotonic() < until:
            with contextlib.suppress(subprocess.TimeoutExpired):
                waiter.wait(0.1)
        waiter.kill()
    assert not alive(pids)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are read from /proc")
def test_nothing_is_left_of_a_killed_referee(running: "subprocess.Popen[str]") -> None:
    pids = engines_of(running)
    running.kill()
    running.wait()
    assert_gone(pids)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are read from /proc")
def test_the_second_ctrl_c_stops_at_once_and_leaves_a_resumable_folder(
    running: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    pids = engines_of(running)
    running.send_signal(signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        running.wait(0.5)
    assert running.poll() is None
    running.send_signal(signal.SIGINT)
    assert running.wait(WAIT) == 130
    assert_gone(pids)
    assert [event["event"] for event in read_journal(tmp_path / "match")] == ["match"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are read from /proc")
def test_sigterm_stops_at_once_and_leaves_a_resumable_folder(
    running: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    pids = engines_of(running)
    running.terminate()
    assert running.wait(WAIT) == 130
    assert_gone(pids)
    status = json.loads((tmp_path / "match" / "status.json").read_text())
    assert (status["interrupted"], status["missing"]) == (True, 9)


def test_in_this_process_a_task_is_done_when_it_is_handed_in() -> None:
    assert InlineExecutor().submit(os.path.join, "a", "b").result() == os.path.join("a", "b")
    failed = InlineExecutor().submit(int, "x")
    assert isinstance(failed.exception(), ValueError)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores are bound elsewhere")
@pytest.mark.parametrize("pin", [True, False])
def test_a_slot_keeps_to_a_core_unless_it_must_not(pin: bool) -> None:
    with make_executor(2, pin=pin) as executor:
        bound = executor.submit(os.sched_getaffinity, 0).result(WAIT)
    assert len(bound) == (1 if pin else len(cores()))


def test_a_lost_worker_breaks_its_own_task_only_and_is_replaced() -> None:
    with WorkerExecutor(2, pin=False) as executor:
        pids = [executor.submit(os.getpid).result(WAIT) for _ in range(2)]
        assert len(set(pids)) == 1  # The second one starts only when two tasks run concurrently.
        doomed, other = executor.submit(signal.pause), executor.submit(os.getpid)
        survivor = other.result(WAIT)
        os.kill(pids[0], signal.SIGKILL)
        assert isinstance(doomed.exception(WAIT), BrokenExecutor)
        assert executor.submit(os.getpid).result(WAIT) not in pids
        assert survivor not in pids


def test_the_number_of_workers_can_change_while_they_work() -> None:
    with WorkerExecutor(1, pin=False) as executor:
        assert executor.slots == 1
        executor.resize(2)
        first, second = executor.submit(os.getppid), executor.submit(os.getpid)
        assert first.result(WAIT) == os.getpid()
        kept = second.result(WAIT)
        executor.resize(1)
        assert executor.slots == 1
        assert executor.submit(os.getpid).result(WAIT) != kept


def test_there_is_at_least_one_core() -> None:
    assert cores()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to a worker")
def test_workers_leave_no_descendant_of_an_engine_behind(tmp_path: Path, fifo: int) -> None:
    place = str(tmp_path / "fifo")
    engine = shlex.join([sys.executable, "-m", "tests.tools.fake_neutron", "hiding", place])
    line = [sys.executable, "-m", "tools", "match", engine, "--protocol", "line"]
    line += ["--game", "neutron", "--games", "2", "--jobs", "2", "--force"]
    line += ["--time", "600", "--out", str(tmp_path / "match")]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    # Two players in the check before the match, and in one worker or in both.
    assert read_fifo(fifo).count(b"!") >= 4
    assert read_fifo(fifo) == b""


KILLED = """
import os, signal
from tools.match.workers import WorkerExecutor
if __name__ == "__main__":
    executor = WorkerExecutor(1, pin=False)
    print(executor.submit(abs, -3).result(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_killed_referee_leaves_no_warning(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    # What is left of it has the same stderr, which is read until all of them have ended.
    ended = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGKILL, "3\n", "")
