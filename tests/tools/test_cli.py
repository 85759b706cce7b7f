import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engines import __version__
from tests.tools.fakes import fake
from tools.cli import COMMANDS, main
from tools.engines import EngineSpec


def quintet(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_help_lists_every_command() -> None:
    told = quintet("--help")
    assert told.exit_code == 0
    for name, (_, _, line) in COMMANDS.items():
        assert f"  {name} " in told.output
        assert line in told.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    told = quintet(name, "--help")
    assert told.exit_code == 0
    assert told.output.startswith("Usage: ")


def test_the_version() -> None:
    assert quintet("--version").output == f"quintet, version {__version__}\n"


def test_an_unknown_command_could_not_run() -> None:
    assert quintet("frobnicate").exit_code == 2


def test_perft_counts_ply_by_ply() -> None:
    told = quintet("perft", "neutron", "--depth", "3")
    assert (told.exit_code, told.output) == (0, "1 13\n2 99\n3 1022\n")


def test_perft_counts_turns() -> None:
    assert quintet("perft", "neutron", "--depth", "2", "--turns").output == "1 13\n2 1026\n"


def test_perft_from_a_position() -> None:
    told = quintet(
        "perft", "neutron", "--depth", "1", "--position", "BBBBB/...../..N../...../WWWWW w"
    )
    assert told.output == "1 8\n"


def test_perft_in_json() -> None:
    lines = quintet("perft", "neutron", "--depth", "2", "--json").output.splitlines()
    told = [json.loads(line) for line in lines]
    assert told[1] == {"event": "perft", "depth": 2, "count": 99}
    assert told[-1]["event"] == "summary"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("neutron", "--depth", "1", "--apart"), "--apart means nothing in neutron"),
        (("neutron", "--depth", "1", "--variant", "x"), "no such variant: 'x'"),
        (("neutron", "--depth", "1", "--size", "9"), "size"),
        (("neutron", "--depth", "1", "--position", "x"), "expected"),
        (("neutron", "--depth", "0"), "0 is not in the range"),
        (("chess", "--depth", "1"), "'chess' is not"),
        (("neutron",), "Missing option '--depth'"),
    ],
)
def test_perft_says_what_is_wrong(words: tuple[str, ...], complaint: str) -> None:
    told = quintet("perft", *words)
    assert told.exit_code == 2
    assert complaint in told.output


def test_rules_are_printed() -> None:
    told = quintet("rules", "neutron")
    assert told.exit_code == 0
    assert "neutron" in told.output.lower()


@pytest.fixture
def _fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(text: str, protocol: str | None = None) -> EngineSpec:
        return fake(text)

    monkeypatch.setattr("tools.match_command.resolve", resolve)


@pytest.mark.usefixtures("_fakes")
def test_a_match_tells_each_game_and_the_table(tmp_path: Path) -> None:
    out = tmp_path / "records"
    told = quintet("match", "good", "crash", "--games", "2", "--out", str(out))
    assert told.exit_code == 1, told.output
    lines = told.stdout.splitlines()
    assert lines[0].startswith("   1/2  good - crash  1-0  crash: ")
    assert lines[1].startswith("   2/2  crash - good  0-1  crash: ")
    assert "neutron-0001.sgf" in lines[0]
    table = [line.split() for line in lines if line.startswith(("good ", "crash "))]
    assert [row[:5] for row in table] == [
        ["good", "2", "2", "0", "0"],
        ["crash", "2", "0", "0", "2"],
    ]
    assert str(out) in lines[-1]
    assert sorted(path.name for path in out.iterdir()) == [
        *("journal.jsonl", "lock", "neutron-0001.sgf", "neutron-0002.sgf", "status.json")
    ]
    assert json.loads((out / "status.json").read_text())["why"] == ["2 games ended by crash"]
    assert b"RE[W+F]" in (out / "neutron-0001.sgf").read_bytes()


@pytest.mark.usefixtures("_fakes")
def test_a_match_in_json(tmp_path: Path) -> None:
    told = quintet("match", "good", "--games", "1", "--json", "--out", str(tmp_path / "records"))
    events = [json.loads(line) for line in told.stdout.splitlines()]
    assert [event["event"] for event in events] == ["begin", "game", "summary"]
    assert events[0]["engines"] == ["good", "good (2)"]
    assert events[1]["verdict"] == "natural"
    assert Path(events[1]["record"]).is_file()
    assert sum(each["points"] for each in events[2]["standings"]) == 1.0


@pytest.mark.usefixtures("_fakes")
def test_records_are_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "old.sgf").write_text("(;)")
    told = quintet("match", "good", "--out", str(tmp_path))
    assert told.exit_code == 2
    assert "already holds records (old.sgf)" in told.output


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("shogl",), "no such engine: 'shogl'"),
        (("neutron", "neutron", "neutron"), "expected one or two engines, not 3"),
        (("neutron", "--time", "soon"), "time control 'soon': expected"),
        (("neutron", "--variant", "fast"), "no such variant: 'fast'"),
        (("python3",), "which game?"),
        (("neutron", "--out", "/dev/null/x"), "cannot open /dev/null/x"),
        (("neutron", "--games", "0"), "0 is not in the range"),
    ],
)
def test_a_match_that_cannot_be_played_says_why(words: tuple[str, ...], complaint: str) -> None:
    told = quintet("match", *words)
    assert told.exit_code == 2
    assert complaint in told.output
