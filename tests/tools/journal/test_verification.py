import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engines.core.timing import TimeControl
from tests.tools.fakes import fake
from tests.tools.match.matches import play, spec
from tools.cli import main
from tools.journal.journal import NAME, Journal
from tools.match.match import Match
from tools.terms.adjudication import Adjudication


def verify(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["verify", str(folder), *words])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a match with natural ends, adjudications and an illegal move in its games."""
    folder = tmp_path_factory.mktemp("match")
    play(folder, spec(fake("illegal", seeded=True), games=2))
    return folder


def copy(source: Path, target: Path) -> Path:
    target.mkdir()
    for path in source.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    return target


def test_what_was_played_is_found_to_be_so(played: Path) -> None:
    result = verify(played)
    assert (result.exit_code, result.output.endswith(": no findings\n")) == (0, True), result.output


def test_a_single_finding_is_no_plural(played: Path, tmp_path: Path) -> None:
    folder = copy(played, tmp_path / "copy")
    (folder / "disputes.jsonl").write_text("{}\n")
    result = verify(folder)
    assert (result.exit_code, result.output.endswith(": 1 finding\n")) == (1, True), result.output


def test_figures_in_json(played: Path) -> None:
    summary = json.loads(verify(played, "--json").output.splitlines()[-1])
    assert (summary["event"], summary["games"], summary["findings"]) == ("summary", 2, 0)


def test_adjudicated_games_are_adjudicated_again(tmp_path: Path) -> None:
    rule = Adjudication(most_plies=3)
    play(tmp_path, spec(games=2, adjudication=rule))
    assert verify(tmp_path).exit_code == 0
    lines = (tmp_path / NAME).read_text().replace('"most_plies":3', '"most_plies":2')
    (tmp_path / NAME).write_text(lines)
    assert "move 3 comes after adjudication: 2 plies" in verify(tmp_path).output


def _tamper(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda game: game.__setitem__(key, value)


def _move(field: int, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda game: game["moves"][0].__setitem__(field, value)


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (_tamper("winner", 0), "the offence was not its loser's move"),
        (_tamper("offence", "c3-c4/a5-a4"), "is legal"),
        (_tamper("verdict", "natural"), "its moves do not end it"),
        (_tamper("number", 2), "it cannot be number 2 of pair 0"),
        (_tamper("late", 0.5), "it has a late move, and ended by illegal"),
        (_tamper("result", "1/2-1/2"), "its result is given as 1/2-1/2"),
        (_move(0, 1), "move 1 is not its side's turn"),
        (_move(1, "a1-a5"), "move 1: illegal move a1-a5"),
        (_move(2, 30.0), "move 1: the clock shows 30.000 s"),
        (_move(4, "score est 0.9"), "neutron-0001.sgf is not its record"),
    ],
)
def test_what_is_not_so_is_found(
    played: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None], finding: str
) -> None:
    folder = copy(played, tmp_path / "copy")
    events = [json.loads(line) for line in (folder / NAME).read_text().splitlines()]
    game = next(event for event in events if event["event"] == "game")
    if finding == "is legal":
        from engines.core.game import Game
        from engines.neutron.rules.text import make_rules

        board = Game(make_rules())
        for move in game["moves"]:
            board.play(move[1])
        legal = board.rules.format(board.position, board.position.legal_moves()[0])
        game["offence"] = legal
    else:
        change(game)
    (folder / NAME).write_text("".join(json.dumps(event) + "\n" for event in events))
    result = verify(folder)
    assert result.exit_code == 1
    assert finding in result.output


def test_missing_and_foreign_files_are_found(played: Path, tmp_path: Path) -> None:
    folder = copy(played, tmp_path / "copy")
    (folder / "neutron-0002.sgf").unlink()
    status = json.loads((folder / "status.json").read_text())
    status["counts"] = [0, 0, 0, 0, 1]
    (folder / "status.json").write_text(json.dumps(status))
    result = verify(folder)
    assert "neutron-0002.sgf: No such file" in result.output
    assert "status.json: counts is [0, 0, 0, 0, 1]; the games say" in result.output


def test_without_a_journal_nothing_can_be_verified(tmp_path: Path) -> None:
    result = verify(tmp_path)
    assert result.exit_code == 2
    assert "no journal" in result.output


def test_a_killed_match_is_verified_as_far_as_it_came(tmp_path: Path) -> None:
    play(tmp_path, spec(games=2))
    (tmp_path / "status.json").unlink()
    (tmp_path / "neutron-0002.sgf").unlink()  # Written after the journal.
    result = verify(tmp_path)
    assert (result.exit_code, result.output.splitlines()[-1][-13:]) == (0, ": no findings")
    assert "the last run was killed" in result.output
    (tmp_path / "neutron-0001.sgf").unlink()
    assert "neutron-0001.sgf" in verify(tmp_path).output


def test_a_status_from_before_the_last_run_is_no_finding(tmp_path: Path) -> None:
    play(tmp_path, spec(games=1))
    before = (tmp_path / "status.json").read_bytes()
    play(tmp_path, spec(games=2))
    (tmp_path / "status.json").write_bytes(before)
    assert verify(tmp_path).exit_code == 0


def test_a_running_match_is_verified_as_far_as_it_is(tmp_path: Path) -> None:
    play(tmp_path, spec(games=1))
    with Journal(tmp_path):
        summary = json.loads(verify(tmp_path, "--json").output.splitlines()[-1])
    assert (summary["unfinished"], summary["findings"]) == ("the match is still running", 0)


def test_a_match_that_was_killed_after_a_game_is_recognized(tmp_path: Path) -> None:
    play(tmp_path, spec(games=2))
    status = json.loads((tmp_path / "status.json").read_text())
    (tmp_path / "status.json").write_text(json.dumps(status | {"running": True}))
    result = verify(tmp_path)
    assert result.exit_code == 0
    assert "the last run was killed" in result.output


def _repeat(folder: Path) -> dict[str, Any]:
    """Let the second pair of a match be the first one once more; return its status."""
    events = [json.loads(line) for line in (folder / NAME).read_text().splitlines()]
    games = {event["number"]: event for event in events if event["event"] == "game"}
    for number in (3, 4):
        event = games[number]
        event |= games[number - 2] | {key: event[key] for key in ("number", "pair", "seed")}
    (folder / NAME).write_text("".join(json.dumps(event) + "\n" for event in events))
    with Journal(folder) as journal:
        match = Match(spec(games=4, sprt="elo0=0,elo1=50"), journal)
        match.restore_records()
        match.write_status()
    status: dict[str, Any] = json.loads((folder / "status.json").read_text())
    return status


def test_repetitions_are_recomputed(tmp_path: Path) -> None:
    play(tmp_path, spec(games=4, sprt="elo0=0,elo1=50"))
    status = _repeat(tmp_path)
    assert (status["distinct"], sum(status["counts"]), sum(status["samples"])) == (2, 2, 1)
    assert verify(tmp_path).exit_code == 0
    changed = status | {"distinct": 4, "samples": status["counts"], "waiting": 1}
    (tmp_path / "status.json").write_text(json.dumps(changed))
    output = verify(tmp_path).output
    for finding in (
        "distinct is 4; the games say 2",
        "samples is",
        "waiting is 1; the games say 0",
    ):
        assert f"status.json: {finding}" in output


def test_a_status_from_before_repetitions_were_found_is_accepted(tmp_path: Path) -> None:
    play(tmp_path, spec(games=4, sprt="elo0=0,elo1=50"))
    status = json.loads((tmp_path / "status.json").read_text())
    for key in ("distinct", "samples", "waiting", "strength", "standings", "running"):
        del status[key]
    status["sprt"] = {key: status["sprt"][key] for key in ("state", "llr")}
    path = tmp_path / "status.json"
    path.write_text(json.dumps(status))
    assert verify(tmp_path).exit_code == 0
    path.write_text(json.dumps(status | {"sprt": status["sprt"] | {"state": "H1"}}))
    assert "sprt is " in verify(tmp_path).output


def test_a_status_whose_test_was_decided_by_repetitions_is_accepted(tmp_path: Path) -> None:
    play(tmp_path, spec(games=4, sprt="elo0=0,elo1=50"))
    status = _repeat(tmp_path)
    for key in ("distinct", "samples", "waiting", "strength", "standings", "running"):
        del status[key]
    status |= {"sprt": {"state": "H1", "llr": 3.0}, "missing": 1, "counts": [0, 0, 0, 0, 1]}
    path = tmp_path / "status.json"
    path.write_text(json.dumps(status))
    assert verify(tmp_path).exit_code == 0
    path.write_text(json.dumps(status | {"games": 3}))
    assert "games is 3" in verify(tmp_path).output


def test_a_status_from_before_losses_on_time_were_anomalies_is_accepted(tmp_path: Path) -> None:
    clock = TimeControl.parse("0.05/move")
    play(tmp_path, replace(spec(fake("late"), games=1), controls=(clock, clock)))
    path = tmp_path / "status.json"
    status = json.loads(path.read_text())
    del status["standings"]
    path.write_text(json.dumps(status))
    assert "standings is None; the games say" in verify(tmp_path).output
    del status["running"]
    path.write_text(json.dumps(status))
    assert verify(tmp_path).exit_code == 0


def test_estimates_of_another_machine_may_differ_in_their_last_digits(tmp_path: Path) -> None:
    play(tmp_path, spec(games=4, sprt="elo0=0,elo1=50"))
    path = tmp_path / "status.json"
    status = json.loads(path.read_text())
    found = []
    for shift in (1e-5, 0.1):
        strength = status["strength"] | {"los": status["strength"]["los"] + shift}
        sprt = status["sprt"] | {"llr": status["sprt"]["llr"] - shift}
        path.write_text(json.dumps(status | {"strength": strength, "sprt": sprt}))
        found.append(verify(tmp_path).exit_code)
    assert found == [0, 1]
    path.write_text(json.dumps(status | {"strength": status["strength"] | {"engine": "x"}}))
    assert "status.json: strength is" in verify(tmp_path).output
