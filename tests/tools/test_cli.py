import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engines import __version__, registry
from tests.programs import own_program
from tests.tools.fakes import ROOT, fake
from tools.cli import COMMANDS, main
from tools.engines import EngineSpec
from tools.journal import Journal
from tools.match_command import _fresh_folder


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
    assert (told.exit_code, told.stdout) == (0, "1 13\n2 99\n3 1022\n")


def test_perft_counts_turns() -> None:
    assert quintet("perft", "neutron", "--depth", "2", "--turns").stdout == "1 13\n2 1026\n"


def test_perft_from_a_position() -> None:
    told = quintet(
        "perft", "neutron", "--depth", "1", "--position", "BBBBB/...../..N../...../WWWWW w"
    )
    assert told.stdout == "1 8\n"


def test_perft_in_json() -> None:
    lines = quintet("perft", "neutron", "--depth", "2", "--json").output.splitlines()
    told = [json.loads(line) for line in lines]
    assert told[1] == {"event": "perft", "depth": 2, "count": 99, "known": 99}
    assert told[-1]["event"] == "summary"
    assert told[-1]["verified"] == 2


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        (("go", "--size", "2"), "1 5\n2 20\n3 64\n"),
        (("go", "--size", "3", "--variant", "japanese"), "1 10\n2 90\n3 729\n"),
        (("shogi",), "1 30\n2 900\n3 25470\n"),
        (("morris", "--apart"), "1 24\n2 552\n3 12144\n"),
        (("neutron",), "1 13\n2 99\n3 1022\n"),
        (("senet", "--variant", "pass"), "1 5\n2 5\n3 25\n"),
    ],
)
def test_perft_compares_with_the_known_counts(words: tuple[str, ...], counts: str) -> None:
    told = quintet("perft", *words, "--depth", "3")
    assert told.exit_code == 0
    assert told.stdout == counts
    assert told.stderr.startswith("3 of 3 counts verified")


def test_an_interrupted_command_says_so_by_its_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(entry: registry.Entry, part: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(registry.Entry, "load", interrupted)
    told = quintet("perft", "neutron", "--depth", "2")
    assert (told.exit_code, told.stderr) == (130, "interrupted\n")


def test_perft_of_a_position_is_compared_with_nothing() -> None:
    told = quintet("perft", "senet", "--depth", "1", "--position", "2.1" + "." * 27 + " 1 -")
    assert told.exit_code == 0
    assert told.stderr == "no counts known beforehand\n"


def test_a_count_that_is_not_the_known_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = replace(registry.GAMES["neutron"], counts={("", 0, ""): (13, 100)})
    monkeypatch.setattr("tools.perft.registry.find", lambda name: entry)
    told = quintet("perft", "neutron", "--depth", "2")
    assert told.exit_code == 1
    assert told.stdout == "1 13\n2 99\n"
    assert "ply 2: 99, and known is 100" in told.stderr


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_every_game_benches_with_the_same_columns(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def figures(seconds: float) -> Iterator[tuple[str, float, str]]:
        assert seconds == 0.5
        yield "perft 3", 1234567.0, "leaves/s"

    monkeypatch.setattr(registry.Entry, "load", lambda entry, part: figures)
    monkeypatch.setattr("tools.bench._start_up", lambda command, question: 0.25)
    monkeypatch.setattr("tools.bench._abort", lambda command, thinking, interrupt: 0.001)
    told = quintet("bench", game, "--seconds", "0.5")
    assert told.exit_code == 0, told.output
    lines = told.stdout.splitlines()
    assert lines[0].split() == [game, "perft", "3", "1,234,567", "leaves/s"]
    assert lines[1].split()[-2:] == ["250", "ms"]
    told = quintet("bench", game, "--seconds", "0.5", "--json")
    events = [json.loads(line) for line in told.stdout.splitlines()]
    assert events[0] == {
        "event": "figure",
        "of": game,
        "what": "perft 3",
        "figure": 1234567.0,
        "unit": "leaves/s",
    }
    assert events[-1]["event"] == "summary"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("neutron", "--depth", "1", "--apart", "--turns"), "exclude each other"),
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
    told = quintet("match", "good", "crash", "--games", "2", "--seed", "1", "--out", str(out))
    assert told.exit_code == 1, told.output
    lines = told.stdout.splitlines()
    assert lines[0].startswith("   1/2  good - crash  1-0  crash: ")
    assert lines[1] == "      stderr: out of luck"
    assert lines[2].startswith("   2/2  crash - good  0-1  crash: ")
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
    record = (out / "neutron-0001.sgf").read_bytes()
    assert b"RE[W+F]" in record
    assert b"\nstderr: out of luck]" in record


@pytest.mark.usefixtures("_fakes")
def test_a_match_in_json(tmp_path: Path) -> None:
    told = quintet("match", "good", "--games", "1", "--json", "--out", str(tmp_path / "records"))
    events = [json.loads(line) for line in told.stdout.splitlines()]
    assert [event["event"] for event in events] == ["begin", "start", "game", "summary"]
    assert events[0]["engines"] == ["good", "good (2)"]
    assert (events[1]["number"], events[1]["players"]) == (1, ["good", "good (2)"])
    assert events[2]["verdict"] == "natural"
    assert Path(events[2]["record"]).is_file()
    assert sum(each["points"] for each in events[3]["standings"]) == 1.0


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
        (("./a", "./b", "./c"), "expected one or two engines, not 3\n"),
        (("neutron", "./a", "./b"), "not 3; what is played between two others is said by --game"),
        (("neutron", "--records", "csa"), "--records is for shogi; neutron is recorded in SGF"),
        (("neutron", "--records", "kif"), "--records is for shogi"),
        (("neutron", "--plies", "3"), "--plies is about openings; expected --openings with it"),
        (("neutron", "--order", "sequential"), "--order is about openings"),
        (("neutron", "--draw", "0.5,2"), "SHARE is how far from 0.5 both engines' share"),
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


@pytest.mark.usefixtures("_fakes")
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--movetime",), "--movetime is for engines that speak USI; these speak line"),
        (
            ("--time", "visits=5", "--time", "1"),
            "--time visits=5: good cannot be told a number of visits (expected nodes=5); "
            "--time may be given twice",
        ),
        (("--openings", "book.txt"), "opening book.txt:1, move 1: no move: 'hello'"),
    ],
)
def test_a_match_that_does_not_begin_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book.txt").write_text("hello")
    told = quintet("match", "good", "better", "--out", "match", *words)
    assert told.exit_code == 2
    assert complaint in told.output
    assert "records in" not in told.output
    assert [path.name for path in tmp_path.iterdir()] == ["book.txt"]


