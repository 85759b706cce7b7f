"""Scores of the three protocols as values: read once, compared and written back from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.ask.score import Bound, End, Evaluation, Score, whole
from protocols.ask.usi import parse_info
from tests.tools.fuzzing import Fuzz


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("cp 35", Score(centipawns=35)),
        ("cp -600 upperbound", Score(centipawns=-600, bound=Bound.UPPER)),
        ("cp 30 lowerbound nodes 7", Score(centipawns=30, bound=Bound.LOWER)),
        ("mate 5", Score(end=End.WIN, length=5)),
        ("mate -4", Score(end=End.LOSS, length=4)),
        ("mate +", Score(end=End.WIN)),
        ("mate -", Score(end=End.LOSS)),
        ("mate 0", Score(end=End.LOSS, length=0)),
        ("exact win 11", Score(end=End.WIN, length=11, exact=True)),
        ("exact loss", Score(end=End.LOSS, exact=True)),
        ("exact draw", Score(end=End.DRAW, exact=True)),
        ("exact 0.569549", Score(chance=0.569549, exact=True)),
        ("exact 1.000000", Score(end=End.WIN, exact=True)),
        ("est 0.573", Score(chance=0.573)),
        ("est 0.573 lead +1.5", Score(chance=0.573, lead=1.5)),
        ("est 0.573 lead much", Score(chance=0.573)),
    ],
)
def test_scores_of_all_protocols_are_read(text: str, score: Score) -> None:
    assert Score.parse(text) == score
    assert Score.parse(str(score)) == score


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "cp",
            "cp x",
            "cp ٣",
            "cp 1_0",
            "mate",
            "mate x",
            "est 1.5",
            "est nan",
            "exact",
            "17",
        ),
        *(f"cp {'9' * 5000}", f"mate -{'9' * 5000}", f"est 0.{'1' * 5000}"),
    ],
)
def test_what_is_no_score_is_none(text: str) -> None:
    assert Score.parse(text) is None


@pytest.mark.parametrize(
    ("text", "share"),
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
        ("est 0.573 lead +1.5", 0.573),
    ],
)
def test_scores_as_shares_of_the_points(text: str, share: float) -> None:
    score = Score.parse(text)
    assert score is not None
    assert score.share == pytest.approx(share, abs=1e-3)


def test_a_bound_gives_no_share() -> None:
    score = Score.parse("cp 30 lowerbound")
    assert score is not None
    assert score.share is None


def test_a_mate_is_counted_with_its_sign() -> None:
    signed = [("mate 5", 5), ("mate -4", -4), ("mate 0", 0), ("mate +", None), ("cp 5", None)]
    for text, mate in [*signed, ("exact loss 4", -4), ("exact draw", None)]:
        score = Score.parse(text)
        assert score is not None
        assert score.mate == mate


@pytest.mark.parametrize(
    ("info", "evaluation"),
    [
        ("info depth 3 score est 0.573 pv a b", Evaluation(Score(chance=0.573), "a b", 3)),
        ("info nodes 5 score exact draw", Evaluation(Score.parse("exact draw"), nodes=5)),
        ("score cp 5 depth 3 nodes 9 pv a", Evaluation(Score(centipawns=5), "a", 3, 9)),
        ("info depth x score", Evaluation()),
        (f"info depth {'9' * 5000} nodes ² score", Evaluation()),
        ("nonsense", Evaluation()),
        ("", Evaluation()),
    ],
)
def test_evaluations_may_lack_words(info: str, evaluation: Evaluation) -> None:
    assert Evaluation.parse(info) == evaluation
    assert Evaluation.parse(str(evaluation)) == evaluation


def test_an_evaluation_without_anything_is_false() -> None:
    assert not Evaluation()
    assert Evaluation(line="a")
    assert Evaluation(depth=0)


def test_whole_numbers_are_ascii_and_bounded() -> None:
    assert whole("17") == 17
    assert [whole(text) for text in ("", "-1", "²", "٣", "1_0", "9" * 16)] == [None] * 6


@pytest.mark.slow
@given(st.text())
def test_no_text_of_an_engine_raises(text: str) -> None:
    for words in (text, f"cp {text}", f"mate {text}", f"exact {text}", f"est {text}"):
        Score.parse(words)
        assert Evaluation.parse(f"depth {text} score {words}") is not None


def test_a_score_is_read_as_it_was_written() -> None:
    fuzz = Fuzz(1)
    texts = ["score est 0.5 lead 0.569549", "score est 0.5 lead -0.04"]
    texts += [fuzz.line().decode("utf-8", "replace") for _ in range(5000)]
    for text in texts:
        for evaluation in (Evaluation.parse(text), parse_info(f"info {text}")):
            assert Evaluation.parse(str(evaluation)) == evaluation
