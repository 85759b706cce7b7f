from pathlib import Path

import pytest

from tests.programs import gnugo_suites
from tools.regress.selection import choose_dialects
from tools.regress.tst.pattern import Dialect
from tools.regress.tst.recognition import recognize


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("1 owl_attack D4\n#? [1 (C3|E3)]\n", Dialect.GNUGO),
        ("loadsgf a.sgf 7\n  12 eval_eye D4\n", Dialect.GNUGO),
        ("1 reg_genmove b\n#? [D4|E5]\n", Dialect.STRICT),
        ("1 attack D4\n", Dialect.STRICT),  # Other programs have this command as well.
        ("owl_attack D4\n1 genmove b\n", Dialect.STRICT),
        ("# 1 owl_attack D4\n1 genmove b\n", Dialect.STRICT),
        ("1 owl_attacks D4\n", Dialect.STRICT),
    ],
)
def test_gnu_gos_suites_are_known_by_its_own_commands(
    tmp_path: Path, text: str, dialect: Dialect
) -> None:
    path = tmp_path / "a.tst"
    path.write_text(text)
    assert recognize(path).dialect == dialect
    (tmp_path / "regress.awk").touch()
    assert recognize(path) == (Dialect.GNUGO, "beside regress.awk")


def test_a_given_dialect_is_not_questioned_and_a_recognized_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "regress.awk").touch()
    files = {name: tmp_path / name for name in ("a.tst", "b.tst", "c.suite")}
    for file in files.values():
        file.write_text("1 genmove b\n")
    assert choose_dialects(files, Dialect.STRICT) == (
        {"a.tst": Dialect.STRICT, "b.tst": Dialect.STRICT},
        [],
    )
    chosen, (remark,) = choose_dialects(files, None)
    assert set(chosen.values()) == {Dialect.GNUGO}
    assert remark.startswith("2 suites (beside regress.awk): patterns are read as GNU Go's")


def test_all_suites_of_gnu_go_are_recognized() -> None:
    files = sorted(gnugo_suites().glob("*.tst"))
    assert {recognize(file).dialect for file in files} == {Dialect.GNUGO}
