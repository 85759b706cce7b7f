import re
from pathlib import Path

import pytest

from engines.core.game import InvalidText
from engines.shogi.rules.sfen import handicap_names
from tools.regress.suites.suite import (
    KEYS,
    InvalidTest,
    Problem,
    matching,
    parse_suite,
    read_suite,
    write_suite,
)

MATE = "position: 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


def one(text: str) -> Problem:
    (problem,) = parse_suite(text)
    assert isinstance(problem, Problem), problem
    return problem


def fault(text: str) -> str:
    (test,) = parse_suite(text)
    assert isinstance(test, InvalidTest), test
    return test.message


def test_a_test_has_name_title_and_line() -> None:
    problem = one(f"\n# words\ngame: shogi\n\ntest mate-1: a gold\n{MATE}\naccept: G*5b\n")
    assert (problem.name, problem.title, problem.line) == ("mate-1", "a gold", 5)
    assert problem.required == "G*5b"
    assert str(problem.control) == "1/move"


def test_what_stands_above_holds_unless_a_test_says_otherwise() -> None:
    first, second = parse_suite(
        "game: neutron\nlimit: depth=3\nlevel: 4\noption: a=1\n"
        "test one\naccept: b1-b4\ntest two\nlimit: nodes=7\noption: b=2\nforbid: b1-b4\n"
    )
    assert isinstance(first, Problem)
    assert isinstance(second, Problem)
    assert (str(first.control), first.options) == ("depth=3", (("a", "1"),))
    assert (str(second.control), second.options) == ("nodes=7", (("a", "1"), ("b", "2")))
    assert first.level == second.level == "4"


def test_indented_lines_continue_a_value() -> None:
    problem = one("game: shogi\ntest a\nmoves: 7g7f\n  3c3d\n\t6g6f\naccept:\n  8c8d\n  8b4b\n")
    assert problem.moves == ("7g7f", "3c3d", "6g6f")
    assert problem.accept == ("8c8d", "8b4b")


def test_shogi_takes_a_position_as_usi_writes_it() -> None:
    for text in (
        "position: position startpos moves 7g7f 3c3d",
        "position: startpos moves 7g7f\nmoves: 3c3d",
        "position: sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
        "moves: 7g7f 3c3d",
    ):
        assert one(f"game: shogi\ntest a\n{text}\naccept: 8h2b+").moves == ("7g7f", "3c3d")
    handicap = one(f"game: shogi\ntest a\nposition: {handicap_names()[0]}\naccept: 5a4b")
    assert handicap.start().turn == 1


def test_gos_size_follows_from_its_position() -> None:
    assert one("game: go\ntest a\nposition: 3/1X1/3 w\naccept: A1").size == "3"
    assert one("game: go\ntest a\nposition: 3/3 b\naccept: A1").size == "3x2"
    drawn = "game: go\ntest a\ndiagram:\n  . . .\n  . X .\n  . . .\nturn: white\naccept: A1\n"
    assert (one(drawn).size, one(drawn).setup) == ("3", "3/1X1/3 w")
    assert one("game: go\nkomi: 0.5\nsize: 5\ntest a\naccept: C3").start().position.komi == 0.5


def test_a_word_may_mean_all_moves_that_begin_so() -> None:
    problem = one(
        "game: neutron\ntest a\nposition: BB..B/....B/....W/N.B.W/W..WW w\naccept: a2-b1\n"
    )
    assert list(matching(problem.start(), "a2-b1...")) == ["a2-b1"]
    assert len(list(matching(problem.start(), "a2..."))) > 5


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("accept: G*5c", "illegal move G.5c: 5c is occupied"),
        ("accept: G*9z", "G.9z"),
        ("accept: Z9...", "fits no legal move"),
        ("accept: G*5b\nforbid: G*5b", "accepted and forbidden"),
        ("", "nothing is expected"),
        ("accept: G*5b\nmoves: 7g7f", "moves: number 1"),
        ("accept: G*5b\nlimit: forever", "time control"),
        ("accept: G*5b\nscore: high", "score: expected"),
        ("accept: G*5b\nmate: soon", "mate: expected"),
        ("accept: G*5b\ntries: many", "tries: expected"),
        ("accept: G*5b\nseed: x", "seed: expected a whole number"),
        ("accept: G*5b\ntimeout: x", "timeout: expected a number"),
        ("accept: G*5b\noption: x", "option: expected NAME=VALUE"),
        ("accept: G*5b\nsize: big", "size: expected 9 or 9x13"),
        ("accept: G*5b\nkomi: 5", "komi: there is no komi in shogi"),
        ("accept: G*5b\nturn: black", "turn: only for a diagram"),
        ("accept: G*5b\ncolour: red", "no such key: 'colour'"),
        ("accept: G*5b\nnonsense", "is neither `KEY: VALUE`"),
        ("accept: G*5b\naccept: G*5b", "a second 'accept'"),
        ("accept: G*5b\nfails: a\nignore: b", "exclude each other"),
        ("accept: G*5b\ndiagram:\n  .", "exclude each other"),
    ],
)
def test_a_wrong_test_is_a_fault_that_names_the_reason(lines: str, message: str) -> None:
    assert re.search(message, fault(f"game: shogi\ntest a\n{MATE}\n{lines}\n"))


