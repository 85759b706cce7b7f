from pathlib import Path

from tools.regress.tst.parsing import parse_tst
from tools.regress.tst.pattern import Dialect
from tools.regress.tst.shadow import Shadow

TEST = "1 reg_genmove black\n#? [C3|D4]\n"


def scene_after(lines: str, folder: Path = Path(), test: str = TEST) -> object:
    *before, last = parse_tst(lines + test, Dialect.STRICT)
    shadow = Shadow(folder)
    for step in before:
        shadow.follow(step)
    return shadow.scene(last, "= C3")


def test_stones_points_and_the_answer_are_shown() -> None:
    scene = scene_after("boardsize 5\nplay b A5\nwhite E1\n")
    assert scene is not None
    assert str(scene).count("X4/5/5/5/4O") == 1
    assert "accept=('C3', 'D4')" in str(scene)
    assert "answer='C3'" in str(scene)


def test_a_negated_pattern_forbids() -> None:
    scene = scene_after("boardsize 5\n", test="1 reg_genmove black\n#? [!C3]\n")
    assert "forbid=('C3',)" in str(scene)


def test_moves_are_taken_back() -> None:
    assert str(scene_after("boardsize 5\nplay b A5\nundo\n")).count("5/5/5/5/5") == 1


def test_after_a_command_that_cannot_be_followed_nothing_is_drawn_until_a_new_board() -> None:
    for command in ("genmove b", "fixed_handicap 4", "play b Z99", "loadsgf none.sgf"):
        assert scene_after(f"boardsize 9\n{command}\nplay b A1\n") is None
        assert scene_after(f"boardsize 9\n{command}\nclear_board\n") is not None


def test_records_are_followed(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[5];B[aa];W[ee])")
    assert str(scene_after("loadsgf game.sgf\n", tmp_path)).count("X4/5/5/5/4O") == 1
