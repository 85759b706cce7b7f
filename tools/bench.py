"""The command `quintet bench`: what our engines and our client reach on this machine."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import click

from engines import registry
from engines.core.version import version
from protocols.bench import round_trips
from tools.quantity import Quantity
from tools.referee_bench import referee_figures
from tools.waiting import under_way

Figure = tuple[str, float, str]
"""What was measured, the figure, its unit."""


def _client() -> Iterable[Figure]:
    trips = round_trips(1.0)
    yield "GtpClient, a round trip (CPU of the client)", trips.cpu, "us"
    yield "GtpClient, a round trip (by the clock)", trips.wall, "us"
    yield "a bare pipe loop, a round trip (CPU)", trips.bare_cpu, "us"
    yield "a bare pipe loop, a round trip (by the clock)", trips.bare_wall, "us"
    yield "client to bare loop, by the clock", trips.wall / trips.bare_wall, "times"


_OWN: Final[Mapping[str, Callable[[], Iterable[Figure]]]] = {
    "client": _client,
    "referee": referee_figures,
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*sorted(registry.GAMES), *_OWN]))
@click.option(
    "--seconds",
    type=Quantity(min=0, min_open=True),
    metavar="SECONDS",
    default=0.3,
    show_default=True,
    help="CPU time that each figure of a game takes at least.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def bench(names: Sequence[str], seconds: float, as_json: bool) -> None:
    """Measure NAMES (games, `client`, `referee`; default: all) and print a line per figure.

    Every game tells its perft, its random games and its search, then what it alone has. Rates are
    per CPU-second of one thread; on a shared machine compare figures of one run only.
    """
    told = 0
    for name in names or [*registry.GAMES, *_OWN]:
        figures = iter(_OWN[name]() if name in _OWN else _game(registry.GAMES[name], seconds))
        while True:
            with under_way(f"{name}: figure {told + 1}"):
                found = next(figures, None)
            if found is None:
                break
            what, figure, unit = found
            told += 1
            event = {"event": "figure", "of": name, "what": what, "figure": figure, "unit": unit}
            line = f"{name:8} {what:44} {_rounded(figure):>12} {unit}"
            click.echo(json.dumps(event) if as_json else line)
    if as_json:
        click.echo(json.dumps({"event": "summary", "figures": told, "version": version()}))


def _rounded(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.4g}"


def _game(entry: registry.Entry, seconds: float) -> Iterator[Figure]:
    yield from entry.load("bench")(seconds)
    command = (sys.executable, "-m", entry.program.removesuffix(".__main__"))
    question = b"usi\n" if entry.protocol == "usi" else b"name\n"
    yield "start to first reply (median of 9)", _start_up(command, question) * 1000, "ms"
    if entry.protocol == "usi":
        yield "start to readyok (median of 9)", _start_up(command, b"isready\n") * 1000, "ms"
    if entry.protocol == "line":
        yield "giving way: analyze (worst of 20)", _abort(command, b"analyze\n", b"\n") * 1000, "ms"
        yield (
            "giving way: genmove (worst of 20)",
            _abort(command, b"limit seconds 60\ngenmove\n", b"quit\n") * 1000,
            "ms",
        )


def _start_up(command: Sequence[str], question: bytes) -> float:
    def once() -> float:
        began = time.perf_counter()
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(question)
            process.stdin.flush()
            process.stdout.readline()
            return time.perf_counter() - began

    return statistics.median(once() for _ in range(9))


def _abort(command: Sequence[str], thinking: bytes, interrupt: bytes) -> float:
    return max(_abort_once(command, thinking, interrupt, 0.02 * number) for number in range(1, 21))


def _abort_once(command: Sequence[str], thinking: bytes, interrupt: bytes, after: float) -> float:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"roll\nname\n" + thinking)  # Where there are dice, they lie.
        process.stdin.flush()
        for _ in range(4):
            process.stdout.readline()
        time.sleep(after)  # Deep enough to be busy, at another moment each time.
        process.stdin.write(interrupt)
        process.stdin.flush()
        began = time.perf_counter()
        process.stdin.close()
        process.stdout.read()
        return time.perf_counter() - began
