import time
from collections.abc import Iterator

import pytest

from tools.regress.tst import pattern
from tools.regress.tst.pattern import Dialect, Expectation, Matcher, parse_expectation

ALL = tuple(Dialect)
STRICT, GNUGO, GOGUI = Dialect.STRICT, Dialect.GNUGO, Dialect.GOGUI


@pytest.fixture(params=ALL)
def matcher(request: pytest.FixtureRequest) -> Iterator[Matcher]:
    made = Matcher(request.param)
    yield made
    made.close()


def read(text: str, dialect: Dialect = STRICT) -> Expectation:
    return parse_expectation(text, 1, dialect)


@pytest.mark.parametrize("dialect", ALL)
def test_marks_and_negation_are_read(dialect: Dialect) -> None:
    plain, fails, negated = (read(text, dialect) for text in ("#? [A1]", "#? [A1]*", "#? [!A1]*"))
    assert (plain.text, plain.negated, plain.fails) == ("A1", False, False)
    assert fails.fails
    assert (negated.text, negated.negated, negated.fails) == ("A1", True, True)
    assert {plain.fault, fails.fault, negated.fault} == {""}


def test_gogui_knows_no_ampersand() -> None:
    assert read("#? [A1]&").ignored
    assert read("#? [A1]&", GNUGO).ignored
    assert read("#? [A1]&", GOGUI).fault == "no closing bracket at the end of the line in '[A1]&'"


def test_gnu_go_alone_takes_a_pattern_without_its_brackets() -> None:
    assert read("#? [1 1 D6", GNUGO).text == "1 1 D6"
    assert read("#? A1", GNUGO).text == "A1"
    for dialect in (STRICT, GOGUI):
        assert read("#? [1 1 D6", dialect).fault.startswith("no closing bracket")
        assert read("#? A1]", dialect).fault == "no opening bracket in 'A1]'"


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize("text", ["(", "a{2,1}", "a{99999999999999999999}", "*", "a**", "[[a"])
def test_what_is_no_regular_expression_says_so(dialect: Dialect, text: str) -> None:
    expectation = read(f"#? [{text}]", dialect)
    assert f"{text!r} is not a regular expression: " in expectation.fault


def test_a_bracket_within_brackets_is_no_fault(matcher: Matcher) -> None:
    assert matcher.matches(read("#? [[[]1]", matcher.dialect), "[1")


def test_alternatives_are_grouped_but_in_gnu_gos_dialect() -> None:
    either = read("#? [B1|D17]")
    assert Matcher(STRICT).matches(either, "B1")
    assert not Matcher(STRICT).matches(either, "B14")
    assert not Matcher(GOGUI).matches(either, "B14")
    assert Matcher(GNUGO).matches(either, "B14")
    assert Matcher(GNUGO).matches(either, "AD17")


def test_gnu_go_sees_the_first_line_alone() -> None:
    one, whole = read("#? [A1]"), read("#? [A1.B2]")
    assert Matcher(GNUGO).matches(one, "A1\nB2")
    for dialect in (STRICT, GOGUI):
        assert not Matcher(dialect).matches(one, "A1\nB2")
        assert Matcher(dialect).matches(whole, "A1\nB2")


def test_negation_turns_the_verdict_round(matcher: Matcher) -> None:
    unwanted = read("#? [!A1|B2]", matcher.dialect)
    assert not matcher.matches(unwanted, "A1")
    assert matcher.matches(unwanted, "C3")


def test_case_counts_unless_told_otherwise(matcher: Matcher) -> None:
    assert not matcher.matches(read("#? [PASS]"), "pass")
    assert Matcher(matcher.dialect, ignore_case=True).matches(read("#? [PASS]"), "pass")


def test_an_empty_pattern_takes_an_empty_answer(matcher: Matcher) -> None:
    assert matcher.matches(read("#? []"), "")
    assert not matcher.matches(read("#? []"), "x") or matcher.dialect is GNUGO


def test_posix_classes_are_gnu_gos(matcher: Matcher) -> None:
    if matcher.dialect is GNUGO:
        assert matcher.matches(read("#? [[[:digit:]]+ [A-T][[:digit:]]]", GNUGO), "12 B7")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("(a+)+b", "a" * 60),
        ("(a|aa)" * 60 + "b", "a" * 90),
        (r"(a*)*\1b", "a" * 60),
        ("(x+x+)+y", "x" * 60),
        (".*.*.*.*.*.*=.*", "x" * 4000),
    ],
)
def test_a_pattern_that_backtracks_for_ever_is_given_up(
    matcher: Matcher, monkeypatch: pytest.MonkeyPatch, text: str, answer: str
) -> None:
    monkeypatch.setattr(pattern, "PATIENCE", 0.05)
    began = time.monotonic()
    with pytest.raises(TimeoutError, match="matching took more than"):
        matcher.matches(read(f"#? [{text}]", matcher.dialect), answer)
    monkeypatch.setattr(pattern, "PATIENCE", 60.0)
    assert matcher.matches(read("#? [(a+)+]"), "aaa")  # The next one has a fresh child.
    assert time.monotonic() - began < 60


def test_ordinary_patterns_need_no_child(matcher: Matcher) -> None:
    for text in ("A1", "A1|B2|C3", "1 (A1|B2)", "(0|1 (D6|D7))", "W.*", r"B\+83.5"):
        matcher.matches(read(f"#? [{text}]"), "1 A1")
    assert matcher._child is None


def test_no_comment_may_follow_a_pattern() -> None:
    for dialect in (Dialect.STRICT, Dialect.GOGUI):
        assert "no comment may follow a pattern" in read("#? [.*]  # said", dialect).fault
    assert read("#? [.*]  # said", Dialect.GNUGO).text == ".*]  # said"
