"""The main function of the line protocol's programs, run by a game that exists for these tests."""

import subprocess
import sys

import pytest

PROGRAM = """
from engines import program
from protocols.serve.gogui import GoGuiGame
from tests.engines.core.toy import heap_equipment

board = GoGuiGame("Heap", 1, lambda position: ["."], lambda position, points: points[0])
program.run("Heap", heap_equipment(), board if {gogui} else None)
"""


def run(
    *arguments: str, lines: str = "", gogui: bool = False, status: int = 0
) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(gogui=gogui), *arguments],
        input=lines,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == status, done.stderr
    return done


def test_it_serves_the_line_protocol_until_the_end_of_input() -> None:
    assert run(lines="game\nposition\n").stdout == "= heap\n\n= 7\n\n"


def test_a_mistake_of_the_user_is_a_failure_of_the_command() -> None:
    assert run(lines="play 3\nposition x\n").stdout == (
        "? expected 0, 1 or 2, not '3'\n\n? expected a number, not 'x'\n\n"
    )


def test_options_of_the_command_line_are_set_first() -> None:
    assert run("--option", "level=1", lines="option level\n").stdout.startswith("= 1 ")


def test_a_wrong_option_ends_the_program() -> None:
    done = run("--option", "level=9", status=2)
    assert done.stderr == "quintet-heap: level: expected 1 2, not '9'\n"


def test_help_and_version_say_what_the_game_is() -> None:
    text = run("--help").stdout
    assert "Heap over Quintet's line protocol." in text
    assert "level: 1 2 (default 2)" in text
    assert run("--version").stdout == "quintet-heap 1.0 (interpreted)\n"


@pytest.mark.parametrize("gogui", [False, True])
def test_only_a_game_with_a_board_serves_gogui(gogui: bool) -> None:
    answer = run(lines="known_command gogui-rules_game_id\n", gogui=gogui).stdout
    assert answer == f"= {'true' if gogui else 'false'}\n\n"
