import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocols import process as process_module
from protocols.errors import EngineError, EngineExited, EngineNonsense, EngineTimeout
from protocols.pipes import CHUNK, HELD
from protocols.process import LONGEST_LINE, STDERR_KEPT, Process, close_all
from tests.protocols import fakes

Start = Callable[..., Process]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the fakes use signals and fork")

ROOT = Path(__file__).resolve().parents[2]
SOON = 0.15  # Seconds until a deadline that is meant to pass.
LONG = 20.0  # Seconds until a deadline that is not.


def soon() -> float:
    return time.monotonic() + SOON


def later() -> float:
    return time.monotonic() + LONG


@pytest.fixture(params=[False, True], ids=["poll", "threads"])
def start(request: pytest.FixtureRequest) -> Iterator[Start]:
    """Start fakes in the way under test, and see them all dead at the end."""
    started: list[Process] = []

    def begin(*words: str, cwd: Path | None = None, log: Path | None = None) -> Process:
        process = Process(
            fakes.command(*words),
            cwd=cwd,
            env={"QUINTET_TEST": "shown"},
            log=log,
            log_cap=1000,
            threads=request.param,
        )
        started.append(process)
        return process

    yield begin
    close_all(started, 0.0)


@pytest.fixture
def fifo(tmp_path: Path) -> Iterator[int]:
    """A FIFO whose end comes when everybody who opened it for writing is dead."""
    os.mkfifo(tmp_path / "fifo")
    descriptor = os.open(tmp_path / "fifo", os.O_RDONLY | os.O_NONBLOCK)
    yield descriptor
    os.close(descriptor)


def read_fifo(descriptor: int) -> bytes:
    ready, _, _ = select.select([descriptor], [], [], LONG)
    assert ready
    return os.read(descriptor, 100)


def read_for_ever(process: Process, deadline: float, lines: list[str]) -> None:
    while True:
        lines.append(process.read_line(deadline))


def test_commands_and_replies_go_back_and_forth(start: Start) -> None:
    process = start("echoing")
    for number in range(50):
        process.send(later(), f"{number} play b D4", f"{number} genmove w")
        lines = [process.read_line(later()) for _ in range(4)]
        assert lines == [f"={number} play b D4", "", f"={number} genmove w", ""]


def test_carriage_returns_are_dropped(start: Start) -> None:
    process = start("scripted", "uno\r\ndue\r\n")
    process.send(later(), "x")
    assert [process.read_line(later()), process.read_line(later())] == ["uno", "due"]


def test_text_need_not_be_ascii(start: Start) -> None:
    process = start("scripted", "{id}\n")
    process.send(later(), "▲７六歩\u3000é")
    assert process.read_line(later()) == "▲７六歩"


@pytest.mark.parametrize("text", ["a\nb", "a\rb", "a\0", "\tb", "a\x7f", "a\x85b", "a\u2028b"])
def test_a_command_with_a_control_character_is_refused(start: Start, text: str) -> None:
    process = start("echoing")
    with pytest.raises(ValueError, match="control character"):
        process.send(later(), "1 fine", text)
    process.send(later(), "2 fine")
    assert process.read_line(later()) == "=2 fine"


def test_the_folder_the_environment_and_the_group_are_its_own(start: Start, tmp_path: Path) -> None:
    process = start("surroundings", cwd=tmp_path)
    assert process.read_line(later()) == f"{tmp_path} shown True"


def test_what_cannot_be_started_says_why() -> None:
    with pytest.raises(EngineError, match=r"cannot start '/no/such': .*No such file"):
        Process(["/no/such"])
    with pytest.raises(EngineError, match=r"cannot start .*No such file.*'/nowhere'"):
        Process(fakes.command("silent"), cwd="/nowhere")


def test_a_silent_engine_times_out(start: Start) -> None:
    process = start("silent")
    process.send(later(), "genmove b")
    deadline = soon()
    with pytest.raises(EngineTimeout, match="gave no answer in time"):
        process.read_line(deadline)
    assert 0 <= time.monotonic() - deadline < LONG / 2


def test_chatter_does_not_move_the_deadline(start: Start) -> None:
    process = start("chatty")
    process.read_line(later())
    deadline = soon()
    with pytest.raises(EngineTimeout, match="gave no answer in time"):
        read_for_ever(process, deadline, [])
    assert 0 <= time.monotonic() - deadline < LONG / 2


def test_what_an_engine_says_meanwhile_is_bounded(start: Start) -> None:
    process = start("chatty")
    with pytest.raises(EngineTimeout, match="does not read"):
        process.send(soon(), "x" * 1_000_000)
    held: list[str] = []
    with pytest.raises(EngineTimeout, match="gave no answer in time"):
        read_for_ever(process, time.monotonic() - 1, held)
    assert sum(map(len, held)) <= HELD * CHUNK


