"""The cost of the referee, measured with engines that answer immediately from a list of moves."""

import contextlib
import io
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from engines import registry
from engines.core.game import Game
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tools.journal.journal import Journal
from tools.match.match import Match
from tools.match.referee import play_game
from tools.match.report import MatchReport
from tools.match.runner import MatchRunner
from tools.match.workers import InlineExecutor, cores, make_executor
from tools.roster.seats import ENGINE_POOL, EnginePool
from tools.terms.spec import MatchSpec

ROUNDS: Final = 60
_SHORT: Final = 2  # Plies of the short games, which show the cost of a game apart from its plies.
_PLIES: Final = 120
_SIZE: Final = 19
_RULES: Final = "tromp-taylor"  # Positional superko.

# It counts the moves of both sides, so that its answer fits the game for either colour. After the
# last move it resigns, because counting the board would otherwise be part of the figures.
_ENGINE: Final = """
import os, sys
moves = sys.argv[1:]
at = 0
words = {b"protocol_version": "2", b"name": "instant", b"version": "1"}
words[b"list_commands"] = "clear_board\\nplay\\ngenmove\\ntime_left\\ntime_settings"
while data := os.read(0, 65536):
    replies = []
    for line in data.split(b"\\n")[:-1]:
        number, name = line.split()[:2]
        text = words.get(name, "")
        if name == b"clear_board":
            at = 0
        elif name == b"genmove":
            text = moves[at] if at < len(moves) else "resign"
            at += 1
        elif name == b"play":
            at += 1
        replies.append(b"=%b %b\\n\\n" % (number, text.encode()))
    os.write(1, b"".join(replies))
"""

Figure = tuple[str, float, str]


class Cost(NamedTuple):
    """The seconds that something took.

    `own` is the CPU time of the referee, `all` that of the referee and its engines, `wall` the time
    by the clock. On an idle core `all` equals `wall`, but other programs do not change it; if the
    system does not report it, it is `wall`.
    """

    own: float
    all: float
    wall: float


def referee_figures(rounds: int = ROUNDS) -> Iterator[Figure]:
    """Yield what was measured, the figure and its unit.

    In a ply of Go the referee asks for a move, checks it including superko, charges the clock and
    sends the move: `play`, `time_left` and `genmove` to an engine. The bare loop alternates with
    the games; it sends the same commands in two writes and ignores the answers. All figures per
    ply are measured on one core.
    """
    moves = _long_game()
    long = _match(moves)
    with _one_core():
        yield from _per_ply_figures(moves, long, rounds)
    yield from _match_figures(replace(long, games=2 * rounds))


def _match(moves: Sequence[str]) -> MatchSpec:
    command = (sys.executable, "-S", "-E", "-c", _ENGINE, *moves)
    one = EngineSpec("one", command, protocol="gtp", game="go")
    control = TimeControl.parse("3600")
    engines = (one, replace(one, label="other"))
    return MatchSpec("go", _RULES, _SIZE, engines, 10**6, (control,) * 2)


def _per_ply_figures(moves: Sequence[str], long: MatchSpec, rounds: int) -> Iterator[Figure]:
    short = _match(moves[:_SHORT])
    pool = EnginePool()
    command = long.engines[0].command
    bare = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    games: list[Cost] = []
    briefs: list[Cost] = []
    wholes: list[Cost] = []
    trips: list[Cost] = []
    try:
        with tempfile.TemporaryDirectory() as folder, Journal(Path(folder)) as journal:
            match = Match(long, journal)
            for spec in (long, short):
                play_game(spec.game_spec(0, 0, 0), pool)  # The engines have started.
            pids = [pool.seat(engine).client().process.pid for engine in long.engines]
            pids += [pool.seat(engine).client().process.pid for engine in short.engines]

            def play(spec: MatchSpec, pair: int, *, kept: bool) -> None:
                record = play_game(spec.game_spec(pair, 0, 0), pool)
                if kept:
                    match.add(record)

            for pair in range(rounds):
                games.append(_cost(pids, partial(play, long, pair, kept=False)))
                briefs.append(_cost(pids, partial(play, short, pair, kept=False)))
                wholes.append(_cost(pids, partial(play, short, pair, kept=True)))
                trips.append(_cost([bare.pid], partial(_ask_barely, bare, len(moves))))
    finally:
        pool.close()
        with bare:
            bare.kill()
    plies = len(moves) - _SHORT
    ply = Cost(*(long - short for long, short in zip(_median(games), _median(briefs), strict=True)))
    own, both, wall = (each / plies for each in ply)
    bare_own, bare_both, bare_wall = (each / len(moves) for each in _median(trips))
    yield "a ply, legality and clock included (CPU)", own * 1e6, "us"
    yield "a ply, with the engines' work (CPU)", both * 1e6, "us"
    yield "a ply (by the clock)", wall * 1e6, "us"
    yield "a bare pipe loop, the same commands (CPU)", bare_own * 1e6, "us"
    yield "a bare pipe loop, with the engine's work (CPU)", bare_both * 1e6, "us"
    yield "a bare pipe loop (by the clock)", bare_wall * 1e6, "us"
    yield "referee to bare loop, with the engines' work", both / bare_both, "times"
    whole = _median(wholes)
    yield "a game beside its plies, journal and record (CPU)", (whole.own - 2 * own) * 1000, "ms"
    yield "a game beside its plies (by the clock)", (whole.wall - 2 * wall) * 1000, "ms"


