import contextlib
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from engines.core.splitmix import pair_seed
from tests.tools.fakes import ROOT, fake
from tests.tools.match.matches import play, spec, texts
from tools.journal.events import read_game
from tools.journal.journal import NAME, Journal, read_journal
from tools.match.match import Match
from tools.match.runner import MatchRunner
from tools.match.workers import InlineExecutor, make_executor


def test_colours_alternate_and_pairs_share_their_seed(tmp_path: Path) -> None:
    records = play(tmp_path, spec())
    assert [record.players[0].label for record in records] == ["good", "better"] * 2
    seeds = [record.seed for record in records]
    assert seeds == [pair_seed(0, 0)] * 2 + [pair_seed(0, 1)] * 2


def test_no_engine_is_told_the_seed_of_the_dice() -> None:
    game = spec().game_spec(3, 0, 1)
    assert game.seed == pair_seed(0, 3)
    assert game.named_seed == spec().game_spec(3, 1, 1).named_seed != game.seed
    assert game.named_seed < 2**31


def test_an_odd_number_of_games_is_played_to_the_last(tmp_path: Path) -> None:
    assert [record.number for record in play(tmp_path, spec(games=3))] == [1, 2, 3]


def test_an_engine_that_fails_again_and_again_is_set_aside(tmp_path: Path) -> None:
    made = spec(fake("crash"), games=40, set_aside=3)
    assert len(play(tmp_path, made)) == 3
    status = json.loads((tmp_path / "status.json").read_text())
    assert status["status"] == "failed"
    assert "crash is set aside: it failed 3 times in a row" in status["why"][0]
    # A new run of the same match tries the engine again.
    assert len(play(tmp_path, made)) == 3


@pytest.mark.slow
def test_games_at_once_are_the_same_games(tmp_path: Path) -> None:
    made = spec(games=6)
    with Journal(tmp_path / "two") as journal:
        match = Match(made, journal)
        runner = MatchRunner(match, lambda: make_executor(2, pin=True))
        at_once = [record for record, _ in runner.play()]
    assert texts(at_once) == texts(play(tmp_path / "one", made))


@pytest.mark.slow
def test_a_lost_worker_costs_its_games_only(tmp_path: Path) -> None:
    made = spec(games=4)
    with Journal(tmp_path) as journal:
        match = Match(made, journal)
        runner = MatchRunner(match, lambda: make_executor(2, pin=False))
        played = runner.play()
        records = [next(played)[0]]
        for process in multiprocessing.active_children():
            process.kill()
        records += [record for record, _ in played]
    assert sorted(record.number for record in records) == [1, 2, 3, 4]
    assert any(event["event"] == "breakdown" for event in read_journal(tmp_path))


class Breaking(InlineExecutor):
    """Takes in one game and then says that its workers are gone."""

    def __init__(self) -> None:
        self.taken = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.taken += 1
        if self.taken > 1:
            raise BrokenProcessPool("a child was killed")
        return super().submit(fn, *args, **kwargs)


def test_a_worker_that_is_lost_while_games_are_handed_in_costs_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        match = Match(spec(games=3), journal)
        records = [record for record, _ in MatchRunner(match, Breaking).play()]
    assert [record.number for record in records] == [1, 2, 3]
    events = [event["event"] for event in read_journal(tmp_path)]
    assert events == ["match", "game", "breakdown", "game", "breakdown", "game"]


RUNNER = """
import sys
from pathlib import Path
from tests.tools.match.matches import play, spec
play(Path(sys.argv[1]), spec(games=int(sys.argv[2])))
"""


def table(folder: Path) -> dict[int, tuple[str, list[str]]]:
    """Return the result and the moves of each game; fail if a game appears twice."""
    results: dict[int, tuple[str, list[str]]] = {}
    for event in read_journal(folder):
        if event["event"] == "game":
            assert event["number"] not in results
            moves = [move[1] for move in event["moves"]]
            results[event["number"]] = (event["result"], moves)
    return results


@pytest.mark.slow
def test_killed_at_random_moments_a_match_ends_as_if_it_were_not(tmp_path: Path) -> None:
    kills = int(os.environ.get("QUINTET_KILLS", "4"))
    games = 10 * kills
    dice = random.Random(6)
    journal = tmp_path / "broken" / NAME
    command = [sys.executable, "-c", RUNNER, str(tmp_path / "broken"), str(games)]
    killed = 0
    for _ in range(kills):
        size = journal.stat().st_size if journal.exists() else 0
        # Once it plays on, at any moment of the next ten games.
        wanted = size + dice.randrange(1, 10_000)
        with subprocess.Popen(command, cwd=ROOT) as process:
            while process.poll() is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.003)
                if journal.exists() and journal.stat().st_size >= wanted:
                    process.kill()
                    killed += process.wait() == -signal.SIGKILL
    subprocess.run(command, cwd=ROOT, check=True)
    subprocess.run([*command[:3], str(tmp_path / "whole"), str(games)], cwd=ROOT, check=True)
    assert killed > 0
    assert len(table(tmp_path / "broken")) == games
    assert table(tmp_path / "broken") == table(tmp_path / "whole")


def test_the_status_is_written_after_every_game(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        match = Match(spec(games=4), journal)
        for number, (record, _) in enumerate(MatchRunner(match, InlineExecutor).play(), 1):
            status = json.loads((tmp_path / "status.json").read_text())
            assert (status["running"], status["games"], status["missing"]) == (
                True,
                number,
                4 - number,
            )
            assert status["events"] == len(journal.events)
            assert sum(each["points"] for each in status["standings"]) == number
            if sys.platform.startswith("linux"):
                assert all(seconds is not None for seconds in record.cpu)
        match.write_status()
    assert not json.loads((tmp_path / "status.json").read_text())["running"]
    games = [event for event in read_journal(tmp_path) if event["event"] == "game"]
    assert [read_game(event) for event in games] == [match.records[n] for n in range(1, 5)]