def test_all_that_an_engine_refuses_is_told_with_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINTET_CONFIG", str(tmp_path))
    (tmp_path / "engines.toml").write_text(
        f"""[engine.a]
command = [{sys.executable!r}, "-m", "engines.neutron"]
game = "neutron"
folder = {str(ROOT)!r}
[engine.a.options]
level = 99999
seed = "{{seed}}"
Nothing = 1

[engine.b]
command = [{sys.executable!r}, "-c", ""]
game = "neutron"
"""
    )
    told = quintet("match", "a", "b", "--out", str(tmp_path / "match"))
    path = tmp_path / "engines.toml"
    lines = told.output.splitlines()
    assert told.exit_code == 2
    assert lines[0].startswith(f"Error: {path}:6: a: option level 99999: ")
    assert lines[1].startswith(f"{path}:8: a: option Nothing 1: ")
    assert lines[2].startswith(f"{path}:10: b: ")
    assert not (tmp_path / "match").exists()


def test_morris_says_whose_tables_are_asked(tmp_path: Path) -> None:
    line = ("match", "morris", "--tables", "--max-plies", "2", "--games", "1", "--time", "depth=1")
    told = quintet(*line, "--out", str(tmp_path / "match"))
    assert told.exit_code == 0, told.output
    assert "--tables: the tables that ship are asked, not those of your own" in told.stderr


@pytest.mark.usefixtures("_fakes")
def test_the_same_line_goes_on_where_it_stopped(tmp_path: Path) -> None:
    line = ("match", "good", "better", "--out", str(tmp_path), "--json")
    first = quintet(*line, "--games", "1")
    again = quintet(*line, "--games", "2")
    done = quintet(*line, "--games", "2")
    assert (first.exit_code, again.exit_code, done.exit_code) == (0, 0, 0)
    numbers = [
        [
            event["number"]
            for event in map(json.loads, told.stdout.splitlines())
            if event["event"] == "game"
        ]
        for told in (first, again, done)
    ]
    assert numbers == [[1], [2], []]
    assert json.loads(done.stdout.splitlines()[-1])["games"] == 2


