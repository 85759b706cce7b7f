import json
import sys
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.roster.engines import interpreted, load_engines, place, resolve
from tools.roster.seats import Seat


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))


def write(folder: Path, text: str) -> Path:
    path = folder / "engines.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["neutron", "quintet-neutron"])
def test_our_programs_are_known_by_both_names(name: str) -> None:
    spec = resolve(name)
    assert spec.label == "quintet-neutron"
    assert spec.command == (sys.executable, "-P", "-m", "engines.neutron")
    assert (spec.protocol, spec.game) == ("line", "neutron")


@pytest.mark.parametrize("name", ["engines.py", "engines/__init__.py", "protocols.py"])
def test_a_file_in_the_working_folder_does_not_replace_our_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    stranger = tmp_path / name
    stranger.parent.mkdir(exist_ok=True)
    stranger.write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    seat = Seat(resolve("neutron"))
    try:
        assert seat.client().name == "quintet-neutron"
    finally:
        seat.dismiss()


def test_our_programs_take_arguments() -> None:
    spec = resolve("neutron --option level=3")
    assert spec.label == "quintet-neutron --option level=3"
    assert spec.command[-2:] == ("--option", "level=3")


def test_our_programs_are_told_apart_that_are_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    speeds = {"engines.go": "interpreted"}
    monkeypatch.setattr("tools.roster.engines.speed", lambda name: speeds.get(name, "compiled"))
    texts = ("go", "quintet-go --option x=1", "neutron", f"'{sys.executable}' -m engines.go")
    engines = [resolve(text) for text in texts]
    assert interpreted(engines) == ["quintet-go", "quintet-go --option x=1"]


def test_a_command_line_is_split_and_never_a_shell() -> None:
    spec = resolve(f"'{sys.executable}' -c 'print(1); $HOME'")
    assert spec.command == (sys.executable, "-c", "print(1); $HOME")
    assert (spec.protocol, spec.game) == (None, None)


def test_a_protocol_can_be_given() -> None:
    assert resolve(sys.executable, "gtp").protocol == "gtp"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("shogl", "no such engine: 'shogl'; did you mean shogi. .known: quintet-"),
        ("'unfinished", "No closing quotation"),
    ],
)
def test_an_unknown_engine_is_told(text: str, complaint: str) -> None:
    with pytest.raises(InvalidText, match=complaint):
        resolve(text)


def test_a_name_from_the_users_file(tmp_path: Path) -> None:
    write(
        tmp_path,
        f"""
[engine.mine]
command = "'{sys.executable}' -m mine --fast"
protocol = "gtp"
game = "neutron"
folder = '{tmp_path}'
commands = ["komi 7.5"]
options = {{ threads = 2, ponder = false }}
environment = {{ HOME = "/nowhere" }}
patience = 300
ponder = true
movetime = true
scores = false
restart = "always"
""",
    )
    spec = resolve("mine")
    assert spec.label == "mine"
    assert spec.command == (sys.executable, "-m", "mine", "--fast")
    assert (spec.protocol, spec.game, spec.folder) == ("gtp", "neutron", str(tmp_path))
    assert spec.commands == ("komi 7.5",)
    assert spec.options == (("threads", "2"), ("ponder", "false"))
    assert spec.environment == (("HOME", "/nowhere"),)
    assert (spec.patience, spec.ponder, spec.movetime) == (300.0, True, True)
    assert (spec.scores, spec.restart) == (False, "always")


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "engines.toml").write_bytes(b"# mine\n[engine.\xff]\n")
    with pytest.raises(
        InvalidText, match=r"engines.toml:2: expected text in UTF-8, not the byte 0xff"
    ):
        resolve("mine")
    assert resolve("neutron").game == "neutron"


def test_a_folder_in_the_files_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "engines.toml").mkdir()
    with pytest.raises(InvalidText, match=r"engines.toml: Is a directory"):
        resolve("mine")


