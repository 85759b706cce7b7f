import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from engines.core.timing import TimeControl
from protocols.ask.engine import EngineSpec
from tests.programs import gnugo_suites, peer
from tools.regress.result import Result
from tools.regress.tst.parsing import parse_tst, read_tst
from tools.regress.tst.pattern import Dialect
from tools.regress.tst.script import Script
from tools.regress.work import EngineWorker, QuestionSettings

ROOT = Path(__file__).parents[4]
STRICT, GNUGO, GOGUI = Dialect.STRICT, Dialect.GNUGO, Dialect.GOGUI

Run = Callable[..., list[Result]]


def fake(*unknown: str) -> EngineSpec:
    command = (sys.executable, "-m", "tests.tools.regress.fake_gtp", *unknown)
    return EngineSpec("fake", command, protocol="gtp", folder=str(ROOT))


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    workers: list[EngineWorker] = []

    def _run(
        text: str,
        dialect: Dialect = STRICT,
        *,
        unknown: Sequence[str] = (),
        timeout: float = 60.0,
        spec: EngineSpec | None = None,
        control: str = "",
        scenes: bool = False,
    ) -> list[Result]:
        settings = QuestionSettings(
            spec or fake(*unknown),
            TimeControl.parse(control) if control else None,
            timeout,
            scenes,
        )
        worker = EngineWorker(settings)
        workers.append(worker)
        path = tmp_path / "a.tst"
        return list(Script("a.tst", path, parse_tst(text, dialect), dialect).run(worker))

    yield _run
    for worker in workers:
        worker.close()


def words(results: Sequence[Result]) -> list[str]:
    return [f"{result.name} {result.word}" for result in results]


# The differences between the dialects, row by row of what was measured with a probe engine.
CASES: Sequence[tuple[str, str, str, str, str]] = (
    ("1 echo B14\n#? [B1|D17]", "FAILED", "passed", "FAILED", "alternatives are not grouped"),
    ("1 refuse P13\n#? [!D4]", "FAILED", "passed", "FAILED", "a refusal is text"),
    ("1 refuse illegal move\n#? [illegal move]", "FAILED", "passed", "FAILED", "so it is here"),
    ("1 lines A1 B2\n#? [A1]", "FAILED", "passed", "FAILED", "the first line alone"),
    ("1 lines A1 B2\n#? [A1.B2]", "passed", "FAILED", "passed", "the whole answer"),
    ("1 echo\n#? []", "passed", "ignored", "passed", "an empty answer is no result"),
    ("1 echo A1\n#? [A1", "ERROR", "passed", "ERROR", "a bracket is missing"),
    ("1 echo A1\n#? [B2]&", "ignored", "ignored", "ERROR", "statistics only"),
    ("1 echo A1", "passed", "ignored", "passed", "no pattern"),
    ("1 refuse it", "FAILED", "ignored", "failed", "no pattern, and refused"),
    ("1 echo a1\n#? [A1]", "FAILED", "FAILED", "FAILED", "case counts"),
    ("1 echo A1\n#? [B2]*", "failed", "failed", "failed", "expected to fail"),
    ("1 echo A1\n#? [A1]*", "PASSED", "PASSED", "PASSED", "unexpected"),
    ("1 echo A1\n#? [!A1]", "FAILED", "FAILED", "FAILED", "negated"),
    ("1 echo A1\n#? [(]", "ERROR", "ERROR", "ERROR", "no regular expression"),
)


@pytest.mark.parametrize(("column", "dialect"), [(1, STRICT), (2, GNUGO), (3, GOGUI)])
def test_dialects_differ_as_their_programs_do(run: Run, column: int, dialect: Dialect) -> None:
    # All in one file: no finding is the end of the run.
    text = "\n\n".join(f"{number}{case[0][1:]}" for number, case in enumerate(CASES))
    outcomes = [
        f"{result.word} ({case[4]})" for result, case in zip(run(text, dialect), CASES, strict=True)
    ]
    assert outcomes == [f"{case[column]} ({case[4]})" for case in CASES]


