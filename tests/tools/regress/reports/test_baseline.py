import json
from dataclasses import replace
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tests.tools.regress.results import ALL
from tools.regress.reports.baseline import as_run, compare, read_run, recall, write_run
from tools.regress.result import Status

GOOD, BAD = ALL[0], ALL[1]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "base"
    write_run(path, [each for each in ALL if each.name != "10"], {}, whole=True)
    run = read_run(path)
    assert run[BAD.key].status is Status.FAILED
    assert run[BAD.key].seconds == 0.25
    assert len(run) == len(ALL) - 1
    assert [line for line in path.read_text("utf-8").splitlines() if '"bad"' in line]


def test_old_failures_are_known(tmp_path: Path) -> None:
    run = as_run([BAD, GOOD])
    assert recall(replace(BAD, known=False), run).known
    assert not recall(replace(BAD, known=False), run).alarming
    assert recall(replace(BAD, status=Status.PASSED), run).surprising
    assert recall(replace(GOOD, status=Status.FAILED), run).alarming
    assert recall(BAD, {}) is BAD


def test_an_update_keeps_suites_that_were_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "base"
    first = [each for each in ALL if each.name != "10"]
    write_run(path, first, {}, whole=True)
    better = replace(BAD, status=Status.PASSED)
    write_run(path, [better], read_run(path), whole=False)
    assert len(read_run(path)) == len(first)
    assert read_run(path)[BAD.key].status is Status.PASSED
    write_run(path, [replace(GOOD, status=Status.FAILED)], read_run(path), whole=True)
    run = read_run(path)
    assert {key for key in run if key[0] == "d/a.suite"} == {GOOD.key}
    assert run[GOOD.key].status is Status.FAILED
    assert len([key for key in run if key[0] == "d/b.tst"]) == 3


def test_tests_with_numbers_are_told_in_their_order() -> None:
    now = as_run([replace(GOOD, name=name) for name in ("10", "9", "a")])
    assert [test for _, test in compare({}, now).new] == ["a", "9", "10"]


def test_two_runs_are_told_apart() -> None:
    before = as_run([GOOD, BAD, *ALL[4:]])
    now = as_run(
        [
            replace(GOOD, status=Status.ERROR, seconds=9.0),
            replace(BAD, status=Status.PASSED, seconds=2.0),
            replace(GOOD, name="fresh"),
        ]
    )
    lines = list(compare(before, now).lines())
    assert lines == [
        "new failure: d/a.suite good",
        "new pass: d/a.suite bad",
        "slower: d/a.suite bad: 0.25 s, now 2.00 s",
        "new test: 1 (d/a.suite fresh)",
        "gone: 4 (d/b.tst 10, d/b.tst 20, d/b.tst 30, ...)",
    ]
    assert not list(compare(before, before).lines())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff", "not a text in UTF-8"),
        (b"nonsense\n", "base:1: not the result of a test"),
        (b'{"event": "run"}\n{"event": "test"}\n', "base:2: not the result of a test"),
        (b'{"event": "test", "suite": "a", "test": "b", "status": "lost", "seconds": 1}', "base:1"),
        (b"[]\n", "base:1"),
    ],
)
def test_a_file_of_other_things_says_so(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "base"
    path.write_bytes(data)
    with pytest.raises(InvalidText, match=message):
        read_run(path)


def test_what_json_prints_is_a_run(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    event = next(iter(as_run([BAD]).values())).event
    lines = [json.dumps({"event": "run", "tests": 1}), json.dumps(event)]
    path.write_text("\n".join([*lines, json.dumps({"event": "summary"})]) + "\n", "utf-8")
    assert set(read_run(path)) == {BAD.key}