def test_no_file_is_no_engines(tmp_path: Path) -> None:
    assert load_engines(tmp_path / "engines.toml") == {}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("\n[engine.a\n", r"engines.toml:2: not TOML: column 10: Expected"),
        ("\nengines = 1\n", r":2: no such table: 'engines'"),
        ("[engine.a]\n", r":1: engine.a: command is missing"),
        ('\n[engine.a]\ncommand = "x"\nspeed = 3\n', r":4: no such key: 'speed' .known: command"),
        (
            '[engine.a]\ncommand = "x"\nprotocol = "uci"\n',
            r":3: protocol: expected gtp or usi",
        ),
        ('[engine.a]\ncommand = "x"\ngame = "chess"\n', r":3: game: expected go or morris or"),
        ('[engine.a]\ncommand = "x"\nfolder = "/none"\n', r":3: no such folder: '/none'"),
        ("[engine.a]\ncommand = 3\n", r":2: command: expected a list of strings"),
        ("[engine.a]\ncommand = []\n", r":2: command: expected a program"),
        ('[engine.a]\ncommand = "\'x"\n', r":2: .*No closing quotation"),
        ('[engine.a]\ncommand = "x"\noptions = 3\n', r":3: options: expected a table"),
        (
            '[engine.a]\ncommand = "x"\n[engine.b]\ncommands = [1]\ncommand="y"',
            r":4: commands: exp",
        ),
        ('[engine.a]\ncommand = "x"\nponder = 1\n', r":3: ponder: expected true or false"),
        ('[engine.a]\ncommand = "x"\nscores = 1\n', r":3: scores: expected true or false"),
        ('[engine.a]\ncommand = "x"\nrestart = 1\n', r":3: restart: expected auto or always"),
        ('[engine.a]\ncommand = "x"\npatience = 0\n', r":3: patience: expected seconds"),
        ('[engine.a]\ncommand = "x"\npatience = nan\n', r":3: patience: expected seconds"),
        ('[engine.a]\ncommand = "x"\npatience = inf\n', r":3: patience: expected seconds"),
        ("[engine]\na = 3\n", r"engine.a: expected a table"),
        ("engine = 3\n", r":1: expected tables"),
        (
            '[engine.a]\ncommand = "x"\nenvironment = {A=1}\n',
            r":3: environment: A: expected text in quotes, not 1",
        ),
        (
            '[engine.a]\ncommand = "x"\n[engine.a.environment]\nB = "b"\n"A.1" = true\n',
            r":5: environment: A.1: expected text in quotes, not true",
        ),
        ('[engine.a]\ncommand = "/none/x y"\n', r":2: command: no such file: /none/x"),
        ('\n[engine.quintet-go]\ncommand = "x"\n', r":2: engine.quintet-go: that is our own"),
        ('[engine."go b"]\ncommand = "x"\n', r":1: engine.go b: that is our own program"),
        ('[engine." "]\ncommand = "x"\n', r":1: expected a name"),
    ],
)
def test_a_mistake_is_told_with_file_and_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(InvalidText, match=complaint):
        load_engines(write(tmp_path, text))


def test_all_mistakes_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text = """[engine.a]
speed = 3
command = "no-such-program-here"

[engine.b]
command = 7

[engines.c]
"""
    with pytest.raises(InvalidText) as caught:
        load_engines(write(tmp_path, text))
    messages = [line.rpartition("engines.toml:")[2] for line in str(caught.value).splitlines()]
    assert [line.partition(": ")[0] for line in messages] == ["2", "3", "6", "8"]
    assert messages[1].endswith(
        "no such program: 'no-such-program-here' (expected one that can be run)"
    )


@pytest.mark.parametrize("name", ["back\\", "two words", "it's", '"quoted"'])
def test_every_name_that_is_listed_can_be_called(tmp_path: Path, name: str) -> None:
    write(tmp_path, f"[engine.{json.dumps(name)}]\ncommand = {json.dumps([sys.executable])}\n")
    assert resolve(name).label == name


def test_a_program_is_looked_for_in_the_folder_that_it_starts_in(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "mine").symlink_to(sys.executable)
    write(tmp_path, f"[engine.a]\ncommand = 'bin/mine'\nfolder = '{tmp_path}'\n")
    assert resolve("a").command == ("bin/mine",)


def test_the_place_of_a_setting_is_found_again(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        f"[engine.a]\ncommand = '{sys.executable}'\n\n[engine.a.options]\nB = 1\nLevel = 3\n",
    )
    spec = resolve("a")
    assert place(spec, "options", "Level") == f"{path}:6: "
    assert place(spec, "folder") == f"{path}:1: "
    assert place(resolve("neutron"), "options", "Level") == ""
