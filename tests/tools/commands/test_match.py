import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from protocols.ask.engine import EngineSpec
from tests.tools.fakes import ROOT, fake
from tools.cli import main
from tools.journal.journal import Journal


def quintet(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.fixture
def _fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(text: str, protocol: str | None = None) -> EngineSpec:
        return fake(text)

    monkeypatch.setattr("tools.roster.sides.resolve", resolve)


@pytest.mark.usefixtures("_fakes")
def test_a_match_tells_each_game_and_the_table(tmp_path: Path) -> None:
    out = tmp_path / "records"
    result = quintet("match", "good", "crash", "--games", "2", "--seed", "1", "--out", str(out))
    assert result.exit_code == 1, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == f"Neutron: good against crash, 2 games, 60+1, records in {out}"
    assert lines[1].startswith("   1/2  good - crash  1-0  crash: ")
    assert lines[2] == "      stderr: out of luck"
    assert lines[3].startswith("   2/2  crash - good  0-1  crash: ")
    assert "2 by crash" in lines
    assert "neutron-0001.sgf" in lines[1]
    table = [line.split() for line in lines if line.startswith(("good ", "crash "))]
    assert [row[:5] for row in table] == [
        ["good", "2", "2", "0", "0"],
        ["crash", "2", "0", "0", "2"],
    ]
    assert str(out) in lines[-1]
    assert sorted(path.name for path in out.iterdir()) == [
        *("journal.jsonl", "lock", "neutron-0001.sgf", "neutron-0002.sgf", "status.json")
    ]
    assert json.loads((out / "status.json").read_text())["why"] == ["2 games ended by a crash"]
    record = (out / "neutron-0001.sgf").read_bytes()
    assert b"RE[W+F]" in record
    assert b"\nstderr: out of luck]" in record


@pytest.mark.usefixtures("_fakes")
@pytest.mark.parametrize(
    ("words", "begins"), [(("--quiet",), ()), (("--every", "2"), ("   2/4  ", "   4/4  "))]
)
def test_a_match_tells_less_if_wanted(
    tmp_path: Path, words: tuple[str, ...], begins: tuple[str, ...]
) -> None:
    line = ("match", "good", "better", "--games", "4", "--out", str(tmp_path / "out"))
    result = quintet(*line, *words)
    first, *lines = result.stdout.splitlines()
    assert first.startswith("Neutron: good against better, 4 games")
    told, table = lines[: lines.index("")], lines[lines.index("") + 1 :]
    assert [line[: len(begin)] for line, begin in zip(told, begins, strict=True)] == [*begins]
    assert table[0].startswith("engine ")
    assert result.stderr == ""


@pytest.mark.usefixtures("_fakes")
def test_a_match_in_json(tmp_path: Path) -> None:
    result = quintet("match", "good", "--games", "1", "--json", "--out", str(tmp_path / "records"))
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["event"] for event in events] == ["begin", "start", "game", "summary"]
    assert (events[3]["running"], events[3]["events"]) == (False, 2)
    assert events[0]["engines"] == ["good", "good (2)"]
    assert (events[1]["number"], events[1]["players"]) == (1, ["good", "good (2)"])
    assert events[2]["verdict"] == "natural"
    assert Path(events[2]["record"]).is_file()
    assert sum(each["points"] for each in events[3]["standings"]) == 1.0