def _match_figures(spec: MatchSpec) -> Iterator[Figure]:
    """Yield how much concurrent games gain, and what the live view costs."""
    lone, _ = _play_match(spec, 1)
    yield "games per second, one after another", lone, "1/s"
    if len(cores()) > 1:
        pair, _ = _play_match(spec, 2)
        yield "games per second, two concurrently", pair, "1/s"
        yield "two concurrently to one (on free cores)", pair / lone, "times"
    with contextlib.suppress(ImportError):
        from rich.console import Console

        from tools.match.live import LiveReport

        _, plain = _play_match(spec, 1)
        screen = Console(file=io.StringIO(), force_terminal=True)
        _, live = _play_match(spec, 1, LiveReport(screen))
        yield "a match with the live view to one without (CPU)", live / plain, "times"


def _play_match(
    spec: MatchSpec, count: int, report: MatchReport | None = None
) -> tuple[float, float]:
    """Return games per second after all slots have warmed up, and the CPU time of this process."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal(Path(folder)) as journal,
        contextlib.redirect_stderr(io.StringIO()),
    ):
        match = Match(spec, journal)
        make = partial(make_executor, count, pin=True) if count > 1 else InlineExecutor
        if report is not None:
            report.begin(match)
        ends = []
        cpu = time.process_time()
        runner = MatchRunner(match, make)
        runner.started = report.start if report is not None else runner.started
        for record, status in runner.play():
            ends.append(time.perf_counter())
            if report is not None:
                report.game(match, record, status)
        cpu = time.process_time() - cpu
        if report is not None:
            report.close()
        ENGINE_POOL.close()
    first = len(ends) // 4
    return (len(ends) - 1 - first) / (ends[-1] - ends[first]), cpu


@contextlib.contextmanager
def _one_core() -> Iterator[None]:
    """Bind this process, and all that it starts, to one core if the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _long_game() -> list[str]:
    """Return the moves of a game that is not over after enough plies."""
    rules = registry.rules("go", _RULES, _SIZE)
    dice = random.Random(1)
    while True:
        game = Game(rules)
        texts: list[str] = []
        while game.outcome() is None and len(texts) < _PLIES:
            move = dice.choice(list(game.position.legal_moves())[:-1])  # The last is a pass.
            texts.append(rules.format(game.position, move))
            game.push(move)
        if game.outcome() is None:
            return texts


def _cost(pids: Sequence[int], work: Callable[[], None]) -> Cost:
    """Call `work` and return what it took; `pids` are the engines that took part."""
    wall, own, others = time.perf_counter(), time.process_time(), _engine_time(pids)
    work()
    own, wall = time.process_time() - own, time.perf_counter() - wall
    spent = _engine_time(pids)
    return Cost(own, wall if others is None or spent is None else own + spent - others, wall)


def _engine_time(pids: Sequence[int]) -> float | None:
    """Return the CPU seconds that other processes have used; None if the system hides it."""
    try:
        return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in pids) / 1e9
    except OSError:
        return None


def _ask_barely(process: "subprocess.Popen[bytes]", plies: int) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout = process.stdin.fileno(), process.stdout.fileno()
    os.write(stdin, b"1 clear_board\n")
    os.read(stdout, 65536)
    for ply in range(plies):
        if ply % (_PLIES // 2) == 0:  # The engine also counts the moves that it receives.
            os.write(stdin, b"1 clear_board\n")
            os.read(stdout, 65536)
        os.write(stdin, b"1 play b Q16\n")
        os.read(stdout, 65536)
        os.write(stdin, b"2 time_left w 3599.99 0\n3 genmove w\n")
        os.read(stdout, 65536)


def _median(costs: Sequence[Cost]) -> Cost:
    own, both, wall = (statistics.median(column) for column in zip(*costs, strict=True))
    return Cost(own, both, wall)
