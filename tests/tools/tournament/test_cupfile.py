from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.tournament.cupfile import read_cup

GOOD = """
[tournament]
game = "go"
size = 9
komi = 7
format = "swiss"
rounds = 3
time = "visits=50"
openings = "mine.txt"
resign = "0.02,5"

[engine.strong]
command = "quintet-go --option level=5"
time = "visits=200"

[engine."GNU Go"]
command = ["gnugo", "--mode", "gtp"]
protocol = "gtp"
options = { level = 3 }
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(text, encoding="utf-8")
    (folder / "mine.txt").touch()
    return path


def test_a_file_gives_the_options_of_the_command_line(tmp_path: Path) -> None:
    cup = read_cup(write(tmp_path, GOOD))
    assert cup.options["komi"] == "7"
    assert cup.options["times"] == ("visits=50",)
    assert cup.options["openings"] == tmp_path / "mine.txt"
    assert [side.engine.label for side in cup.sides] == ["strong", "GNU Go"]
    assert cup.sides[0].engine.game == "go"
    assert str(cup.sides[0].time) == "visits=200"
    assert cup.sides[1].engine.command == ("gnugo", "--mode", "gtp")
    assert cup.sides[1].engine.options == (("level", "3"),)


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    path = write(tmp_path, "\ufeff" + GOOD)
    assert read_cup(path).options["game"] == "go"
    path.write_bytes(b"\xef\xbb\xbf[tournament]\ngame = \xff")
    with pytest.raises(InvalidText, match=r"cup.toml:2: expected text in UTF-8, not the byte 0xff"):
        read_cup(path)


def test_every_mistake_is_named_with_its_line_and_what_was_expected(tmp_path: Path) -> None:
    wrong = """\
colour = "red"
[tournament]
game = "gpo"
format = "swis"
games = 3
rounds = "many"
time = "fast"
openings = "none.txt"
resign = "2,1"
komi = true
tables = "yes"
lag = -1
certainty = 2.5
sice = 9
[engine.one]
command = "no-such-program"
[engine.two]
patience = 0
options = [1]
time = 7
[engine.three]
command = 5
"""
    path = write(tmp_path, wrong)
    with pytest.raises(InvalidText) as raised:
        read_cup(path)
    lines = dict(
        line.removeprefix(f"{path}:").split(": ", 1)
        for line in str(raised.value).splitlines()
        if line.startswith(f"{path}:")
    )
    expected = {
        "1": "no such table: 'colour' (expected [tournament] and [engine.NAME])",
        "3": "game: expected go or morris or neutron or senet or shogi, not 'gpo'; did you mean",
        "4": "format: expected round-robin or gauntlet or swiss or knockout or adaptive or ladder",
        "5": "games: expected an even number, because each opening is played with both colours",
        "6": "rounds: expected a whole number from 1, not 'many'",
        "7": "time: time control 'fast': expected",
        "8": "openings: no such file or folder",
        "9": "resign: resign '2,1': expected SHARE,MOVES",
        "10": "komi: expected a text in quotes, not True",
        "11": "tables: expected true or false, not 'yes'",
        "12": "lag: expected seconds, at least 0, not -1",
        "13": "certainty: expected a number between 0.5 and 1, not 2.5",
        "14": "no such key: 'sice'; did you mean size? (known: ",
        "16": "command: no such engine: 'no-such-program'",
        "17": "engine.two: command is missing",
        "18": "patience: expected seconds above 0",
        "19": "options: expected a table",
        "20": "time: expected a text in quotes, not 7",
        "22": "command: expected an engine, or a list of strings",
    }
    assert {line: lines.get(line, "")[: len(text)] for line, text in expected.items()} == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tournament\n", r"cup.toml:1: not TOML"),
        ("[engine.a]\ncommand = 'quintet-go'\n", "cup.toml:1: expected at least two tables"),
        ("engine = 3\n", "cup.toml:1: expected at least two tables"),
        ("tournament = 3\n[engine.a]\n[engine.b]\n", r"cup.toml:1: expected a table \[tournament"),
        ("[engine]\na = 1\nb = 2\n", "cup.toml:2: engine.a: expected a table"),
    ],
)
def test_a_file_without_the_tables_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InvalidText, match=message):
        read_cup(write(tmp_path, text))


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("--rounds 9: expected", 7),
        ("resign '1': expected", 10),
        ("GNU Go: it refused", 16),
        ("something else", 2),
    ],
)
def test_a_later_error_is_located_by_the_names_in_it(
    tmp_path: Path, message: str, line: int
) -> None:
    path = write(tmp_path, GOOD)
    located = read_cup(path).locate(InvalidText(message))
    assert str(located) == f"{path}:{line}: {message}"
