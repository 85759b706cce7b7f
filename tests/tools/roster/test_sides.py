import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tools.roster.engines import resolve
from tools.roster.settings import KEYS
from tools.roster.sides import Side, read_side, split_sides, told_apart


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def labels(first: str, second: str) -> tuple[str, str]:
    """Return the names of two sides, each given as words in one text."""
    sides = [read_side(engine, words) for engine, words in split_sides([*first.split()])]
    sides += [read_side(engine, words) for engine, words in split_sides([*second.split()])]
    one, other = told_apart(*sides)
    return one.label, other.label


def test_words_belong_to_the_engine_before_them() -> None:
    words = ["./a --b=c", "name=x", "options.n=1", "./b", "time=5"]
    assert split_sides(words) == [("./a --b=c", ("name=x", "options.n=1")), ("./b", ("time=5",))]
    assert split_sides(["env X=1 ./a", "./a=b"]) == [("env X=1 ./a", ()), ("./a=b", ())]
    with pytest.raises(InvalidText, match="name=x: expected an engine before its settings"):
        split_sides(["name=x", "./a"])


def test_a_program_whose_name_looks_like_a_setting_is_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "speed=3")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert split_sides(["speed=3", "speed=4"]) == [("speed=3", ("speed=4",))]


def test_a_line_says_everything_that_a_file_can_say(tmp_path: Path) -> None:
    folder = json.dumps(str(tmp_path))
    (tmp_path / "engines.toml").write_text(
        f"""[engine.filed]
command = [{json.dumps(sys.executable)}, "-m", "mine"]
protocol = "gtp"
game = "go"
options = {{ threads = 2, fast = true }}
environment = {{ HOME = "/nowhere" }}
commands = ["komi 7.5", "showboard"]
folder = {folder}
patience = 300
lag = 0
restart = "always"
ponder = true
movetime = true
scores = false
"""
    )
    words = (
        *("name=filed", "protocol=gtp", "game=go", "options.threads=2", "options.fast=true"),
        *("environment.HOME=/nowhere", "commands=komi 7.5", "commands=showboard"),
        *(f"folder={tmp_path}", "patience=300", "lag=0", "restart=always"),
        *("ponder=true", "movetime=true", "scores=false"),
    )
    side = read_side(f"'{sys.executable}' -m mine", words)
    assert side.engine == replace(resolve("filed"), origin=None)
    assert {word.partition("=")[0].partition(".")[0] for word in words} == {"name", *KEYS}
    assert side.time is None


def test_settings_add_to_those_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "engines.toml").write_text(
        f"[engine.a]\ncommand = [{json.dumps(sys.executable)}]\ncommands = ['x']\n"
        "options = { n = 1, m = 2 }\nponder = true\n"
    )
    side = read_side("a", ("options.n=3", "options.k=a=b", "commands=y", "ponder=false"))
    assert dict(side.engine.options) == {"n": "3", "m": "2", "k": "a=b"}
    assert (side.engine.commands, side.engine.ponder) == (("x", "y"), False)
    assert resolve("a").ponder
    assert side.engine.origin is None  # The file does not have all of its options.
    assert read_side("a", ("ponder=false",)).engine.origin == resolve("a").origin is not None


def test_a_side_may_have_its_own_time() -> None:
    assert read_side("neutron", ("time=60+1",)).time == TimeControl.parse("60+1")


def test_the_protocol_of_a_side_comes_before_that_of_all() -> None:
    assert read_side(sys.executable, ("protocol=usi",), "gtp").engine.protocol == "usi"
    assert read_side(sys.executable, (), "gtp").engine.protocol == "gtp"


def test_a_program_is_looked_for_where_the_user_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "mine")
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    engine = read_side("./mine", ("folder=data",)).engine
    assert (engine.command, engine.folder) == ((str(tmp_path / "mine"),), "data")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("nmae=x",), r"neutron: no such setting: 'nmae' \(known: name, time, .*did you mean name"),
        (("level", "3"), r"neutron: expected KEY=VALUE, not 'level'"),
        (("",), r"neutron: expected KEY=VALUE, not ''"),
        (("=x",), r"neutron: expected KEY=VALUE, not '=x'"),
        (("options=3",), r"options=3: expected options.NAME=VALUE"),
        (("patience.x=3",), r"patience.x=3: expected patience=VALUE"),
        (("patience=soon",), r"patience: expected seconds above 0"),
        (("patience=0",), r"patience: expected seconds above 0"),
        (("lag=-1",), r"lag: expected seconds at least 0"),
        (("lag=inf",), r"lag: expected seconds at least 0"),
        (("ponder=yes",), r"ponder: expected true or false"),
        (("protocol=gpt",), r"protocol: expected gtp or usi or line, not 'gpt'; did you mean gtp"),
        (("game=nuetron",), r"not 'nuetron'; did you mean neutron\?"),
        (("restart=never",), r"restart: expected auto or always"),
        (("folder=/none",), r"no such folder: '/none'"),
        (("time=soon",), r"neutron: time control 'soon'"),
        (("name=",), r"name: expected a printable name"),
        (("name=a\x07",), r"name: expected a printable name"),
        (("name=a", "name=b"), r"name=b: given twice"),
        (("options.a=1", "options.a=1"), r"options.a=1: given twice"),
    ],
)
def test_a_setting_that_makes_no_sense_is_told(words: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(InvalidText, match=complaint):
        read_side("neutron", words)


def test_all_mistakes_of_a_side_are_told_together() -> None:
    with pytest.raises(InvalidText) as caught:
        read_side("neutron", ("nmae=x", "ponder=1", "time=never"))
    assert len(str(caught.value).splitlines()) == 3


def test_programs_of_one_name_are_told_apart_by_their_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("v1", "v2", "v1/build", "v2/build", "v2/build/v1/build"):
        program(tmp_path / folder / "mine")
    monkeypatch.chdir(tmp_path)
    assert labels("./v1/mine", "./v2/mine") == (
        os.path.join("v1", "mine"),
        os.path.join("v2", "mine"),
    )
    assert labels("v1/build/mine", "v2/build/mine") == ("v1/build/mine", "v2/build/mine")
    one, other = labels("v1/build/mine", "v2/build/v1/build/mine")
    assert (one, other) == (f"{tmp_path.name}/v1/build/mine", "build/v1/build/mine")
    assert labels("./v1/mine", "v1/mine") == ("mine", "mine (2)")
    assert labels("./v1/mine options.n=1", "v1/mine options.n=2 options.m=3") == (
        "mine options.n=1",
        "mine options.n=2 options.m=3",
    )
    assert labels("./v1/mine", "./v1/mine lag=1") == ("mine", "mine lag=1")
    assert labels("./v1/mine name=old", "./v2/mine") == ("old", "mine")
    assert labels("./v1/mine name=x", "./v2/mine name=x") == ("x", "x (2)")


def test_a_program_on_the_path_is_told_apart_from_one_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin" / "mine")
    program(tmp_path / "here" / "mine")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.chdir(tmp_path / "here")
    assert labels("mine", "./mine") == (os.path.join("bin", "mine"), os.path.join("here", "mine"))


def test_other_names_are_left_as_they_are() -> None:
    one, other = Side(EngineSpec("a", ("x",))), Side(EngineSpec("b", ("x",)))
    assert told_apart(one, other) == (one.engine, other.engine)
