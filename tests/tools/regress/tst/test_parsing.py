from pathlib import Path

import pytest

from engines.core.game import InvalidText
from tests.programs import gnugo_suites
from tools.regress.tst.parsing import parse_tst, read_tst, vertices
from tools.regress.tst.pattern import Dialect

TEXT = """\
# A comment
boardsize 9
loadsgf games/a.sgf 7   # the position before move 7

10 reg_genmove b
#? [A1|B2]*
20\treg_genmove w
#? [!C3]&
30 final_score

#? [B+1]
40 attack D4
# between
#? [1]
"""


def test_commands_and_tests_are_told_apart() -> None:
    steps = parse_tst(TEXT)
    assert [(step.number, step.name, step.line) for step in steps] == [
        ("", "boardsize", 2),
        ("", "loadsgf", 3),
        ("10", "reg_genmove", 5),
        ("20", "reg_genmove", 7),
        ("30", "final_score", 9),
        ("line-11", "", 11),
        ("40", "attack", 12),
        ("line-14", "", 14),
    ]
    assert steps[1].args == ("games/a.sgf", "7")
    assert steps[3].text == "reg_genmove w"


def test_a_pattern_belongs_to_the_test_right_above_it() -> None:
    steps = {step.number: step for step in parse_tst(TEXT)}
    assert steps["10"].expectation is not None
    assert steps["10"].expectation.fails
    assert steps["20"].expectation is not None
    assert steps["20"].expectation.ignored
    assert steps["30"].expectation is None
    assert steps["line-11"].fault == "a pattern without a test on the line above"
    quiet = [step.number for step in parse_tst(TEXT, Dialect.GNUGO) if step.is_test]
    assert quiet == ["10", "20", "30", "40"]


def test_numbers_may_repeat_where_others_let_them() -> None:
    text = "1 name\n#? [a]\n1 name\n#? [b]\n"
    assert [step.fault for step in parse_tst(text)] == ["", "a second test 1"]
    for dialect in (Dialect.GNUGO, Dialect.GOGUI):
        assert not any(step.fault for step in parse_tst(text, dialect))


def test_a_malformed_line_is_a_finding_of_its_own() -> None:
    steps = parse_tst("1 name\n#? [a\n2\n#? [b]\n3 name\n#? [(]\n4 name\n#? [d]\n")
    assert [bool(step.fault) for step in steps] == [True, True, True, False]
    assert steps[1].fault == "a number without a command"


def test_line_ends_and_control_characters_do_no_harm() -> None:
    steps = parse_tst("1 na\x07me\r\n#? [x]\r\n\r\n2 name\r\n#? [y]")
    assert [(step.name, step.expectation and step.expectation.text) for step in steps] == [
        ("name", "x"),
        ("name", "y"),
    ]


def test_a_pattern_names_points_to_be_drawn() -> None:
    (step,) = parse_tst("1 attack D4\n#? [1 (A1|T19|A1)|0 PASS|xB2]")
    assert vertices(step.expectation) == ("A1", "T19")


def test_files_that_are_no_suites_say_so(tmp_path: Path) -> None:
    for name, data, message in (
        ("a.tst", b"\x7fELF\0\0", "a binary file"),
        ("b.tst", b"# nothing\n", "it has no commands"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InvalidText, match=message):
            read_tst(tmp_path / name)
    with pytest.raises(InvalidText, match="No such file"):
        read_tst(tmp_path / "c.tst")
    with pytest.raises(InvalidText, match="directory"):
        read_tst(tmp_path)
    (tmp_path / "d.tst").write_bytes(b"1 name \xe9\n#? [\xe9]\n")  # Latin-1, as in GNU Go's.
    assert len(read_tst(tmp_path / "d.tst")) == 1


@pytest.mark.parametrize(("dialect", "faults"), [("strict", 10), ("gogui", 10), ("gnugo", 0)])
def test_all_suites_of_gnu_go_are_read(dialect: str, faults: int) -> None:
    files = sorted(gnugo_suites().glob("*.tst"))
    assert len(files) == 87
    suites = [read_tst(file, Dialect(dialect)) for file in files]
    steps = [step for suite in suites for step in suite if step.is_test]
    assert len(steps) == 5370
    assert sum(bool(step.fault) for step in steps) == faults
    expectations = [step.expectation for step in steps if step.expectation is not None]
    assert len(expectations) == 5370
    assert sum(expectation.fails for expectation in expectations) == 1311
    assert sum(expectation.negated for expectation in expectations) == 241
