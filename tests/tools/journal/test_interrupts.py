import os
import signal
import threading
import time

import pytest

from tools.journal.interrupts import Interrupts, uninterrupted


def test_the_first_ctrl_c_is_noted_and_the_second_stops(
    capsys: pytest.CaptureFixture[str],
) -> None:
    noted = []
    interrupts = Interrupts(lambda: noted.append("first"))
    with interrupts:
        os.kill(os.getpid(), signal.SIGINT)
        assert (noted, interrupts.count) == (["first"], 1)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert interrupts.count == 2
    assert "finishing the running games; press Ctrl-C again" in capsys.readouterr().err


def test_the_handlers_from_before_are_restored() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupts(lambda: None):
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before


def test_a_signal_waits_until_the_block_is_done() -> None:
    done = []
    with Interrupts(lambda: done.append("signal")):
        with uninterrupted():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("block")
        assert done == ["block", "signal"]


def test_a_signal_waits_even_if_another_thread_receives_it() -> None:
    done: list[str] = []
    ready, leave = threading.Event(), threading.Event()

    def idle() -> None:
        ready.set()
        leave.wait(30)

    other = threading.Thread(target=idle)
    with Interrupts(lambda: done.append("signal")):
        other.start()
        ready.wait(30)
        try:
            with uninterrupted():
                os.kill(os.getpid(), signal.SIGINT)  # Only the other thread can receive it.
                time.sleep(0.01)  # A handler would run now.
                done.append("block")
            assert done == ["block", "signal"]
        finally:
            leave.set()
            other.join()
