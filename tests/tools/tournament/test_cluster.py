import contextlib
import importlib.util
import json
import socket
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import pytest

from engines.core.game import InvalidText
from tests.tools.fakes import ROOT
from tests.tools.match.test_runner import table
from tests.tools.tournament.tournaments import cup, findings, play
from tools.journal.journal import read_journal
from tools.tournament import cluster
from tools.tournament.cluster import (
    ClusterError,
    ClusterExecutor,
    WorkerLost,
    faults_of,
    parse_address,
    reach_scheduler,
)
from tools.tournament.inspection import Worker, at_home, inspect_worker

TERMS = cup().terms
HERE = inspect_worker(TERMS.engines, TERMS.game)


class Task:
    """A future of Dask whose end the test decides."""

    def __init__(self) -> None:
        self.status = "pending"
        self.cancelled = False
        self._outcome: Any = None
        self._done: Callable[[Any], None] = lambda task: None

    def add_done_callback(self, done: Callable[[Any], None]) -> None:
        self._done = done

    def end(self, status: str, outcome: Any = None) -> None:
        self.status, self._outcome = status, outcome
        self._done(self)

    def result(self, timeout: float) -> Any:
        return self._outcome

    def exception(self, timeout: float) -> Any:
        return self._outcome

    def cancel(self, *, force: bool) -> None:
        self.cancelled = True


class Client:
    """A cluster whose workers are in `workers`; it keeps what is handed in."""

    workers: dict[str, Any] = {}  # noqa: RUF012  # Set by each test.
    made: list["Client"] = []  # noqa: RUF012
    gone = False

    def __init__(self, address: str, **_: Any) -> None:
        if address == "nowhere":
            raise OSError("timed out")
        self.tasks: list[tuple[str, Task]] = []
        Client.made.append(self)

    def nthreads(self) -> dict[str, int]:
        if self.gone:
            raise OSError("connection closed")
        return dict.fromkeys(self.workers, 1)

    def run(self, *_: Any, workers: list[str], **__: Any) -> dict[str, Any]:
        return {place: self.workers[place] for place in workers}

    def submit(self, *_: Any, workers: list[str], **__: Any) -> Task:
        self.tasks.append((workers[0], Task()))
        return self.tasks[-1][1]

    def close(self, timeout: float) -> None:
        self.tasks.clear()


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put a cluster of two good workers in the place of Dask's."""
    library = types.ModuleType("distributed")
    library.Client = Client  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "distributed", library)
    monkeypatch.setattr(cluster, "_PAUSE", 0.0)
    quiet = replace(HERE, cores=8, load=0.0)
    monkeypatch.setattr(Client, "workers", {"a": quiet, "b": quiet})
    monkeypatch.setattr(Client, "made", [])
    monkeypatch.setattr(Client, "gone", False)
    return []


def make(notes: list[str], most: int = 9) -> ClusterExecutor:
    return ClusterExecutor("tcp://here", TERMS, most, notes.append)


def test_each_worker_plays_one_game_at_a_time(notes: list[str]) -> None:
    executor = make(notes)
    assert executor.slots == 2
    first, second = executor.submit(int, "1"), executor.submit(int, "2")
    places = [place for place, _ in Client.made[0].tasks]
    assert places == ["a", "b"]
    with pytest.raises(BrokenExecutor, match="no worker of the cluster is idle"):
        executor.submit(int, "3")
    Client.made[0].tasks[1][1].end("finished", 2)
    assert (second.result(0), first.done()) == (2, False)
    executor.submit(int, "3")
    assert Client.made[0].tasks[-1][0] == "b"
    assert notes == []


def test_the_user_decides_how_many_workers_are_used(notes: list[str]) -> None:
    executor = make(notes, most=1)
    assert executor.slots == 1
    executor.resize(5)
    assert executor.slots == 2


def test_the_game_of_a_lost_worker_is_broken_and_its_task_given_up(notes: list[str]) -> None:
    executor = make(notes)
    assert executor.slots == 2
    future = executor.submit(int, "1")
    del Client.workers["a"]
    assert executor.slots == 1
    assert isinstance(future.exception(0), WorkerLost)
    assert Client.made[0].tasks[0][1].cancelled


@pytest.mark.parametrize("status", ["lost", "cancelled", "error"])
def test_an_error_of_the_cluster_is_a_lost_worker(notes: list[str], status: str) -> None:
    executor = make(notes)
    assert executor.slots
    future = executor.submit(int, "1")
    error = type("KilledWorker", (Exception,), {"__module__": "distributed.scheduler"})()
    Client.made[0].tasks[0][1].end(status, error)
    assert isinstance(future.exception(0), WorkerLost)


def test_an_error_of_a_game_is_its_own(notes: list[str]) -> None:
    executor = make(notes)
    assert executor.slots
    future = executor.submit(int, "1")
    Client.made[0].tasks[0][1].end("error", ValueError("no such move"))
    assert isinstance(future.exception(0), ValueError)


