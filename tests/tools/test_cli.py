import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engines import __version__, registry
from engines.core.errors import QuintetError
from engines.core.version import hot_modules
from protocols.errors import CannotSay, EngineError
from tests.programs import own_program
from tools.cli import COMMANDS, READER_GONE, main


def quintet(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_help_lists_every_command() -> None:
    result = quintet("--help")
    assert result.exit_code == 0
    for name, line in COMMANDS.items():
        assert f"  {name} " in result.output
        assert line in result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    result = quintet(name, "--help")
    assert result.exit_code == 0
    assert result.output.startswith("Usage: ")


def test_without_arguments_there_is_a_greeting_with_three_examples() -> None:
    result = quintet()
    assert result.exit_code == 0
    examples = [line.split() for line in result.output.splitlines() if line.startswith("  ")]
    assert [words[0] for words in examples] == ["quintet"] * 3
    assert all(words[1] in COMMANDS for words in examples)


@pytest.mark.parametrize(
    ("word", "hint"),
    [("mtach", "; did you mean match?"), ("frobnicate", "; `quintet --help` lists them")],
)
def test_an_unknown_command_is_answered_with_a_near_one(word: str, hint: str) -> None:
    result = quintet(word)
    assert result.exit_code == 2
    assert result.stderr.endswith(f"Error: no such command: '{word}'{hint}\n")


def test_the_version() -> None:
    told = quintet("--version").output
    assert told in (f"quintet {__version__} ({speed})\n" for speed in ("compiled", "interpreted"))
    assert ("(compiled)" in told) == all(
        not str(import_module(name).__file__).endswith(".py") for name in hot_modules("engines")
    )


def test_an_interrupted_command_says_so_by_its_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(entry: registry.Entry, part: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(registry.Entry, "load", interrupted)
    result = quintet("perft", "neutron", "--depth", "2")
    assert (result.exit_code, result.stderr) == (130, "interrupted\n")


def test_a_full_disk_under_the_output_is_told() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("Windows and macOS have no /dev/full")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*own_program("quintet"), "rules", "neutron"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "Error: cannot write the output: No space left on device\n"


@pytest.mark.parametrize(
    "error",
    [QuintetError("the file is odd"), CannotSay("the file is odd"), EngineError("the file is odd")],
)
def test_an_error_that_the_user_can_mend_is_a_message_and_status_2(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(entry: registry.Entry, part: str) -> None:
        raise error

    monkeypatch.setattr(registry.Entry, "load", fail)
    result = quintet("rules", "neutron")
    assert (result.exit_code, result.stderr) == (2, "Error: the file is odd\n")


@pytest.mark.slow
def test_an_output_without_kanji_gets_escapes_and_a_file_is_written_as_it_is(
    tmp_path: Path,
) -> None:
    record = tmp_path / "歩.sgf"
    record.write_text("(;GM[1]SZ[5];B[cc]LB[aa:歩])", "utf-8")
    suite = tmp_path / "a.suite"
    suite.write_text("game: neutron\nlimit: depth=1\ntest 歩\nforbid: b1-b4\n", "utf-8")
    match = "match neutron quintet-neutron name=歩 quintet-neutron --games 1 --time depth=1"

    def written(*words: str) -> bytes:
        return subprocess.run(
            [*own_program("quintet"), *words],
            env={**os.environ, "PYTHONIOENCODING": "cp1252", "COLUMNS": "200"},
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=True,
        ).stdout

    assert b"Neutron: \\u6b69 against quintet-neutron" in written(*match.split())
    assert b"passed \\u6b69" in written("regress", str(suite), "--long")
    events = map(json.loads, written("regress", str(suite), "--json").splitlines())
    assert "歩" in [event.get("test") for event in events]
    assert ">歩<" in written("show", str(record), "--svg", "-").decode("utf-8")
    assert "歩" in written("convert", str(record), "-", "--to", "sgf").decode("utf-8")


@pytest.mark.parametrize("command", ["show", "rules"])  # By rich, and by click.
def test_a_closed_pipe_is_no_answer(command: str, tmp_path: Path) -> None:
    record = tmp_path / "game.usi"
    record.write_text("position startpos moves 7g7f\n")
    words = [command, str(record) if command == "show" else "senet"]
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "tools", *words],
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert (ended.returncode, ended.stderr) == (READER_GONE, b"")
