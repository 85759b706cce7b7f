"""All five programs explain themselves to a person who types `help`, or asks for `--help`."""

import subprocess

import pytest

from protocols.serve.line import describe_commands
from tests.programs import own_program

PROGRAMS = {
    "quintet-go": ("genmove COLOUR", "as D4, or pass", "maxTime: seconds per move"),
    "quintet-shogi": ("position startpos", "7g7f", "USI_Hash: memory of the search, in MiB"),
    "quintet-morris": ("play [SIDE] MOVE", "d6-d5xc3", "level: how well it plays; 1 2 3"),
    "quintet-neutron": ("play [SIDE] MOVE", "c3-c1/b1-b4", "level: how well it plays; random"),
    "quintet-senet": ("roll [N]", "24-off", "seed: of random choices and throws"),
}


def run(program: str, *arguments: str, said: str = "") -> str:
    done = subprocess.run(
        [*own_program(program), *arguments],
        input=said,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("program", PROGRAMS)
def test_help_names_commands_the_form_of_moves_and_options(program: str) -> None:
    answer = run(program, said="help\nquit\n")
    for words in PROGRAMS[program]:
        assert words in answer
    if program == "quintet-shogi":
        assert all(line.startswith("info string ") for line in answer.splitlines())
    else:
        assert answer.split("\n")[0].strip() == "="
        assert len(answer.strip().split("\n\n")) == 2, "one reply to help, one to quit"


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_option_help_says_the_same(program: str) -> None:
    answer = run(program, "--help")
    for words in (PROGRAMS[program][0], PROGRAMS[program][2]):
        assert words in answer


@pytest.mark.parametrize("program", ["quintet-go", "quintet-neutron"])
def test_help_explains_one_command_and_refuses_an_unknown_one(program: str) -> None:
    answer = run(program, said="1 help undo\n2 help nothing\nquit\n")
    assert answer.startswith("=1 undo")
    assert "?2 no help for" in answer


def test_every_command_of_the_line_protocol_has_its_help() -> None:
    described = {line.split()[0] for line in describe_commands()}
    listed = run("quintet-neutron", said="list_commands\nquit\n").split("\n\n")[0].split()[1:]
    own = {name for name in listed if not name.startswith(("gogui-", "gg-"))}
    assert own - {"boardsize", "clear_board", "komi"} == described
