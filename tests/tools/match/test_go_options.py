import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.core.sgf import read_sgf
from tests.tools.fakes import ROOT
from tests.tools.match.fake_games import fake, games, match
from tools.cli import main


@pytest.fixture(autouse=True)
def _root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def verified(folder: Path) -> bool:
    return CliRunner().invoke(main, ["verify", str(folder / "out")]).exit_code == 0


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga", "new-zealand", "cgos", "korean"])
def test_every_rule_set_is_played_and_told_exactly(tmp_path: Path, rules: str) -> None:
    log = tmp_path / "log"
    kata, plain = f"log={log} also=kata-set-rules,kgs-rules", ""
    result = match(tmp_path, "--rules", rules, one=fake(*kata.split()), other=fake("A1", plain))
    assert result.exit_code == 0, result.output
    assert [game["verdict"] for game in games(tmp_path)] == ["natural"] * 2
    commands = [line for line in log.read_text().splitlines() if line.startswith("kata-set-rules")]
    sent = json.loads(commands[0].partition(" ")[2])
    assert sent["scoring"] == ("TERRITORY" if rules in ("japanese", "korean") else "AREA")
    assert sent["suicide"] == (rules == "new-zealand")
    assert verified(tmp_path)


def test_cgos_is_area_with_positional_superko_and_no_suicide(tmp_path: Path) -> None:
    result = match(tmp_path, "--rules", "cgos", "--size", "9")
    # The warning about each of the two fakes names the rules that it should play by.
    assert result.output.count("cgos: area, positional superko, no suicide, all stones alive") == 2
    assert "cannot be told the rules" in result.output


def test_komi_is_told_and_recorded(tmp_path: Path) -> None:
    log = tmp_path / "log"
    result = match(tmp_path, "--komi", "6", one=fake(f"log={log}"))
    assert result.exit_code == 0, result.output
    assert log.read_text().splitlines().count("komi 6") == 2
    assert [game["reason"] for game in games(tmp_path)] == ["W+31", "B+19"]
    root = read_sgf((tmp_path / "out" / "go-0001.sgf").read_bytes())[0]
    assert (root["KM"], root["RE"]) == (["6"], ["W+31"])
    assert verified(tmp_path)


@pytest.mark.parametrize("listed", ["set_free_handicap", ""])
def test_a_fixed_handicap_is_set_up_and_recorded(tmp_path: Path, listed: str) -> None:
    log = tmp_path / "log"
    one, other = fake(f"log={log}", f"also={listed}"), fake("A1")
    result = match(tmp_path, "--handicap", "2", "--size", "7", one=one, other=other)
    assert result.exit_code == 0, result.output
    lines = log.read_text().splitlines()
    if listed:
        assert "set_free_handicap E5 C3" in lines
    else:
        assert "play b E5" in lines
    assert "komi 0.5" in lines
    root, first, *_ = read_sgf((tmp_path / "out" / "go-0001.sgf").read_bytes())
    assert (root["HA"], root["AB"], root["PL"], root["KM"]) == (["2"], ["ec", "ce"], ["W"], ["0.5"])
    assert "W" in first
    assert verified(tmp_path)
    shown = CliRunner().invoke(main, ["show", str(tmp_path / "out" / "go-0001.sgf"), "--ply", "1"])
    assert shown.exit_code == 0, shown.output
    assert "1. white A1" in shown.output


def test_a_free_handicap_is_the_engines_own(tmp_path: Path) -> None:
    log = tmp_path / "log"
    free = "also=place_free_handicap,set_free_handicap"
    one, other = fake(f"log={log}", free, "places=B2,D4,C3"), fake("E5", free, "places=B2,B4")
    result = match(tmp_path, "--handicap", "free:3", one=one, other=other)
    assert result.exit_code == 0, result.output
    lines = log.read_text().splitlines()
    assert "place_free_handicap 3" in lines
    assert "set_free_handicap B4 B2" in lines
    first, second = ((tmp_path / "out" / f"go-000{n}.sgf").read_bytes() for n in (1, 2))
    assert read_sgf(first)[0]["HA"] == ["3"]
    assert read_sgf(second)[0]["AB"] == ["bb", "bd"]
    assert verified(tmp_path)


def test_a_free_handicap_off_the_board_loses(tmp_path: Path) -> None:
    free = "also=place_free_handicap,set_free_handicap"
    result = match(
        tmp_path,
        *("--handicap", "free:2", "--games", "1"),
        one=fake(free, "places=B2,Z9"),
        other=fake(free),
    )
    (game,) = games(tmp_path)
    assert (game["verdict"], game["winner"]) == ("protocol", 1), result.output
    assert game["reason"].startswith("illegal handicap B2 Z9")


def test_games_at_once_have_an_arbiter_each(tmp_path: Path) -> None:
    judged = ("--scoring", "agreed", "--arbiter", fake("dead=none"), "--games", "4")
    result = match(tmp_path, *judged, "--jobs", "2", "--force", other=fake("A1"))
    assert result.exit_code == 0, result.output
    assert [game["count"]["method"] for game in games(tmp_path)] == ["arbiter"] * 4
    assert verified(tmp_path)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--komi", "much"), "komi is no number: 'much'"),
        (("--komi", "7.25"), "expected whole or half points"),
        (("--handicap", "12"), "invalid handicap: 12"),
        (("--handicap", "free:1"), "expected free:2 to free:12"),
        (("--handicap", "lots"), "expected a number, or free:NUMBER"),
        (("--rules", "klingon"), "no such rule set: 'klingon' (known: chinese"),
        (("--arbiter", "quintet-go"), "every stone counts as alive"),
        (("--game", "neutron", "--komi", "7"), "--scoring is for Go; this is neutron"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, words: tuple[str, ...], complaint: str) -> None:
    result = match(tmp_path, *words)
    assert result.exit_code == 2
    assert complaint in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("size", ["2", "25"])
def test_sizes_from_2_to_25_are_played(tmp_path: Path, size: str) -> None:
    far = {"2": "B2", "25": "Z25"}[size]
    result = match(tmp_path, "--size", size, other=fake(far))
    assert result.exit_code == 0, result.output
    assert games(tmp_path)[0]["moves"][1][1] == far
    assert verified(tmp_path)
    drawn = CliRunner().invoke(main, ["show", str(tmp_path / "out" / "go-0001.sgf"), "--ply", "2"])
    assert f"2. white {far}" in drawn.output


def test_a_match_whose_arbiter_fails_stops_and_says_why(tmp_path: Path) -> None:
    judged = ("--scoring", "agreed", "--arbiter", fake("dead=die"), "--games", "4")
    result = match(tmp_path, *judged, other=fake("A1"))
    assert result.exit_code == 1, result.output
    status = json.loads((tmp_path / "out" / "status.json").read_text())
    assert status["status"] == "failed"
    assert status["why"][0].startswith("3 void games in a row: void: the arbiter failed: ")
    assert {game["verdict"] for game in games(tmp_path)} == {"void"}
    assert verified(tmp_path)


def test_replay_gives_another_limit_to_the_engine_that_thinks_alone(tmp_path: Path) -> None:
    able = fake("also=kata-set-param", "A1")
    match(tmp_path, "--games", "1", one=able, other=fake("B1"))
    line = ["replay", str(tmp_path / "out"), "1", "1", "--time", "visits=5"]
    result = CliRunner().invoke(main, line)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1].startswith("now   A1")
    result = CliRunner().invoke(main, [*line[:3], "2", *line[4:]])
    assert (result.exit_code, "has no kata-set-param for a number of visits" in result.output) == (
        2,
        True,
    )
