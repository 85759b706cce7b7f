import contextlib
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.fakes import ROOT
from tests.tools.match.test_runner import table
from tests.tools.tournament.tuning.runs import (
    BEST,
    KNOBS,
    PLAYABLE,
    LotExecutor,
    findings,
    play,
    run,
)
from tools.journal.collection import read_played
from tools.journal.contest import DifferentMatch
from tools.journal.journal import NAME, Journal, read_journal
from tools.match.workers import WorkerExecutor
from tools.tournament.tuning.tuning import Tuning


@pytest.mark.slow
def test_the_best_values_of_a_synthetic_engine_are_found(tmp_path: Path) -> None:
    status = play(tmp_path, run(250), LotExecutor)
    assert (status.games, status.missing, status.learnt) == (500, 0, 250)
    exploration, margin = status.values["exploration"], status.values["margin"]
    lost = 100 * ((exploration - BEST[0]) / 0.5) ** 2 + 60 * ((margin - BEST[1]) / 40) ** 2
    assert lost < 50  # Elo, of 160 at the start.
    assert findings(tmp_path) == []


def test_both_games_of_a_pair_have_the_same_values_and_the_journal_names_them(
    tmp_path: Path,
) -> None:
    made = run()
    with Journal(tmp_path) as journal:
        tuning = Tuning(made, journal)
        one, other = tuning.game_spec(2, 0, 0), tuning.game_spec(2, 1, 0)
    assert one.engines == other.engines[::-1]
    assert one.engines[0].label == "mine plus"
    trial = read_journal(tmp_path)[-1]
    assert (trial["event"], trial["pair"]) == ("trial", 2)
    assert dict(one.engines[0].options)["exploration"] == f"{trial['plus'][0]:.9g}"
    assert one.engines[1].command[-1] == f"--margin={trial['minus'][1]}"
    assert one.seed == other.seed


@pytest.mark.slow
def test_an_interrupted_run_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = play(tmp_path / "whole", run(4, PLAYABLE))
    assert whole.status == "clean"
    for games in (1, 2, 3, None):
        parts = play(tmp_path / "parts", run(4, PLAYABLE), games=games)
    assert parts.values == whole.values
    assert table(tmp_path / "parts") == table(tmp_path / "whole")
    assert read_played(tmp_path / "parts").kind == "tuning"
    assert findings(tmp_path / "parts") == []


def test_another_run_is_refused(tmp_path: Path) -> None:
    play(tmp_path, run(4, PLAYABLE), games=1)
    for other, what in (
        (run(5, PLAYABLE), "another number of pairs"),
        (run(4, KNOBS), "other val"),
    ):
        with Journal(tmp_path) as journal, pytest.raises(DifferentMatch, match=what) as caught:
            Tuning(other, journal, accept_changes=True)
        assert "holds another tuning run:" in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("change", ["values", "order"])
def test_values_that_do_not_follow_from_the_results_are_found(change: str, tmp_path: Path) -> None:
    play(tmp_path, run(3, PLAYABLE))
    path = tmp_path / NAME
    events = [json.loads(line) for line in path.read_text().splitlines()]
    trials = [event for event in events if event["event"] == "trial"]
    if change == "values":
        trials[1]["plus"][0] += 1
    else:
        trials[1]["pair"], trials[2]["pair"] = trials[2]["pair"], trials[1]["pair"]
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    with pytest.raises(Exception, match="pair"):
        findings(tmp_path)


RUNNER = """
import sys
from pathlib import Path
from tests.tools.tournament.tuning.runs import PLAYABLE, play, run
from tools.match.workers import WorkerExecutor
if __name__ == "__main__":
    play(Path(sys.argv[1]), run(int(sys.argv[2]), PLAYABLE), lambda: WorkerExecutor(2, pin=False))
"""


@pytest.mark.slow
def test_killed_at_random_moments_a_run_loses_nothing_and_plays_nothing_twice(
    tmp_path: Path,
) -> None:
    """Two games are played concurrently; the values of each pair depend on those before it."""
    kills = max(2, int(os.environ.get("QUINTET_KILLS", "8")) // 4)  # Each costs three seconds.
    program, pairs = tmp_path / "program.py", str(4 * kills)
    program.write_text(RUNNER)
    dice = random.Random(9)
    folder = tmp_path / "run"
    journal = folder / NAME
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(program), str(folder), pairs]
    for _ in range(kills):
        size = journal.stat().st_size if journal.exists() else 0
        wanted = size + dice.randrange(1, 8_000)
        with subprocess.Popen(command, cwd=ROOT, env=environment) as process:
            while process.poll() is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.003)
                if journal.exists() and journal.stat().st_size >= wanted:
                    process.send_signal(signal.SIGKILL)
                    break
            process.wait()
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=300)
    events = read_journal(folder)
    numbers = [event["number"] for event in events if event["event"] == "game"]
    assert sorted(numbers) == list(range(1, 2 * int(pairs) + 1))
    tried = [event["pair"] for event in events if event["event"] == "trial"]
    assert sorted(tried) == list(range(int(pairs)))
    assert findings(folder) == []


@pytest.mark.slow
def test_two_games_at_once_are_played_and_verified(tmp_path: Path) -> None:
    status = play(tmp_path, run(3, PLAYABLE), lambda: WorkerExecutor(2, pin=False))
    assert (status.learnt, status.missing) == (3, 0)
    assert findings(tmp_path) == []
