import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engines.core.sgf import read_sgf
from tests.programs import peer
from tests.tools.fakes import ROOT
from tools.cli import main
from tools.journal import NAME
from tools.seat import CREW


def fake(*words: str) -> str:
    return " ".join((sys.executable, "-m", "tests.tools.fake_go", *words))


@pytest.fixture(autouse=True)
def _root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def match(folder: Path, *words: str, one: str = "", other: str = "") -> Result:
    one, other = one or fake("score=W+7.5"), other or fake("A1", "score=W+7.5")
    given = ("--game", "go", "--protocol", "gtp", "--size", "5", "--scoring", "all-alive")
    line = ["match", one, other, *given, "--out", str(folder / "out"), "--seed", "1", *words]
    try:
        return CliRunner().invoke(main, line)
    finally:
        CREW.close()


def games(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "out" / NAME).read_text().splitlines()
    return [event for line in lines if (event := json.loads(line))["event"] == "game"]


def verified(folder: Path) -> bool:
    return CliRunner().invoke(main, ["verify", str(folder / "out")]).exit_code == 0


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga", "new-zealand", "cgos", "korean"])
def test_every_rule_set_is_played_and_told_exactly(tmp_path: Path, rules: str) -> None:
    log = tmp_path / "log"
    kata, plain = f"log={log} also=kata-set-rules,kgs-rules", ""
    told = match(tmp_path, "--rules", rules, one=fake(*kata.split()), other=fake("A1", plain))
    assert told.exit_code == 0, told.output
    assert [game["verdict"] for game in games(tmp_path)] == ["natural"] * 2
    said = [line for line in log.read_text().splitlines() if line.startswith("kata-set-rules")]
    sent = json.loads(said[0].partition(" ")[2])
    assert sent["scoring"] == ("TERRITORY" if rules in ("japanese", "korean") else "AREA")
    assert sent["suicide"] == (rules == "new-zealand")
    assert verified(tmp_path)


def test_cgos_is_area_with_positional_superko_and_no_suicide(tmp_path: Path) -> None:
    told = match(tmp_path, "--rules", "cgos", "--size", "9")
    # Two fakes that cannot be told are warned of by what they should play.
    assert told.output.count("cgos: area, positional superko, no suicide, all stones alive") == 2
    assert "cannot be told the rules" in told.output


def test_who_takes_the_rules_is_not_warned_of(tmp_path: Path) -> None:
    one, other = fake("also=kgs-rules"), fake("A1", "also=kata-set-rules,kgs-rules")
    assert "warning" not in match(tmp_path, one=one, other=other).output


def test_who_refuses_the_rules_is(tmp_path: Path) -> None:
    refusing = fake("also=kata-set-rules,kgs-rules", "refuses=kata-set-rules,kgs-rules")
    told = match(tmp_path, one=refusing, other=fake("A1", "also=kgs-rules"))
    assert told.output.count("warning: ") == 1
    assert [game["verdict"] for game in games(tmp_path)] == ["natural"] * 2


@pytest.mark.parametrize(
    ("flags", "missing"),
    [
        ("", "--chinese-rules --positional-superko"),
        ("--chinese-rules", "start it with --positional-superko"),
        ("--chinese-rules --positional-superko", ""),
    ],
)
def test_gnu_go_is_warned_of_by_its_flags(tmp_path: Path, flags: str, missing: str) -> None:
    gnugo = f"{peer('gnugo')} --mode gtp --level 0 {flags}"
    told = match(tmp_path, "--max-plies", "4", one=gnugo, other=fake("A1", "also=kgs-rules"))
    assert missing in told.output
    assert ("warning" in told.output) == bool(missing)


def test_komi_is_told_and_recorded(tmp_path: Path) -> None:
    log = tmp_path / "log"
    told = match(tmp_path, "--komi", "6", one=fake(f"log={log}"))
    assert told.exit_code == 0, told.output
    assert log.read_text().splitlines().count("komi 6") == 2
    assert [game["reason"] for game in games(tmp_path)] == ["W+31", "B+19"]
    root = read_sgf((tmp_path / "out" / "go-0001.sgf").read_bytes())[0]
    assert (root["KM"], root["RE"]) == (["6"], ["W+31"])
    assert verified(tmp_path)


