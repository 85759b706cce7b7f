import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import IO

import pytest

from engines import __version__
from engines.go.__main__ import unknown_commands

COMMAND = [sys.executable, "-m", "engines.go"]


def run(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], input=text, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture
def engine() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        yield process
        process.kill()


def ends(engine: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    assert engine.stdin is not None
    assert engine.stdout is not None
    return engine.stdin, engine.stdout


def ask(engine: subprocess.Popen[str], line: str) -> str:
    stdin, stdout = ends(engine)
    stdin.write(f"{line}\n")
    reply = ""
    while (text := stdout.readline()) != "\n":
        assert text, "the engine has gone"
        reply += text
    return reply.rstrip("\n")


def test_a_bounded_move_is_answered_after_the_end_of_input() -> None:
    done = run("boardsize 9\nkata-set-param maxVisits 20\ngenmove b\n")
    assert done.returncode == 0
    assert re.fullmatch(r"= \n\n= \n\n= [A-HJ][1-9]\n\n", done.stdout)
    assert done.stderr == ""


def test_unbounded_analysis_ends_with_the_input() -> None:
    done = run("boardsize 9\nlz-analyze b 10\n")
    assert done.returncode == 0
    assert "=\ninfo move " in done.stdout
    assert done.stdout.endswith("\n\n")


def test_sabakis_first_lines_are_answered_immediately() -> None:
    began = time.monotonic()
    done = run("name\nversion\nprotocol_version\nlist_commands\nquit\n")
    # Cold, on a busy machine; clients give two seconds and more.
    assert time.monotonic() - began < 10.0
    replies = done.stdout.split("\n\n")
    assert replies[0] == "= Quintet Go"
    assert re.match(r"= 1\.15\.0 \(quintet \S+, (compiled|interpreted)\)", replies[1])
    assert replies[2] == "= 2"
    assert {"genmove", "kata-analyze", "undo", "set_free_handicap"} <= set(replies[3].split())
    assert replies[4:] == ["= ", ""]


def test_nothing_heavy_is_imported_before_the_first_reply() -> None:
    program = (
        "import sys, engines.go.__main__;"
        "print(sorted({'numpy', 'torch', 'engines.go.play.search'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_sabakis_replay_and_analysis_work(engine: subprocess.Popen[str]) -> None:
    stdin, stdout = ends(engine)
    for line in ("komi 6.5", "boardsize 9", "clear_board", "set_free_handicap C3 G7", "play W E5"):
        assert ask(engine, line) == "= "
    stdin.write("kata-analyze B 50\n")
    assert stdout.readline() == "=\n"
    assert stdout.readline().startswith("info move ")
    stdin.write("protocol_version\n")
    while stdout.readline() != "\n":
        pass
    assert stdout.readline() == "= 2\n"
    assert stdout.readline() == "\n"
    assert ask(engine, "undo") == "= "


def test_quit_ends_a_long_move(engine: subprocess.Popen[str]) -> None:
    stdin, stdout = ends(engine)
    assert ask(engine, "boardsize 9") == "= "
    assert ask(engine, "kata-set-param maxTime 600") == "= "
    assert ask(engine, "kata-set-param maxVisits 0") == "= "
    stdin.write("kata-genmove_analyze b 50\n")
    assert stdout.readline() == "=\n"
    stdin.write("quit\n")
    assert re.search(r"\nplay [A-HJ][1-9]\n\n= \n\n$", stdout.read())
    assert engine.wait(10) == 0


def test_options_are_set_from_the_command_line_or_refused() -> None:
    done = run("kata-get-param level\n", "--option", "level=4")
    assert done.stdout == "= 4\n\n"
    done = run("", "--option", "level=40")
    assert done.returncode == 2
    assert "level goes from 1 to 10" in done.stderr
    assert run("", "--version").stdout.startswith(f"quintet-go {__version__} (")


@pytest.mark.parametrize(
    ("name", "text", "hint"),
    [
        ("option", "level=3", "settings are changed by kata-set-param: kata-set-param level 3"),
        ("option", "level 3", "settings are changed by kata-set-param: kata-set-param level 3"),
        ("option", "", "settings are changed by kata-set-param: kata-set-param level N"),
        ("hello", "", "`help` lists the commands"),
    ],
)
def test_a_person_is_told_the_command_that_was_meant(name: str, text: str, hint: str) -> None:
    told: list[str] = []
    unknown_commands(told.append)(name, text)
    assert told == [hint]