def test_a_line_that_never_ends_is_nonsense(start: Start) -> None:
    process = start("trickling")
    with pytest.raises(EngineNonsense, match="a line of more than 65536 bytes"):
        process.read_line(later())


def test_a_line_of_a_million_characters_is_nonsense(start: Start) -> None:
    process = start("long_line", "1000000")
    process.send(later(), "genmove b")
    with pytest.raises(EngineNonsense, match="a line of more than 65536 bytes"):
        process.read_line(later())


def test_the_longest_line_is_read_whole(start: Start) -> None:
    process = start("long_line", str(LONGEST_LINE))
    process.send(later(), "genmove b")
    assert process.read_line(later()) == "z" * LONGEST_LINE
    assert process.read_line(later()) == "=1 D4"


def test_garbage_is_text_of_some_kind(start: Start) -> None:
    process = start("garbage")
    process.send(later(), "genmove b")
    assert "�" in "".join(process.read_line(later()) for _ in range(5))


def test_a_dead_engine_is_reported_with_code_and_last_words(start: Start) -> None:
    process = start("dead", "3")
    with pytest.raises(EngineExited, match="exited with code 3") as caught:
        process.read_line(later())
    assert caught.value.code == 3
    assert caught.value.stderr == "cannot read weights.bin\n"
    with pytest.raises(EngineExited, match="exited with code 3"):
        process.send(later(), "genmove b")
    assert process.ending() == "exited with code 3"


def test_a_signal_is_reported_by_name(start: Start) -> None:
    process = start("crashing")
    assert process.ending() == ""
    process.send(later(), "genmove b")
    with pytest.raises(
        EngineExited, match=r"was killed by SIGABRT \(signal 6: Aborted\)"
    ) as caught:
        process.read_line(later())
    assert caught.value.code == -signal.SIGABRT


def test_half_an_answer_does_not_count(start: Start) -> None:
    process = start("breaking_off")
    process.send(later(), "genmove b")
    with pytest.raises(EngineExited, match="exited with code 1 in the middle of the line b'=1 D'"):
        process.read_line(later())


def test_an_answer_before_the_end_counts(start: Start) -> None:
    process = start("last_words")
    process.send(later(), "genmove b")
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert [process.read_line(later()), process.read_line(later())] == ["=1 D4", ""]
    with pytest.raises(EngineExited, match="exited with code 0"):
        process.read_line(later())


def test_an_engine_may_close_its_output_and_live(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_module, "LAST_WORDS", 0.01)
    process = start("closing_stdout")
    process.send(later(), "genmove b")
    with pytest.raises(EngineExited, match="closed its output or input") as caught:
        process.read_line(later())
    assert caught.value.code is None


def test_an_engine_may_close_its_input_and_live(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_module, "LAST_WORDS", 0.01)
    process = start("closing_stdin")
    assert process.read_line(later()) == "ready"
    with pytest.raises(EngineExited, match="closed its output or input"):
        process.send(later(), "genmove b")


def test_an_engine_that_stops_reading_times_out(start: Start) -> None:
    process = start("not_reading")
    assert process.read_line(later()) == "ready"
    deadline = soon()
    with pytest.raises(EngineTimeout, match="does not read its commands"):
        process.send(deadline, "x" * 1_000_000)
    assert 0 <= time.monotonic() - deadline < LONG / 2
    with pytest.raises(EngineTimeout, match="stopped reading"):
        process.send(later(), "genmove b")


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


def test_lines_left_over_are_found_without_waiting(start: Start) -> None:
    process = start("scripted", "one\ntwo\nthree\n", "four\n")
    assert process.unread() == []
    process.send(later(), "go")
    assert process.read_line(later()) == "one"
    process.send(later(), "go")
    left: list[str] = []
    limit = later()
    while len(left) < 3 and time.monotonic() < limit:
        left += process.unread()
    assert left == ["two", "three", "four"]
    assert process.unread() == []


def test_closing_gives_a_slow_engine_its_time(start: Start) -> None:
    process = start("slow_to_quit")
    assert process.read_line(later()) == "ready"
    process.close(LONG)
    assert process.ending() == "exited with code 0"


def test_closing_terminates_an_engine_deaf_to_quit(start: Start) -> None:
    process = start("deaf_to_quit")
    assert process.read_line(later()) == "ready"
    process.close(1.0, "quit")
    assert process.ending() == "was killed by SIGTERM (signal 15: Terminated)"


def test_closing_kills_an_engine_deaf_to_term(start: Start) -> None:
    process = start("deaf_to_term")
    assert process.read_line(later()) == "ready"
    process.close(0.1)
    assert process.ending() == "was killed by SIGKILL (signal 9: Killed)"
    process.close()


