import pytest

from engines import registry
from engines.core.game import Game, InvalidText, Outcome
from protocols.ask.score import End, Score
from tools.terms.adjudication import (
    Adjudication,
    Adjudicator,
    Claim,
    check_tables,
    claim,
    parse_adjudication,
    table_outcome,
)


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
    judge = Adjudicator(Adjudication(resign_share=0.1, resign_moves=3))
    scores = ["est 0.05", "est 0.05", "est 0.30", "est 0.05", "est 0.05"]
    for ply, score in enumerate(scores):
        assert judge.judge(0, Score.parse(score), 2 * ply + 1) is None
        assert judge.judge(1, Score.parse("est 0.5"), 2 * ply + 2) is None
    outcome = judge.judge(0, Score.parse("est 0.05"), 11)
    assert outcome == Outcome(1, "adjudication: lost for 3 moves, the loser says so")


def test_a_move_without_a_score_begins_the_count_again() -> None:
    judge = Adjudicator(Adjudication(resign_share=0.1, resign_moves=2))
    for score in ("est 0", "", "est 0"):
        assert judge.judge(0, Score.parse(score), 1) is None


def test_a_side_that_disagrees_keeps_the_game_going() -> None:
    judge = Adjudicator(Adjudication(resign_share=0.1, resign_moves=1, resign_both=True))
    assert judge.judge(0, Score.parse("est 0.01"), 1) is None
    assert judge.judge(1, Score.parse("est 0.80"), 2) is None
    assert judge.judge(0, Score.parse("est 0.01"), 3) is None
    assert judge.judge(1, Score.parse("est 0.95"), 4) is not None


@pytest.mark.parametrize(
    ("score", "claimed"),
    [
        ("mate 5", Claim("mate", End.WIN)),
        ("mate -4", Claim("mate", End.LOSS)),
        ("mate 0", Claim("mate", End.LOSS)),
        ("exact win 11", Claim("exact", End.WIN)),
        ("exact draw", Claim("exact", End.DRAW)),
        ("exact 0.569", None),
        ("cp 30000", None),
        ("", None),
    ],
)
def test_what_a_score_claims_for_certain(score: str, claimed: Claim | None) -> None:
    assert claim(Score.parse(score)) == claimed


def test_a_mate_that_is_claimed_long_enough_is_a_win_by_option() -> None:
    lone, both = parse_adjudication("", "", 0, "2"), parse_adjudication("", "", 0, "2,both")
    scores = ["mate 7", "cp -900", "mate 5", "mate -4", "mate 3", "mate -2"]
    for rule, last in ((lone, 3), (both, 6), (Adjudication(), 0)):
        judge = Adjudicator(rule)
        ends = [
            judge.judge(ply % 2, Score.parse(score), ply + 1) for ply, score in enumerate(scores)
        ]
        assert [end is not None for end in ends].count(True) == (
            len(scores) - last + 1 if last else 0
        )
        if last:
            outcome = ends[last - 1]
            assert outcome is not None
            assert outcome.winner == 0
            assert outcome.reason.startswith("adjudication: mate win for 2 moves, ")


def test_exact_knowledge_wins_or_draws_by_option() -> None:
    judge = Adjudicator(parse_adjudication("", "", 0, "", "1"))
    assert judge.judge(0, Score.parse("mate 3"), 1) is None
    assert judge.judge(1, Score.parse("exact draw"), 2) is None
    assert judge.judge(0, Score.parse("exact draw"), 3) == Outcome(
        None, "adjudication: exact draw for 1 moves, both agree"
    )
    assert judge.judge(1, Score.parse("exact win 4"), 4) == Outcome(
        1, "adjudication: exact win for 1 moves, the winner says so"
    )


@pytest.mark.parametrize("text", ["0", "x", "3,all", "both"])
def test_claims_without_sense_are_refused(text: str) -> None:
    with pytest.raises(InvalidText, match=r"mate .*: expected MOVES"):
        parse_adjudication("", "", 0, text)


def test_tables_end_a_game_by_option() -> None:
    game = Game(registry.rules("morris"), "W.W/.W./.../....../.../.B./B.B w 0 0 0")
    assert table_outcome(Adjudication(), game) is None
    assert table_outcome(Adjudication(tables=True), game) == Outcome(
        0, "adjudication: tables: a win in 1 plies"
    )
    with pytest.raises(InvalidText, match="there are no tables for shogi \\(only for morris\\)"):
        check_tables("shogi")
    check_tables("morris")


def test_no_draw_before_its_ply() -> None:
    judge = Adjudicator(Adjudication(draw_share=0.01, draw_moves=1, draw_after=10))
    assert judge.judge(0, Score.parse("est 0.5"), 8) is None
    assert judge.judge(1, Score.parse("est 0.5"), 9) is None
    assert judge.judge(0, Score.parse("est 0.5"), 10) is None
    assert judge.judge(1, Score.parse("est 0.5"), 11) == Outcome(
        None, "adjudication: even for 1 moves"
    )