@pytest.mark.usefixtures("_fakes")
def test_another_line_on_the_same_folder_could_not_run(tmp_path: Path) -> None:
    line = ("match", "good", "better", "--games", "1", "--out", str(tmp_path))
    assert quintet(*line).exit_code == 0
    told = quintet(*line, "--set-aside", "5")
    assert told.exit_code == 2
    assert "set-aside: was 10, is 5" in told.output
    assert quintet(*line, "--set-aside", "5", "--accept-changes").exit_code == 0


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e9"])
@pytest.mark.parametrize("option", ["--lag", "--move-timeout", "--patience"])
def test_a_wait_without_an_end_is_refused(tmp_path: Path, option: str, number: str) -> None:
    told = quintet("match", "neutron", option, number, "--out", str(tmp_path / "out"))
    assert told.exit_code == 2
    assert f"Invalid value for '{option}'" in told.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_a_test_between_no_numbers_is_refused(tmp_path: Path, number: str) -> None:
    out = str(tmp_path / "out")
    told = quintet("match", "neutron", "--sprt", f"elo0={number},elo1=5", "--out", out)
    assert (told.exit_code, "elo0 must be a number" in told.output) == (2, True)
    told = quintet("sprt", "--tri", "1,2,3", "--elo0", "0", "--elo1", number)
    assert (told.exit_code, "is no finite number" in told.output) == (2, True)


@pytest.mark.usefixtures("_fakes")
def test_games_of_other_rules_are_never_taken_for_this_match(tmp_path: Path) -> None:
    line = ("--games", "1", "--out", str(tmp_path))
    assert quintet("match", "good", "better", *line).exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    other = ("--variant", "kraus", "--accept-changes")
    told = quintet("match", "good", "better", *line, *other)
    assert told.exit_code == 2
    assert "name another folder" in told.output
    assert "another variant" in told.output
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


@pytest.mark.usefixtures("_fakes")
def test_a_test_that_accepts_its_hypothesis_ends_the_match(tmp_path: Path) -> None:
    line = ("match", "good", "resign", "--games", "400", "--max-plies", "60", "--json")
    told = quintet(*line, "--sprt", "elo0=0,elo1=200", "--out", str(tmp_path))
    summary = json.loads(told.stdout.splitlines()[-1])
    assert told.exit_code == 0
    assert summary["sprt"]["state"] == "H1"
    assert 2 < summary["games"] < 400
    # A game may be over before the one who resigns has a turn to do so.
    endings = list(zip(*summary["endings"].values(), strict=True))
    assert [sum(counts) for counts in endings] == [0, 0, summary["games"]]


@pytest.mark.usefixtures("_fakes")
def test_an_answer_with_anomalies_is_not_taken_for_a_clean_one(tmp_path: Path) -> None:
    line = ("match", "good", "illegal", "--games", "400", "--set-aside", "999", "--json")
    told = quintet(*line, "--sprt", "elo0=0,elo1=200", "--out", str(tmp_path))
    summary = json.loads(told.stdout.splitlines()[-1])
    assert (summary["sprt"]["state"], summary["status"]) == ("H1", "anomalies")
    assert told.exit_code == 1


@pytest.mark.usefixtures("_fakes")
def test_a_second_run_on_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    line = ("match", "good", "better", "--games", "1", "--out", str(tmp_path))
    with Journal(tmp_path):
        told = quintet(*line)
    assert told.exit_code == 2
    assert "is in use by another match" in told.output
    assert quintet(*line).exit_code == 0


