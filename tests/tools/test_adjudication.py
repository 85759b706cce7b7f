import pytest

from engines import registry
from engines.core.game import Game, InvalidText, Outcome
from tools.adjudication import (
    Adjudication,
    Judge,
    check_tables,
    claim,
    known,
    parse_adjudication,
    share,
)


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


@pytest.mark.parametrize(
    ("score", "claimed"),
    [
        ("mate 5", ("mate", "win")),
        ("mate -4", ("mate", "loss")),
        ("mate 0", ("mate", "loss")),
        ("exact win 11", ("exact", "win")),
        ("exact draw", ("exact", "draw")),
        ("exact 0.569", ("", "")),
        ("cp 30000", ("", "")),
        ("", ("", "")),
    ],
)
def test_what_a_score_claims_for_certain(score: str, claimed: tuple[str, str]) -> None:
    assert claim(score) == claimed


def test_a_mate_that_is_claimed_long_enough_is_a_win_by_option() -> None:
    lone, both = parse_adjudication("", "", 0, "2"), parse_adjudication("", "", 0, "2,both")
    said = ["mate 7", "cp -900", "mate 5", "mate -4", "mate 3", "mate -2"]
    for rule, last in ((lone, 3), (both, 6), (Adjudication(), 0)):
        judge = Judge(rule)
        ends = [judge.judge(ply % 2, score, ply + 1) for ply, score in enumerate(said)]
        assert [end is not None for end in ends].count(True) == (
            len(said) - last + 1 if last else 0
        )
        if last:
            found = ends[last - 1]
            assert found is not None
            assert found.winner == 0
            assert found.reason.startswith("adjudication: mate win for 2 moves, ")


def test_exact_knowledge_wins_or_draws_by_option() -> None:
    judge = Judge(parse_adjudication("", "", 0, "", "1"))
    assert judge.judge(0, "mate 3", 1) is None
    assert judge.judge(1, "exact draw", 2) is None
    assert judge.judge(0, "exact draw", 3) == Outcome(
        None, "adjudication: exact draw for 1 moves, both agree"
    )
    assert judge.judge(1, "exact win 4", 4) == Outcome(
        1, "adjudication: exact win for 1 moves, the winner says so"
    )


@pytest.mark.parametrize("text", ["0", "x", "3,all", "both"])
def test_claims_without_sense_are_refused(text: str) -> None:
    with pytest.raises(InvalidText, match=r"mate .*: expected MOVES"):
        parse_adjudication("", "", 0, text)


def test_tables_end_a_game_by_option() -> None:
    game = Game(registry.rules("morris"), "W.W/.W./.../....../.../.B./B.B w 0 0 0")
    assert known(Adjudication(), game) is None
    assert known(Adjudication(tables=True), game) == Outcome(
        0, "adjudication: tables: a win in 1 plies"
    )
    with pytest.raises(InvalidText, match="there are none of shogi \\(only of morris\\)"):
        check_tables("shogi")
    check_tables("morris")


def test_no_draw_before_its_ply() -> None:
    judge = Judge(Adjudication(draw_share=0.01, draw_moves=1, draw_after=10))
    assert judge.judge(0, "est 0.5", 8) is None
    assert judge.judge(1, "est 0.5", 9) is None
    assert judge.judge(0, "est 0.5", 10) is None
    assert judge.judge(1, "est 0.5", 11) == Outcome(None, "adjudication: even for 1 moves")