@pytest.mark.usefixtures("_fakes")
def test_records_are_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "old.sgf").write_text("(;)")
    result = quintet("match", "good", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "already holds records (old.sgf)" in result.output
    assert quintet("match", "good", "--out", str(tmp_path), "--force").exit_code == 2
    assert (tmp_path / "old.sgf").read_text() == "(;)"


@pytest.mark.usefixtures("_fakes")
def test_a_folder_with_other_files_is_taken_only_by_force(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "c.txt", "d.txt", ".hidden"):
        (tmp_path / name).touch()
    words = ("match", "good", "better", "--games", "1", "--out", str(tmp_path))
    result = quintet(*words)
    assert result.exit_code == 2
    assert "already holds other files (a.txt, b.txt, c.txt, ...)" in result.output
    assert "--force" in result.output
    assert len(list(tmp_path.iterdir())) == 5
    assert quintet(*words, "--force").exit_code == 0
    assert quintet(*words).exit_code == 0  # It is resumed, so the folder is the match's own.


@pytest.mark.usefixtures("_fakes")
def test_hidden_files_are_no_other_files(tmp_path: Path) -> None:
    (tmp_path / ".hidden").touch()
    assert quintet("match", "good", "--games", "1", "--out", str(tmp_path)).exit_code == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "expected a game or an engine, as in `quintet match neutron`"),
        (("shogl",), "no such engine: 'shogl'"),
        (("./a", "./b", "./c"), "expected one or two engines, not 3\n"),
        (("nuetron", "./a", "./b"), "not 3; no such game: 'nuetron' (known: go, morris,"),
        (("neutron", "./a", "./b", "./c"), "expected one or two engines, not 4\n"),
        (("neutron", "a", "b", "--game", "go"), "--game go and neutron contradict each other"),
        (("neutron", "--records", "csa"), "--records is for shogi; neutron is recorded in SGF"),
        (("neutron", "--records", "kif"), "--records is for shogi"),
        (("neutron", "--plies", "3"), "--plies is about openings; expected --openings with it"),
        (("neutron", "--order", "sequential"), "--order is about openings"),
        (("neutron", "--draw", "0.5,2"), "SHARE is how far from 0.5 both engines' share"),
        (("neutron", "--time", "soon"), "time control 'soon': expected"),
        (("neutron", "--variant", "fast"), "no such variant: 'fast'"),
        (("shogi", "option.a=1"), "shogi: no such setting: 'option' (known: name, time, "),
        (("options.a=1", "shogi"), "options.a=1: expected an engine before its settings"),
        (("neutron", "--out", "/dev/null/x"), "cannot open /dev/null/x"),
        (("neutron", "--games", "0"), "expected a whole number of at least 1, not '0'"),
        (("neutron", "--every", "often"), "expected a number of games (10) or of seconds (30s)"),
        (("neutron", "--every", "5", "--quiet"), "--every and --quiet contradict each other"),
        (("neutron", "--every", "5", "--json"), "--every and --json contradict each other"),
    ],
)
def test_a_match_that_cannot_be_played_says_why(words: tuple[str, ...], complaint: str) -> None:
    result = quintet("match", *words)
    assert result.exit_code == 2
    assert complaint in result.output


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
    result = quintet("match", "good", "better", "--out", "match", *words)
    assert result.exit_code == 2
    assert complaint in result.output
    assert "records in" not in result.output
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
    result = quintet("match", "a", "b", "--out", str(tmp_path / "match"))
    path = tmp_path / "engines.toml"
    lines = result.output.splitlines()
    assert result.exit_code == 2
    assert lines[0].startswith(f"Error: {path}:6: a: option level 99999: ")
    assert lines[1].startswith(f"{path}:8: a: option Nothing 1: ")
    assert lines[2].startswith(f"{path}:10: b: ")
    assert not (tmp_path / "match").exists()


@pytest.mark.slow
def test_morris_says_whose_tables_are_asked(tmp_path: Path) -> None:
    line = ("match", "morris", "--tables", "--max-plies", "2", "--games", "1", "--time", "depth=1")
    result = quintet(*line, "--out", str(tmp_path / "match"))
    assert result.exit_code == 0, result.output
    assert "--tables: the bundled tables are used, not those that you have built" in result.stderr


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
            for event in map(json.loads, run.stdout.splitlines())
            if event["event"] == "game"
        ]
        for run in (first, again, done)
    ]
    assert numbers == [[1], [2], []]
    assert json.loads(done.stdout.splitlines()[-1])["games"] == 2


