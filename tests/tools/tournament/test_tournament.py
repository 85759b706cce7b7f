import contextlib
import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.splitmix import pair_seed
from tests.tools.fakes import ROOT
from tests.tools.match.test_runner import table
from tests.tools.tournament.tournaments import cup, findings, play, swiss
from tools.journal.collection import read_played
from tools.journal.contest import DifferentMatch
from tools.journal.journal import NAME, Journal, read_journal
from tools.match.workers import WorkerExecutor
from tools.tournament.formats.plan import Format, Plan
from tools.tournament.tournament import Tournament


def test_everybody_meets_everybody_from_the_same_openings_with_the_same_seeds(
    tmp_path: Path,
) -> None:
    status = play(tmp_path, cup(Plan(games=4)))
    assert (status.status, status.games, status.missing) == ("clean", 12, 0)
    played = read_played(tmp_path)
    assert played.kind == "tournament"
    met = {game.engines for game in played.games}
    assert met == {(one, other) for one in range(3) for other in range(3) if one != other}
    starts = {(game.record.round, game.opening, game.record.seed) for game in played.games}
    assert starts == {(1, "b1-b4", pair_seed(0, 0)), (2, "a1-a4", pair_seed(0, 1))}
    assert findings(tmp_path) == []


@pytest.mark.slow
def test_two_games_at_once_lead_to_the_same_tournament(tmp_path: Path) -> None:
    made = cup(swiss(2), "good good good good")
    one = play(tmp_path / "one", made)
    two = play(tmp_path / "two", made, lambda: WorkerExecutor(2, pin=False))
    assert table(tmp_path / "one") == table(tmp_path / "two")
    assert one.places == two.places
    assert findings(tmp_path / "two") == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "plan",
    [
        Plan(Format.GAUNTLET, games=4),
        Plan(Format.KNOCKOUT, extra=1),
        Plan(Format.ADAPTIVE, games=12),
        swiss(3),
    ],
    ids=lambda plan: str(plan.format),
)
def test_every_format_can_be_interrupted_resumed_and_verified(plan: Plan, tmp_path: Path) -> None:
    made = cup(plan)
    first = play(tmp_path, made, games=3)
    assert first.games == 3
    assert first.missing > 0
    status = play(tmp_path, made)
    assert (status.missing, status.status) == (0, "clean")
    numbers = [event["number"] for event in read_journal(tmp_path) if event["event"] == "game"]
    assert sorted(numbers) == sorted(set(numbers))
    assert findings(tmp_path) == []


def test_an_engine_that_fails_drops_out_and_the_others_play_on(tmp_path: Path) -> None:
    made = cup(Plan(games=4), "good crash good", set_aside=2)
    status = play(tmp_path, made)
    assert (status.status, status.missing) == ("anomalies", 0)
    assert "b is set aside: it failed 2 times in a row" in status.withdrawn["b"]
    rounds = [event for event in read_journal(tmp_path) if event["event"] == "round"]
    assert rounds[1]["pairings"] == [[0, 2]]
    assert [place.engine for place in status.places][-1] == 1
    assert findings(tmp_path) == []
    # It stays out when the tournament is resumed.
    assert play(tmp_path, made).withdrawn.keys() == {"b"}


def test_another_tournament_is_refused_and_engines_may_be_changed_on_demand(
    tmp_path: Path,
) -> None:
    play(tmp_path, cup(), games=1)
    other = cup(Plan(Format.GAUNTLET))
    with Journal(tmp_path) as journal, pytest.raises(DifferentMatch, match="format: was") as caught:
        Tournament(other, journal)
    assert "holds another tournament:" in str(caught.value)
    changed = cup(tempers="good good better")
    with Journal(tmp_path) as journal, pytest.raises(DifferentMatch, match=r"engine3\.command"):
        Tournament(changed, journal)
    with Journal(tmp_path) as journal:
        tournament = Tournament(changed, journal, accept_changes=True)
        assert tournament.status().changes == [{"after": 1, "keys": ["engine3.command"]}]


def test_rounds_without_a_game_are_drawn_anew_for_another_plan(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        next(Tournament(cup(), journal).missing())
    with Journal(tmp_path) as journal:
        tournament = Tournament(cup(Plan(Format.GAUNTLET), "good good"), journal)
        assert tournament.rounds == []
    assert [event["event"] for event in read_journal(tmp_path)] == ["tournament"]


def test_numbers_can_be_changed_and_stay_until_the_user_asks_for_others(tmp_path: Path) -> None:
    made = cup()
    with Journal(tmp_path) as journal:
        Tournament(made, journal).set({"event": "set", "games": 4, "jobs": 3})
    with Journal(tmp_path) as journal:
        again = Tournament(made, journal)
        assert (again.plan.games, again.jobs) == (4, 3)
    with Journal(tmp_path) as journal:
        assert Tournament(replace(made, jobs=2), journal).jobs == 2
    with Journal(tmp_path) as journal:
        assert Tournament(replace(made, jobs=2), journal).plan.games == 4
    assert play(tmp_path, made).games == 12


RUNNER = """
import sys
from pathlib import Path
from tests.tools.tournament.tournaments import cup, play, swiss
from tools.match.workers import WorkerExecutor
if __name__ == "__main__":
    made = cup(swiss(int(sys.argv[2])), "good good good good")
    play(Path(sys.argv[1]), made, lambda: WorkerExecutor(2, pin=False))
"""


@pytest.mark.slow
def test_killed_at_random_moments_a_tournament_ends_as_if_it_were_not(tmp_path: Path) -> None:
    """Two games are played concurrently, and each round depends on the results before it."""
    kills = max(2, int(os.environ.get("QUINTET_KILLS", "8")) // 4)  # Each costs three seconds.
    program, rounds = tmp_path / "program.py", str(2 * kills)
    program.write_text(RUNNER)
    dice = random.Random(8)
    journal = tmp_path / "broken" / NAME
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def command(folder: str) -> list[str]:
        return [sys.executable, str(program), str(tmp_path / folder), rounds]

    killed = 0
    for _ in range(kills):
        size = journal.stat().st_size if journal.exists() else 0
        wanted = size + dice.randrange(1, 8_000)
        with subprocess.Popen(command("broken"), cwd=ROOT, env=environment) as process:
            while process.poll() is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.003)
                if journal.exists() and journal.stat().st_size >= wanted:
                    process.kill()
                    killed += process.wait() == -signal.SIGKILL
    for folder in ("broken", "whole"):
        subprocess.run(command(folder), cwd=ROOT, env=environment, check=True)
    assert killed > 0
    assert table(tmp_path / "broken") == table(tmp_path / "whole")
    assert len(table(tmp_path / "whole")) == 8 * kills
    assert findings(tmp_path / "broken") == []
