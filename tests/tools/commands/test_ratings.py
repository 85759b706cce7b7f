import json
from pathlib import Path

from click.testing import CliRunner, Result

from tests.tools.fakes import fake
from tests.tools.match.matches import play, spec
from tests.tools.tournament.tuning.runs import LotExecutor, run
from tests.tools.tournament.tuning.runs import play as tune
from tools.cli import main


def ratings(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["ratings", *map(str, words)])


def test_matches_are_rated_together_in_one_list(tmp_path: Path) -> None:
    play(tmp_path / "one", spec(games=4))
    play(tmp_path / "two", spec(fake("crash"), games=2))
    result = ratings(tmp_path / "one", tmp_path / "two", tmp_path / "one")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("Neutron: 3 engines, 6 games, ")
    assert lines[0].endswith("from 2 folders")
    assert {line.split()[0] for line in lines[2:5]} == {"good", "better", "crash"}


def test_json_ends_with_a_summary(tmp_path: Path) -> None:
    play(tmp_path, spec(games=2))
    result = ratings(tmp_path, "--anchor", "good=1500", "--prior", "2", "--json")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["event"] for event in events] == ["ratings", "summary"]
    good = next(each for each in events[0]["engines"] if each["name"] == "good")
    assert (good["elo"], good["anchored"]) == (1500, True)
    assert events[0]["prior"] == 2
    assert events[1]["games"] == 2


def test_what_cannot_be_rated_is_named(tmp_path: Path) -> None:
    empty = ratings(tmp_path)
    assert (empty.exit_code, "no journal" in empty.output) == (2, True)
    play(tmp_path, spec(games=2))
    unknown = ratings(tmp_path, "--anchor", "gnugo=1800")
    assert unknown.exit_code == 2
    assert "no such engine: 'gnugo' (known: better, good)" in unknown.output
    wrong = ratings(tmp_path, "--anchor", "good")
    assert (wrong.exit_code, "expected NAME=ELO" in wrong.output) == (2, True)
    twice = ratings(tmp_path, "--anchor", "good=5", "--anchor", "good=9")
    assert (twice.exit_code, "'good' is given twice: 5 and 9" in twice.output) == (2, True)


def test_a_tuning_run_has_no_ratings(tmp_path: Path) -> None:
    tune(tmp_path, run(2), LotExecutor)
    refused = ratings(tmp_path)
    assert (refused.exit_code, "is a tuning run" in refused.output) == (2, True)
