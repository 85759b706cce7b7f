import json
from pathlib import Path
from typing import Any

import pytest

from engines.core.game import InvalidText
from tools.regress.suites.nextmove import read_problems, write_problems
from tools.regress.suites.suite import InvalidTest, Problem, parse_suite

SFEN = "4k4/9/4P4/9/9/9/9/9/4K4 b GSr2b3g3s4n4l17p 1"


def problem(**changes: Any) -> dict[str, Any]:
    """Return a problem as ShogiHome writes it."""
    made = {
        "sfen": SFEN,
        "candidates": [
            {"usi": "G*5b", "score": 850, "depth": 24, "accepted": True, "pv": ["G*5b"]},
            {"usi": "S*4b", "score": 620, "accepted": False},
            {"usi": "5c5b+", "score": 600, "accepted": True},
        ],
        "actualMove": {"usi": "5i5h", "score": 120, "scoreSource": "research"},
        "analysis": {"scoreBeforeMove": 780, "scoreAfterMove": 150},
        "source": {"path": "/a.kif", "ply": 67, "blackPlayer": "先手", "whitePlayer": "後手"},
    }
    return {**made, **changes}


def save(path: Path, *problems: Any, **changes: Any) -> Path:
    tree = {"format": "shogihome-next-move", "version": 1, "metadata": {}, "future": []}
    tree |= {"problems": list(problems), **changes}
    path.write_text(json.dumps(tree, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def test_shogihomes_problems_are_read(tmp_path: Path) -> None:
    first, second = read_problems(save(tmp_path / "a.json", problem(), problem(source={})))
    assert isinstance(first, Problem)
    assert (first.name, first.title) == ("1", "先手 - 後手 move 67")
    assert first.setup == SFEN
    assert first.accept == ("G*5b", "5c5b+")
    assert first.forbid == ("5i5h",)
    assert isinstance(second, Problem)
    assert second.line > first.line > 1


def test_a_move_of_the_game_that_was_right_is_not_forbidden(tmp_path: Path) -> None:
    (only,) = read_problems(save(tmp_path / "a.json", problem(actualMove={"usi": "5c5b+"})))
    assert isinstance(only, Problem)
    assert only.forbid == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"sfen": "9/9 b - 1"},
        {"candidates": []},
        {"candidates": [{"usi": "1a1b"}]},
        {"candidates": 7},
        {"actualMove": {}},
        {"source": 3},
    ],
)
def test_a_problem_that_is_none_is_a_finding(tmp_path: Path, changes: dict[str, Any]) -> None:
    tests = read_problems(save(tmp_path / "a.json", problem(**changes), problem()))
    assert [type(each) for each in tests] == [InvalidTest, Problem]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe", "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "not a collection of next-move problems"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"format": "other"}', "not a collection of next-move problems"),
        (b'{"format": "shogihome-next-move", "version": 2}', "version 2 of the format is unknown"),
        (b'{"format": "shogihome-next-move", "version": 1, "problems": []}', "no problems in it"),
    ],
)
def test_other_files_say_what_they_are_not(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "a.json").write_bytes(data)
    with pytest.raises(InvalidText, match=message):
        read_problems(tmp_path / "a.json")


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match="No such file"):
        read_problems(tmp_path / "a.json")


def test_what_is_written_shogihome_can_pose(tmp_path: Path) -> None:
    text = (
        "game: shogi\ntest a\nmoves: 7g7f 3c3d\naccept: 8h2b+ 2g2f\nforbid: 8h7g\n"
        "test b\nmoves: 7g7f\naccept: 3c3d\n"
        "test c\ngame: neutron\naccept: b1-b4\nforbid: b1-e4\n"
    )
    problems = [each for each in parse_suite(text) if isinstance(each, Problem)]
    assert write_problems(tmp_path / "a.json", problems, "mine") == 1
    tree = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert (tree["format"], tree["version"], tree["metadata"]["title"]) == (
        *("shogihome-next-move", 1, "mine"),
    )
    (one,) = tree["problems"]
    # Four fields, the last one always 1: ShogiHome tells positions apart by the first three.
    assert one["sfen"] == "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1"
    assert [each["usi"] for each in one["candidates"]] == ["8h2b+", "2g2f"]
    assert one["candidates"][0]["accepted"] is True
    assert one["candidates"][0]["pv"][0] == "8h2b+"
    assert one["actualMove"]["usi"] == "8h7g"
    assert one["source"]["ply"] == 3
    (again,) = read_problems(tmp_path / "a.json")
    assert isinstance(again, Problem)
    assert (again.accept, again.forbid) == (("8h2b+", "2g2f"), ("8h7g",))


def test_nothing_to_pose_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidText, match="no shogi problem has both a right and a wrong move"):
        write_problems(tmp_path / "a.json", [])
    assert not (tmp_path / "a.json").exists()