def test_workers_that_lack_something_are_left_out_with_the_reason(notes: list[str]) -> None:
    Client.workers |= {
        "old": replace(HERE, version="0"),
        "bare": replace(HERE, engines=("", *HERE.engines[1:])),
        "else": replace(HERE, engines=("x" * 64, *HERE.engines[1:])),
        "tables": replace(HERE, tables=""),
        "dumb": ModuleNotFoundError("tools"),
    }
    assert make(notes).slots == 2
    text = "\n".join(notes)
    for place, fault in [
        ("old", "it has Quintet 0, not"),
        ("bare", "it does not have a"),
        ("else", "its a is another one"),
        ("tables", "its tables of the game are others"),
        ("dumb", "it cannot be asked: tools"),
    ]:
        line = next(line for line in text.splitlines() if line.startswith(f"worker {place}"))
        assert fault in line


def test_a_machine_has_no_more_workers_than_cores_and_a_busy_one_is_announced(
    notes: list[str],
) -> None:
    busy = replace(HERE, host="small", cores=1, load=3.0)
    Client.workers = {"a": busy, "b": busy}
    assert make(notes).slots == 1
    assert notes[0] == "warning: small is busy: 3.0 processes want its 1 cores"
    assert "small has only 1 cores, and as many workers" in notes[1]


def test_a_cluster_that_cannot_be_reached_is_named(notes: list[str]) -> None:
    with pytest.raises(ClusterError, match="--dask nowhere: no scheduler answers: timed out"):
        ClusterExecutor("nowhere", TERMS, 1, notes.append)
    executor = make(notes)
    Client.gone = True
    with pytest.raises(ClusterError, match="the scheduler is gone: connection closed"):
        assert executor.slots
    executor.shutdown()


@pytest.mark.parametrize(
    "address",
    [
        "foo",
        "foo:1:2",
        "host:8786",
        "tcp://host",
        "tcp://:8786",
        "tcp://host:0",
        "tcp://host:99999",
        "inproc://host:1",
        "tcp://host:8786/place",
        "tcp://[::1:8786",
    ],
)
def test_a_malformed_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidText, match="expected an address such as tcp://host:8786"):
        parse_address(address)


def test_an_address_has_a_host_and_a_port() -> None:
    assert parse_address("tcp://host:8786") == ("host", 8786)
    assert parse_address("tls://[::1]:8786") == ("::1", 8786)


def test_a_scheduler_is_looked_for_before_dask_is_asked(notes: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        reach_scheduler(address)
    with pytest.raises(ClusterError, match=f"--dask {address}: no scheduler answers"):
        reach_scheduler(address)


def test_without_the_library_the_message_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install 'quintet\[dask\]'"):
        make([])
    with pytest.raises(ClusterError, match=r"pip install 'quintet\[dask\]'"):
        reach_scheduler("tcp://127.0.0.1:1")


def test_our_own_programs_run_in_the_python_of_the_worker() -> None:
    ours = replace(TERMS.engines[0], command=("/there/python", "-P", "-m", "engines.neutron", "x"))
    assert at_home(ours).command == (sys.executable, "-P", "-m", "engines.neutron", "x")
    assert at_home(TERMS.engines[0]) == TERMS.engines[0]
    worker = inspect_worker([ours, at_home(ours)], "neutron")
    assert worker.engines[1] != ""
    assert isinstance(worker, Worker)
    assert faults_of(HERE, HERE, TERMS.engines) == []


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """Start a real scheduler and two worker processes, and return its address."""
    if importlib.util.find_spec("distributed") is None:
        pytest.skip("needs Dask (PyPI distributed)")
    file = tmp_path / "scheduler.json"
    common = ["--scheduler-file", str(file), "--no-dashboard"]
    running: list[subprocess.Popen[bytes]] = []

    def start(log: IO[bytes], *words: str) -> None:
        line = [sys.executable, "-m", "dask", *words, *common]
        running.append(subprocess.Popen(line, cwd=ROOT, stdout=log, stderr=log))

    try:
        with (tmp_path / "log").open("wb") as log:
            start(log, "scheduler", "--host", "127.0.0.1", "--port", "0")
            while not (file.exists() and file.read_bytes().rstrip().endswith(b"}")):
                # A worker would fail if it read the file before it is complete.
                with contextlib.suppress(subprocess.TimeoutExpired):
                    pytest.fail(f"the scheduler ended with {running[0].wait(0.05)}")
            for _ in range(2):
                start(log, "worker", "--nthreads", "1", "--no-nanny")
        yield str(file)
    finally:
        for process in running:
            process.kill()
            process.wait()


CLUSTER = """
import sys
from pathlib import Path
from distributed import Client
from tests.tools.tournament.tournaments import cup, play
from tools.tournament.cluster import ClusterExecutor
made = cup(tempers="good good murderer", once=sys.argv[3])
client = Client(scheduler_file=sys.argv[2])
client.wait_for_workers(2)
address = client.scheduler.address
play(Path(sys.argv[1]), made, lambda: ClusterExecutor(address, made.terms, 2, print))
"""


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_its_game_which_is_played_again_once(
    tmp_path: Path, scheduler: str
) -> None:
    """An engine kills the process that plays its game, the first time it moves."""
    marker = str(tmp_path / "killed")
    command = [sys.executable, "-c", CLUSTER, str(tmp_path / "far"), scheduler, marker]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    events = read_journal(tmp_path / "far")
    lost = [event["games"] for event in events if event["event"] == "breakdown"]
    assert len(lost) == 1
    play(tmp_path / "near", cup(tempers="good good murderer", once=marker))
    assert table(tmp_path / "far") == table(tmp_path / "near")
    assert findings(tmp_path / "far") == []
    assert json.loads((tmp_path / "far" / "status.json").read_text())["games"] == 6