def test_a_limit_on_files_stops_a_match_that_goes_on_without_it(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="Windows has no limits")
    engine = [sys.executable, "-m", "tests.tools.fake_neutron", "good"]
    line = [sys.executable, "-m", "tools", "match", shlex.join(engine), "--protocol", "line"]
    line += ["--game", "neutron", "--out", str(tmp_path / "match"), "--games"]
    done = subprocess.run(
        [*line, "500"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)),
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("Error: cannot write ")
    assert done.stderr.endswith("File too large\n")
    status = json.loads((tmp_path / "match" / "status.json").read_text())
    assert (status["status"], "File too large" in status["failure"]) == ("failed", True)
    assert 0 < status["games"] < 500
    assert quintet("verify", str(tmp_path / "match")).exit_code == 0
    again = subprocess.run(
        [*line, str(status["games"] + 1)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert again.returncode == 0, again.stderr
    assert quintet("verify", str(tmp_path / "match")).exit_code == 0


@pytest.mark.usefixtures("_fakes")
def test_a_test_without_sense_could_not_run(tmp_path: Path) -> None:
    told = quintet("match", "good", "--sprt", "elo0=5,elo1=0", "--out", str(tmp_path / "x"))
    assert told.exit_code == 2
    assert "elo0 must be below elo1" in told.output


@pytest.mark.usefixtures("_fakes")
def test_more_games_at_once_than_cores_are_refused(tmp_path: Path) -> None:
    told = quintet("match", "good", "--concurrency", "999", "--out", str(tmp_path / "x"))
    assert told.exit_code == 2
    assert "cores (--force)" in told.output


@pytest.mark.usefixtures("_fakes")
def test_faulty_lines_of_play_fail_a_strict_match_only(tmp_path: Path) -> None:
    line = ("match", "good", "says-nonsense", "--games", "2", "--seed", "1")
    assert quintet(*line, "--out", str(tmp_path / "a")).exit_code == 0
    told = quintet(*line, "--strict", "--out", str(tmp_path / "b"))
    assert told.exit_code == 1
    assert "says-nonsense: " in told.output


def test_ctrl_c_ends_the_running_game_and_leaves_the_rest(tmp_path: Path) -> None:
    engine = [sys.executable, "-m", "tests.tools.fake_neutron", "late"]
    line = [sys.executable, "-m", "tools", "match", shlex.join(engine), "--protocol", "line"]
    line += ["--game", "neutron", "--games", "50", "--out", str(tmp_path), "--json"]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while json.loads(process.stdout.readline())["event"] != "game":
            pass
        process.send_signal(signal.SIGINT)
        events = [json.loads(told) for told in process.stdout]
        assert process.wait(30) == 130
    kinds = [event["event"] for event in events if event["event"] != "start"]
    assert kinds in (["game", "summary"], ["summary"])
    assert events[-1]["interrupted"]
    assert events[-1]["missing"] == 50 - events[-1]["games"]
    told = quintet("verify", str(tmp_path))
    assert told.exit_code == 0, told.output


def test_a_match_whose_reader_goes_away_stops_and_can_go_on(tmp_path: Path) -> None:
    engine = [sys.executable, "-m", "tests.tools.fake_neutron", "good"]
    line = [sys.executable, "-m", "tools", "match", shlex.join(engine), "--protocol", "line"]
    line += ["--game", "neutron", "--games", "5000", "--out", str(tmp_path), "--json"]
    with subprocess.Popen(
        line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["event"] == "begin"
        process.stdout.close()
        told = process.stderr.read()
        assert process.wait(60) == 130
    assert told == ""
    assert json.loads((tmp_path / "status.json").read_text())["interrupted"]
    assert quintet("verify", str(tmp_path)).exit_code == 0


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


def test_matches_that_begin_together_have_folders_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len({_fresh_folder("neutron") for _ in range(3)}) == 3


def test_a_start_that_fails_says_so_and_can_go_on(tmp_path: Path) -> None:
    flag, out = tmp_path / "flag", tmp_path / "match"
    code = f"""
import os, runpy, sys
if os.path.exists({str(flag)!r}):
    sys.exit(3)
runpy.run_module("engines.neutron", run_name="__main__")
"""
    moody = shlex.join([sys.executable, "-c", code])
    line = ("match", moody, "neutron", "--game", "neutron", "--time", "nodes=20", "--out", str(out))
    flag.touch()
    told = quintet(*line, "--games", "1")
    assert (told.exit_code, "exited with code 3" in told.output, out.exists()) == (2, True, False)
    flag.unlink()
    assert quintet(*line, "--games", "1").exit_code == 0
    flag.touch()
    assert quintet(*line, "--games", "2").exit_code == 2
    status = json.loads((out / "status.json").read_text())
    assert status["status"] == "failed"
    assert "exited with code 3" in status["why"][0]
    assert quintet("verify", str(out)).exit_code == 0
    flag.unlink()
    assert quintet(*line, "--games", "2").exit_code == 0
    assert json.loads((out / "status.json").read_text())["status"] == "clean"
    assert quintet("verify", str(out)).exit_code == 0
