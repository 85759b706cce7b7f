import pytest

from engines.core.game import InvalidText
from protocols.ask.score import Score
from tools.regress.suites.span import Span, lacks_length, mate_fault, score_fault


@pytest.mark.parametrize("text", ["-200..200", "0.5..", "..-300", "5", "exact 0.25..0.5"])
def test_a_span_is_written_as_it_is_read(text: str) -> None:
    assert str(Span.parse("score", text)) == text


@pytest.mark.parametrize("text", ["win", "loss", "none", "-4", "1..7"])
def test_a_mate_may_be_a_word(text: str) -> None:
    assert str(Span.parse("mate", text, whole=True)) == text


@pytest.mark.parametrize("text", ["", "..", "win", "5..1", "a..b", "exact"])
def test_a_score_that_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(InvalidText, match="score: "):
        Span.parse("score", text)


@pytest.mark.parametrize(
    ("score", "span", "fault"),
    [
        ("cp 35", "0..100", ""),
        ("cp 35 lowerbound", "36..", "score at least 35, expected 36.."),
        ("cp 35 lowerbound", "30..", ""),
        ("cp 35 lowerbound", "0..100", "score at least 35, expected 0..100"),
        ("cp 35 upperbound", "..40", ""),
        ("mate 5", "1000..", ""),
        ("mate 0", "..-1000", ""),
        ("mate -5", "..-1000", ""),
        ("est 0.573", "0.5..0.6", ""),
        ("est 0.9992 lead +17.3", "0.9..", ""),
        ("est 0.573", "exact 0.5..0.6", "an estimate"),
        ("exact 0.569549", "exact 0.5695..0.5696", ""),
        ("exact win 11", "exact 1", ""),
        ("exact loss 4", "exact 0", ""),
        ("exact draw", "exact 0.5", ""),
        ("", "0..1", "the engine gave no score"),
        ("cp lots", "0..1", "the engine gave no score"),
    ],
)
def test_scores_of_all_protocols_are_understood(score: str, span: str, fault: str) -> None:
    assert fault in score_fault(Score.parse(score), Span.parse("score", span))
    assert bool(fault) == bool(score_fault(Score.parse(score), Span.parse("score", span)))


@pytest.mark.parametrize(
    ("score", "span", "fault"),
    [
        ("mate 5", "5", ""),
        ("mate 5", "..4", "mate 5, expected ..4"),
        ("mate -4", "-4", ""),
        ("mate +", "win", ""),
        ("mate +", "1..9", "mate win, expected 1..9"),
        ("mate -", "win", "mate loss, expected win"),
        ("exact win 11", "11", ""),
        ("exact loss 4", "loss", ""),
        ("exact draw", "none", ""),
        ("exact 1.000000", "win", ""),
        ("exact 0.000000", "loss", ""),
        ("exact 1.000000", "loss", "mate win, expected loss"),
        ("exact 1.000000", "none", "mate win where none was expected"),
        ("exact 0.57", "none", ""),
        ("exact 0.57", "win", "no mate was announced"),
        ("est 1.000000", "win", "no mate was announced"),
        ("cp 9000", "win", "no mate was announced"),
        ("mate 3", "none", "mate 3 where none was expected"),
    ],
)
def test_announced_ends_are_judged(score: str, span: str, fault: str) -> None:
    assert mate_fault(Score.parse(score), Span.parse("mate", span, whole=True)).startswith(fault)
    assert bool(fault) == bool(mate_fault(Score.parse(score), Span.parse("mate", span, whole=True)))


def test_a_length_cannot_be_asked_of_an_end_told_without_one() -> None:
    for score, span, lacking in (
        ("exact 1.000000", "5", True),
        ("exact 1.000000", "-5", False),
        ("exact 0.000000", "..-1", True),
        ("exact 1.000000", "win", False),
        ("exact win 5", "5", False),
        ("cp 10", "5", False),
    ):
        assert lacks_length(Score.parse(score), Span.parse("mate", span, whole=True)) is lacking
