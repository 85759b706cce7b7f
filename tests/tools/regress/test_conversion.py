import json
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tools.regress.conversion import convert_problems
from tools.regress.suites.suite import Problem, read_suite

SUITE = """
game: shogi

test mate: a gold on the head
position: 4k4/9/4P4/9/9/9/9/9/4K4 b G 1
accept: G*5b
forbid: 5i5h

test without-a-wrong-move
position: 4k4/9/4P4/9/9/9/9/9/4K4 b G 1
accept: G*5b
"""


def test_problems_go_to_shogihome_and_back(tmp_path: Path) -> None:
    source, problems, back = (tmp_path / name for name in ("a.suite", "p.json", "b.suite"))
    source.write_text(SUITE)
    assert convert_problems([source], problems) == (1, 1)
    assert len(json.loads(problems.read_text())["problems"]) == 1
    assert convert_problems([problems], back) == (1, 0)
    (again,) = read_suite(back)
    assert isinstance(again, Problem)
    assert again.accept == ("G*5b",)


def test_names_that_occur_twice_become_numbers(tmp_path: Path) -> None:
    for name in ("a.suite", "b.suite"):
        (tmp_path / name).write_text(SUITE)
    target = tmp_path / "all.suite"
    assert convert_problems([tmp_path / "a.suite", tmp_path / "b.suite"], target) == (4, 0)
    names = [problem.name for problem in read_suite(target) if isinstance(problem, Problem)]
    assert names == ["1", "2", "3", "4"]


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match=r"neither \.suite nor \.json"):
        convert_problems([], tmp_path / "a.txt")