@pytest.mark.usefixtures("_fakes")
def test_another_line_on_the_same_folder_could_not_run(tmp_path: Path) -> None:
    line = ("match", "good", "better", "--games", "1", "--out", str(tmp_path))
    assert quintet(*line).exit_code == 0
    result = quintet(*line, "--set-aside", "5")
    assert result.exit_code == 2
    assert "set-aside: was 10, is 5" in result.output
    assert quintet(*line, "--set-aside", "5", "--accept-changes").exit_code == 0


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e9"])
@pytest.mark.parametrize("option", ["--lag", "--move-timeout", "--patience"])
def test_a_wait_without_an_end_is_refused(tmp_path: Path, option: str, number: str) -> None:
    result = quintet("match", "neutron", option, number, "--out", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert f"Invalid value for '{option}'" in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_a_test_between_no_numbers_is_refused(tmp_path: Path, number: str) -> None:
    out = str(tmp_path / "out")
    result = quintet("match", "neutron", "--sprt", f"elo0={number},elo1=5", "--out", out)
    assert (result.exit_code, "elo0 must be a number" in result.output) == (2, True)
    result = quintet("sprt", "--tri", "1,2,3", "--elo0", "0", "--elo1", number)
    assert (result.exit_code, f"expected a number, not '{number}'" in result.output) == (2, True)


@pytest.mark.usefixtures("_fakes")
def test_games_of_other_rules_are_never_taken_for_this_match(tmp_path: Path) -> None:
    line = ("--games", "1", "--out", str(tmp_path))
    assert quintet("match", "good", "better", *line).exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    other = ("--variant", "kraus", "--accept-changes")
    result = quintet("match", "good", "better", *line, *other)
    assert result.exit_code == 2
    assert "name another folder" in result.output
    assert "another variant" in result.output
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


@pytest.mark.usefixtures("_fakes")
def test_a_test_that_accepts_its_hypothesis_ends_the_match(tmp_path: Path) -> None:
    line = ("match", "good", "resign", "--seed", "1", "--json")
    result = quintet(*line, "--sprt", "elo0=0,elo1=200", "--out", str(tmp_path))
    summary = json.loads(result.stdout.splitlines()[-1])
    assert result.exit_code == 0
    assert summary["sprt"]["state"] == "H1"
    assert 2 < summary["games"] < 1000
    assert json.loads(result.stdout.splitlines()[0])["until_decided"]
    # With another seed, `good` may lose a game before `resign` has a turn to resign.
    endings = list(zip(*summary["endings"].values(), strict=True))
    assert [sum(counts) for counts in endings] == [0, 0, summary["games"]]


@pytest.mark.usefixtures("_fakes")
def test_an_answer_with_anomalies_is_not_taken_for_a_clean_one(tmp_path: Path) -> None:
    line = ("match", "good", "illegal", "--games", "400", "--set-aside", "999", "--json")
    result = quintet(*line, "--sprt", "elo0=0,elo1=200", "--out", str(tmp_path))
    summary = json.loads(result.stdout.splitlines()[-1])
    assert (summary["sprt"]["state"], summary["status"]) == ("H1", "anomalies")
    assert result.exit_code == 1


@pytest.mark.usefixtures("_fakes")
def test_a_second_run_on_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    line = ("match", "good", "better", "--games", "1", "--out", str(tmp_path))
    with Journal(tmp_path):
        result = quintet(*line)
    assert result.exit_code == 2
    assert "is in use by another process" in result.output
    assert quintet(*line).exit_code == 0


@pytest.mark.slow
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
    result = quintet("match", "good", "--sprt", "elo0=5,elo1=0", "--out", str(tmp_path / "x"))
    assert result.exit_code == 2
    assert "elo0 must be below elo1" in result.output


@pytest.mark.usefixtures("_fakes")
def test_more_games_at_once_than_cores_are_refused(tmp_path: Path) -> None:
    result = quintet("match", "good", "--jobs", "999", "--out", str(tmp_path / "x"))
    assert result.exit_code == 2
    assert "cores (--force" in result.output


@pytest.mark.usefixtures("_fakes")
def test_faulty_lines_of_play_fail_a_strict_match_only(tmp_path: Path) -> None:
    line = ("match", "good", "says-nonsense", "--games", "2", "--seed", "1")
    assert quintet(*line, "--out", str(tmp_path / "a")).exit_code == 0
    result = quintet(*line, "--strict", "--out", str(tmp_path / "b"))
    assert result.exit_code == 1
    assert "says-nonsense: " in result.output


@pytest.mark.slow
def test_ctrl_c_ends_the_running_game_and_leaves_the_rest(tmp_path: Path) -> None:
    engine = [sys.executable, "-m", "tests.tools.fake_neutron", "late"]
    line = [sys.executable, "-m", "tools", "match", shlex.join(engine), "--protocol", "line"]
    line += ["--game", "neutron", "--games", "50", "--out", str(tmp_path), "--json"]
    with subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while json.loads(process.stdout.readline())["event"] != "game":
            pass
        process.send_signal(signal.SIGINT)
        events = [json.loads(text) for text in process.stdout]
        assert process.wait(30) == 130
    kinds = [event["event"] for event in events if event["event"] != "start"]
    assert kinds in (["game", "summary"], ["summary"])
    assert events[-1]["interrupted"]
    assert events[-1]["missing"] == 50 - events[-1]["games"]
    result = quintet("verify", str(tmp_path))
    assert result.exit_code == 0, result.output


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
        stderr = process.stderr.read()
        assert process.wait(60) == 130
    assert stderr == ""
    assert json.loads((tmp_path / "status.json").read_text())["interrupted"]
    assert quintet("verify", str(tmp_path)).exit_code == 0


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
    result = quintet(*line, "--games", "1")
    assert (result.exit_code, "exited with code 3" in result.output, out.exists()) == (
        2,
        True,
        False,
    )
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
