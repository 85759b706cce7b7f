"""Matches between two fake engines of Go, by the command line."""

import json
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from tools.cli import main
from tools.journal.journal import NAME
from tools.roster.seats import ENGINE_POOL


def fake(*words: str) -> str:
    return " ".join((sys.executable, "-m", "tests.tools.fake_go", *words))


def match(folder: Path, *words: str, one: str = "", other: str = "") -> Result:
    one, other = one or fake("score=W+7.5"), other or fake("A1", "score=W+7.5")
    options = ("--game", "go", "--protocol", "gtp", "--size", "5", "--scoring", "all-alive")
    line = ["match", one, other, *options, "--out", str(folder / "out"), "--seed", "1", *words]
    try:
        return CliRunner().invoke(main, line)
    finally:
        ENGINE_POOL.close()


def games(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "out" / NAME).read_text().splitlines()
    return [event for line in lines if (event := json.loads(line))["event"] == "game"]