@pytest.mark.parametrize("listed", ["set_free_handicap", ""])
def test_a_fixed_handicap_is_set_up_and_recorded(tmp_path: Path, listed: str) -> None:
    log = tmp_path / "log"
    one, other = fake(f"log={log}", f"also={listed}"), fake("A1")
    told = match(tmp_path, "--handicap", "2", "--size", "7", one=one, other=other)
    assert told.exit_code == 0, told.output
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
    told = match(tmp_path, "--handicap", "free:3", one=one, other=other)
    assert told.exit_code == 0, told.output
    lines = log.read_text().splitlines()
    assert "place_free_handicap 3" in lines
    assert "set_free_handicap B4 B2" in lines
    first, second = ((tmp_path / "out" / f"go-000{n}.sgf").read_bytes() for n in (1, 2))
    assert read_sgf(first)[0]["HA"] == ["3"]
    assert read_sgf(second)[0]["AB"] == ["bb", "bd"]
    assert verified(tmp_path)


def test_a_free_handicap_off_the_board_loses(tmp_path: Path) -> None:
    free = "also=place_free_handicap,set_free_handicap"
    told = match(
        tmp_path,
        *("--handicap", "free:2", "--games", "1"),
        one=fake(free, "places=B2,Z9"),
        other=fake(free),
    )
    (game,) = games(tmp_path)
    assert (game["verdict"], game["winner"]) == ("protocol", 1), told.output
    assert game["reason"].startswith("illegal handicap B2 Z9")


def test_who_cannot_play_on_a_board_is_named_before_the_first_game(tmp_path: Path) -> None:
    gnugo = f"{peer('gnugo')} --mode gtp"
    told = match(tmp_path, "--size", "21", one=gnugo)
    assert told.exit_code == 2
    assert "cannot play on 21: boardsize 21: unacceptable size" in told.output


def test_an_arbiter_that_names_no_dead_is_refused_before_the_first_game(tmp_path: Path) -> None:
    told = match(tmp_path, "--scoring", "agreed", "--arbiter", fake())
    assert told.exit_code == 2
    assert "does not know final_status_list" in told.output


def test_games_at_once_have_an_arbiter_each(tmp_path: Path) -> None:
    judged = ("--scoring", "agreed", "--arbiter", fake("dead=none"), "--games", "4")
    told = match(tmp_path, *judged, "--concurrency", "2", "--force", other=fake("A1"))
    assert told.exit_code == 0, told.output
    assert [game["count"]["method"] for game in games(tmp_path)] == ["arbiter"] * 4
    assert verified(tmp_path)


def test_who_cannot_place_a_handicap_is_named_before_the_first_game(tmp_path: Path) -> None:
    told = match(tmp_path, "--handicap", "free:2")
    assert told.exit_code == 2
    assert "does not know place_free_handicap" in told.output


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
    told = match(tmp_path, *words)
    assert told.exit_code == 2
    assert complaint in told.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("size", ["2", "25"])
def test_sizes_from_2_to_25_are_played(tmp_path: Path, size: str) -> None:
    far = {"2": "B2", "25": "Z25"}[size]
    told = match(tmp_path, "--size", size, other=fake(far))
    assert told.exit_code == 0, told.output
    assert games(tmp_path)[0]["moves"][1][1] == far
    assert verified(tmp_path)
    drawn = CliRunner().invoke(main, ["show", str(tmp_path / "out" / "go-0001.sgf"), "--ply", "2"])
    assert f"2. white {far}" in drawn.output


def test_a_match_whose_arbiter_fails_stops_and_says_why(tmp_path: Path) -> None:
    judged = ("--scoring", "agreed", "--arbiter", fake("dead=die"), "--games", "4")
    told = match(tmp_path, *judged, other=fake("A1"))
    assert told.exit_code == 1, told.output
    status = json.loads((tmp_path / "out" / "status.json").read_text())
    assert status["status"] == "failed"
    assert status["why"][0].startswith("3 void games in a row: void: the arbiter failed: ")
    assert {game["verdict"] for game in games(tmp_path)} == {"void"}
    assert verified(tmp_path)


def test_replay_gives_another_limit_to_the_engine_that_thinks_alone(tmp_path: Path) -> None:
    able = fake("also=kata-set-param", "A1")
    match(tmp_path, "--games", "1", one=able, other=fake("B1"))
    line = ["replay", str(tmp_path / "out"), "1", "1", "--time", "visits=5"]
    told = CliRunner().invoke(main, line)
    assert told.exit_code == 0, told.output
    assert told.output.splitlines()[-1].startswith("now   A1")
    told = CliRunner().invoke(main, [*line[:3], "2", *line[4:]])
    assert (told.exit_code, "cannot be told a number of visits" in told.output) == (2, True)
