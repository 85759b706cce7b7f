import json
import signal
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from protocols.errors import EngineTimeout
from tools.commands.regress import name_subcommand, regress
from tools.regress.reports.report import JsonReport, TextReport
from tools.regress.result import Result as Finding

ROOT = Path(__file__).parents[3]
SUITE = """
game: neutron
limit: depth=2
seed: 1

test good: the neutron goes home
position: BB..B/....B/....W/N.B.W/W..WW w
accept: a2-b1
score: exact 1

test bad
position: BB..B/....B/....W/N.B.W/W..WW w
forbid: a2...

test known
position: BB..B/....B/....W/N.B.W/W..WW w
forbid: a2...
fails: since ever

test better
position: BB..B/....B/....W/N.B.W/W..WW w
accept: a2...
mate: 1
fails: since ever

test seen
accept: b1-b4
ignore: a matter of taste

test wrong
accept: z9-z8
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.suite").write_text(SUITE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # Where nothing is installed.
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(regress, list(words), prog_name="quintet regress")


def events(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def words(result: Result) -> dict[object, object]:
    return {
        event["test"]: (event["status"], event["known"])
        for event in events(result)
        if event["event"] == "test"
    }


def test_our_own_engine_is_asked_where_none_is_named(folder: Path) -> None:
    result = call("a.suite", "--json")
    assert result.exit_code == 1, result.output
    assert words(result) == {
        "good": ("passed", False),
        "bad": ("failed", False),
        "known": ("failed", True),
        "better": ("passed", True),
        "seen": ("ignored", False),
        "wrong": ("error", False),
    }
    summary = events(result)[-1]
    assert summary["event"] == "summary"
    assert (summary["unexpected_failures"], summary["unexpected_passes"]) == (2, 1)


def test_lines_tell_what_went_otherwise_than_expected(folder: Path) -> None:
    result = call("a.suite", "--github")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("a.suite:11: FAILED bad: answered a2-")
    assert lines[1] == "a.suite:20: PASSED better: a2-b1 (exact win 1)"
    assert lines[2].startswith("a.suite:30: ERROR wrong: this test cannot be asked: ")
    assert "2/5 pass, 1 unexpectedly, 1 unexpected failure, 1 known failure, 1 error" in lines[3]
    assert lines[4].startswith("::error file=a.suite,line=11,title=bad%3A FAILED::answered a2-")
    assert "good" not in result.stdout
    assert "passed good" in call("a.suite", "--long").stdout


def test_github_is_told_where_its_environment_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert "::error file=a.suite,line=30," in call("a.suite").stdout


@pytest.mark.slow
def test_shards_part_the_tests_between_them(folder: Path) -> None:
    many = "".join(f"test t{number}\naccept: b1-b4\n" for number in range(20))
    (folder / "b.suite").write_text(f"game: neutron\n{many}", encoding="utf-8")
    whole = words(call("b.suite", "a.suite", "--json", "--time", "depth=1"))
    parts = [
        words(call("b.suite", "a.suite", "--json", "--time", "depth=1", "--shard", f"{k}/3"))
        for k in (1, 2, 3)
    ]
    assert sum(map(len, parts)) == len(whole)
    assert {**parts[0], **parts[1], **parts[2]}.keys() == whole.keys()
    assert all(parts)
    for text in ("0/3", "4/3", "x", "1/"):
        result = call("b.suite", "--shard", text)
        assert result.exit_code == 2
        assert "--shard: expected K/N" in result.output


def test_two_jobs_find_what_one_finds(folder: Path) -> None:
    (folder / "b.suite").write_text(SUITE, encoding="utf-8")
    one, two = (call(".", "--json", "--jobs", count) for count in ("1", "2"))
    assert words(one) == words(two)
    assert one.exit_code == two.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.suite"], "none.suite: No such file"),
        (["a.txt"], "a.txt: no suite (expected .suite"),
        (["empty"], "empty: no suites in it"),
        (["a.suite", "--engine", "no-such-engine"], "no such engine: 'no-such-engine'"),
        (["a.suite", "--engine", "'"], "No closing quotation"),
        (["a.suite", "--time", "long"], "time control 'long'"),
        (["a.suite", "--engine", sys.executable + " -c 1"], "speaks no known protocol"),
    ],
)
def test_what_cannot_run_says_why_with_status_two(
    folder: Path, arguments: list[str], message: str
) -> None:
    (folder / "empty").mkdir()
    result = call(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_an_engine_of_another_game_is_asked_nothing(folder: Path) -> None:
    (folder / "b.suite").write_text("game: morris\ntest a\naccept: a1\n", encoding="utf-8")
    (folder / "c.suite").write_text("game: go\ntest a\naccept: A1\n", encoding="utf-8")
    result = call("b.suite", "c.suite", "--json", "--engine", "neutron")
    assert result.exit_code == 2
    assert "nothing could be asked: all 2 tests are unsupported (quintet-n" in result.stderr
    assert [event["message"] for event in events(result) if event["event"] == "test"] == [
        "quintet-neutron plays neutron, not morris",
        "quintet-neutron speaks line, go is asked in gtp",
    ]
    assert set(words(result).values()) == {("unsupported", False)}


def test_suites_of_both_kinds_run_together(folder: Path) -> None:
    (folder / "b.suite").write_text("game: neutron\ntest a\naccept: b1-b4\n", encoding="utf-8")
    (folder / "c.tst").write_text("1 name\n#? [fake]\n2 genmove b\n#? [c3]\n", encoding="utf-8")
    engine = f"{sys.executable} -m tests.tools.regress.fake_gtp"
    result = call(".", "--json", "--engine", engine, "--before", "echo 1", "--ignore-case")
    assert words(result)["1"] == words(result)["2"] == ("passed", False)
    assert words(result)["good"] == ("unsupported", False)
    assert result.exit_code == 1  # There is a test in it that is none.
    strict = call("c.tst", "--engine", engine, "--dialect", "gnugo")
    assert strict.stdout.startswith("c.tst:3: FAILED 2: expected c3, got 'C3'")
    assert call("c.tst", "--engine", engine, "--before", "refuse it").exit_code == 2
    assert "--before: it needs --engine" in call("c.tst", "--before", "x").output


def test_a_suite_in_gtp_is_asked_of_our_go_engine_where_none_is_named(folder: Path) -> None:
    (folder / "c.tst").write_text("1 name\n#? [Quintet Go]\n", encoding="utf-8")
    assert call("c.tst").exit_code == 0


def test_a_baseline_knows_which_failures_are_old(folder: Path) -> None:
    (folder / "b.suite").write_text(
        "game: neutron\nlimit: depth=1\ntest a\naccept: b1-b4\ntest b\nforbid: b1-b4\n", "utf-8"
    )
    assert "--update: it needs --baseline" in call("b.suite", "--update").output
    first = call("b.suite", "--json", "--baseline", "base", "--update")
    assert first.exit_code == 0
    again = call("b.suite", "--json", "--baseline", "base")
    assert again.exit_code == 0
    assert words(again).keys() == words(first).keys()
    text = (folder / "base").read_text("utf-8").replace('"failed"', '"passed"')
    (folder / "base").write_text(text, "utf-8")
    worse = call("b.suite", "--baseline", "base")
    assert worse.exit_code == 1
    assert "new failure: b.suite " in worse.stderr


def test_the_first_run_writes_the_baseline(folder: Path) -> None:
    first = call("a.suite", "--baseline", "base", "--junit", "a.xml", "--html", "a.html")
    assert first.exit_code == 0
    assert "base does not exist yet: this run is to write it" in first.stderr
    told = "wrote base: 3 of 5 tests did not pass; these are known failures from now on"
    assert told in first.stderr
    lines = first.stdout.splitlines()
    assert [line.split(":")[2].split()[0] for line in lines[:4]] == [
        "failed",  # What fails at the first run is shown, but not as a surprise.
        "failed",
        "PASSED",
        "error",
    ]
    assert "2/5 pass, 1 unexpectedly, 2 known failures, 1 known error" in lines[4]
    assert 'failures="0" errors="0"' in (folder / "a.xml").read_text("utf-8")
    assert "Unexpected: 1</h2>" in (folder / "a.html").read_text("utf-8")  # What passed.
    assert '"wrong"' in (folder / "base").read_text("utf-8")
    assert call("a.suite", "--baseline", "base").exit_code == 0
    text = SUITE + "test new\nlimit: depth=1\nposition: startpos\naccept: b1-b4\nforbid: b1-b4\n"
    (folder / "a.suite").write_text(text, "utf-8")
    again = call("a.suite", "--baseline", "base")
    assert (again.exit_code, "yet" in again.stderr, "wrote" in again.stderr) == (1, False, False)
    assert "ERROR new" in again.stdout or "FAILED new" in again.stdout
    assert '"new"' not in (folder / "base").read_text("utf-8")


def test_a_part_of_the_tests_is_no_first_baseline(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = call("a.suite", "--baseline", "base", "--shard", "1/2")
    assert part.exit_code == 2
    assert "--baseline: no such file: 'base'" in part.stderr
    unread = call("a.suite", "none.suite", "--baseline", "base")
    assert unread.exit_code == 2
    assert "base was not written: not all suites were asked" in unread.stderr
    assert call("a.suite", "--baseline", "no/where/base").exit_code == 2
    monkeypatch.setattr(TextReport, "result", lambda *_: signal.raise_signal(signal.SIGINT))
    stopped = call("a.suite", "--baseline", "base")
    assert stopped.exit_code == 130
    assert "base was not written" in stopped.stderr
    assert not (folder / "base").exists()


def test_two_runs_are_compared(folder: Path) -> None:
    line = '{"event": "test", "suite": "a", "test": "%s", "status": "%s", "seconds": 1}\n'
    (folder / "old").write_text(line % ("x", "passed") + line % ("y", "failed"), "utf-8")
    (folder / "new").write_text(line % ("x", "failed") + line % ("y", "passed"), "utf-8")
    worse = call("--diff", "old", "new")
    assert (worse.exit_code, worse.stdout) == (1, "new failure: a x\nnew pass: a y\n")
    assert call("--diff", "old", "old").exit_code == 0
    assert "Missing argument" in call("--diff", "old").output
    assert call("--diff", "old", "none").exit_code == 2


def test_reports_are_written(folder: Path) -> None:
    result = call("a.suite", "--junit", "a.xml", "--html", "a.html")
    assert result.exit_code == 1
    assert "<failure" in (folder / "a.xml").read_text("utf-8")
    page = (folder / "a.html").read_text("utf-8")
    assert page.count('<svg class="board"') == 5  # Besides the one of definitions.
    assert call("a.suite", "--junit", "no/where/a.xml").exit_code == 2


def test_problems_are_converted_between_shogihomes_format_and_ours(folder: Path) -> None:
    (folder / "b.suite").write_text(
        "game: shogi\nposition: 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n"
        "test a\naccept: G*5b 5c5b+\nforbid: 5i5h\ntest b\naccept: G*5b\n",
        "utf-8",
    )
    made = call("b.suite", "--convert", "c.json")
    assert made.exit_code == 0
    assert made.stderr == "c.json: 1 problems, 1 left out\n"
    back = call("c.json", "b.suite", "--convert", "d.suite")
    assert back.exit_code == 0
    assert (folder / "d.suite").read_text("utf-8").count("accept: G*5b") == 3
    assert words(call("c.json", "--json", "--time", "nodes=200")) == {"1": ("passed", False)}
    assert "neither .suite nor .json" in call("c.json", "--convert", "e.txt").output


def test_an_interrupted_run_keeps_what_it_has(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: TextReport, result: Finding) -> None:
        if result.name == "t0":
            signal.raise_signal(signal.SIGINT)

    many = "".join(f"test t{number}\naccept: b1-b4\n" for number in range(1000))
    (folder / "b.suite").write_text(f"game: neutron\nlimit: depth=1\n{many}", encoding="utf-8")
    monkeypatch.setattr(TextReport, "result", interrupt)
    result = call("b.suite", "--baseline", "base", "--update")
    assert result.exit_code == 130
    assert "finishing the running tests" in result.stderr
    assert '"t0"' in (folder / "base").read_text("utf-8")
    assert '"t999"' not in (folder / "base").read_text("utf-8")
    assert '"interrupted": true' in (folder / "base").read_text("utf-8")
    assert "60 s at most for each question" in result.stderr
    assert "interrupted after " in result.stderr


def test_an_interrupted_run_says_so_in_all_it_writes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: JsonReport, result: Finding) -> None:
        signal.raise_signal(signal.SIGINT)

    base = folder / "base"
    assert call("a.suite", "--baseline", "base", "--update").exit_code == 0
    many = SUITE + "".join(f"test t{number}\naccept: b1-b4\n" for number in range(1000))
    (folder / "a.suite").write_text(many, encoding="utf-8")
    monkeypatch.setattr(JsonReport, "result", interrupt)
    reports = ("--junit", "a.xml", "--html", "a.html", "--baseline", "base", "--update")
    result = call("a.suite", "--json", *reports)
    assert result.exit_code == 130
    (summary,) = [event for event in events(result) if event["event"] == "summary"]
    assert summary["interrupted"] is True
    assert '<property name="interrupted" value="true" />' in (folder / "a.xml").read_text("utf-8")
    assert "Interrupted: not all tests" in (folder / "a.html").read_text("utf-8")
    assert '"wrong"' in base.read_text("utf-8")  # It was not asked again, and stays.


def test_a_suite_that_cannot_be_read_does_not_stop_the_others(folder: Path) -> None:
    (folder / "b.suite").write_text("game: neutron\ntest a\naccept: b1-b4\n", encoding="utf-8")
    (folder / "c.suite").write_text("gime: neutron\ntest a\naccept: b1-b4\n", encoding="utf-8")
    (folder / "d.tst").write_bytes(b"1 name\0")
    suites = ("b.suite", "c.suite", "d.tst", "e.suite")
    base = ("--baseline", "base", "--update")
    result = call(*suites, "--time", "depth=1", "--junit", "a.xml", *base)
    assert result.exit_code == 2
    assert "3 of 4 suites could not be read" in result.stderr
    assert "c.suite:1: ERROR suite: line 1: no such key: 'gime'" in result.stdout
    assert "d.tst:1: ERROR suite: a binary file, not a suite" in result.stdout
    assert "e.suite:1: ERROR suite: No such file" in result.stdout
    assert "b.suite" in result.stdout
    assert (folder / "a.xml").read_text("utf-8").count("<error ") == 3
    assert '"b.suite"' in (folder / "base").read_text("utf-8")
    assert '"c.suite"' not in (folder / "base").read_text("utf-8")
    reported = events(call("b.suite", "c.suite", "--json", "--time", "depth=1"))
    assert [event["suite"] for event in reported if event["event"] == "unread"] == ["c.suite"]
    only = call("c.suite", "d.tst")
    assert only.exit_code == 2
    assert "c.suite: line 1" in only.stderr
    assert "d.tst: a binary file" in only.stderr


def test_an_empty_part_of_a_suite_is_no_fault_but_a_suite_without_tests_is(folder: Path) -> None:
    (folder / "b.suite").write_text("game: neutron\ntest a\naccept: b1-b4\n", encoding="utf-8")
    empty = call("b.suite", "--time", "depth=1", "--shard", "2/2")
    assert empty.exit_code == 0
    assert "--shard 2/2: this part is empty" in empty.stderr
    (folder / "c.tst").write_text("boardsize 9\n", encoding="utf-8")
    none = call("c.tst", "--engine", f"{sys.executable} -m tests.tools.regress.fake_gtp")
    assert none.exit_code == 2
    assert "nothing could be asked: there are no tests" in none.stderr


def test_a_baseline_knows_its_suites_however_they_are_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "in").mkdir()
    suite = folder / "in" / "b.suite"
    suite.write_text("game: neutron\nlimit: depth=1\ntest b\nforbid: b1-b4 a2...\n", "utf-8")
    suite.write_text(suite.read_text("utf-8").replace("forbid: b1-b4 a2...", "accept: a1-a2"))
    assert call("in/b.suite").exit_code == 1
    assert call("in/b.suite", "--baseline", "base", "--update").exit_code == 0
    for name in ("./in/../in/b.suite", str(suite), "in"):
        assert call(name, "--baseline", "base").exit_code == 0, name
    monkeypatch.chdir(folder / "in")
    assert call("b.suite", "--baseline", "../base").exit_code == 0
    assert call("b.suite", "--baseline", "../base", "--update").exit_code == 0
    assert '"suite": "in/b.suite"' in (folder / "base").read_text("utf-8")
    assert (folder / "base").read_text("utf-8").count('"suite"') == 1
    suite.rename(folder / "b.suite")
    moved = call("../b.suite", "--baseline", "../base")
    assert moved.exit_code == 0
    assert "gone" not in moved.stderr


def test_a_baseline_of_old_is_read_from_where_it_was_made(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "b.suite").write_text(
        "game: neutron\nlimit: depth=1\ntest b\nforbid: b1-b4\naccept: a1-a2\n", "utf-8"
    )
    line = '{"event": "test", "suite": "b.suite", "test": "b", "status": "error", "seconds": 1}\n'
    (folder / "base").write_text(line, "utf-8")
    assert call("b.suite").exit_code == 1
    assert call("b.suite", "--baseline", "base").exit_code == 0
    (folder / "in").mkdir()
    monkeypatch.chdir(folder / "in")
    assert call("../b.suite", "--baseline", "../base").exit_code == 0


def test_a_file_that_cannot_be_written_is_told_before_anything_is_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(dir: Path) -> None:  # noqa: A002  # As the library calls it.
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    result = call("a.suite", "--html", "a.html")
    assert result.exit_code == 2
    assert "--html: cannot write into " in result.stderr
    assert result.stdout == ""


def test_an_engine_is_waited_for_as_long_as_patience_says(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[float] = []

    def detect(launch: object, deadline: float, protocol: str = "") -> None:
        left.append(deadline - time.monotonic())
        raise EngineTimeout("too late")

    monkeypatch.setattr("tools.roster.seats.start", detect)
    for engine in ((), ("--engine", sys.executable)):
        result = call("a.suite", *engine, "--patience", "1234")
        assert result.exit_code == 2
        assert "too late" in result.stderr
    assert all(1000 < seconds <= 1234 for seconds in left)
    assert len(left) == 2


@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("", "run"),
        ("a.suite --jobs 2", "run a.suite --jobs 2"),
        ("run a.suite", "run a.suite"),
        ("--help", "--help"),
        ("--diff old new", "diff old new"),
        ("old --diff new", "diff old new"),
        ("a.json --convert a.suite", "convert a.json a.suite"),
        ("--convert=a.suite a.json b.json", "convert a.json b.json a.suite"),
        ("--from-journal night --untried", "from-journal night --untried"),
        ("--from-journal=night --convert b.suite", "from-journal night --out b.suite"),
    ],
)
def test_former_options_are_understood_as_subcommands(former: str, now: str) -> None:
    known = ("run", "diff", "from-journal", "convert")
    assert name_subcommand(former.split(), known) == now.split()


def test_help_names_the_subcommands(folder: Path) -> None:
    result = call("--help")
    assert result.exit_code == 0
    assert {"run", "diff", "from-journal", "convert"} <= set(result.output.split())