def test_what_an_engine_does_not_list_is_unsupported(run: Run) -> None:
    results = run("1 attack D4\n#? [1]\n2 echo A\n#? [A]\n")
    assert words(results) == ["1 unsupported", "2 passed"]
    assert results[0].message == "fake has no command attack"


def test_a_set_up_that_cannot_be_said_spoils_tests_up_to_the_next_board(run: Run) -> None:
    text = "mystery A1\n1 echo A\n#? [A]\nclear_board\n2 echo A\n#? [A]\n"
    assert words(run(text)) == ["1 unsupported", "2 passed"]
    assert words(run("increase_depths\n1 echo A\n#? [A]\n")) == ["1 passed"]


def test_a_command_that_is_left_out_leaves_no_empty_line(run: Run) -> None:
    program = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    number, command = line.split()\n"
        "    text = {'protocol_version': '2', 'list_commands': 'name'}.get(command, 'x')\n"
        "    print(f'={number} {text}\\n', flush=True)\n"
    )
    spec = EngineSpec("strict", (sys.executable, "-S", "-c", program), "gtp")
    assert words(run("increase_depths\n1 name\n#? [x]\n", spec=spec)) == ["1 passed"]


def test_a_refused_set_up_spoils_tests_in_the_strict_dialect(run: Run) -> None:
    text = "play refused A1\n1 echo A\n#? [A]\nclear_board\n2 echo A\n#? [A]\n"
    results = run(text)
    assert words(results) == ["1 ERROR", "2 passed"]
    assert results[0].message == "line 1, play refused A1: refused, as you wish"
    assert words(run(text, GNUGO)) == ["1 passed", "2 passed"]


def test_a_refused_set_up_that_is_a_test_spoils_what_follows_before_a_restart_too(run: Run) -> None:
    text = (
        "1 play refused A1\n#? [x]\n2 echo A\n#? [A]\n3 die\n#? [x]\n4 echo A\n#? [A]\n"
        "clear_board\n5 echo A\n#? [A]\n"
    )
    results = run(text)
    assert words(results) == ["1 FAILED", "2 ERROR", "3 ERROR", "4 ERROR", "5 passed"]
    assert {result.message for result in results[1:4]} == {
        "line 1, play refused A1: refused, as you wish"
    }
    assert words(run(text, GNUGO)) == ["1 FAILED", "2 passed", "3 ERROR", "4 passed", "5 passed"]
    text = "1 mystery\n2 echo A\n3 fixed_handicap 2\n4 echo A\nclear_board\n5 echo A\n"
    unable = words(run(text, spec=fake("fixed_handicap")))
    assert unable == ["1 unsupported", "2 passed", "3 unsupported", "4 unsupported", "5 passed"]


def test_a_record_is_named_from_the_suites_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;SZ[9]KM[0.5];B[aa];W[bb];B[cc])")
    text = "loadsgf a.sgf 3\n1 heard\n#? [.*]\n"
    assert run(text)[0].answer == f"loadsgf {tmp_path / 'a.sgf'} 3"
    lowered = "boardsize 9 | clear_board | komi 0.5 | play b A9 | play w B8"
    assert run(text, unknown=["loadsgf"])[0].answer == lowered
    assert words(run("loadsgf none.sgf\n1 echo A\n#? [A]\n", unknown=["loadsgf"])) == ["1 ERROR"]
    (result,) = run("loadsgf a.sgf D4\n1 echo A\n#? [A]\n", unknown=["loadsgf"])
    assert result.message == "loadsgf: expected the number of a move, not 'D4'"


def test_a_record_in_a_folder_with_blanks_is_said_in_plain_commands(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "my games").mkdir()
    (tmp_path / "my games" / "a.sgf").write_text("(;SZ[9])")
    worker = EngineWorker(QuestionSettings(fake()))
    steps = parse_tst("loadsgf a.sgf\n1 heard\n#? [boardsize 9 .*]\n")
    script = Script("a", tmp_path / "my games" / "a.tst", steps)
    assert words(list(script.run(worker))) == ["1 passed"]