def test_a_fault_hurts_its_own_test_only() -> None:
    tests = parse_suite("game: neutron\ntest a\nwhat\ntest b\naccept: b1-b4\ntest b\naccept: b1-b4")
    assert [type(each) for each in tests] == [InvalidTest, Problem, InvalidTest]
    assert [each.line for each in tests] == [2, 4, 6]


@pytest.mark.parametrize("line", ["test", "test two words", "test:", "test : title"])
def test_a_test_without_a_name_is_a_fault_of_its_own(line: str) -> None:
    good = "test a\naccept: b1-b4\n"
    tests = parse_suite(f"game: neutron\n{good}{line}\naccept: z9-z9\n")
    assert [type(each) for each in tests] == [Problem, InvalidTest]
    assert (tests[1].name, tests[1].line) == ("line-4", 4)
    assert "expected `test NAME`" in fault(f"game: neutron\n{line}\n")


def test_a_question_needs_somebody_to_move() -> None:
    assert "a throw is due" in fault("game: senet\ntest a\naccept: 10-11")
    over = "BBBB./....B/...../W..../WWNWW w"
    assert "the game is over" in fault(f"game: neutron\ntest a\nposition: {over}\naccept: a1-a2")
    assert fault("game: chess\ntest a\naccept: e4").startswith("no such game: 'chess'")
    assert fault("test a\naccept: e4").startswith("no such game: ''")


@pytest.mark.parametrize("text", ["", "# nothing\n", "game: go\n"])
def test_a_suite_without_tests_is_none(text: str) -> None:
    with pytest.raises(InvalidText, match="no tests in it"):
        parse_suite(text)


def test_files_that_are_no_suites_say_so(tmp_path: Path) -> None:
    for name, data, message in (
        ("a", b"\x80\x81", "not a text in UTF-8"),
        ("b", b"test a\0", "a binary file"),
        ("c", b"frobnicate\n", "neither `KEY: VALUE`"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InvalidText, match=message):
            read_suite(tmp_path / name)
    with pytest.raises(InvalidText, match="No such file"):
        read_suite(tmp_path / "d")


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.suite"
    path.write_bytes(b"\xef\xbb\xbfgame: neutron\r\ntest a\r\naccept: b1-b4\r\n")
    (problem,) = read_suite(path)
    assert isinstance(problem, Problem)
    assert problem.accept == ("b1-b4",)


def test_what_is_written_is_read_again() -> None:
    text = (
        f"game: shogi\ntest a: title\n{MATE}\naccept: G*5b\nscore: 0..\nmate: 1\nseed: 3\n"
        "tries: 2 of 3\ntimeout: 2.5\noption: x=y z\nlevel: 2\nfails: old\n"
        "replay:\n  isready\n  go\n"
        "test b\ngame: go\nsize: 9x7\nkomi: 0.5\nlimit: visits=7\nmoves: A1\n"
        "forbid: B2\nignore: x\n"
    )
    tests = parse_suite(text)
    problems = [each for each in tests if isinstance(each, Problem)]
    assert len(problems) == 2
    again = parse_suite(write_suite(problems, "Head\nof it"))
    assert [replace_line(each) for each in again] == [replace_line(each) for each in problems]


def replace_line(problem: Problem | InvalidTest) -> str:
    return re.sub(r"line=\d+", "", repr(problem))


def test_the_readme_names_every_key_and_its_example_is_a_suite() -> None:
    readme = Path(__file__).parents[4] / "tools" / "regress" / "README.md"
    if not readme.exists():
        pytest.skip("the sources are elsewhere")
    text = readme.read_text(encoding="utf-8")
    for key in KEYS:
        assert re.search(rf"^\|.*`{key}`.*\|", text, re.MULTILINE), key
    example = text.partition("\n## Our suites\n")[2].split("```")[1]
    assert all(isinstance(each, Problem) for each in parse_suite(example))
    assert len(parse_suite(example)) == 4
