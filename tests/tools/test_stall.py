import os
import signal
import subprocess
import sys

import pytest

from tests.tools.fakes import ROOT
from tools.stall import Stalls

STOPPED = """
import math, os, signal
from tools.stall import SUSPENSIONS, Stalls
SUSPENSIONS.watch()
stalls = Stalls()
stalls.begin()
print(math.isinf(stalls.seconds()))
os.kill(os.getpid(), signal.SIGSTOP)
print(math.isinf(stalls.seconds()))
stalls.begin()
print(math.isinf(stalls.seconds()))
"""


def test_the_system_tells_how_long_a_thread_waited() -> None:
    stalls = Stalls()
    stalls.begin()
    assert 0 <= stalls.seconds() < 60
    stalls.close()


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="nothing is stopped elsewhere")
def test_who_was_suspended_blames_nobody() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STOPPED], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        process.send_signal(signal.SIGCONT)
        told, _ = process.communicate(timeout=60)
    assert told.split() == ["False", "True", "False"]
