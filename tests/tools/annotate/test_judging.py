import pytest

from engines.core.game import InvalidText
from protocols.ask.score import Evaluation, Score
from tools.annotate.judging import Mark, Tally, Thresholds, format_tallies, judge_moves
from tools.annotate.valuing import Value
from tools.records.game import PlayedMove

LIMITS = Thresholds()


def value(side: int, share: float, best: str = "") -> Value:
    return Value(side, best, Evaluation(Score(chance=share)))


def move(side: int, text: str) -> PlayedMove:
    return PlayedMove(side, text, 0.0, None)


@pytest.mark.parametrize(
    ("loss", "mark"),
    [
        (0.2, Mark.BLUNDER),
        (0.199, Mark.MISTAKE),
        (0.05, Mark.DOUBTFUL),
        (0.049, None),
        (-0.049, None),
        (-0.05, Mark.INTERESTING),
        (-0.1, Mark.GOOD),
    ],
)
def test_losses_and_gains_have_names(loss: float, mark: Mark | None) -> None:
    assert LIMITS.mark(loss) == mark


def test_thresholds_are_read_in_percent() -> None:
    assert Thresholds.parse("5, 10,20") == LIMITS
    assert Thresholds.parse("2.5,5,5").doubtful == 0.025


@pytest.mark.parametrize(
    "text", ["", "5", "5,10", "10,5,20", "0,1,2", "1,2,101", "a,b,c", "1,2,-3"]
)
def test_other_thresholds_are_refused(text: str) -> None:
    with pytest.raises(InvalidText):
        Thresholds.parse(text)


def test_a_move_loses_what_the_position_after_it_is_worth_less() -> None:
    moves = [move(0, "a"), move(1, "b"), move(0, "c")]
    values = {"0": value(0, 0.6, "x"), "1": value(1, 0.7, "b"), "2": value(0, 0.1, "y")}
    first, second, third = judge_moves(moves, values, LIMITS, 1, 99, None)
    assert first.loss == pytest.approx(0.3)  # From 60 % to 30 %.
    assert (first.mark, first.agrees) == (Mark.BLUNDER, False)
    assert (second.loss, second.mark, second.agrees) == (0.0, None, True)  # Its own choice.
    assert (third.loss, third.mark, third.fault) == (None, None, "no score")
    assert [each.number for each in judge_moves(moves, values, LIMITS, 2, 3, 0)] == [3]
    assert first.to_json()["mark"] == "blunder"


def test_a_mean_over_the_dice_comes_before_the_position_after_the_throw() -> None:
    moves = [move(2, "3"), move(0, "a"), move(2, "1"), move(1, "b")]
    values = {"0": value(0, 0.5, "x"), "1+": value(0, 0.45), "1": value(1, 0.9, "b")}
    first, _ = judge_moves(moves, values, LIMITS, 1, 99, None)
    assert first.loss == pytest.approx(0.05)
    assert first.mark == Mark.DOUBTFUL


def test_a_fault_is_told_instead_of_a_loss() -> None:
    values = {"0": Value(0, fault="it crashed"), "1": value(1, 0.5)}
    (judged,) = judge_moves([move(0, "a")], values, LIMITS, 1, 9, None)
    assert (judged.loss, judged.fault) == (None, "it crashed")


def test_the_table_has_a_row_per_player() -> None:
    moves = [move(0, "a"), move(0, "b"), move(0, "c")]
    values = {"0": value(0, 0.6, "x"), "1": value(0, 0.3, "b"), "2": value(0, 0.5, "c")}
    tally = Tally("one")
    for judged in judge_moves(moves, values, LIMITS, 1, 99, None):
        tally.add(judged)
    head, row = format_tallies([tally])
    assert head.split() == [
        *("player", "moves", "loss/move", "doubtful", "mistakes", "blunders", "agreement")
    ]
    assert row.split() == ["one", "3", "10.0", "%", "0", "0", "1", "66.7", "%"]
    wide, narrow = format_tallies([Tally("一人目"), Tally("abcdef")])[1:]
    assert len(wide) == len(narrow) - 3  # A terminal shows both equally wide.
    assert format_tallies([Tally("none")])[1].split() == ["none", "0", "-", "0", "0", "0", "-"]
