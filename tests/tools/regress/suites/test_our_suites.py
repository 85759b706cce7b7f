"""Our engines know every answer of our own suites, at fixed nodes and visits."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from engines.morris.rules.board import COMPILED
from tests.programs import peer
from tools.cli import main

SUITES = Path(__file__).parents[3] / "data"
GAMES = ("go", "morris", "neutron", "senet", "shogi")


def regress(suite: str, *words: str) -> list[dict[str, object]]:
    # Interpreted, two of them have to do.
    part = [] if COMPILED or suite.endswith(".tst") else ["--shard", "1/18"]
    result = CliRunner().invoke(
        main, ["regress", str(SUITES / suite), "--json", "--timeout", "600", *part, *words]
    )
    events = [json.loads(line) for line in result.output.splitlines()]
    assert events, result.output
    return [event for event in events if event["event"] == "test"]


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=pytest.mark.slow if game == "morris" else ()) for game in GAMES],
)
def test_our_engine_knows_every_answer(game: str) -> None:
    tests = regress(f"{game}.suite")
    assert tests
    assert [test for test in tests if test["status"] != "passed"] == []


@pytest.mark.slow
def test_our_engine_counts_what_is_over() -> None:
    tests = regress("go-scoring.tst", "--engine", "quintet-go")
    assert tests
    assert [test for test in tests if test["status"] != "passed"] == []


def test_gnu_go_counts_the_same_but_for_the_draw() -> None:
    engine = f"{peer('gnugo')} --mode gtp --chinese-rules"
    result = CliRunner().invoke(
        main, ["regress", str(SUITES / "go-scoring.tst"), "--json", "--engine", engine]
    )
    events = [json.loads(line) for line in result.stdout.splitlines()]
    tests = [event for event in events if event["event"] == "test"]
    assert len(tests) > 9
    assert {str(test["test"]) for test in tests if test["status"] != "passed"} <= {"30"}


@pytest.mark.parametrize("game", GAMES)
def test_a_suite_has_thirty_positions_and_says_how_it_was_made(game: str) -> None:
    text = (SUITES / f"{game}.suite").read_text(encoding="utf-8")
    header, _, tests = text.partition("\ntest ")
    assert len(re.findall("^test ", "test " + tests, re.MULTILINE)) >= 30
    assert "# How it was made: " in header
    positions = re.findall(
        r"^position: (.*)|^diagram:\n((?:  .*\n)+)turn: (.*)", tests, re.MULTILINE
    )
    assert len(set(positions)) == len(positions) >= 30
