import os
import signal
import time
from pathlib import Path

import pytest

from protocols.child import process as process_module
from protocols.child.pipes import PolledPipes
from protocols.child.process import LONGEST_LINE, STDERR_KEPT, Process, close_all
from protocols.errors import EngineError, EngineExited, EngineNonsense, EngineTimeout
from tests.protocols import fakes
from tests.protocols.child.deadlines import LONG, SOON, Start, later, read_fifo, soon

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the fakes use signals and fork")

ROOT = Path(__file__).resolve().parents[3]


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
    with pytest.raises(EngineTimeout, match="did not answer in time"):
        process.read_line(deadline)
    assert 0 <= time.monotonic() - deadline < LONG / 2


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


@pytest.mark.slow
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


@pytest.mark.slow
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
from protocols.child.process import Process
engine = Process(sys.argv[1:])
fork = sys.stdin.readline()
if fork == "fork\\n" and os.fork() == 0:
    signal.pause()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_bytes_are_sent_and_read_as_they_are(start: Start) -> None:
    process = start("echoing")
    trace: list[tuple[str, str]] = []
    process.trace = lambda mark, line: trace.append((mark, line))
    process.send_bytes(later(), b"1 in pie")
    process.send_bytes(later(), b"ces \x07\r\xc3\xbc\n")
    assert process.read_bytes(later()) == b"=1 in pieces \x07\r\xc3\xbc"
    assert trace[:2] == [(">", "1 in pie"), (">", r"ces \x07\r\xc3\xbc\n")]


def test_what_came_on_stderr_is_counted(start: Start) -> None:
    process = start("flooding", "100000")
    process.send(later(), "x")
    process.read_line(later())
    process.close()
    assert process.stderr_size >= 100_000
    assert len(process.stderr) == STDERR_KEPT


def test_an_alarm_rings_once_while_a_line_is_waited_for(start: Start) -> None:
    process = start("chatty")
    rung: list[float] = []
    moment = time.monotonic() + SOON
    process.set_alarm(moment, lambda: rung.append(time.monotonic()))
    deadline = moment + SOON
    with pytest.raises(EngineTimeout):
        read_for_ever(process, deadline, [])
    assert len(rung) == 1
    assert moment <= rung[0] <= process.looked
    process.set_alarm(0.0, None)
    with pytest.raises(EngineTimeout):
        read_for_ever(process, soon(), [])


def test_an_alarm_keeps_no_line_back(start: Start) -> None:
    process = start("echoing")
    rung: list[str] = []
    process.set_alarm(time.monotonic(), lambda: rung.append("now"))
    process.send(later(), "1 genmove b")
    assert process.read_line(later()) == "=1 genmove b"
    assert rung == ["now"]
    process.set_alarm(later(), lambda: rung.append("later"))
    process.send(later(), "2 genmove b")
    assert [process.read_line(later()) for _ in range(2)] == ["", "=2 genmove b"]
    assert rung == ["now"]


def send_and_read(process: Process, command: str) -> str:
    process.send(later(), command)
    return process.read_line(later())


def test_what_a_child_did_not_read_before_its_death_is_known(start: Start) -> None:
    process = start("last_words")
    process.send(later(), "1 genmove b")
    assert process.read_line(later()) == "=1 D4"
    assert process.read_line(later()) == ""
    with pytest.raises(EngineExited):
        send_and_read(process, "2 genmove b")
    if isinstance(process._pipes, PolledPipes):
        assert process.unheard


def test_what_a_child_died_of_was_heard(start: Start) -> None:
    process = start("crashing")
    process.send(later(), "1 genmove b")
    with pytest.raises(EngineExited):
        process.read_line(later())
    assert not process.unheard
