"""The game that ADDING.md adds: its code is taken from the page and run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "engines" / "ADDING.md"

if not PAGE.is_file():
    pytest.skip("the sources are elsewhere", allow_module_level=True)

TEXT = PAGE.read_text(encoding="utf-8")
FILES = re.findall(r"`engines/(tictactoe/[\w/]+\.py)`:\n\n```python\n(.*?)```\n", TEXT, re.DOTALL)
ENTRY = re.search(r"```python\n(Entry\(.*?\n\)\n)```", TEXT, re.DOTALL)

# The package of the game lies in a folder of its own, beside our package `engines`.
PREPARE = """
import sys
import engines
engines.__path__.append(sys.argv.pop(1))
from engines import registry
from engines.registry import Entry
entry = {entry}
registry.GAMES[entry.name] = entry
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the files of the page."""
    made = tmp_path_factory.mktemp("engines")
    for name, code in FILES:
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
    return made


def run(folder: Path, code: str, *words: str, lines: str = "") -> str:
    assert ENTRY is not None
    done = subprocess.run(
        [sys.executable, "-c", PREPARE.format(entry=ENTRY[1]) + code, str(folder), *words],
        input=lines,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_the_page_has_all_files_of_the_game() -> None:
    rooms = {name.removeprefix("tictactoe/") for name, _ in FILES}
    assert {"__main__.py", "rules/position.py", "rules/text.py", "play/levels.py"} <= rooms


@pytest.mark.slow
def test_the_counts_are_verified(folder: Path) -> None:
    output = run(folder, "from tools.cli import main; main()", "perft", "tictactoe", "--depth", "9")
    assert "9 127872" in output
    assert "9 of 9 counts verified" in output


def test_the_program_plays_perfectly(folder: Path) -> None:
    play = "from engines.tictactoe.__main__ import main; main()"
    output = run(folder, play, lines="position .../oo./xx. x\nreg_genmove\nevaluation\nperft 2\n")
    assert "= c1\n" in output
    assert "score exact 1.000000" in output


def test_every_usual_part_is_there(folder: Path) -> None:
    code = "[entry.load(part) for part in ('rules', 'explanation', 'perft', 'bench')]"
    assert run(folder, code) == ""
