import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from protocols.serve.session import Inbox, Log, Overlong, Writer

SERVER = """
import sys
from protocols.serve import gtp
from protocols.serve.session import Channel, Log
def think(request):
    request.stream("thinking")
    while not request.urgent():
        pass
    return ""
gtp.serve(Channel.standard(gtp.is_urgent, Log()), {"think": think})
"""


def started() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )


def inbox_over(data: bytes) -> Inbox:
    source, sink = os.pipe()
    inbox = Inbox(source, lambda line: line == "stop")
    inbox.start()

    def write() -> None:
        rest = data
        while rest:
            rest = rest[os.write(sink, rest) :]
        os.close(sink)

    threading.Thread(target=write).start()
    return inbox


def test_lines_come_in_order_and_then_none_for_ever() -> None:
    inbox = inbox_over(b"one\ntwo\n\nthree")
    assert [inbox.take() for _ in range(6)] == ["one", "two", "", "three", None, None]


def test_urgent_lines_are_counted_when_they_arrive() -> None:
    inbox = inbox_over(b"go\nstop\nstop\n")
    assert inbox.take() == "go"
    while not inbox.ended:
        inbox.wait(10)
    assert inbox.urgent_arrived == 2
    assert inbox.peek() == "stop"
    inbox.take()
    assert inbox.urgent_arrived == 2


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert inbox_over(b"\xff\xfe\n").take() == "\ufffd\ufffd"


def test_a_line_in_many_chunks_is_whole() -> None:
    inbox = inbox_over(b"x" * 300_000 + b"\nnext\n")
    line = inbox.take()
    assert line == "x" * 300_000
    assert not isinstance(line, Overlong)
    assert inbox.take() == "next"


def test_wait_gives_up_after_its_time() -> None:
    inbox = Inbox(-1, lambda line: False)
    assert inbox.wait(0.0) is False
    inbox.put("line")
    assert inbox.wait(0.0) is True


def test_the_writer_never_writes_anything_but_ascii() -> None:
    source, sink = os.pipe()
    Writer(sink).write("é☗\n")
    assert os.read(source, 100) == b"\\xe9\\u2617\n"
    os.close(source)
    os.close(sink)


def test_the_writer_tells_that_nobody_reads() -> None:
    source, sink = os.pipe()
    os.close(source)
    calls = []
    Writer(sink, on_closed=lambda: calls.append("closed")).write("text")
    os.close(sink)
    assert calls == ["closed"]


def test_a_log_without_a_file_keeps_quiet() -> None:
    Log().write("<", "text")


def test_a_closed_output_ends_a_search_at_once() -> None:
    process = started()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"think\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"=\n"
    process.stdout.close()
    assert process.wait(10) == 0
    process.stdin.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_sigterm_ends_a_search_at_once() -> None:
    process = started()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"think\n")
    process.stdin.flush()
    process.stdout.readline()
    process.terminate()
    assert process.wait(10) == -15
    process.stdin.close()
    process.stdout.close()


def test_a_process_that_ends_while_its_reader_waits_exits_cleanly() -> None:
    process = started()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"quit\n")
    process.stdin.flush()
    assert process.stdout.read() == b"= \n\n"
    assert process.wait(10) == 0
    process.stdin.close()
    process.stdout.close()
