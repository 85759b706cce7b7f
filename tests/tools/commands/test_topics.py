"""The examples in the topics of `quintet help` are read as the program would read them."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import registry
from engines.core.timing import TimeControl
from tests.programs import own_program
from tools.commands.topics import TOPICS, Examples, Lines
from tools.records.converting import READABLE, WRITABLE
from tools.regress.suites.suite import KEYS as KEYS_OF_SUITES
from tools.regress.suites.suite import Problem, check, parse_suite
from tools.roster.engines import load_engines, resolve
from tools.roster.settings import KEYS, PROTOCOLS
from tools.terms.openings import load_openings


def examples(topic: str) -> list[tuple[str, str]]:
    parts = [part for part in TOPICS[topic].parts if isinstance(part, Examples)]
    return [pair for part in parts for pair in part.meanings.items()]


def lines(topic: str) -> Iterator[str]:
    for part in TOPICS[topic].parts:
        if isinstance(part, Lines):
            yield from part.lines


@pytest.mark.parametrize("text", [text for text, _ in examples("time")])
def test_a_time_control_is_read(text: str) -> None:
    assert str(TimeControl.parse(text)) == text


def test_all_kinds_of_clocks_are_explained() -> None:
    controls = [TimeControl.parse(text) for text, _ in examples("time")]
    kinds = {control.kind for control in controls}
    assert kinds == {"", "sudden", "increment", "byoyomi", "canadian", "move", "hourglass"}


def test_the_engines_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(lines("engines"))
    for path in ("/home/me/mine/engine", "/home/me/mine"):
        assert path in text
    program = sys.executable.replace("\\", "/")
    text = text.replace("/home/me/mine/engine", program).replace("/home/me/mine", str(tmp_path))
    (tmp_path / "engines.toml").write_text(text)
    engine = load_engines(tmp_path / "engines.toml")["mine"]
    assert all(f"\n{key} = " in text for key in ("command", *KEYS))
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").write_text("#!/bin/sh\n")
    (tmp_path / "mine").chmod(0o755)
    resolved = {name: resolve(name) for name, _ in examples("engines")}
    assert resolved["mine"] == engine
    assert resolved["neutron"].game == "neutron"
    assert resolved["quintet-neutron --option level=3"].command[-1] == "level=3"
    assert resolved["./mine --fast"].command == ("./mine", "--fast")


def test_all_protocols_are_explained() -> None:
    assert tuple(name for name, _ in examples("protocols")) == PROTOCOLS


@pytest.mark.parametrize("game", registry.GAMES)
def test_the_opening_of_each_game_can_be_played(game: str, tmp_path: Path) -> None:
    (line,) = [text for text, meaning in examples("openings") if meaning == game]
    file = tmp_path / "lines.txt"
    file.write_text(f"{line}  # a comment\n")
    ((opening,), notices) = load_openings(file, registry.rules(game))
    assert (" ".join(opening.moves), notices) == (line, [])


def test_all_formats_are_explained() -> None:
    named = {name for name, _ in examples("formats")}
    text = " ".join(meaning for _, meaning in examples("formats"))
    assert named <= {*READABLE, *WRITABLE}
    assert {name for name in READABLE if name not in named} == {"ugi", "sfen"}
    assert "also .ugi" in text
    assert "also .sfen" in text
    only_read = {name for name, meaning in examples("formats") if "only read" in meaning}
    assert only_read == named - set(WRITABLE)


def test_the_suite_is_read() -> None:
    tests = parse_suite("\n".join(lines("suites")))
    assert [test.name for test in tests] == ["mate-1", "trap"]
    for test in tests:
        assert isinstance(test, Problem)
        check(test)
    named = {key for keys, _ in examples("suites") for key in keys.split(", ")}
    assert named <= set(KEYS_OF_SUITES)


SHELLS = [line for line in lines("completion") if not line.startswith("#")]


@pytest.mark.parametrize("line", SHELLS)
def test_the_lines_for_the_shells_load_a_completion(line: str) -> None:
    name, value, program = re.findall(r"(_QUINTET_COMPLETE)=(\w+) (quintet)", line)[0]
    done = subprocess.run(
        own_program(program),
        env={**os.environ, name: value},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "_quintet_completion" in done.stdout


@pytest.mark.parametrize("installed", [True, False])
def test_the_line_for_bash_works_with_and_without_quintet(
    tmp_path: Path, *, installed: bool
) -> None:
    bash = shutil.which("bash")
    if bash is None or sys.platform == "win32":
        pytest.skip("Windows has no bash of its own")
    program = tmp_path / "quintet"
    if installed:
        program.write_text(f"#!/bin/sh\nexec {shlex.join(own_program('quintet'))}\n")
        program.chmod(0o755)
    script = f"{SHELLS[0]}\ncomplete -p quintet || echo none"
    path = f"{tmp_path}:/usr/bin:/bin"
    loaded = subprocess.run(
        [bash, "--norc", "-c", script],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ("_quintet_completion" if installed else "none") in loaded.stdout
    assert "command not found" not in loaded.stderr
