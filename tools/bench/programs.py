"""How quickly our engines start and stop, and what a round trip to an engine costs."""

import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from engines import registry
from protocols.ask.bench import round_trips
from tools.bench.ratings import ratings_figures
from tools.bench.referee import Figure, referee_figures
from tools.roster.engines import own_command

_STARTS: Final = 9
_STOPS: Final = 20


def figures(name: str, seconds: float) -> Iterator[Figure]:
    """Yield the figures of a game, or of something in OWN_FIGURES.

    Each figure of a game takes at least so many seconds of CPU time.
    """
    if name in OWN_FIGURES:
        yield from OWN_FIGURES[name]()
        return
    entry = registry.find(name)
    yield from entry.load("bench")(seconds)
    yield from program_figures(entry)


def client_figures() -> Iterator[Figure]:
    """Yield what a round trip to an engine costs our client, compared with a bare pipe loop."""
    trips = round_trips(1.0)
    yield "GtpClient, a round trip (CPU of the client)", trips.cpu, "us"
    yield "GtpClient, a round trip (by the clock)", trips.wall, "us"
    yield "a bare pipe loop, a round trip (CPU)", trips.bare_cpu, "us"
    yield "a bare pipe loop, a round trip (by the clock)", trips.bare_wall, "us"
    yield "client to bare loop, by the clock", trips.wall / trips.bare_wall, "times"


OWN_FIGURES: Final[Mapping[str, Callable[[], Iterable[Figure]]]] = {
    "client": client_figures,
    "referee": referee_figures,
    "ratings": ratings_figures,
}
"""The measurements that belong to no game, by name."""


def program_figures(entry: registry.Entry) -> Iterator[Figure]:
    """Yield how long a game's program takes to start and, with the line protocol, to stop."""
    command = own_command(entry)
    question = b"usi\n" if entry.protocol == "usi" else b"name\n"
    starts = f"(median of {_STARTS})"
    yield f"start to first reply {starts}", _start_time(command, question) * 1000, "ms"
    if entry.protocol == "usi":
        yield f"start to readyok {starts}", _start_time(command, b"isready\n") * 1000, "ms"
    if entry.protocol == "line":
        stops = f"(worst of {_STOPS})"
        yield f"giving way: analyze {stops}", _stop_time(command, b"analyze\n", b"\n") * 1000, "ms"
        search = b"limit seconds 60\ngenmove\n"
        yield f"giving way: genmove {stops}", _stop_time(command, search, b"quit\n") * 1000, "ms"


def _start_time(command: Sequence[str], question: bytes) -> float:
    """Return the median time from starting a program to its first reply."""

    def once() -> float:
        began = time.perf_counter()
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(question)
            process.stdin.flush()
            process.stdout.readline()
            return time.perf_counter() - began

    return statistics.median(once() for _ in range(_STARTS))


def _stop_time(command: Sequence[str], search: bytes, interrupt: bytes) -> float:
    """Return the longest time from interrupting a search to the end of the program."""
    delays = (0.02 * number for number in range(1, _STOPS + 1))
    return max(_stop_once(command, search, interrupt, delay) for delay in delays)


def _stop_once(command: Sequence[str], search: bytes, interrupt: bytes, delay: float) -> float:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"roll\nname\n" + search)  # In a game with dice, a throw comes first.
        process.stdin.flush()
        for _ in range(4):
            process.stdout.readline()
        time.sleep(delay)  # The search is under way, at another moment each time.
        process.stdin.write(interrupt)
        process.stdin.flush()
        began = time.perf_counter()
        process.stdin.close()
        process.stdout.read()
        return time.perf_counter() - began
