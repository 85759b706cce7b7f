import subprocess
import sys

import pytest

from tests.tools.fakes import fake
from tools.roster.cpu import cpu_seconds
from tools.roster.seats import Seat

BUSY = """
import time
while time.process_time() < 0.2:
    pass
print(flush=True)
input()
"""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells it")


def test_the_time_of_a_process_is_told_until_somebody_waits_for_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        seconds = cpu_seconds(process.pid)
        process.kill()
    assert seconds is not None
    assert 0.2 <= seconds < 2
    assert cpu_seconds(process.pid) is None


def test_the_time_of_a_wrapped_program_counts() -> None:
    shell = ["sh", "-c", '"$@"; read line', "sh", sys.executable, "-c", BUSY]
    with subprocess.Popen(shell, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        seconds = cpu_seconds(process.pid)  # Its child is alive.
        process.kill()
        process.stdin.close()  # type: ignore[union-attr]
    assert seconds is not None
    assert 0.2 <= seconds < 2


def test_the_time_of_a_seat_never_falls_when_a_wrapper_leaves_its_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seat = Seat(fake("good"))
    told = iter((3.0, 1.0, 1.0, 0.5))  # The engine itself had used two seconds when it was left.
    monkeypatch.setattr("tools.roster.seats.cpu_seconds", lambda _: next(told))
    try:
        seat.client()
        assert [seat.cpu_seconds(), seat.cpu_seconds()] == [3.0, 3.0]
        seat.dismiss()
        seat.client()
        assert seat.cpu_seconds() == 3.5
    finally:
        told = iter((0.5,))
        seat.dismiss()


def test_a_seat_adds_up_all_programs_that_it_has_started() -> None:
    seat = Seat(fake("good"))
    assert seat.cpu_seconds() == 0.0
    try:
        seat.client()
        first = seat.cpu_seconds()
        assert first is not None
        seat.dismiss()
        assert (seat.cpu_seconds() or 0) >= first > 0
        seat.client()
        assert (seat.cpu_seconds() or 0) > first
    finally:
        seat.dismiss()
