"""What the referee costs, with engines that answer at once from a list of moves."""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from engines import registry
from engines.core.game import Game
from engines.core.timing import TimeControl
from tools.adjudication import Adjudication
from tools.engines import EngineSpec
from tools.journal import Journal
from tools.match import Match
from tools.referee import play_game
from tools.seat import Crew
from tools.spec import MatchSpec

ROUNDS: Final = 60
_SHORT: Final = 2  # Plies of the games that show what a game costs beside its plies.
_PLIES: Final = 40

# It counts the moves of both sides, so that its answer fits the game whoever asks.
_ENGINE: Final = """
import os, sys
moves = sys.argv[1:]
at = 0
words = {b"protocol_version": "2", b"name": "instant", b"version": "1"}
words[b"list_commands"] = "newgame\\nplay\\ngenmove\\ntime_left\\ntime_settings"
while data := os.read(0, 65536):
    replies = []
    for line in data.split(b"\\n")[:-1]:
        number, name = line.split()[:2]
        text = words.get(name, "")
        if name == b"newgame":
            at = 0
        elif name == b"genmove":
            text = moves[at]
            at += 1
        elif name == b"play":
            at += 1
        replies.append(b"=%b %b\\n\\n" % (number, text.encode()))
    os.write(1, b"".join(replies))
"""


def referee_figures(rounds: int = ROUNDS) -> Iterator[tuple[str, float, str]]:
    """Yield what was measured, the figure and its unit; the bare loop in turns with the games.

    A ply is a move asked, checked, timed, told to the opponent and answered: two round trips.
    """
    moves = _long_game()
    command = (sys.executable, "-S", "-E", "-c", _ENGINE, *moves)
    one = EngineSpec("one", command, protocol="line", game="neutron")
    control = TimeControl.parse("3600")
    spec = MatchSpec("neutron", "", 0, (one, replace(one, label="other")), 10**6, (control,) * 2)
    long = replace(spec, adjudication=Adjudication(most_plies=len(moves)))
    short = replace(spec, adjudication=Adjudication(most_plies=_SHORT))
    crew = Crew()
    bare = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        with tempfile.TemporaryDirectory() as folder, Journal(Path(folder)) as journal:
            match = Match(long, journal)
            games, briefs, wholes, trips = [], [], [], []
            for pair in range(rounds):
                games.append(_game(match, long, pair, crew)[0])
                brief, whole = _game(match, short, rounds + pair, crew)
                briefs.append(brief)
                wholes.append(whole)
                trips.append(_bare(bare, len(moves)))
    finally:
        crew.close()
        with bare:
            bare.kill()
    plies = len(moves)
    cpu, wall = _per_ply(games, briefs, plies)
    bare_cpu, bare_wall = (_median(trips, index) / plies for index in (0, 1))
    yield "a ply, legality and clock included (CPU)", cpu * 1e6, "us"
    yield "a ply (by the clock, with the engines' answers)", wall * 1e6, "us"
    yield "a bare pipe loop, the same two trips (CPU)", bare_cpu * 1e6, "us"
    yield "a bare pipe loop, the same two trips (by the clock)", bare_wall * 1e6, "us"
    yield "referee to bare loop, by the clock", wall / bare_wall, "times"
    yield "a game beside its plies, journal and record (CPU)", _fixed(wholes, cpu, 0), "ms"
    yield "a game beside its plies (by the clock)", _fixed(wholes, wall, 1), "ms"


def _long_game() -> list[str]:
    """Return the moves of a game that is still going on after enough plies."""
    rules = registry.rules("neutron")
    dice = random.Random(1)
    while True:
        game = Game(rules)
        texts: list[str] = []
        while game.outcome() is None and len(texts) < _PLIES:
            move = dice.choice(list(game.position.legal_moves()))
            texts.append(rules.format(game.position, move))
            game.push(move)
        if game.outcome() is None:
            return texts


def _game(
    match: Match, spec: MatchSpec, pair: int, crew: Crew
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return CPU and clock time of a game alone, and with its journal and record."""
    game = spec.game_spec(pair, 0, 0)
    cpu, wall = time.process_time(), time.perf_counter()
    record = play_game(game, crew)
    played = (time.process_time() - cpu, time.perf_counter() - wall)
    match.add(record)
    return played, (time.process_time() - cpu, time.perf_counter() - wall)


def _bare(process: "subprocess.Popen[bytes]", plies: int) -> tuple[float, float]:
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout = process.stdin.fileno(), process.stdout.fileno()
    os.write(stdin, b"1 newgame\n")
    os.read(stdout, 65536)
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(plies):
        os.write(stdin, b"1 time_left w 10 0\n2 showboard\n")
        os.read(stdout, 65536)
        os.write(stdin, b"1 showboard\n")
        os.read(stdout, 65536)
    return time.process_time() - cpu, time.perf_counter() - wall


def _median(rows: list[tuple[float, float]], index: int) -> float:
    return statistics.median(row[index] for row in rows)


def _per_ply(
    games: list[tuple[float, float]], briefs: list[tuple[float, float]], plies: int
) -> tuple[float, float]:
    cpu, wall = (
        (_median(games, index) - _median(briefs, index)) / (plies - _SHORT) for index in (0, 1)
    )
    return cpu, wall


def _fixed(wholes: list[tuple[float, float]], ply: float, index: int) -> float:
    return (_median(wholes, index) - _SHORT * ply) * 1000