def test_a_move_only_named_is_played_and_taken_back(run: Run) -> None:
    text = "1 reg_genmove b\n#? [C3]\n2 heard\n#? [.*]\n"
    assert run(text)[1].answer == "reg_genmove b"
    results = run(text, unknown=["reg_genmove"])
    assert words(results) == ["1 passed", "2 passed"]
    assert results[1].answer == "genmove b | undo"


def test_a_move_among_some_is_asked_as_analysis_clients_ask_it(run: Run) -> None:
    text = "1 restricted_genmove b A1 B2\n#? [B2]\n2 heard\n#? [.*]\n"
    results = run(text)
    assert words(results) == ["1 passed", "2 passed"]
    assert results[1].answer == "lz-genmove_analyze b 1000000 allow b A1,B2 1 | undo"
    assert words(run(text, unknown=["lz-genmove_analyze"]))[0] == "1 unsupported"


def test_without_undo_the_board_is_set_up_again(run: Run) -> None:
    text = "boardsize 9\nplay b A1\n1 reg_genmove w\n#? [C3]\n2 heard\n#? [.*]\n"
    commands = run(text, unknown=["reg_genmove", "undo"])[1].answer
    assert commands == "boardsize 9 | play b A1 | genmove w | boardsize 9 | play b A1"
    bare = run("1 reg_genmove w\n#? [C3]\n2 heard\n#? [.*]\n", unknown=["reg_genmove", "undo"])
    assert bare[1].answer == "genmove w | clear_board"


def test_old_words_become_new_ones(run: Run) -> None:
    text = "black A1\nwhite B2\ntrymove b C3\npopgo\n1 heard\n#? [.*]\n"
    assert run(text)[0].answer == "play black A1 | play white B2 | play b C3 | undo"
    assert run("1 gg_genmove b 7\n#? [C3]\n", unknown=["reg_genmove"])[0].status == "passed"


def test_an_engine_that_dies_is_started_again_where_it_was(run: Run) -> None:
    text = "boardsize 9\nkomi 3\nclear_board\nplay b A1\n1 die\n#? [x]\n2 heard\n#? [.*]\n"
    results = run(text)
    assert words(results) == ["1 ERROR", "2 passed"]
    assert "SIGKILL" in results[0].message
    assert "stderr: farewell" in results[0].message
    assert results[1].answer == "boardsize 9 | komi 3 | clear_board | play b A1"


def test_what_no_longer_counts_is_not_said_again(run: Run) -> None:
    text = (
        "komi 3\nplay b A1\nboardsize 9\nplay b B2\nclear_board\nplay b C3\n"
        "1 die\n#? [x]\n2 heard\n#? [.*]\n"
    )
    assert run(text)[1].answer == "komi 3 | boardsize 9 | clear_board | play b C3"


@pytest.mark.slow
def test_an_engine_that_hangs_is_given_up(run: Run) -> None:
    results = run("1 hang\n#? [x]\n2 echo A\n#? [A]\n", timeout=3.0)
    assert words(results) == ["1 ERROR", "2 passed"]
    assert "did not answer in time" in results[0].message


def test_an_engine_that_dies_in_the_set_up_dies_once_for_a_board(run: Run) -> None:
    text = "die\n1 echo A\n#? [A]\n2 echo A\n#? [A]\nclear_board\n3 echo A\n#? [A]\n"
    results = run(text)
    assert words(results)[:2] == ["1 ERROR", "2 ERROR"]
    assert results[0].message.startswith("in the set-up, fake was killed by SIGKILL")


def test_each_file_gets_a_fresh_engine(tmp_path: Path) -> None:
    worker = EngineWorker(QuestionSettings(fake()))
    script = Script("a", tmp_path / "a.tst", parse_tst("play b A1\n1 heard\n#? [.*]\n"))
    assert [next(script.run(worker)).answer for _ in range(2)] == ["play b A1"] * 2


def test_the_exchange_of_a_test_is_kept(run: Run) -> None:
    results = run("komi 3\n1 echo A\n#? [A]\n2 echo B\n#? [B]\n")
    assert [line.split(" ", 2)[-1] for line in results[0].exchange if line.startswith(">")] == [
        "komi 3",
        "echo A",
    ]
    assert [line for line in results[1].exchange if line.strip("< ")][-1].endswith("B")
    assert len(results[1].exchange) == 3


