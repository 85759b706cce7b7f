import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.tools.match.matches import finished, play, spec
from tools.cli import main
from tools.journal.journal import Journal
from tools.match.match import Match

ACCEPTED = "--penta 46,496,1073,640,79 --elo0 0 --elo1 3 --alpha .05 --beta .1"
RUNNING = "--penta 10,20,30,25,15 --elo0 0 --elo1 5 --model logistic"
REJECTED = "--tri 21184,40708,20404 --elo0 0.5 --elo1 2.5"


def call(line: str) -> Result:
    return CliRunner().invoke(main, ["sprt", *line.split()])


def rows(line: str) -> dict[str, str]:
    texts = {}
    for row in call(line).stdout.splitlines():
        name, text = row.split(maxsplit=1)
        texts[name] = text
    return texts


@pytest.mark.parametrize(
    ("line", "state", "status"),
    [(ACCEPTED, "H1", 0), (RUNNING, "continue", 1), (REJECTED, "H0", 1)],
)
def test_the_exit_status_says_whether_h1_is_accepted(line: str, state: str, status: int) -> None:
    for more in ("", " --json"):
        assert call(line + more).exit_code == status
    assert json.loads(call(line + " --json").stdout)["state"] == state


def test_json_holds_every_figure() -> None:
    result = call(ACCEPTED + " --json")
    assert result.stdout.count("\n") == 1
    summary = json.loads(result.stdout)
    assert summary["event"] == "summary"
    assert summary["llr"] == pytest.approx(2.890508, abs=1e-6)
    assert summary["upper"] == pytest.approx(2.890372, abs=1e-6)
    assert summary["lower"] == pytest.approx(-2.251292, abs=1e-6)
    assert summary["games"] == 4668
    assert 0 < summary["elo_low"] < summary["elo"] < summary["elo_high"]
    assert summary["nelo"] - summary["nelo_error"] > 0
    assert summary["los"] == pytest.approx(1, abs=1e-4)


def test_the_table_says_the_same_in_words() -> None:
    table = rows(ACCEPTED)
    assert table["games"] == "4668 in 2334 pairs: 46,496,1073,640,79"
    assert table["score"] == "2439 of 4668 (52.25%)"
    assert table["elo"] == "+15.64 [+9.75, +21.52] (95 %)"
    assert table["LLR"] == "2.8905, bounds -2.2513 and 2.8904"
    assert table["verdict"] == "H1 accepted: nelo is rather 3 than 0"
    assert "to" not in table


def test_an_open_test_says_how_long_it_may_take() -> None:
    table = rows(RUNNING)
    assert table["verdict"] == "none yet: no bound is reached"
    assert "games if elo is 2.5" in table["to"]


def test_no_games_give_no_strength() -> None:
    table = rows("--penta 0,0,0,0,0 --elo0 0 --elo1 5")
    assert set(table) == {"games", "test", "LLR", "verdict", "to"}


def test_games_that_all_ended_alike_have_no_normalized_elo() -> None:
    table = rows("--tri 0,0,400 --elo0 0 --elo1 5")
    assert table["nelo"] == "unknown: all games ended alike"
    assert table["verdict"].startswith("H1 accepted")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("--elo0 0 --elo1 5", "either as --penta, as --tri or as --match"),
        (
            "--tri 1,2,3 --penta 1,2,3,4,5 --elo0 0 --elo1 5",
            "either as --penta, as --tri or as --match",
        ),
        ("--tri 1,2,3 --match . --elo0 0 --elo1 5", "either as --penta, as --tri or as --match"),
        ("--match . --elo0 0 --elo1 5", "no journal: "),
        ("--match ./none --elo0 0 --elo1 5", "does not exist"),
        ("--tri 1,2,3,4,5 --elo0 0 --elo1 5", "expected 3 counts"),
        ("--penta 1,2,3 --elo0 0 --elo1 5", "expected 5 counts"),
        ("--tri 1,2,3 --elo0 0", "--elo1"),
        ("--tri 1,2,3 --elo0 5 --elo1 0", "elo0 must be below elo1"),
        ("--penta 1,2,3,4,5 --elo0 0 --elo1 232", "within 231.624 of 0"),
        ("--tri 1,2,3 --elo0 0 --elo1 5 --model bayes", "bayes"),
        ("--tri 1,2,3 --elo0 0 --elo1 5 --alpha 0.7", "alpha must lie between"),
    ],
)
def test_what_cannot_be_run_exits_2_with_the_reason(line: str, reason: str) -> None:
    result = call(line)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert result.stdout == ""


def test_the_pairs_of_a_match_are_judged(tmp_path: Path) -> None:
    play(tmp_path, spec(games=5))
    line = f"--match {tmp_path} --elo0 0 --elo1 200"
    table = rows(line)
    assert table["engine"] == "good, against better"
    assert table["match"] == "5 games, 5 distinct"
    assert table["games"].startswith("4 in 2 pairs: ")
    summary = json.loads(call(line + " --json").stdout)
    assert (summary["engine"], summary["distinct"], summary["samples"]) == ("good", 5, 2)


def test_equal_pairs_of_a_match_count_once(tmp_path: Path) -> None:
    made = spec(games=8)
    with Journal(tmp_path) as journal:
        match = Match(made, journal)
        for number in range(1, 9):
            match.add(finished(made, number, 0))
    table = rows(f"--match {tmp_path} --elo0 0 --elo1 200")
    assert table["match"] == "8 games, 2 distinct: 4 pairs count as 1 sample"
    assert table["games"] == "2 in 1 pair: 0,0,1,0,0"


def test_the_help_names_no_bounds_that_do_not_exist() -> None:
    result = call("--help")
    assert result.exit_code == 0
    assert "--elo0 ELO" in result.output
    assert "None" not in result.output
