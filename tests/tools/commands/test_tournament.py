import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.tools.fakes import ROOT
from tools.cli import main

FAKE = f"{sys.executable} -m tests.tools.fake_neutron"


def cup(folder: Path, more: str = "", temper: str = "good") -> Path:
    path = folder / "cup.toml"
    path.write_text(
        f"""
[tournament]
game = "neutron"
format = "round-robin"
protocol = "line"
seed = 3
{more}

[engine.one]
command = {json.dumps(f"{FAKE} good")}
folder = {json.dumps(str(ROOT))}
options = {{ seed = "{{seed}}" }}

[engine.two]
command = {json.dumps(f"{FAKE} {temper}")}
folder = {json.dumps(str(ROOT))}
protocol = "line"
options = {{ seed = "{{seed}}" }}
""",
        encoding="utf-8",
    )
    return path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["tournament", *map(str, words)])


def test_a_file_is_played_into_the_folder_beside_it(tmp_path: Path) -> None:
    path = cup(tmp_path)
    done = run(path, "--json")
    assert done.exit_code == 0, done.output
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events] == ["begin", *["start", "game"] * 2, "summary"]
    assert events[-1]["out"] == str(tmp_path / "cup")
    for command, expected in (("status", "finished: 2 played, round 1"), ("verify", "no findings")):
        shown = CliRunner().invoke(main, [command, str(tmp_path / "cup")])
        assert (shown.exit_code, expected in shown.output) == (0, True), shown.output
    summary = CliRunner().invoke(main, ["verify", "--json", str(tmp_path / "cup")])
    assert len(json.loads(summary.output)["places"]) == 2
    replayed = CliRunner().invoke(main, ["replay", str(tmp_path / "cup"), "2", "1"])
    assert "white to move: two" in replayed.output


def test_without_a_file_or_engines_the_error_has_an_example() -> None:
    done = run()
    assert (done.exit_code, "as in `quintet tournament cup.toml`" in done.stderr) == (2, True)


def test_options_on_the_line_replace_those_of_the_file(tmp_path: Path) -> None:
    path = cup(tmp_path, "games = 6")
    done = run(path, "--games", "4", "--dry-run")
    assert done.exit_code == 0, done.output
    assert "4 games per pairing, 4 games" in done.output
    assert "about " in done.output
    assert not (tmp_path / "cup").exists()


def test_mistakes_are_named_with_their_line_before_anything_starts(tmp_path: Path) -> None:
    path = cup(tmp_path, 'speed = 3\nkomi = "7"')
    done = run(path)
    assert (done.exit_code, f"{path}:7: no such key: 'speed'" in done.output) == (2, True)
    path = cup(tmp_path, 'komi = "7"')
    done = run(path)
    assert f"{path}:7: --komi is for Go; this is neutron" in done.output
    assert not (tmp_path / "cup").exists()


def test_an_engine_that_fails_makes_anomalies(tmp_path: Path) -> None:
    done = run(cup(tmp_path, "set-aside = 1", temper="crash"), "--quiet")
    assert done.exit_code == 1
    assert "two is set aside" in done.output


@pytest.mark.slow
def test_numbers_are_set_from_outside(tmp_path: Path) -> None:
    path = cup(tmp_path)
    assert run(path, "--quiet").exit_code == 0
    done = run("--set", "games=4", path)
    assert (done.exit_code, "games=4 when it is resumed" in done.output) == (0, True)
    assert "4 games" in run(path, "--quiet").output
    assert run("--set", "rounds=4", tmp_path / "cup").exit_code == 2
    assert "a round-robin has no such number" in run("--set", "rounds=4", path).output
    assert run("--set", "jobs=2", "one", "two").exit_code == 2


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("foo", "--dask foo: expected an address such as tcp://host:8786"),
        ("tcp://127.0.0.1:1", "--dask"),  # Nothing listens there, or the library is missing.
    ],
)
def test_a_cluster_that_cannot_be_asked_leaves_nothing_behind(
    tmp_path: Path, address: str, message: str
) -> None:
    done = run(cup(tmp_path), "--dask", address)
    assert (done.exit_code, done.stdout, message in done.stderr) == (2, "", True)
    assert not (tmp_path / "cup").exists()


def test_a_folder_is_refused_with_the_command_that_resumes_it(tmp_path: Path) -> None:
    assert run(cup(tmp_path), "--quiet").exit_code == 0
    done = run(tmp_path / "cup")
    assert done.exit_code == 2
    assert f"run its command again with --out {tmp_path / 'cup'}" in done.output


@pytest.mark.parametrize("option", ["--dry-run", "--set=jobs=2"])
def test_what_prints_text_refuses_json(tmp_path: Path, option: str) -> None:
    done = run(cup(tmp_path), option, "--json")
    assert (done.exit_code, "prints text: leave out --json" in done.output) == (2, True)


@pytest.mark.parametrize("words", [("--jobs", "999"), ("another",)])
def test_what_cannot_be_played_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run(cup(tmp_path), *words)
    assert done.exit_code == 2
