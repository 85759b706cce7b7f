import pytest

from engines.core.game import InvalidText, Outcome
from tools.adjudication import Adjudication, Judge, parse_adjudication, share


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ("cp 0", 0.5),
        ("cp 600", 0.731),
        ("cp -600", 0.269),
        ("cp 999999999", 1.0),
        ("mate 5", 1.0),
        ("mate -4", 0.0),
        ("mate +", 1.0),
        ("mate -", 0.0),
        ("mate 0", 0.0),
        ("exact win 11", 1.0),
        ("exact loss 4", 0.0),
        ("exact draw", 0.5),
        ("exact 0.569549", 0.570),
        ("est 0.573", 0.573),
        ("est 0.573 lead +1.5", 0.573),
    ],
)
def test_scores_as_shares_of_points(score: str, expected: float) -> None:
    assert share(score) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    "score", ["", "cp", "cp x", "est 1.5", "est nan", "cp 30 lowerbound", "17"]
)
def test_what_is_no_score_says_nothing(score: str) -> None:
    assert share(score) is None


def test_rules_are_read() -> None:
    assert parse_adjudication("0.05,4,both", "0.02,10,80", 300) == Adjudication(
        0.05, 4, True, 0.02, 10, 80, 300
    )
    assert parse_adjudication("", "", 0) == Adjudication()


@pytest.mark.parametrize(
    ("resign", "draw"), [("0.6,3", ""), ("0,3", ""), ("0.1", ""), ("", "0.5,3"), ("", "0.1,0")]
)
def test_rules_without_sense_are_refused(resign: str, draw: str) -> None:
    with pytest.raises(InvalidText, match="expected SHARE,MOVES"):
        parse_adjudication(resign, draw, 0)


def test_one_better_move_begins_the_count_again() -> None:
    judge = Judge(Adjudication(resign_share=0.1, resign_moves=3))
    said = ["est 0.05", "est 0.05", "est 0.30", "est 0.05", "est 0.05"]
    for ply, score in enumerate(said):
        assert judge.judge(0, score, 2 * ply + 1) is None
        assert judge.judge(1, "est 0.5", 2 * ply + 2) is None
    outcome = judge.judge(0, "est 0.05", 11)
    assert outcome == Outcome(1, "adjudication: lost for 3 moves, the loser says so")


def test_a_move_without_a_score_begins_the_count_again() -> None:
    judge = Judge(Adjudication(resign_share=0.1, resign_moves=2))
    for score in ("est 0", "", "est 0"):
        assert judge.judge(0, score, 1) is None


def test_a_side_that_disagrees_keeps_the_game_going() -> None:
    judge = Judge(Adjudication(resign_share=0.1, resign_moves=1, resign_both=True))
    assert judge.judge(0, "est 0.01", 1) is None
    assert judge.judge(1, "est 0.80", 2) is None
    assert judge.judge(0, "est 0.01", 3) is None
    assert judge.judge(1, "est 0.95", 4) is not None


def test_no_draw_before_its_ply() -> None:
    judge = Judge(Adjudication(draw_share=0.01, draw_moves=1, draw_after=10))
    assert judge.judge(0, "est 0.5", 8) is None
    assert judge.judge(1, "est 0.5", 9) is None
    assert judge.judge(0, "est 0.5", 10) is None
    assert judge.judge(1, "est 0.5", 11) == Outcome(None, "adjudication: even for 1 moves")
