from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.statistics.spsa import Parameter
from tools.tournament.tuning.plan import Knob, Way
from tools.tournament.tuning.planfile import read_plan

GOOD = """\
[tune]
game = "go"
size = 9
time = "visits=20"
pairs = 30
jobs = 2

[engine.mine]
command = ["quintet-go", "--option", "threads=1"]
protocol = "gtp"

[value.cpuctExploration]
start = 1.1
low = 0.3
high = 3
step = 0.2

[value.margin]
argument = "--margin={}"
start = 5
low = 0
high = 9
step = 0.5
rate = 0.01
whole = true
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_describes_a_run(tmp_path: Path) -> None:
    options = read_plan(write(tmp_path, GOOD)).options
    assert (options.game, options.size, options.pairs, options.jobs) == ("go", 9, 30, 2)
    assert options.times == ("visits=20",)
    assert options.out == tmp_path / "plan"
    assert options.command == ("quintet-go", "--option", "threads=1")
    assert options.sides[0].engine.label == "mine"
    assert options.knobs == (
        Knob(Parameter("cpuctExploration", 1.1, 0.3, 3, 0.2), Way.OPTION, "cpuctExploration"),
        Knob(Parameter("margin", 5, 0, 9, 0.5, 0.01, whole=True), Way.ARGUMENT, "--margin={}"),
    )


def test_every_mistake_is_named_with_its_line_and_what_was_expected(tmp_path: Path) -> None:
    wrong = """\
colour = "red"
[tune]
game = "gpo"
pairs = 0
format = "swiss"

[engine.one]
command = "quintet-go"
[engine.two]
comand = "quintet-go"

[value.a]
start = "high"
low = 0
high = 1
[value.b]
start = 2
low = 0
high = 1
step = 0.1
[value.c]
start = 1
low = 0
high = 9
step = 1
argument = "--c"
[value.d]
start = 1
low = 0
high = 9
step = 1
option = "d"
command = "set d {}"
sept = 4
"""
    path = write(tmp_path, wrong)
    with pytest.raises(InvalidText) as caught:
        read_plan(path)
    lines = [line.removeprefix(f"{path}:") for line in str(caught.value).splitlines()]
    expected = [
        "1: no such table: 'colour' (expected [tune], [engine.NAME] and [value.NAME])",
        "3: game: expected go or morris",
        "4: pairs: expected a whole number from 1, not 0",
        "5: no such key: 'format'",
        "7: expected one table [engine.NAME], not 2",
        "9: engine.two: command is missing",
        "10: no such key: 'comand'; did you mean command?",
        "12: value.a: step is missing",
        "13: start: expected a number, not 'high'",
        "17: b: start 2 is not between low 0 and high 1",
        "26: argument: expected {} once, in the place of the value",
        "33: expected option or command, not both",
        "34: no such key: 'sept'; did you mean step?",
    ]
    assert len(lines) == len(expected)
    for line, beginning in zip(lines, expected, strict=True):
        assert line.startswith(beginning)


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidText) as caught:
        read_plan(write(tmp_path, "[tune]\ngame = 'go'\n"))
    said = str(caught.value)
    assert "pairs is missing: how many pairs of games are to be played" in said
    assert "expected one table [engine.NAME], not 0" in said
    assert "expected at least one table [value.NAME]" in said


def test_a_later_error_is_given_the_line_of_its_key(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    located = read_plan(path).locate(InvalidText("--size 99: too large"))
    assert str(located) == f"{path}:3: --size 99: too large"
    assert read_plan(path).locate(located) is located
