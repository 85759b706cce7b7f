"""The cost of asking an engine, apart from the engine: a client beside a bare pipe loop."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from protocols.ask.gtp import GtpClient
from protocols.child.process import Process

_BATCH: Final = 200
_ECHO: Final = """
import os
while data := os.read(0, 65536):
    words = (line.split()[0] for line in data.split(b"\\n")[:-1])
    os.write(1, b"".join(b"=%b D4\\n\\n" % word for word in words))
"""


class RoundTrips(NamedTuple):
    """Microseconds for a command and its reply: CPU time of this process, and elapsed time.

    The elapsed time includes an engine, written in Python, that answers immediately. The `bare`
    figures are `os.write` and `os.read` with nothing around them, measured alternately with the
    client.
    """

    cpu: float
    wall: float
    bare_cpu: float
    bare_wall: float
    trips: int


def round_trips(seconds: float) -> RoundTrips:
    """Measure for about this many seconds, but at least one batch each."""
    engine = [sys.executable, "-S", "-E", "-c", _ECHO]
    pipes = subprocess.Popen(engine, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    client = GtpClient(Process(engine))
    try:
        assert pipes.stdin is not None
        assert pipes.stdout is not None
        stdin, stdout = pipes.stdin.fileno(), pipes.stdout.fileno()

        def ask_barely() -> None:
            os.write(stdin, b"1 genmove b\n")
            os.read(stdout, 65536)

        def ask() -> None:
            client.command("genmove b", time.monotonic() + 60.0)

        ways = (ask, ask_barely)
        for way in ways:
            way()  # Both engines have started.
        totals = [0.0] * 4
        count = 0
        begin = time.perf_counter()
        while count == 0 or time.perf_counter() - begin < seconds:
            # Alternately, so that a busy machine slows both.
            for index, way in enumerate(ways):
                cpu, wall = _measure(way)
                totals[2 * index] += cpu
                totals[2 * index + 1] += wall
            count += _BATCH
        cpu, wall, bare_cpu, bare_wall = (total / count * 1e6 for total in totals)
        return RoundTrips(cpu, wall, bare_cpu, bare_wall, count)
    finally:
        client.close()
        with pipes:
            pipes.kill()


def _measure(way: Callable[[], None]) -> tuple[float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(_BATCH):
        way()
    return time.process_time() - cpu, time.perf_counter() - wall