def test_several_engines_share_one_grace_period(start: Start) -> None:
    processes = [start("deaf_to_term") for _ in range(8)] + [start("chatty")]
    for process in processes:
        process.read_line(later())
    begin = time.monotonic()
    close_all(processes, 1.0)
    assert 1.0 <= time.monotonic() - begin < 8.0
    endings = [process.ending() for process in processes]
    assert endings[:8] == ["was killed by SIGKILL (signal 9: Killed)"] * 8
    assert endings[8]


def test_a_command_to_a_closed_process_is_an_error(start: Start) -> None:
    process = start("echoing")
    process.close()
    with pytest.raises(EngineTimeout, match="stopped reading"):
        process.send(later(), "1 genmove b")


def test_a_survivor_in_the_group_is_killed(start: Start, tmp_path: Path, fifo: int) -> None:
    process = start("with_child", str(tmp_path / "fifo"), "yes")
    assert process.read_line(later()) == "ready"
    assert read_fifo(fifo) == b"!"
    process.close(LONG)
    assert process.ending() == "exited with code 0"
    assert read_fifo(fifo) == b""


@pytest.mark.parametrize("seconds", [SOON, LONG])
def test_death_is_seen_although_a_child_holds_the_pipes(
    start: Start, tmp_path: Path, fifo: int, seconds: float
) -> None:
    process = start("with_child", str(tmp_path / "fifo"), "no")
    assert process.read_line(later()) == "ready"
    assert read_fifo(fifo) == b"!"
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    begin = time.monotonic()
    with pytest.raises(EngineExited, match="exited with code 5"):
        process.read_line(begin + seconds)
    assert time.monotonic() - begin < LONG / 2
    with pytest.raises(EngineExited, match="exited with code 5"):
        process.send(soon(), "x" * 1_000_000)
    process.close()
    assert read_fifo(fifo) == b""


def test_endings_are_known_where_a_child_cannot_be_looked_at_as_a_zombie(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "waitid")
    dead, alive = start("dead", "3"), start("deaf_to_term")
    with pytest.raises(EngineExited, match="exited with code 3"):
        dead.read_line(later())
    assert alive.read_line(later()) == "ready"
    assert alive.ending() == ""
    close_all([dead, alive], 0.1)
    assert alive.ending() == "was killed by SIGKILL (signal 9: Killed)"


@pytest.mark.skipif(not hasattr(signal, "SIGRTMIN"), reason="no signals without a name here")
def test_a_signal_without_a_name_is_reported_by_number(start: Start) -> None:
    process = start("not_reading")
    assert process.read_line(later()) == "ready"
    os.kill(process.pid, signal.SIGRTMIN + 1)
    with pytest.raises(EngineExited, match=rf"was killed by signal {signal.SIGRTMIN + 1}"):
        process.read_line(later())


def test_errors_call_an_engine_by_the_name_it_was_given() -> None:
    with (
        Process(fakes.command("dead", "1"), name="black") as process,
        pytest.raises(EngineExited, match="black exited with code 1"),
    ):
        process.read_line(later())


def test_a_trace_shows_both_sides() -> None:
    seen: list[str] = []
    with Process(fakes.command("echoing"), trace=lambda way, text: seen.append(way + text)) as echo:
        echo.send(later(), "1 name", "2 version")
        for _ in range(4):
            echo.read_line(later())
    assert seen == [">1 name", ">2 version", "<=1 name", "<", "<=2 version", "<"]


REFEREE = """
import os, signal, sys
from protocols.process import Process
engine = Process(sys.argv[1:])
fork = sys.stdin.readline()
if fork == "fork\\n" and os.fork() == 0:
    signal.pause()
os.kill(os.getpid(), signal.SIGKILL)
"""


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


def test_bytes_are_sent_and_read_as_they_are(start: Start) -> None:
    process = start("echoing")
    said: list[tuple[str, str]] = []
    process.trace = lambda mark, line: said.append((mark, line))
    process.send_bytes(later(), b"1 in pie")
    process.send_bytes(later(), b"ces \x07\r\xc3\xbc\n")
    assert process.read_bytes(later()) == b"=1 in pieces \x07\r\xc3\xbc"
    assert said[:2] == [(">", "1 in pie"), (">", r"ces \x07\r\xc3\xbc\n")]


def test_what_came_on_stderr_is_counted(start: Start) -> None:
    process = start("flooding", "100000")
    process.send(later(), "x")
    process.read_line(later())
    process.close()
    assert process.stderr_size >= 100_000
    assert len(process.stderr) == STDERR_KEPT
