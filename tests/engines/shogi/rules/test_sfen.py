"""SFEN text: what is accepted, and the grade and reason of what is not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.shogi.rules.sfen import (
    START,
    SfenError,
    format_sfen,
    handicap_names,
    handicap_sfen,
    parse_sfen,
)

KINGS = "4k4/9/9/9/9/9/9/9/4K4"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (START, START),
        ("startpos", START),
        (f"sfen {START}", START),
        (f"{KINGS} b - 7", f"{KINGS} b - 7"),
        (f"{KINGS} w -", f"{KINGS} w - 1"),
        (f"{KINGS} b p3P1r2gB 1", f"{KINGS} b B3Pr2gp 1"),
        (f"{KINGS} b PP 1", f"{KINGS} b 2P 1"),
        (f"{KINGS} b 18P 1", f"{KINGS} b 18P 1"),
        ("4k4/9/9/9/9/9/9/9/9 b 2R 1", "4k4/9/9/9/9/9/9/9/9 b 2R 1"),
        ("9/9/9/9/9/9/9/9/4K4 w r 3", "9/9/9/9/9/9/9/9/4K4 w r 3"),
        (f"  {KINGS}   b  -  12 ", f"{KINGS} b - 12"),
        ("4k4/9/9/11111+R3/9/9/9/9/4K4 b - 1", "4k4/9/9/5+R3/9/9/9/9/4K4 b - 1"),
    ],
)
def test_accepted_text_is_written_in_one_way(text: str, written: str) -> None:
    assert format_sfen(parse_sfen(text)) == written


@pytest.mark.parametrize(
    ("text", "grade", "reason"),
    [
        ("", "syntax", "expected board"),
        ("b - 1", "syntax", "9 rows"),
        (f"{KINGS} b", "syntax", "expected board"),
        (f"{KINGS} b - 1 2", "syntax", "expected board"),
        (f"{KINGS} x - 1", "syntax", "b or w"),
        (f"{KINGS} B - 1", "syntax", "b or w"),
        ("4k4/9/9/9/9/9/9/4K4 b - 1", "syntax", "9 rows, not 8"),
        ("4k5/9/9/9/9/9/9/9/4K4 b - 1", "syntax", "row 1 is not 9"),
        ("4k3/9/9/9/9/9/9/9/4K4 b - 1", "syntax", "row 1 is not 9"),
        ("4k4/99/9/9/9/9/9/9/4K4 b - 1", "syntax", "row 2 is not 9"),
        ("4k4/9/9/9/9/9/9/9/4X4 b - 1", "syntax", "not a man: 'X' in row 9"),
        ("4k4/9/9/9/9/9/9/9/4+K4 b - 1", "syntax", "not a man: '+K'"),
        ("4k4/9/9/9/9/9/9/9/3+GK4 b - 1", "syntax", "not a man: '+G'"),
        ("4k4/9/9/9/9/9/9/9/4K3+ b - 1", "syntax", "row 9 is not 9"),
        ("4k4/9/9/9/9/9/9/9/4K4+ b - 1", "syntax", "row 9 is not 9"),
        ("4k4/9/9/9/9/9/9/9/3++RK4 b - 1", "syntax", "not a man: '++'"),
        ("4k4/9/9/+9/9/9/9/9/4K4 b - 1", "syntax", "not a man: '+9'"),
        (f"{KINGS} b 2 1", "syntax", "not a hand"),
        (f"{KINGS} b 0P 1", "syntax", "not a hand"),
        (f"{KINGS} b K 1", "syntax", "not a hand"),
        (f"{KINGS} b １P 1", "syntax", "not a hand"),
        (f"{KINGS} b 111P 1", "syntax", "not a hand"),
        (f"{KINGS} b - x", "syntax", "whole number"),
        (f"{KINGS} b - -1", "syntax", "whole number"),
        (f"{KINGS} b - 1.5", "syntax", "whole number"),
        (f"{KINGS} b - 9999999", "syntax", "at most"),
        (f"{KINGS} b - 99999999999999999999", "syntax", "whole number"),
        (f"{KINGS} b 3R 1", "inventory", "3 rooks, and there are only 2"),
        (f"{KINGS} b 19P 1", "inventory", "19 pawns"),
        (f"{KINGS} b 10P9p 1", "inventory", "19 pawns"),
        ("+R+R+Rk5/9/9/9/9/9/9/9/4K4 w - 1", "inventory", "3 rooks"),
        ("4k4/9/9/9/9/9/9/9/3KK4 b - 1", "inventory", "two kings of black"),
        ("3kk4/9/9/9/9/9/9/9/4K4 b - 1", "inventory", "two kings of white"),
        ("9/9/9/9/9/9/9/9/9 b - 1", "rule", "no king at all"),
        ("4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1", "rule", "two pawns of black on file 5"),
        ("4k4/9/9/p8/9/p8/9/9/4K4 b - 1", "rule", "two pawns of white on file 9"),
        ("P3k4/9/9/9/9/9/9/9/4K4 b - 1", "rule", "pawn on 9a can never move"),
        ("4k4/9/9/9/9/9/9/9/4K3l b - 1", "rule", "white lance on 1i can never move"),
        ("4k4/7N1/9/9/9/9/9/9/4K4 b - 1", "rule", "knight on 2b can never move"),
        ("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "rule", "white is in check and not to move"),
    ],
)
def test_refused_text_names_its_grade_and_reason(text: str, grade: str, reason: str) -> None:
    with pytest.raises(SfenError, match=reason.replace("+", r"\+")) as caught:
        parse_sfen(text)
    assert caught.value.grade == grade
    if grade == "rule":
        assert parse_sfen(text, tolerate="rule").perft(1) >= 0
    else:
        with pytest.raises(SfenError):
            parse_sfen(text, tolerate="rule")


def test_surplus_men_pass_only_where_they_are_tolerated_and_never_beyond_the_hash() -> None:
    assert parse_sfen(f"{KINGS} b 4R 1", tolerate="inventory").perft(1) > 0
    for text in (f"{KINGS} b 19R 1", "4k4/9/9/9/9/9/9/9/3KK4 b - 1"):
        with pytest.raises(SfenError):
            parse_sfen(text, tolerate="inventory")


@given(st.text(alphabet="lnsgkrbpLNSGKRBP+123456789/ bw-", max_size=120))
@settings(deadline=None)
def test_any_text_is_a_position_or_a_reason(text: str) -> None:
    for tolerate in ("", "rule", "inventory"):
        try:
            position = parse_sfen(text, tolerate=tolerate)
        except SfenError:
            continue
        again = format_sfen(position)
        assert format_sfen(parse_sfen(again, tolerate=tolerate)) == again


@given(st.data())
@settings(deadline=None)
def test_a_damaged_start_is_a_position_or_a_reason(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(START) - 1))
    letter = data.draw(st.sampled_from("lnsgkrbpPK+19/ bw-x０"))
    text = START[:at] + letter + START[at + 1 :]
    try:
        position = parse_sfen(text)
    except SfenError:
        return
    assert len(position.legal_moves()) == position.perft(1)


def test_handicaps_are_whites_to_begin_and_lack_the_men_they_name() -> None:
    lacking = {"lance": 1, "rook+lance": 2, "two": 2, "five": 5, "right-seven": 7, "ten": 10}
    for name in handicap_names():
        text = handicap_sfen(name)
        assert " w - 1" in text
        men = sum(letter.isalpha() for letter in text.split()[0])
        if name in lacking:
            assert men == 40 - lacking[name]
    assert handicap_sfen("two").startswith("lnsgkgsnl/9/ppppppppp/")
    assert handicap_sfen("rook+lance").startswith("lnsgkgsn1/7b1/")
    assert handicap_sfen("right-lance").startswith("1nsgkgsnl/1r5b1/")
    assert handicap_sfen("ten").startswith("4k4/9/")