def test_an_engine_of_another_protocol_is_asked_nothing(run: Run) -> None:
    spec = EngineSpec("shogi", (sys.executable, "-m", "engines.shogi"), "usi", folder=str(ROOT))
    results = run("1 name\n#? [x]\n", spec=spec)
    assert words(results) == ["1 unsupported"]
    assert results[0].message.endswith("speaks usi, the suite is GTP")


def test_an_engine_of_the_line_protocol_may_be_asked(run: Run) -> None:
    spec = EngineSpec("n", (sys.executable, "-m", "engines.neutron"), "line", folder=str(ROOT))
    text = (
        "newgame\nlimit depth 2\n1 turn\n#? [white]\nplay b1-b4\n2 turn\n#? [black]\n"
        "position BB..B/....B/....W/N.B.W/W..WW w\n3 reg_genmove w\n#? [a2-b1]\n"
    )
    assert words(run(text, spec=spec)) == ["1 passed", "2 passed", "3 passed"]


def test_limits_from_the_command_line_reach_the_engine(run: Run) -> None:
    results = run("1 name\n#? [x]\n", control="visits=3")
    assert words(results) == ["1 unsupported"]
    assert "has no kata-set-param for a number of visits" in results[0].message


def test_positions_are_kept_where_they_shall_be_drawn(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;SZ[3]AB[aa]AW[cc];B[ba])")
    text = (
        "loadsgf a.sgf\nplay w B2\nundo\ntrymove w A1\npopgo\nwhite C2\n"
        "1 reg_genmove b\n#? [A1|C3]\n2 echo 1 B2\n#? [!1 B2]\ngg-undo 1\n3 echo\n#? []\n"
    )
    one, two, three = run(text, scenes=True)
    assert one.scene is not None
    assert one.scene.setup.startswith("XX1/2O/2O b")
    assert (one.scene.accept, one.scene.answer, one.scene.size) == (("A1", "C3"), "C3", "3")
    assert two.scene is not None
    assert (two.scene.forbid, two.scene.accept, two.scene.answer) == (("B2",), (), "B2")
    assert three.scene is None
    assert run("1 name\n#? [x]\n")[0].scene is None


def test_gnu_go_is_asked_its_own_way(run: Run) -> None:
    spec = EngineSpec("gnugo", (peer("gnugo"), "--mode", "gtp", "--level", "1"), "gtp")
    text = (
        "boardsize 5\nplay b C3\n1 reg_genmove w\n#? [[A-E][1-5]]\n2 attack C3\n#? [0]\n"
        "3 boom\n#? [x]\n4 play b C3\n#? [!x]\n"
    )
    assert words(run(text, spec=spec)) == ["1 passed", "2 passed", "3 unsupported", "4 FAILED"]


@pytest.mark.parametrize("name", ["tiny", "golife", "unconditional", "reading", "STS-RV_1"])
def test_the_gnugo_dialect_finds_what_gnu_gos_own_script_finds(name: str) -> None:
    folder, awk = gnugo_suites(), peer("awk")
    engine = (peer("gnugo"), "--quiet", "--level", "1", "--mode", "gtp")
    path = folder / f"{name}.tst"
    played = subprocess.run(
        engine, input=path.read_bytes(), capture_output=True, cwd=folder, check=True, timeout=300
    )
    judged = subprocess.run(
        [awk, "-f", "regress.awk", f"tst={name}.tst", "verbose=1"],
        input=played.stdout,
        capture_output=True,
        cwd=folder,
        check=True,
        timeout=60,
    )
    expected = re.findall(r"^(\d+) (passed|PASSED|failed|FAILED)", judged.stdout.decode(), re.M)
    assert len(expected) > 8
    worker = EngineWorker(QuestionSettings(EngineSpec("gnugo", engine, "gtp"), timeout=300.0))
    script = Script(name, path, read_tst(path, GNUGO), GNUGO)
    assert [(result.name, result.word) for result in script.run(worker)] == expected
