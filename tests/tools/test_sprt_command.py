import json

import pytest
from click.testing import CliRunner, Result

from tools.sprt_command import sprt

ACCEPTED = "--penta 46,496,1073,640,79 --elo0 0 --elo1 3 --alpha .05 --beta .1"
RUNNING = "--penta 10,20,30,25,15 --elo0 0 --elo1 5 --model logistic"
REJECTED = "--tri 21184,40708,20404 --elo0 0.5 --elo1 2.5"


def call(line: str) -> Result:
    return CliRunner().invoke(sprt, line.split(), prog_name="quintet sprt")


def rows(line: str) -> dict[str, str]:
    found = {}
    for row in call(line).stdout.splitlines():
        name, text = row.split(maxsplit=1)
        found[name] = text
    return found


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
    found = json.loads(result.stdout)
    assert found["event"] == "summary"
    assert found["llr"] == pytest.approx(2.890508, abs=1e-6)
    assert found["upper"] == pytest.approx(2.890372, abs=1e-6)
    assert found["lower"] == pytest.approx(-2.251292, abs=1e-6)
    assert found["games"] == 4668
    assert found["elo"] - found["elo_error"] > 0
    assert found["nelo"] - found["nelo_error"] > 0
    assert found["los"] == pytest.approx(1, abs=1e-4)


def test_the_table_says_the_same_in_words() -> None:
    table = rows(ACCEPTED)
    assert table["games"] == "4668 in 2334 pairs: 46,496,1073,640,79"
    assert table["score"] == "2439 of 4668 (52.25%)"
    assert table["elo"] == "15.64 ± 5.88"
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
        ("--elo0 0 --elo1 5", "either as --penta or as --tri"),
        ("--tri 1,2,3 --penta 1,2,3,4,5 --elo0 0 --elo1 5", "either as --penta or as --tri"),
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
