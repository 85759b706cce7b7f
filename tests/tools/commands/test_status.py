import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.tools.fakes import ROOT, fake
from tests.tools.match.matches import play, spec
from tools.cli import main
from tools.journal.journal import NAME


def status(folder: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["status", str(folder), *more])


def test_a_finished_match_is_told_with_its_table(tmp_path: Path) -> None:
    play(tmp_path, spec(fake("crash"), games=2))
    result = status(tmp_path)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        f"Neutron: crash against better, 2 games, 60, records in {tmp_path}",
        "finished: 2 played",
    ]
    assert [line.split()[:5] for line in lines if line.startswith(("crash ", "better "))] == [
        ["crash", "2", "0", "0", "2"],
        ["better", "2", "2", "0", "0"],
    ]
    assert "2 by crash" in lines
    assert lines[-1] == "anomalies; 2 games ended by a crash"


@pytest.mark.parametrize("command", ["status", "verify", "report"])
def test_a_run_that_was_killed_before_its_first_line_has_played_nothing(
    tmp_path: Path, command: str
) -> None:
    (tmp_path / NAME).write_text('{"event":"tour')
    result = CliRunner().invoke(main, [command, str(tmp_path)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "nothing has been played yet" in result.stderr


def test_a_test_without_a_number_of_games_is_undecided_rather_than_incomplete(
    tmp_path: Path,
) -> None:
    play(tmp_path, spec(games=1, sprt="elo0=0,elo1=5"))
    path = tmp_path / NAME
    first, *rest = path.read_text().splitlines(keepends=True)
    event = json.loads(first) | {"games": 420000, "until-decided": True}
    path.write_text(json.dumps(event) + "\n" + "".join(rest))
    lines = status(tmp_path).stdout.splitlines()
    assert ", until the test is decided (at most 420000 games), " in lines[0]
    assert lines[1] == "not running: 1 played, its test is undecided"
    assert json.loads(status(tmp_path, "--json").stdout)["planned"] is None


def test_a_folder_without_a_match_could_not_be_told(tmp_path: Path) -> None:
    result = status(tmp_path)
    assert (result.exit_code, "no journal" in result.output) == (2, True)


@pytest.mark.parametrize("seal", [{}, {"game": "chess"}])
def test_a_seal_that_makes_no_sense_is_told(tmp_path: Path, seal: dict[str, str]) -> None:
    play(tmp_path, spec(games=1))
    path = tmp_path / NAME
    first, *rest = path.read_text().splitlines(keepends=True)
    event = json.loads(first)
    del event["seal"]["game"]
    event["seal"] |= seal
    path.write_text(json.dumps(event) + "\n" + "".join(rest))
    for more in ((), ("--json",)):
        result = status(tmp_path, *more)
        assert (result.exit_code, "cannot be understood" in result.output) == (2, True)


@pytest.mark.slow
def test_a_running_match_is_told_from_outside(tmp_path: Path) -> None:
    engine = shlex.join([sys.executable, "-m", "tests.tools.fake_neutron", "late"])
    line = [sys.executable, "-m", "tools", "match", engine, "--protocol", "line", "--game"]
    line += ["neutron", "--games", "50", "--out", str(tmp_path), "--json"]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while json.loads(process.stdout.readline())["event"] != "game":
            pass
        told = json.loads(status(tmp_path, "--json").stdout)
        process.send_signal(signal.SIGTERM)
        process.stdout.read()
    assert (told["phase"], told["running"], told["planned"]) == ("running", True, 50)
    assert told["games"] >= 1
    assert told["games"] + told["missing"] == 50
    assert status(tmp_path).stdout.splitlines()[1].startswith("not running, interrupted: ")
