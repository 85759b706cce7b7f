"""Measure games per second on a Dask cluster of this machine against our own worker processes.

    python -m tests.tools.tournament.measure [JOBS [GAMES]]

The engines sleep through their moves, so that a game takes about five seconds and no core is busy;
then they answer immediately, which leaves what a game costs beside its moves.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.tools.fakes import ROOT, fake
from tests.tools.match.matches import CLOCK, spec
from tools.journal.journal import Journal
from tools.match.runner import MatchRunner
from tools.match.workers import GameExecutor, WorkerExecutor
from tools.terms.spec import MatchSpec
from tools.tournament.cluster import ClusterExecutor
from tools.tournament.formats.plan import Plan
from tools.tournament.tournament import Tournament, TournamentSpec

PACE = 0.19  # Seconds per move; a game of these engines has about 27 moves.


def made(games: int, pace: float) -> TournamentSpec:
    """Return a tournament of two engines that need so many seconds for a move."""
    engine = fake("slow", str(pace), seeded=True)
    engines = (replace(engine, label="a"), replace(engine, label="b"))
    terms = replace(spec(), engines=engines, controls=(CLOCK, CLOCK))
    return TournamentSpec(terms, Plan(games=games))


def seconds(tournament: TournamentSpec, make: Callable[[MatchSpec], GameExecutor]) -> float:
    """Play a tournament; return the seconds from the first end of a game to the last.

    The time before that is spent on starting processes and engines.
    """
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "cup") as journal:
        runner = MatchRunner(Tournament(tournament, journal), lambda: make(tournament.terms))
        ends = [time.monotonic() for _ in runner.play()]
        return ends[-1] - ends[0]


@contextmanager
def cluster(jobs: int) -> Iterator[str]:
    """Start a scheduler and so many workers; yield the scheduler's address."""
    import distributed

    connect: Any = distributed.Client
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/scheduler.json"
        common = ["--scheduler-file", file, "--no-dashboard"]
        lines = [["scheduler", *common, "--host", "127.0.0.1", "--port", "0"]]
        lines += [["worker", *common, "--nthreads", "1", "--no-nanny"]] * jobs
        null = subprocess.DEVNULL
        running = [
            subprocess.Popen(
                [sys.executable, "-m", "dask", *line], cwd=ROOT, stdout=null, stderr=null
            )
            for line in lines
        ]
        try:
            with connect(scheduler_file=file) as client:
                client.wait_for_workers(jobs)
                yield str(client.scheduler.address)
        finally:
            for process in running:
                process.kill()
                process.wait()


def main() -> None:
    """Print the figures."""
    given = [int(word) for word in sys.argv[1:3]]
    jobs, games = [*given, *(2, 24)[len(given) :]]
    with cluster(jobs) as address:
        for name, pace, number in (("5 s games", PACE, games), ("instant games", 0.0, 10 * games)):
            tournament = made(number, pace)
            ours = seconds(tournament, lambda _: WorkerExecutor(jobs, pin=False))
            far = seconds(tournament, lambda terms: ClusterExecutor(address, terms, jobs, print))
            for where, spent in (("workers", ours), ("dask", far)):
                each = 1000 * spent * jobs / (number - 1)
                print(
                    f"{name}, {jobs} jobs, {where}: {(number - 1) / spent:.3f} games/s, "
                    f"{each:.1f} ms per game and job",
                    flush=True,
                )


if __name__ == "__main__":
    main()
