import pytest

from engines.core.game import Game
from engines.core.search import Limits, RandomSearcher, Report, Score
from tests.engines.core.toy import HeapRules


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score(0.573), "est 0.573"),
        (Score(1.0, exact=True, turns=11), "exact win 11"),
        (Score(0.0, exact=True, turns=4), "exact loss 4"),
        (Score(0.5, exact=True), "exact draw"),
        (Score(0.5, exact=True, dice=True), "exact 0.500000"),
        (Score(0.569549, exact=True), "exact 0.569549"),
        (Score(1.0, exact=True), "exact 1.000000"),
    ],
)
def test_a_score_is_written_as_the_line_protocol_asks(score: Score, text: str) -> None:
    assert str(score) == text


def test_a_search_without_limits_is_unbounded() -> None:
    assert not Limits().bounded
    assert Limits(seconds=1.0).bounded
    assert Limits(depth=1).bounded
    assert Limits(nodes=1).bounded


def choices(searcher: RandomSearcher, number: int = 20) -> list[int]:
    game = Game(HeapRules())
    return [
        searcher.search(game, Limits(), stop=lambda: False, report=lambda report: None)
        for _ in range(number)
    ]


def test_a_random_searcher_plays_all_legal_moves() -> None:
    assert set(choices(RandomSearcher(1), 100)) == {0, 1, 2}


def test_the_same_seed_plays_the_same_moves_again() -> None:
    searcher = RandomSearcher(5)
    first = choices(searcher)
    searcher.forget()
    assert choices(searcher) == first == choices(RandomSearcher(5))


def test_a_random_searcher_reports_its_move() -> None:
    reports: list[Report] = []
    game = Game(HeapRules())
    move = RandomSearcher(1, dice=True).search(
        game, Limits(), stop=lambda: False, report=reports.append
    )
    assert reports[0].pv == (move,)
    assert str(reports[0].score) == "est 0.500"
